package fare_test

import (
	"testing"

	"example.org/tram/fare"
)

func TestPriceGrowsByZone(t *testing.T) {
	if got := fare.Price(2); got != 240 {
		t.Errorf("two zones cost %d, want 240", got)
	}
}

func TestNight(t *testing.T) {
	for name, hour := range map[string]int{"is night at three": 3} {
		t.Run(name, func(t *testing.T) {
			if !fare.Night(hour) {
				t.Errorf("no night at %d", hour)
			}
		})
	}
}

func TestDayIsNoNight(t *testing.T) {
	if fare.Night(12) {
		t.Error("night at noon")
	}
}
