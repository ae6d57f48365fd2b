package report

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/journal/record"
	"github.com/booty-cli/booty/internal/testreport"
)

// story is what the records of a run come to. It is worked out once; `booty status`, the
// page and the last lines of a run show it, so that they cannot contradict each other.
type story struct {
	record.Detail
	// Before are the checks that ran before the first attempt.
	Before []record.Check
	// Again are those that ran without a new proposal, by the attempt that they follow:
	// the run was resumed, or files changed while it was at work.
	Again map[int][]record.Check
	// Stands is the attempt whose state the run ended in, nil where there is none or where
	// checks that ran again have the last word (Aside).
	Stands *record.Attempt
	Aside  bool
	proof
}

// proof is what a run shows for its change: which tests failed before it, and
// how they are doing with it.
type proof struct {
	// Claim says it in a sentence.
	Claim string
	Rows  []proofRow
	// CountBefore and CountAfter count all tests, where the runner tells.
	CountBefore, CountAfter string
}

type proofRow struct {
	Test          string
	Before, After string
	Good          bool
}

// Claim says in a sentence what a run shows for its change.
func Claim(d record.Detail) string { return storyOf(d).Claim }

func storyOf(d record.Detail) story {
	s := story{Detail: d, Again: map[int][]record.Check{}}
	for _, c := range d.Baseline {
		after := 0
		for _, a := range d.Attempts {
			if !a.Started.IsZero() && c.At.After(a.Started) {
				after = a.N
			}
		}
		if after == 0 {
			s.Before = append(s.Before, c)
		} else {
			s.Again[after] = append(s.Again[after], c)
		}
	}
	s.Stands = standing(d)
	var after []record.Check
	if n := len(d.Attempts); n > 0 && len(s.Again[d.Attempts[n-1].N]) > 0 && d.Run.Outcome != event.Green {
		s.Stands, s.Aside = nil, true
		after = s.Again[d.Attempts[n-1].N]
	} else if s.Stands != nil {
		after = s.Stands.Checks
	}
	if after == nil {
		s.Claim = "No change could be checked."
		return s
	}
	s.compare(after)
	return s
}

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

// compare fills in what became of each test, and what that proves.
func (s *story) compare(checks []record.Check) {
	was, is := testsOf(s.Before), testsOf(lastTests(checks))
	before, after := failure.Names(was, is...), failure.Names(is, was...)
	fixed := 0
	add := func(test, was string) {
		row := proofRow{Test: test, Before: was, After: "passes", Good: true}
		switch {
		case slices.Contains(s.Known, test):
			row.After, row.Good = "fails as before: known, not part of the task", false
		case slices.Contains(after, test):
			row.After, row.Good = "fails", false
		default:
			fixed++
		}
		s.Rows = append(s.Rows, row)
	}
	for _, t := range before {
		add(t, "fails")
	}
	if s.Evidence != nil && s.Evidence.Verdict == event.Proven {
		for _, t := range s.Evidence.Tests {
			if !slices.Contains(before, t) {
				add(t, "fails without the change")
			}
		}
	}
	for _, t := range after {
		if !slices.Contains(before, t) {
			s.Rows = append(s.Rows, proofRow{Test: t, Before: "does not fail", After: "fails"})
		}
	}
	sort.SliceStable(s.Rows, func(i, j int) bool { return s.Rows[i].Good && !s.Rows[j].Good })
	s.CountBefore, s.CountAfter = countsOf(s.Before), countsOf(checks)
	s.Claim = s.claim(fixed, !slices.ContainsFunc(lastTests(checks),
		func(c record.Check) bool { return !c.Passed }))
}

// others says what became of the tests that passed before.
func (s *story) others() string {
	switch n := len(s.ChangedTests); n {
	case 0:
		return "; whatever passed before still passes."
	case 1:
		return "; 1 existing test was changed, as the task asks."
	default:
		return fmt.Sprintf("; %d existing tests were changed, as the task asks.", n)
	}
}

