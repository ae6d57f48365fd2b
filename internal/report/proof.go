package report

import (
	"fmt"
	"slices"
	"sort"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/journal/record"
)

// proof is what a run shows for its change: which tests failed before it, and
// how they stand with it.
type proof struct {
	// Claim says it in a sentence; Shown that there is something to show.
	Claim string
	Shown bool
	Rows  []proofRow
	// Before and After count all tests, where the runner tells.
	Before, After string
}

type proofRow struct {
	Test          string
	Before, After string
	Good          bool
}

// Claim says in a sentence what a run shows for its change.
func Claim(d record.Detail) string { return proofOf(d).Claim }

// standing is the attempt whose state a run ended in: the green one, else the
// best (fewest failing tests, the latest on a tie).
func standing(d record.Detail) *record.Attempt {
	var best *record.Attempt
	for i := range d.Attempts {
		a := &d.Attempts[i]
		switch {
		case a.Outcome == event.Green:
			best = a
		case a.Outcome != event.Failing && a.Outcome != event.Quality:
		case best == nil || best.Outcome != event.Green && a.Failing <= best.Failing:
			best = a
		}
	}
	return best
}

// proofOf weighs what the records hold.
func proofOf(d record.Detail) proof {
	at := standing(d)
	var p proof
	if at == nil {
		p.Claim = "No change stands that could be judged."
		return p
	}
	before, after := testsOf(d.Baseline), testsOf(lastTests(at.Checks))
	was, fails, known := setOf(before), setOf(after), setOf(d.Known)
	fixed := 0
	add := func(test, before string) {
		row := proofRow{Test: test, Before: before, After: "passes", Good: true}
		switch {
		case known[test]:
			row.After, row.Good = "fails as before: known, no part of the task", false
		case fails[test]:
			row.After, row.Good = "fails", false
		default:
			fixed++
		}
		p.Rows = append(p.Rows, row)
	}
	for _, t := range before {
		add(t, "fails")
	}
	if d.Evidence != nil && d.Evidence.Verdict == "proven" {
		for _, t := range d.Evidence.Tests {
			if !was[t] {
				add(t, "fails without the change")
			}
		}
	}
	for _, t := range after {
		if !was[t] {
			p.Rows = append(p.Rows, proofRow{Test: t, Before: "does not fail", After: "fails"})
		}
	}
	sort.SliceStable(p.Rows, func(i, j int) bool { return rank(p.Rows[i]) < rank(p.Rows[j]) })
	p.Before, p.After = countsOf(d.Baseline), countsOf(at.Checks)
	p.Shown = fixed > 0
	p.Claim = claim(d, at, fixed)
	return p
}

// rank puts what still fails last.
func rank(r proofRow) int {
	if r.Good {
		return 0
	}
	return 1
}

func claim(d record.Detail, at *record.Attempt, fixed int) string {
	green := at.Outcome == event.Green
	e := d.Evidence
	tests := func(one, many string) string {
		if fixed == 1 {
			return "1 test " + one
		}
		return fmt.Sprintf("%d tests %s", fixed, many)
	}
	switch {
	case green && e != nil && e.Verdict == "proven" && fixed > 0:
		return tests("fails without the change and passes with it", "fail without the change and pass with it") +
			"; whatever passed before still passes."
	case green && e != nil && e.Verdict == "proven":
		return because("Proven", e.Note)
	case green && fixed > 0:
		return tests("failed before and passes now", "failed before and pass now") + "."
	case green && e != nil && e.Note != "":
		return because("The checks pass, but nothing shows that the change does what it should", e.Note)
	case green:
		return "The checks pass; no test was seen to fail without the change."
	case fixed > 0:
		return tests("of those that failed passes now", "of those that failed pass now") + "; the checks do not pass."
	}
	return "Nothing yet: the checks do not pass."
}

func because(what, note string) string {
	if note == "" {
		return what + "."
	}
	return what + ": " + oneLine(note, 300) + "."
}

// lastTests are the last full run of each test command: an earlier one, and the
// reruns of what failed, tell of states that are gone or of a part.
func lastTests(checks []record.Check) []record.Check {
	var out []record.Check
	for _, c := range checks {
		if c.Kind != "test" && c.Kind != "gate" {
			continue
		}
		i := slices.IndexFunc(out, func(o record.Check) bool { return o.Name == c.Name })
		if i >= 0 {
			out[i] = c
		} else {
			out = append(out, c)
		}
	}
	if !slices.ContainsFunc(out, func(c record.Check) bool { return c.Kind == "test" }) {
		return checks // only a rerun came that far
	}
	return out
}

// testsOf names the failing tests of checks, each once.
func testsOf(checks []record.Check) []string {
	var out []string
	seen := map[string]bool{"": true}
	for _, c := range checks {
		for _, f := range c.Failures {
			if !seen[f.Test] {
				seen[f.Test] = true
				out = append(out, f.Test)
			}
		}
	}
	return out
}

func setOf(names []string) map[string]bool {
	set := map[string]bool{}
	for _, n := range names {
		set[n] = true
	}
	return set
}

// countsOf sums up the tests of the last full run.
func countsOf(checks []record.Check) string {
	var sum event.Counts
	for _, c := range lastTests(checks) {
		if c.Kind == "test" {
			plus(&sum.Passed, c.Counts.Passed)
			plus(&sum.Failed, c.Counts.Failed)
			plus(&sum.Skipped, c.Counts.Skipped)
		}
	}
	return countsText(sum)
}

func plus(sum **int, n *int) {
	if n == nil {
		return
	}
	total := *n
	if *sum != nil {
		total += **sum
	}
	*sum = &total
}
