package journal

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/booty-cli/booty/internal/fault"
)

func reserve(t *testing.T, j *Journal, run string, worst float64, l Limits) (int64, []Warning) {
	t.Helper()
	id, w, err := j.Money.Reserve(t.Context(), Reservation{Run: run, WorstUSD: worst, Limits: l})
	if err != nil {
		t.Fatal(err)
	}
	return id, w
}

func used(t *testing.T, j *Journal, run string, l Limits) map[string]float64 {
	t.Helper()
	ps, err := j.Money.Usage(t.Context(), run, l)
	if err != nil {
		t.Fatal(err)
	}
	m := map[string]float64{}
	for _, p := range ps {
		m[p.Period] = p.UsedUSD
	}
	return m
}

func TestLimitsHold(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		spent  []float64 // settled in run "r" before
		open   float64   // reserved in another run and not settled
		worst  float64
		limits Limits
		period string // that refuses; empty for none
		left   float64
	}{
		{"nothing spent, within all limits", nil, 0, 1, Limits{RunUSD: 5, DayUSD: 100, WeekUSD: 500}, "", 0},
		{"exactly the limit is allowed", []float64{4}, 0, 1, Limits{RunUSD: 5}, "", 0},
		{"tenths add up exactly", []float64{.1, .1, .1, .1, .1, .1, .1, .1, .1}, 0, .1, Limits{RunUSD: 1}, "", 0},
		{"a billionth above is not", []float64{4}, 0, 1.000000001, Limits{RunUSD: 5}, "run", 1},
		{"the run's limit comes first", []float64{4}, 0, 2, Limits{RunUSD: 5, DayUSD: 5, WeekUSD: 5}, "run", 1},
		{"the day's limit counts other runs", nil, 4, 2, Limits{RunUSD: 5, DayUSD: 5}, "day", 1},
		{"the week's limit", nil, 4, 2, Limits{RunUSD: 5, WeekUSD: 5}, "week", 1},
		{"an open reservation of another run does not touch this run's limit", nil, 4, 2, Limits{RunUSD: 5}, "", 0},
		{"no limit means none", []float64{1e4}, 0, 1e4, Limits{}, "", 0},
		{"a free call is always allowed", []float64{9}, 0, 0, Limits{RunUSD: 5, DayUSD: 5, WeekUSD: 5}, "", 0},
		{"a call above what was reserved leaves nothing", []float64{9}, 0, 0.01, Limits{RunUSD: 5}, "run", 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			clk := newClock()
			j := open(t, Options{Now: clk.now})
			for _, s := range c.spent {
				id, _ := reserve(t, j, "r", s, Limits{})
				if _, err := j.Money.Settle(t.Context(), id, s); err != nil {
					t.Fatal(err)
				}
			}
			if c.open > 0 {
				reserve(t, j, "other", c.open, Limits{})
			}
			before := used(t, j, "r", c.limits)
			_, _, err := j.Money.Reserve(t.Context(), Reservation{Run: "r", WorstUSD: c.worst, Limits: c.limits})
			if c.period == "" {
				if err != nil {
					t.Errorf("got %v, want it allowed", err)
				}
				return
			}
			var l *LimitError
			if !errors.As(err, &l) || l.Period != c.period || l.LeftUSD != c.left || fault.ExitCode(err) != 5 || fault.HintOf(err) == "" {
				t.Fatalf("got %+v, want the %s limit with %v left, exit 5 and a hint", err, c.period, c.left)
			}
			if wantReset := c.period != "run"; wantReset == l.Resets.IsZero() {
				t.Errorf("resets: %v", l.Resets)
			}
			if diff := cmp.Diff(before, used(t, j, "r", c.limits)); diff != "" {
				t.Errorf("a refused call changed what is used:\n%s", diff)
			}
		})
	}
}

