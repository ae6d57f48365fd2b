package engine

import (
	"context"
	"errors"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
)

// evidence asks what the proposal's own tests prove. Where proof is required
// and missing, green becomes a failed attempt.
func (r *run) evidence(ctx context.Context, a *Attempt) error {
	if r.Prover == nil {
		return nil
	}
	// What failed before and passes now is proof, unless it was earlier work on
	// the same task that broke it.
	in := ProveInput{From: r.m.Start.State, To: a.State}
	if b := r.m.Baseline; b.TestsFailed && !r.o.Continued {
		if names := r.mended(a.Verdict); len(names) > 0 || b.UnnamedTests {
			e := event.EvidenceFinished{Verdict: "proven", Tests: names, Note: "these tests failed before the change"}
			r.m.Evidence = &e
			r.emit(e)
			return nil
		}
		in.Required = true // green among failures proves nothing
	}
	if b := r.before(); b != nil && b.TestsFailed {
		in.Before = testNames(b.Failures)
	}
	ev, err := r.Prover.Prove(ctx, in)
	if err != nil {
		return err
	}
	r.m.Evidence = &ev.EvidenceFinished
	r.emit(ev.EvidenceFinished)
	if ev.Proven {
		return nil
	}
	v := &a.Verdict // no test fails: it stays better than a change that breaks one
	v.Green = false
	v.Lacks = "there is no evidence for the change"
	v.Text, v.Signature = ev.Text, "evidence:"+ev.Verdict
	return nil
}

func testNames(fs []event.Failure) []string {
	names := []string{}
	for _, f := range fs {
		if f.Test != "" {
			names = append(names, f.Test)
		}
	}
	return names
}

// review lets the reviewer read green work. One that cannot be reached blocks
// nothing.
func (r *run) review(ctx context.Context) error {
	if r.Reviewer == nil {
		return nil
	}
	if r.m.Review != nil {
		return r.reviewed()
	}
	v, err := r.Reviewer.Review(ctx, r.m.Start.State, r.m.Current, func(ctx context.Context, role Role, p Prompt) (Reply, error) {
		return r.send(ctx, Call{Attempt: r.m.total(), Role: role, Prompt: p}, nil)
	})
	switch {
	case err == nil:
	case ctx.Err() != nil && !errors.Is(context.Cause(ctx), errRunTime):
		return ctx.Err()
	case fault.KindOf(err) == fault.Budget:
		return err
	default:
		r.notice("warning", "there is no review: "+err.Error())
		return nil // one that cannot be reached blocks nothing
	}
	r.m.Review = &v
	r.emit(v)
	if err := r.save(ctx); err != nil {
		return err
	}
	return r.reviewed()
}

// reviewed says whether the review stands in the way.
func (r *run) reviewed() error {
	if r.m.Review.Verdict == "BLOCKED" && r.Reviewer.Blocking() {
		return fault.New(fault.Exhausted, "read the reviewer's notes with: booty status latest",
			"the checks pass, but the reviewer blocked the change")
	}
	return nil
}
