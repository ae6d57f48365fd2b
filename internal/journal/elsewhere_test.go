package journal

import (
	"math"
	"testing"
	"time"
)

func TestEachRunCountsOnceOverAllMachines(t *testing.T) {
	t.Parallel()
	j := open(t, Options{})
	now := j.now()
	mine, _ := reserve(t, j, "mine", 1, Limits{})
	if _, err := j.Money.Settle(t.Context(), mine, 0.9); err != nil {
		t.Fatal(err)
	}
	reserve(t, j, "killed", 0.3, Limits{})
	told := []Elsewhere{
		{"mine", now.Add(-time.Hour), 0.9},     // as these records have it
		{"killed", now.Add(-time.Hour), 0.1},   // less than these records fear
		{"theirs", now.Add(-time.Hour), 0.4},   // of another machine
		{"older", now.Add(-30 * time.Hour), 2}, // in the week alone
		{"bad", now, math.NaN()}, {"worse", now, -5}, {"", now, 1},
	}
	for range 2 { // told twice
		if err := j.Learn(t.Context(), told); err != nil {
			t.Fatal(err)
		}
	}
	if got := used(t, j, "", Limits{}); got["day"] != 1.6 || got["week"] != 3.6 {
		t.Errorf("got %v", got)
	}
	// A newer figure takes the older one's place, of a run that was here in part too.
	if err := j.Learn(t.Context(), []Elsewhere{{"theirs", now, 0.5}, {"mine", now, 1}}); err != nil {
		t.Fatal(err)
	}
	ps, err := j.Money.Usage(t.Context(), "mine", Limits{DayUSD: 1.8})
	if err != nil {
		t.Fatal(err)
	}
	if ps[0].UsedUSD != 1 || ps[1].UsedUSD != 1.8 || ps[1].State != "reached" || ps[1].Calls != 2 || ps[1].Runs != 3 {
		t.Errorf("got %+v", ps)
	}
}
