package journal

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/booty-cli/booty/internal/journal/record"
)

func TestDaysBeginAtLocalMidnight(t *testing.T) {
	t.Parallel()
	c := newClock()
	c.t = time.Date(2026, 11, 17, 23, 59, 0, 0, time.FixedZone("far", 5*3600))
	j := open(t, Options{Now: c.now})
	spend := func(worst, price float64) {
		id, _, err := j.Money.Reserve(t.Context(), Reservation{Run: "0000000001", WorstUSD: worst})
		must(t, err)
		if price >= 0 {
			_, err = j.Money.Settle(t.Context(), id, price)
			must(t, err)
		}
	}
	spend(9, 1.5)
	c.advance(2 * time.Minute) // the next day, there; the same in UTC
	spend(9, 0.25)
	spend(9, 0.5)
	c.advance(48 * time.Hour)
	spend(3, -1) // under way
	days, err := j.Days(t.Context(), 4)
	must(t, err)
	want := []record.Day{{Day: "2026-11-17", UsedUSD: 1.5}, {Day: "2026-11-18", UsedUSD: 0.75}, {Day: "2026-11-19"}, {Day: "2026-11-20", UsedUSD: 3}}
	if diff := cmp.Diff(want, days); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if days, err = j.Days(t.Context(), 3); err != nil || len(days) != 3 || days[0].UsedUSD != 0.75 {
		t.Errorf("the last three: %+v, %v", days, err)
	}
}
