package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/pkg/edit"
)

// Doubt is why tests may pass only in this tree.
type Doubt struct {
	// Why is the reason, for people; "" where there is no doubt.
	Why string
	// Leave are paths that a commit would not contain.
	Leave []string
}

// recheck makes a green attempt a failing one where its tests do not pass in a clean copy too. What
// fails there without the change as well, and did not fail at the baseline, is not its fault.
func (r *run) recheck(ctx context.Context, a *Attempt) error {
	if !a.Verdict.Green {
		return nil
	}
	paths := r.m.Named(a.Files...)
	d, err := r.Changes.Doubt(ctx, paths)
	if err != nil || d.Why == "" {
		return err
	}
	r.notice("info", "checked once more in a clean copy: "+d.Why)
	v, err := r.inCopy(ctx, d, a.State, r.check)
	if err != nil {
		return err
	}
	if v = v.excludeKnown(r.known()); v.Green {
		return nil
	}
	without, err := r.inCopy(ctx, d, r.m.Start.State, nil)
	if err != nil {
		return err
	}
	if v = r.excuse(v, without); v.Green {
		r.notice("warning", "the clean copy fails without the change as well: nothing follows from it")
		return nil
	}
	v.Environment = "" // the start has none of it there
	v.TestsFailed, v.Failing = true, max(v.Failing, 1)
	a.Verdict = v.held(HeldUnproven, "the tests pass only where they were run", "elsewhere:"+v.Signature,
		fmt.Sprintf("The checks pass in the work tree, but not in a clean copy of the same files (%s). "+
			"The code must do its work wherever it is run.\n%s", d.Why, v.Text))
	return nil
}

// inCopy runs the checks on a state in a clean copy.
func (r *run) inCopy(ctx context.Context, d Doubt, s State,
	report func(event.CheckFinished)) (Verdict, error) {
	return inTree(ctx, r.Trees, s.Commit, TreeOptions{Report: report}, func(t Tree) (Verdict, error) {
		var leave []edit.Change
		for _, p := range d.Leave {
			leave = append(leave, edit.Change{Op: edit.Delete, Path: p})
		}
		if err := t.Apply(leave); err != nil {
			return Verdict{}, fmt.Errorf("make a clean copy: %w", err)
		}
		return t.Verify(ctx)
	})
}

// excuse takes out of a verdict what fails in the same place without the change,
// though it passed at the baseline.
func (r *run) excuse(v, without Verdict) Verdict {
	before := r.m.Baseline
	if without.Green || before == nil {
		return v
	}
	nameless := v.outside() || v.Tally >= failure.Unnamed || len(v.UnnamedGates) > 0
	if nameless {
		if before.Green {
			v.Green = true
		}
		return v
	}
	same := func(list []event.Failure, f event.Failure) bool {
		return slices.ContainsFunc(list, func(g event.Failure) bool { return nameOf(f) == nameOf(g) })
	}
	v.Failures = slices.DeleteFunc(slices.Clone(v.Failures), func(f event.Failure) bool {
		return same(without.Failures, f) && !same(before.Failures, f)
	})
	v.Failing = failure.CountTests(v.Failures)
	v.Green = len(v.Failures) == 0
	return v
}