func TestReservationsAreClosedOnce(t *testing.T) {
	t.Parallel()
	j := open(t, Options{})
	ctx := t.Context()
	a, _ := reserve(t, j, "r", 1, Limits{})
	b, _ := reserve(t, j, "r", 1, Limits{})
	if got := used(t, j, "r", Limits{})["run"]; got != 2 {
		t.Errorf("reserved: %v used, want 2", got)
	}
	_, err := j.Money.Settle(ctx, a, 0.25)
	must(t, err)
	must(t, j.Money.Release(ctx, b))
	for _, again := range []error{second(j.Money.Settle(ctx, a, 7)), second(j.Money.Settle(ctx, b, 7)), j.Money.Release(ctx, a), j.Money.Release(ctx, 999)} {
		if !errors.Is(again, errSettled) {
			t.Errorf("closed twice: %v", again)
		}
	}
	if got := used(t, j, "r", Limits{})["run"]; got != 0.25 {
		t.Errorf("%v used, want 0.25", got)
	}
}

func second(_ []Warning, err error) error { return err }

func TestImpossibleAmountsAreRefused(t *testing.T) {
	t.Parallel()
	j := open(t, Options{})
	for _, v := range []float64{-1, math.NaN(), math.Inf(1), 1e9} {
		if _, _, err := j.Money.Reserve(t.Context(), Reservation{WorstUSD: v}); err == nil {
			t.Errorf("reserved %v", v)
		}
		if _, _, err := j.Money.Reserve(t.Context(), Reservation{Limits: Limits{DayUSD: v}}); err == nil {
			t.Errorf("took %v as a limit", v)
		}
		if _, err := j.Money.Settle(t.Context(), 1, v); err == nil {
			t.Errorf("settled %v", v)
		}
	}
}

func TestWindowsRoll(t *testing.T) {
	t.Parallel()
	begun := time.Date(2026, 11, 22, 23, 59, 59, 0, time.UTC)
	c := &clock{begun}
	j := open(t, Options{Now: func() time.Time { return c.t.In(time.FixedZone("far", 13*3600)) }})
	l := Limits{RunUSD: 10, DayUSD: 10, WeekUSD: 10}
	spend := func(v float64) {
		id, _ := reserve(t, j, "r", v, l)
		_, err := j.Money.Settle(t.Context(), id, v)
		must(t, err)
	}
	resets := func() [2]time.Time {
		ps, err := j.Money.Usage(t.Context(), "", l)
		must(t, err)
		return [2]time.Time{ps[0].Resets.UTC(), ps[1].Resets.UTC()}
	}
	if got := resets(); !got[0].IsZero() || !got[1].IsZero() {
		t.Errorf("nothing was spent, and it resets at %v", got)
	}
	spend(3)
	c.advance(2 * time.Second) // midnight, of a Monday
	if diff := cmp.Diff(map[string]float64{"run": 3, "day": 3, "week": 3}, used(t, j, "r", l)); diff != "" {
		t.Errorf("midnight changes nothing:\n%s", diff)
	}
	c.advance(12 * time.Hour)
	spend(2)
	if got, want := resets(), [2]time.Time{begun.Add(24 * time.Hour), begun.Add(7 * 24 * time.Hour)}; got != want {
		t.Errorf("resets at %v, want %v: when the oldest leaves", got, want)
	}
	c.t = begun.Add(24 * time.Hour)
	if diff := cmp.Diff(map[string]float64{"run": 5, "day": 2, "week": 5}, used(t, j, "r", l)); diff != "" {
		t.Errorf("a day after the first:\n%s", diff)
	}
	if got, want := resets()[0], begun.Add(36*time.Hour+2*time.Second); got != want {
		t.Errorf("then the day resets at %v, want %v", got, want)
	}
	c.t = begun.Add(7 * 24 * time.Hour)
	if diff := cmp.Diff(map[string]float64{"run": 5, "day": 0, "week": 2}, used(t, j, "r", l)); diff != "" {
		t.Errorf("a week after the first:\n%s", diff)
	}
}

