package engine

import (
	"context"
	"fmt"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
)

// Merger resolves conflicts between earlier work and its base.
type Merger interface {
	// Conflicts returns the request to resolve conflicts, which shows both sides and the base;
	// false if there are none. problems say what was wrong with the last reply.
	Conflicts(ctx context.Context, problems []event.Problem) (Prompt, bool, error)
	// Settle ends the merge with a reply's edits and returns the new start. If it returns problems,
	// the reply leaves conflicts and nothing has changed.
	Settle(ctx context.Context, reply Reply) (Start, []event.Problem, error)
}

// settleReplies is how many replies may be asked for to settle conflicts.
const settleReplies = 3

// settle has the model settle what is in conflict with the base, before anything
// else: it uses no attempt. Where that fails, the work continues with the conflicts unresolved.
func (r *run) settle(ctx context.Context) error {
	if r.Merger == nil || r.o.DryRun || r.m.Baseline != nil {
		return nil
	}
	var problems []event.Problem
	for range settleReplies {
		p, there, err := r.Merger.Conflicts(ctx, problems)
		if err != nil || !there {
			return err
		}
		reply, err := r.calls.send(ctx, Call{Role: ResolveConflicts, Prompt: p}, nil)
		if err != nil {
			return r.unsettled(ctx, err)
		}
		start, wrong, err := r.Merger.Settle(ctx, reply)
		if err != nil {
			return err
		}
		if len(wrong) == 0 {
			r.m.Start, r.m.Current, r.tree.at = start, start.State, start.State
			r.notice("info", "the conflicts with "+start.Base+" are settled")
			return r.save(ctx)
		}
		problems = wrong
		r.emit(event.EditsRefused{Problems: wrong})
	}
	r.notice("warning", "the conflicts with "+r.m.Start.Base+" could not be settled: continuing with them unresolved")
	return nil
}

// unsettled handles a call that failed; errors that stop a run stop this one too.
func (r *run) unsettled(ctx context.Context, err error) error {
	if cancelled(ctx) {
		return ctx.Err()
	}
	if fault.KindOf(err) == fault.Budget || ctx.Err() != nil {
		return err
	}
	r.notice("warning", fmt.Sprintf("the conflicts with %s could not be settled: %s", r.m.Start.Base, err))
	return nil
}
