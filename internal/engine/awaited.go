package engine

import (
	"context"
	"errors"
	"slices"

	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/proof"
)

// Awaited is a pending test that was activated for the run. Work is not green until it was seen to
// run.
type Awaited struct {
	// Name is the test's, as its file has it; "" where that is not known.
	Name string
	// File is the file that it is in.
	File string
}

// ErrUnseen marks the end of a run that passes without the test that it is about.
var ErrUnseen = errors.New("everything passes, but no command runs it")

// unseen is the error of a run where all passes, and the awaited test was not seen to run: one
// that is skipped from outside, or that no command finds, passes whatever the code does.
func (a *Awaited) unseen() error {
	return fault.New(fault.Exhausted,
		"have a command run it, test_command or specs.test_command with {{.File}}, or take away what skips it",
		"%w: %s is active in %s, and the checks do not say that it ran", ErrUnseen, a.Name, a.File)
}

// ran reports whether the awaited test ran on a green state: it is among the results, or a command
// fails once what it expects is made wrong.
func (v *verifier) ran(ctx context.Context, a *Awaited, green Verdict, s State) (bool, error) {
	ran, err := v.reported(ctx, a, green)
	if err != nil || ran || !v.countTests {
		return ran, err
	}
	return inTree(ctx, v.trees, s.Commit, TreeOptions{}, func(t Tree) (bool, error) {
		return proof.Runs(ctx, t, spoiled(v.changes, s, a))
	})
}

// reported reports whether the awaited test is named among those that ran, or made the
// tests fail, or more of them run than before it was active.
func (v *verifier) reported(ctx context.Context, a *Awaited, green Verdict) (bool, error) {
	b := *v.before.Baseline
	for _, ran := range [][]string{failure.Tests(b.Failures), slices.Concat(b.Ran, b.RanBadly),
		v.last.ran.Passing} {
		if a.among(ran) {
			return true, nil
		}
	}
	if !v.before.continued() {
		return false, nil
	}
	old := v.before.Old
	if old == nil {
		now, err := v.old(ctx)
		if err != nil {
			return false, err
		}
		old = &now
	}
	return old.Green && b.TestsFailed || runsMore(b, *old) || runsMore(green, *old), nil
}

// among reports whether the test is one of those named. Where several may be meant,
// the names do not say.
func (a *Awaited) among(names []string) bool {
	if a.Name == "" {
		return false
	}
	n := 0
	for _, name := range names {
		if failure.NamedIn(a.Name, []string{name}) {
			n++
		}
	}
	return n == 1
}

// runsMore reports whether more tests run than before, and fewer are skipped where both
// runs say how many.
func runsMore(v, old Verdict) bool {
	was, is := old.Counts.Skipped, v.Counts.Skipped
	return v.TestsRan() > max(old.TestsRan(), 0) && (old.TestsRan() >= 0 || old.NoTests) &&
		(was == nil || is == nil || *is < *was)
}
