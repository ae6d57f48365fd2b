package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/fault"
)

// minFixed is how many tests the work must have fixed to be tidied: what fixes
// fewer is small, and read at a glance.
const minFixed = 3

// refactor has green work tidied, once: one proposal, which is kept where
// everything passes still. Else the tree is what it was, and nothing that goes
// wrong here makes green work anything else. It uses no attempt.
func (r *run) refactor(ctx context.Context) error {
	a := r.m.green()
	if !r.o.Refactor || r.m.Refactor != nil || a == nil || a.State != r.m.Current {
		return nil
	}
	fixed := r.countFixed(a.Verdict)
	if fixed < minFixed {
		return nil
	}
	r.calls, r.looked, r.tidying = 0, looking{}, true
	defer func() { r.tidying = false }()
	e, err := r.tidy(ctx, *a)
	switch {
	case err == nil:
	case ctx.Err() != nil && !errors.Is(context.Cause(ctx), ErrRunTime):
		return err // resume goes on from the green state
	default:
		e.Outcome, e.Reason = event.RefactorFailed, err.Error()
		switch {
		case ctx.Err() != nil:
			e.Reason = "the run's time was over before it was checked"
		case fault.KindOf(err) == fault.Budget:
			e.Outcome = event.RefactorBudget
		}
	}
	if r.tree != r.m.Current {
		if err := r.restore(context.WithoutCancel(ctx), r.m.Current); err != nil {
			return err
		}
	}
	e.Attempt, e.Fixed = a.N, fixed
	r.m.Refactor, r.m.Replies = &e, nil
	r.emit(e)
	if err := r.save(ctx); err != nil && !errors.Is(context.Cause(ctx), ErrRunTime) {
		return err
	}
	return nil
}

// countFixed is how many tests failed before the work and pass now. Where they
// did not build, those that run now tell it.
func (r *run) countFixed(v Verdict) int {
	b := r.m.Baseline
	if b == nil || !b.TestsFailed {
		return 0
	}
	n := failure.CountTests(r.fixed(v))
	if b.Tally >= failure.Unnamed {
		n = max(n, b.Failing-len(v.Known))
	}
	if b.Tally >= failure.Uncounted && v.Counts.Passed != nil {
		before := 0
		if b.Counts.Passed != nil {
			before = *b.Counts.Passed
		}
		n = max(n, *v.Counts.Passed-before)
	}
	return n
}

// tidy asks for the proposal and tries it. The state that it leaves is current
// only where it is kept.
func (r *run) tidy(ctx context.Context, a Attempt) (event.RefactorFinished, error) {
	var e event.RefactorFinished
	p, err := r.tidyProposal(ctx, a)
	if err != nil {
		return e, err
	}
	e.Summary, e.Files, e.Problems = p.Summary, files(p.Changes), p.Problems
	if len(p.Problems) > 0 {
		e.Outcome, e.Reason = event.RefactorRefused, p.Problems[0].Reason
		return e, nil
	}
	if len(p.Changes) == 0 {
		e.Outcome, e.Reason = event.RefactorNothing, "the model proposes nothing"
		return e, nil
	}
	next := a
	if err := r.applyAndCheck(ctx, &next, p, nil); err != nil {
		return e, err
	}
	if err := r.recheck(ctx, &next); err != nil {
		return e, err
	}
	if why := worseThanGreen(next.Verdict, a.Verdict); why != "" {
		e.Outcome, e.Reason = event.RefactorTakenBack, why
		return e, nil
	}
	*r.m.green() = next
	r.m.Current, r.m.Standing = next.State, next.Verdict
	e.Outcome, e.State = event.RefactorKept, next.State.Commit
	return e, nil
}

// tidyProposal asks once. It is taken whole or not at all: half a rearrangement is
// not what was meant.
func (r *run) tidyProposal(ctx context.Context, a Attempt) (Proposal, error) {
	b := Brief{Role: Refactor, Attempt: a.N, Max: r.max(), From: r.m.Start.State, To: a.State}
	for _, old := range r.m.Attempts {
		if old.Outcome != event.RolledBack {
			b.LastFiles = union(b.LastFiles, paths(old.Files))
		}
	}
	reply, _, err := r.askCall(ctx, b)
	if err != nil {
		return Proposal{}, err
	}
	p, err := r.resolve(ctx, reply)
	if err != nil {
		return p, err
	}
	p.Problems = append(p.Problems, p.Refused...)
	if len(p.Problems) > 0 || len(p.Changes) == 0 {
		return p, nil
	}
	p.Problems, err = r.Changes.NotNew(ctx, r.m.Start.State, p.Changes)
	return p, err
}

// worseThanGreen says why a tidied tree is not kept; "" where it is. What failed
// before the work is known of both, but what the work has fixed must pass still.
func worseThanGreen(now, before Verdict) string {
	again := slices.DeleteFunc(slices.Clone(now.Known), func(name string) bool {
		return slices.Contains(before.Known, name)
	})
	switch {
	case now.Green && len(again) > 0:
		return fmt.Sprintf("%s failed with it: %s", tests(len(again)), list(again))
	case now.Unproven != "" && !now.Green:
		return now.Unproven
	case !now.Green && now.TestsFailed:
		return fmt.Sprintf("%s failed with it: %s", tests(max(now.Failing, 1)), firstLine(now.Text))
	case !now.Green:
		return "a quality gate failed with it: " + firstLine(now.Text)
	case before.TestsRan() > now.TestsRan():
		return fmt.Sprintf("fewer tests ran with it: %d, not %d", max(now.TestsRan(), 0), before.TestsRan())
	}
	return ""
}