func TestALimitIsSeenWithoutReserving(t *testing.T) {
	t.Parallel()
	c := newClock()
	j := open(t, Options{Now: c.now})
	ctx := t.Context()
	l := Limits{RunUSD: 5, DayUSD: 6}
	ask := func(worst float64) error {
		return j.Money.Afford(ctx, Reservation{Run: "new", WorstUSD: worst, Limits: l})
	}
	reserve(t, j, "old", 4, l)
	must(t, ask(2))
	must(t, ask(0))
	err := ask(2.5)
	var e *LimitError
	if !errors.As(err, &e) || e.Period != "day" || fault.ExitCode(err) != 5 || !e.Resets.Equal(c.t.Add(24*time.Hour)) {
		t.Errorf("got %+v, want the day's limit", err)
	}
	if left, limited, err := j.Money.Left(ctx, "new", l); err != nil || !limited || left != 2 {
		t.Errorf("left: %v %t (%v), want 2", left, limited, err)
	}
	if _, limited, err := j.Money.Left(ctx, "new", Limits{}); err != nil || limited {
		t.Errorf("without limits: %t (%v)", limited, err)
	}
	if got := used(t, j, "new", l); got["run"] != 0 || got["day"] != 4 {
		t.Errorf("asking has reserved: %v", got)
	}
}

func TestWarningsComeOnceAPeriodAndLimit(t *testing.T) {
	t.Parallel()
	c := newClock()
	j := open(t, Options{Now: c.now})
	l := Limits{RunUSD: 1, DayUSD: 10, WeekUSD: 100}
	spend := func(run string, v float64, l Limits) string {
		id, w := reserve(t, j, run, v, l)
		after, err := j.Money.Settle(t.Context(), id, v)
		must(t, err)
		var s []string
		for _, x := range append(w, after...) {
			s = append(s, x.Period)
		}
		return strings.Join(s, " ")
	}
	steps := []struct {
		name, run string
		v         float64
		want      string
	}{
		{"below", "a", 0.79, ""},
		{"80 % of the run", "a", 0.01, "run"},
		{"not again", "a", 0.1, ""},
		{"another run has its own", "b", 0.8, "run"},
		{"up to 7.7 of the day", "", 6, ""},
		{"80 % of the day", "", 0.3, "day"},
		{"not again within a day", "", 0.3, ""},
	}
	for _, s := range steps {
		if got := spend(s.run, s.v, l); got != s.want {
			t.Errorf("%s: got %q, want %q", s.name, got, s.want)
		}
	}
	if got := spend("", 0.1, Limits{DayUSD: 10.1, WeekUSD: 100}); got != "day" {
		t.Errorf("a changed limit warns anew: got %q", got)
	}
	c.advance(24 * time.Hour)
	if got := spend("", 8, l); got != "day" {
		t.Errorf("the next day: got %q, want day", got)
	}
}

func TestUsageTellsHowMoneyStands(t *testing.T) {
	t.Parallel()
	c := newClock()
	j := open(t, Options{Now: c.now})
	l := Limits{RunUSD: 1, DayUSD: 10}
	id, _ := reserve(t, j, "a", 0.9, l)
	_, err := j.Money.Settle(t.Context(), id, 0.85)
	must(t, err)
	must(t, j.locks.hold(t.Context(), "b"))
	reserve(t, j, "b", 0.5, l)
	reserve(t, j, "c", 0.25, l) // nobody is at work on this one
	got, err := j.Money.Usage(t.Context(), "a", l)
	must(t, err)
	want := []Period{
		{Period: "run", UsedUSD: 0.85, LimitUSD: 1, LeftUSD: 0.15, Percent: 85, Calls: 1, Runs: 1, State: "warning"},
		{Period: "day", UsedUSD: 1.6, ReservedUSD: 0.5, UnsettledUSD: 0.25, LimitUSD: 10, LeftUSD: 8.4, Percent: 16, Calls: 3, Runs: 3, State: "available", Resets: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)},
		{Period: "week", UsedUSD: 1.6, ReservedUSD: 0.5, UnsettledUSD: 0.25, Calls: 3, Runs: 3, State: "available", Resets: time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
