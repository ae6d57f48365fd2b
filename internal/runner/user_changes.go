package runner

import (
	"context"
	"slices"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/workspace"
	"github.com/booty-cli/booty/pkg/edit"
)

// saw notes how the checkout was just seen to be.
func (t *tree) saw(cp workspace.Checkpoint) {
	t.seen = cp
	t.remember(cp)
}

// lookAgain records the checkout as it is now, where that is not how it was last seen:
// what differs then is not taken for the user's doing later on.
func (t *tree) lookAgain(ctx context.Context, why string) error {
	if t.job.Options.DryRun {
		return nil
	}
	changes, err := t.repo.Since(ctx, t.seen)
	if err != nil || len(changes) == 0 {
		return err
	}
	cp, err := t.record(ctx, why)
	if err == nil {
		t.saw(cp)
	}
	return err
}

// record keeps the checkout as it is beside the run's own states.
func (t *tree) record(ctx context.Context, why string) (workspace.Checkpoint, error) {
	n, err := t.repo.NextState(t.job.ID + workspace.ResumeStates)
	if err != nil {
		return workspace.Checkpoint{}, err
	}
	return t.repo.Snapshot(ctx, t.job.ID+workspace.ResumeStates, n, why)
}

// UserChanges implements engine.Workspace: what the user changed in the checkout while a
// reply was waited for is part of the work from now on.
func (t *tree) UserChanges(ctx context.Context) (s engine.State, theirs []string, err error) {
	t.fresh = nil
	if !t.inCheckout() || t.job.Options.DryRun {
		return s, nil, nil
	}
	changes, err := t.repo.Since(ctx, t.seen)
	if err != nil || len(changes) == 0 {
		return s, nil, err
	}
	cp, err := t.record(ctx, "changed by the user meanwhile")
	if err != nil {
		return s, nil, err
	}
	t.saw(cp)
	t.fresh = t.takeIn(changes)
	t.start, t.current, t.theirs = stateOf(cp), stateOf(cp), append(t.theirs, t.fresh...)
	t.say("you changed %s meanwhile; kept, and shown to the model", report.Some(t.fresh))
	return t.start, t.fresh, t.repo.SaveState(ctx, t.state("met"))
}

// takeIn gives the paths that the user has changed: they are no longer the model's.
func (t *tree) takeIn(changes []workspace.Change) []string {
	var names []string
	for _, c := range changes {
		names = append(names, c.Path)
		delete(t.own, c.Path)
	}
	return names
}

// overwritten tells changes that would take away what was written into a file
// while the reply was waited for: those that give it whole, or were made from
// what it was before.
func (t *tree) overwritten(changes []edit.Change, edits []edit.Edit) []event.Problem {
	var problems []event.Problem
	for _, c := range changes {
		if !slices.Contains(t.fresh, c.Path) && !slices.Contains(t.fresh, c.From) {
			continue
		}
		inPart := slices.ContainsFunc(edits, func(e edit.Edit) bool {
			return e.Path == c.Path && e.Op == edit.Modify
		})
		if !inPart {
			problems = append(problems, event.Problem{Path: c.Path, Kind: "changed",
				Reason: "The file was changed by someone else " +
					"while you answered. It is shown as it is now: answer anew, and keep what was done to it."})
		}
	}
	return problems
}
