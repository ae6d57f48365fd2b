package engine

import (
	"fmt"
	"slices"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/pkg/edit"
)

// countGuard turns a green run in which tests of the baseline did not run into
// a failing one: tests that did not run prove nothing.
func (r *run) countGuard(v Verdict) Verdict {
	if r.m.Baseline == nil || r.m.Baseline.Tally >= failure.Uncounted {
		return v
	}
	lost := r.missing(v)
	if lost.n == 0 {
		return v
	}
	if r.o.TestsMayGo {
		r.notice("warning", lost.words)
		return v
	}
	v.Green, v.TestsFailed, v.Failing, v.Lost = false, true, lost.n, true
	v.Text, v.Unproven, v.Signature = lost.text, lost.words, lost.signature
	return v
}

// hidden says that an attempt removed files, and that tests which ran before do not
// run any more: as tests do that skip themselves where something is missing. The
// next attempt could not bring back what it was never shown.
func (a *Attempt) hidden() bool {
	return a.Verdict.Lost && slices.ContainsFunc(a.Files, func(f event.File) bool { return f.Op == string(edit.Delete) })
}

// lost are tests that ran at the baseline and do not any more.
type lost struct {
	n int
	// text is for the model, words for the user.
	text, words, signature string
}

// missing says which tests of the baseline a run lacks: by their names where both
// tell them in one form, else by how many there are.
func (r *run) missing(v Verdict) lost {
	if v.Ran != nil && v.RanAs == r.m.Baseline.RanAs && r.m.Baseline.Ran != nil {
		return r.gone(v)
	}
	before, now := r.m.Baseline.due(), v.executed()
	if now < 0 && before > 0 && (r.m.Baseline.Green || r.m.Baseline.AlwaysCounts) {
		now = 0 // it counted before, and would again
	}
	if before == 0 || now < 0 || now >= before {
		return lost{}
	}
	text := fmt.Sprintf("The test command passed, but only %s ran where %d ran before the change (it does not say which). "+
		"Every test that ran before must run again: undo whatever keeps them from running.", tests(now), before)
	return lost{before - now, text, tests(before-now) + " that ran before did not run", fmt.Sprintf("count:%d<%d", now, before)}
}

// due is how many tests must run again. What failed beside the tests, such as a
// fixture, and a test that was tried several times are none of their own; where
// failures have no names, they cannot be told apart.
func (v Verdict) due() int {
	n := v.executed()
	if v.Tally >= failure.Unnamed || v.Counts.Passed == nil {
		return n
	}
	failed := failure.CountTests(slices.DeleteFunc(slices.Clone(v.Failures), func(f event.Failure) bool {
		return f.Kind != "" && f.Kind != "test"
	}))
	return min(n, *v.Counts.Passed+failed)
}

// gone says which tests of the baseline were not run.
func (r *run) gone(v Verdict) lost {
	ran := map[string]int{} // several may have one name
	for _, name := range v.Ran {
		ran[name]++
	}
	missing := slices.DeleteFunc(slices.Clone(r.m.Baseline.Ran), func(name string) bool {
		ran[name]--
		return ran[name] >= 0
	})
	// What failed before must pass now, or fail as before. Its name may be told in a form
	// that is not known: where no fewer tests ran, it is among them.
	for _, f := range r.m.Baseline.Failures {
		if n := v.executed(); n < 0 || n >= r.m.Baseline.due() {
			break
		}
		if f.Test == "" || f.Kind != "" && f.Kind != "test" || slices.Contains(missing, f.Test) {
			continue
		}
		if !slices.Contains(v.Known, f.Test) && !failure.NamedIn(f.Test, v.Ran) {
			missing = append(missing, f.Test)
		}
	}
	text := "The test command passed, but these tests ran before the change and did not run now: " + list(missing) +
		". Every test that ran before must run again: undo whatever keeps them from running."
	return lost{len(missing), text, "tests that ran before did not run: " + list(missing), fmt.Sprint("gone:", missing)}
}

// tests counts them in words.
func tests(n int) string {
	if n == 1 {
		return "1 test"
	}
	return fmt.Sprintf("%d tests", n)
}

// executed is how many tests ran, -1 where the output does not tell.
func (v Verdict) executed() int {
	c := v.Counts
	if v.Executed != nil {
		return *v.Executed
	}
	if c.Passed == nil {
		return -1
	}
	n := *c.Passed
	if c.Failed != nil {
		n += *c.Failed
	}
	return n
}
