package ferry

import (
	"errors"
	"testing"
)

func TestPrice(t *testing.T) {
	for _, c := range []struct {
		name               string
		cars, people, want int
	}{{"a car", 1, 1, 1150}, {"children free", 1, 3, 1400}, {"on foot", 0, 1, 250}} {
		t.Run(c.name, func(t *testing.T) {
			if have := Price(c.cars, c.people); have != c.want {
				t.Errorf("Price(%d, %d) = %d, want %d", c.cars, c.people, have, c.want)
			}
		})
	}
}

func TestBoard(t *testing.T) {
	f := &Ferry{Max: 1}
	if err := f.Board("a"); err != nil {
		t.Fatal(err)
	}
	if err := f.Board("b"); !errors.Is(err, ErrFull) {
		t.Fatalf("second car: have %v, want %v", err, ErrFull)
	}
}
