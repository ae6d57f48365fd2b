package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/pkg/edit"
)

// countGuard turns a green run in which tests of the baseline did not run into
// a failing one: tests that did not run prove nothing.
func (r *run) countGuard(v Verdict) Verdict {
	if r.m.Baseline == nil {
		return v
	}
	lost := r.missing(v)
	if lost.n == 0 {
		return v
	}
	if r.o.TestsMayGo && !lost.unreported {
		r.notice("warning", lost.words)
		return v
	}
	v.TestsFailed, v.Failing = true, lost.n
	return v.held(HeldLost, lost.words, lost.signature, lost.text)
}

// hidden says that an attempt removed files, and that tests which ran before do not
// run any more: as tests do that skip themselves where something is missing. The
// next attempt could not bring back what it was never shown.
func (a *Attempt) hidden() bool {
	return (a.Verdict.Held == HeldLost || a.Verdict.NoTests) && slices.ContainsFunc(a.Files, func(f event.File) bool { return f.Op == string(edit.Delete) })
}

// lost are tests that ran at the baseline and do not any more.
type lost struct {
	n int
	// text is for the model, words for the user.
	text, words, signature string
	// unreported says that nothing is known of any test.
	unreported bool
}

// missing says which tests of the baseline a run lacks: by their names where both
// tell them in one form, else by how many there are. Without the report that the runner
// wrote at the baseline, what was printed is nobody's word.
func (r *run) missing(v Verdict) lost {
	b := r.m.Baseline
	switch before, now := b.TestsRan(), v.TestsRan(); {
	case b.Reported() && !v.Reported():
		return lost{max(before, 1), "The test command passed, but its runner wrote no report of the tests, as it did before the change. " +
			"Nothing may end the process of the tests but their runner.", "the test runner wrote no report", "unreported", true}
	case v.RanAs != "" && v.RanAs == b.RanAs:
		return r.gone(v)
	case now < 0 && before > 0 && (b.Green || b.AlwaysCounts) && !strings.Contains(b.RanAs, failure.LeftReport):
		now = 0 // it counted before, and would again
		fallthrough
	default:
		if before <= 0 || now < 0 || now >= before {
			return lost{}
		}
		text := fmt.Sprintf("The test command passed, but only %s ran where %d ran before the change (it does not say which). "+
			"Every test that ran before must run again: undo whatever keeps them from running.", tests(now), before)
		return lost{before - now, text, tests(before-now) + " that ran before did not run", fmt.Sprintf("count:%d<%d", now, before), false}
	}
}

// gone says which tests of the baseline were not run.
func (r *run) gone(v Verdict) lost {
	b := r.m.Baseline
	ran := map[string]int{} // several may have one name
	for _, name := range slices.Concat(v.Ran, v.RanBadly) {
		ran[name]++
	}
	missing := slices.DeleteFunc(slices.Concat(b.Ran, b.RanBadly), func(name string) bool {
		ran[name]--
		return ran[name] >= 0
	})
	// What failed before must pass now, or fail as before. Its name may be told in a form
	// that is not known: where no fewer tests ran, it is among them.
	for _, f := range b.Failures {
		if n := v.TestsRan(); n < 0 || n >= b.TestsRan() || v.RanAs == failure.OwnReport {
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
	return lost{len(missing), text, "tests that ran before did not run: " + list(missing), fmt.Sprint("gone:", missing), false}
}

// tests counts them in words.
func tests(n int) string {
	if n == 1 {
		return "1 test"
	}
	return fmt.Sprintf("%d tests", n)
}
