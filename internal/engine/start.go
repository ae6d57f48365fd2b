package engine

import (
	"context"
	"fmt"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
)

// prepare takes the tree before the run, where that was not done before.
func (r *run) prepare(ctx context.Context) error {
	if r.m.Stage == Begun {
		start, err := r.Workspace.Prepare(ctx)
		if err != nil {
			return err
		}
		r.m.Start, r.m.Current, r.m.Stage, r.m.Earlier = start, start.State, Prepared, r.o.Earlier
	}
	r.tree.at = r.m.Current
	err := r.save(ctx)
	r.emit(event.RunStarted{
		Task: r.o.Task, Repo: r.m.Start.Repo, Branch: r.m.Start.Branch,
		Base: r.m.Start.Base, MaxRetries: r.max(),
	})
	return err
}

// settle has conflicts with the base settled before anything else.
func (r *run) settle(ctx context.Context) error {
	if r.Merger == nil || r.o.DryRun || r.m.Baseline != nil {
		return nil
	}
	start, err := conflicts{r.reporter, r.Merger, r.calls}.settle(ctx, r.m.Start.Base)
	if err != nil || start == nil {
		return err
	}
	r.m.Start, r.m.Current, r.tree.at = *start, start.State, start.State
	r.notice("info", "the conflicts with "+start.Base+" are settled")
	return r.save(ctx)
}

// baseline runs setup and the checks in the tree that the run works on: before the first attempt,
// and again where a resumed run continues from what the user has changed.
func (r *run) baseline(ctx context.Context) error {
	if r.o.DryRun && !r.o.Refine {
		return nil
	}
	if r.m.Stage == Prepared {
		if err := r.verifier.setUp(ctx, r.m.Current); err != nil {
			return err
		}
		r.m.Stage = SetUp
		if err := r.save(ctx); err != nil {
			return err
		}
	}
	if r.m.Stage == SetUp {
		if err := r.judgeStart(ctx); err != nil {
			return err
		}
	}
	if r.o.Refine && r.m.Baseline.Green {
		return fault.New(fault.NothingToDo, "", "the checks pass already: there is nothing to refine")
	}
	return nil
}

// judgeStart runs the checks on the tree. In a tree of booty's own the baseline stays that
// of the tree before the run, whatever commits the user has made since.
func (r *run) judgeStart(ctx context.Context) error {
	v, err := r.verifier.firstVerdict(ctx, r.m.Current)
	if err != nil {
		return err
	}
	first := r.m.Baseline == nil
	if first {
		r.m.Baseline = &v
		for _, g := range v.LeftOut {
			r.notice("warning",
				fmt.Sprintf("gate %s is left out: %s; install what it needs, or correct it in .booty.yml",
					g.Gate, g.Reason))
		}
		if err := r.verifier.judgeOld(ctx, v); err != nil {
			return err
		}
	}
	r.m.Standing, r.m.Stage = r.before.stands(v), Judged
	if r.m.From.Commit != "" {
		r.m.FromVerdict = r.m.Standing
	}
	r.emit(event.BaselineFinished{Green: v.Green, Passed: v.Counts.Passed, Failed: v.Counts.Failed,
		Failing: v.Failing, Trouble: v.Trouble})
	if first && !r.before.mustPass && v.unnamed() {
		r.notice("info", "not all that fails already has a name: what has none must pass")
	}
	return r.save(ctx)
}
