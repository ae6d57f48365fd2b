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

// conflicts has the model settle what is in conflict with the base. It uses no attempt.
type conflicts struct {
	reporter
	merger Merger
	calls  *calls
}

// settle returns the start with the conflicts settled; nil where there are none, or that failed: the
// work continues with them unresolved.
func (c conflicts) settle(ctx context.Context, base string) (*Start, error) {
	var problems []event.Problem
	for range settleReplies {
		p, there, err := c.merger.Conflicts(ctx, problems)
		if err != nil || !there {
			return nil, err
		}
		reply, err := c.calls.send(ctx, Call{Role: ResolveConflicts, Prompt: p}, nil)
		switch {
		case err == nil:
		case cancelled(ctx):
			return nil, ctx.Err()
		case fault.KindOf(err) == fault.Budget || ctx.Err() != nil: // it stops any run
			return nil, err
		default:
			c.notice("warning", fmt.Sprintf("the conflicts with %s could not be settled: %s", base, err))
			return nil, nil
		}
		start, wrong, err := c.merger.Settle(ctx, reply)
		if err != nil || len(wrong) == 0 {
			return &start, err
		}
		problems = wrong
		c.emit(event.EditsRefused{Problems: wrong})
	}
	c.notice("warning", "the conflicts with "+base+" could not be settled: continuing with them unresolved")
	return nil, nil
}
