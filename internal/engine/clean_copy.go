package engine

import (
	"context"
	"fmt"

	"github.com/booty-cli/booty/internal/event"
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
// named are the paths that the proposals named.
func (v *verifier) recheck(ctx context.Context, a Attempt, named []string) (Verdict, error) {
	green := a.Verdict
	if !green.Green {
		return green, nil
	}
	d, err := v.changes.Doubt(ctx, named)
	if err != nil || d.Why == "" {
		return green, err
	}
	v.notice("info", "checked once more in a clean copy: "+d.Why)
	there, err := v.inCopy(ctx, d, a.State, v.checkFinished)
	if err != nil {
		return green, err
	}
	if there = there.excludeKnown(v.before.known()); there.Green {
		return green, nil
	}
	without, err := v.inCopy(ctx, d, v.before.Start.State, nil)
	if err != nil {
		return green, err
	}
	if there = v.before.excuse(there, without); there.Green {
		v.notice("warning", "the clean copy fails without the change as well: nothing follows from it")
		return green, nil
	}
	there.Environment = "" // the start has none of it there
	there.TestsFailed, there.Failing = true, max(there.Failing, 1)
	return there.held(HeldUnproven, "the tests pass only where they were run", "elsewhere:"+there.Signature,
		fmt.Sprintf("The checks pass in the work tree, but not in a clean copy of the same files (%s). "+
			"The code must do its work wherever it is run.\n%s", d.Why, there.Text)), nil
}

// inCopy runs the checks on a state in a clean copy.
func (v *verifier) inCopy(ctx context.Context, d Doubt, s State,
	report func(event.CheckFinished)) (Verdict, error) {
	return inTree(ctx, v.trees, s.Commit, TreeOptions{Report: report}, func(t Tree) (Verdict, error) {
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
