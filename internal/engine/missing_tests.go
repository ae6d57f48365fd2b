package engine

import (
	"fmt"
	"slices"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/proof"
	"github.com/booty-cli/booty/pkg/edit"
)

// countGuard turns a green run in which tests of the baseline did not run into
// a failing one: tests that did not run prove nothing.
func (v *verifier) countGuard(green Verdict) Verdict {
	if v.before.Baseline == nil {
		return green
	}
	lost := v.before.missing(green)
	if lost.N == 0 {
		return green
	}
	if v.testsMayGo && !lost.Unreported {
		v.notice("warning", lost.Words())
		return green
	}
	return green.lacks(lost)
}

// lacks is a green verdict of a run in which tests of the baseline did not run.
func (v Verdict) lacks(lost proof.Lost) Verdict {
	const undo = " Every test that ran before must run again: undo whatever keeps them from running."
	text, signature := "The test command passed, but these tests ran before the change and did not run now: "+
		list(lost.Names)+"."+undo, fmt.Sprint("gone:", lost.Names)
	switch {
	case lost.Unreported:
		text, signature = "The test command passed, but its runner wrote no report of the tests, as it did before the change. "+
			"Nothing may end the process of the tests but their runner.", "unreported"
	case len(lost.Names) == 0:
		text = fmt.Sprintf("The test command passed, but only %s ran where %d ran before the change (it does not say which).%s",
			tests(lost.Now), lost.Before, undo)
		signature = fmt.Sprintf("count:%d<%d", lost.Now, lost.Before)
	}
	v.TestsFailed, v.Failing = true, lost.N
	return v.held(HeldLost, lost.Words(), signature, text)
}

// hidden says that an attempt removed files, and that tests which ran before do not
// run any more: as tests do that skip themselves where something is missing. The
// next attempt could not bring back what it was never shown.
func (a *Attempt) hidden() bool {
	return (a.Verdict.Held == HeldLost || a.Verdict.NoTests) &&
		slices.ContainsFunc(a.Files, func(f event.File) bool { return f.Op == string(edit.Delete) })
}