func (s *story) claim(fixed int, pass bool) string {
	tests := func(one, many string) string {
		if fixed == 1 {
			return "1 test " + one
		}
		return fmt.Sprintf("%d tests %s", fixed, many)
	}
	green, e := !s.Aside && s.Stands.Outcome == event.Green, s.Evidence
	switch {
	case s.Aside && pass:
		return "The checks pass, with files that were changed outside the run. No attempt made them pass."
	case green && e != nil && e.Verdict == event.Proven && fixed > 0:
		return tests("fails without the change and passes with it",
			"fail without the change and pass with it") +
			s.others()
	case green && e != nil && e.Verdict == event.Proven:
		return because("Proven", e.Note)
	case green && fixed > 0:
		return tests("failed before and passes now", "failed before and pass now") + "."
	case green && e != nil && e.Note != "":
		return because("The checks pass, but no test shows that the change does what it should", e.Note)
	case green:
		return "The checks pass; no test was seen to fail without the change."
	case s.Run.Outcome == event.NeedsReview:
		return "The checks pass, with existing tests changed; whether the task asks for that is for a person to say."
	case fixed > 0:
		return tests("that failed before passes now", "that failed before pass now") +
			"; the checks do not pass."
	}
	return "Nothing yet: the checks do not pass."
}

func because(what, note string) string {
	if note == "" {
		return what + "."
	}
	return what + ": " + oneLine(note, 300) + "."
}

// Tests counts all tests before and after.
func (s story) Tests() string {
	switch {
	case s.CountAfter != "" && s.CountBefore != "":
		return s.CountBefore + " before; " + s.CountAfter + " after"
	case s.CountAfter != "":
		return s.CountAfter
	}
	return "not counted by the runner"
}

// Calls are all requests to models: those of the attempts in order, then the others.
func (s story) Calls() []record.Call {
	var all []record.Call
	for _, a := range s.Detail.Attempts {
		all = append(all, a.Calls...)
	}
	return append(all, s.Extra...)
}

// Models names the models that were asked, in order.
func (s story) Models() string { return strings.Join(modelsOf(s.Calls()), ", ") }

// Took is how long the run took, "" while it is at work.
func (s story) Took() string {
	if s.Run.Finished.IsZero() {
		return ""
	}
	return span(s.Run.Finished.Sub(s.Run.Started))
}

// Into is the branch that the work is meant for; a refine's goes into no other.
func (s story) Into() string {
	if s.Run.Base == s.Run.Branch {
		return ""
	}
	return s.Run.Base
}

// Hint says how to go on.
func (s story) Hint() string {
	if s.Run.State == record.Interrupted {
		return fmt.Sprintf("booty resume %s continues it, booty undo %s takes it back", s.Run.ID, s.Run.ID)
	}
	return s.Run.Hint
}

// Result is what became of an attempt; the last one of a run at work is under way.
func (s story) Result(a record.Attempt) string {
	if a.Outcome == "" && s.Run.State == record.Running {
		return "running"
	}
	return attemptResult(a)
}

// notes are those of an attempt; with 0, of the run. Evidence is part of the claim.
func (s story) notes(attempt int) []record.Note {
	var out []record.Note
	for _, n := range s.Notes {
		of := n.Attempt
		if !slices.ContainsFunc(s.Detail.Attempts, func(a record.Attempt) bool { return a.N == of }) {
			of = 0
		}
		if n.Kind != "evidence" && of == attempt {
			out = append(out, n)
		}
	}
	return out
}

// againTitle heads checks that ran without a new proposal.
func againTitle(attempt int) string { return fmt.Sprintf("Checked again after attempt %d", attempt) }

// fresh gives for each check the failures that none before it has shown.
func fresh(checks []record.Check) [][]event.Failure {
	type key struct {
		test, file, message string
		line                int
	}
	shown := map[key]bool{}
	out := make([][]event.Failure, len(checks))
	for i, c := range checks {
		for _, f := range c.Failures {
			if k := (key{f.Test, f.File, f.Message, f.Line}); !shown[k] {
				shown[k] = true
				out[i] = append(out[i], f)
			}
		}
	}
	return out
}

// lastTests are the last full run of each test command: an earlier one, and the
// reruns of what failed, tell of states that are gone or of a part.
func lastTests(checks []record.Check) []record.Check {
	var out []record.Check
	for _, c := range checks {
		if c.Kind != "test" && c.Kind != "gate" {
			continue
		}
		if i := slices.IndexFunc(out, func(o record.Check) bool { return o.Name == c.Name }); i >= 0 {
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

// testsOf are the failing tests of checks, and cases in place of their tests.
func testsOf(checks []record.Check) []failure.ID {
	var out []failure.ID
	for _, c := range checks {
		out = append(out, failure.IDs(failure.Cases(c.Failures))...)
	}
	return out
}

// countsOf are the tests of the last full run.
func countsOf(checks []record.Check) string {
	var all []event.Counts
	for _, c := range lastTests(checks) {
		if c.Kind == "test" {
			all = append(all, c.Counts)
		}
	}
	return testreport.Sum(all...).Words()
}
