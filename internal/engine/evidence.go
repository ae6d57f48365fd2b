package engine

import (
	"context"
	"slices"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
)

// OldTests is what was seen of the proposal's own tests on the old code.
type OldTests struct {
	// None says that the change brings no test of its own, Docs that it is to
	// documents alone: then nothing was run.
	None, Docs bool
	// Trouble says why the old code could not be tried; "" where it was.
	Trouble string
	// Green says that they pass there; else Failing names those that fail, and
	// Unnamed says that not every failure has a name.
	Green   bool
	Failing []string
	Unnamed bool
}

// Prover runs the proposal's own tests on the old code.
type Prover interface {
	TryOld(ctx context.Context, from, to State) (OldTests, error)
}

// proof is what the proposal's own tests prove.
type proof struct {
	event.EvidenceFinished
	// enough is false where proof is required and there is none.
	enough bool
	// text tells the model what is missing.
	text string
}

// evidence asks what the proposal's own tests prove. Where proof is required
// and missing, green becomes a failed attempt.
func (r *run) evidence(ctx context.Context, a *Attempt) error {
	if r.Prover == nil {
		return nil
	}
	required := r.o.RequireEvidence
	// What failed before and passes now is proof, unless it was earlier work on
	// the same task that broke it.
	if b := r.m.Baseline; b.TestsFailed && !r.o.Continued {
		if names := r.mended(a.Verdict); len(names) > 0 || b.UnnamedTests {
			e := event.EvidenceFinished{Verdict: event.Proven, Tests: names, Note: "these tests failed before the change"}
			r.m.Evidence = &e
			r.emit(e)
			return nil
		}
		required = true // green among failures proves nothing
	}
	var before []string
	if b := r.before(); b != nil && b.TestsFailed {
		before = failure.Tests(b.Failures)
	}
	seen, err := r.Prover.TryOld(ctx, r.m.Start.State, a.State)
	if err != nil {
		return err
	}
	p := weigh(seen, before, required)
	r.m.Evidence = &p.EvidenceFinished
	r.emit(p.EvidenceFinished)
	if p.enough {
		return nil
	}
	v := &a.Verdict // no test fails: it stays better than a change that breaks one
	v.Green = false
	v.Unproven = "there is no evidence for the change"
	v.Text, v.Signature = p.text, "evidence:"+p.Verdict
	return nil
}

// weigh tells from what was seen what the new tests prove; before names the tests
// that fail on the old code as it is, which prove nothing.
func weigh(seen OldTests, before []string, required bool) proof {
	const prove = "the new tests pass without the change too: they prove nothing"
	names := []string{}
	for _, name := range seen.Failing {
		if !slices.Contains(names, name) && !slices.Contains(before, name) {
			names = append(names, name)
		}
	}
	var p proof
	switch {
	case seen.None:
		p.Verdict, p.Note = event.NoTests, "the change brings no test of its own"
	case seen.Trouble != "":
		p.Verdict, p.Note = event.Untried, seen.Trouble
	case len(names) > 0:
		p.Verdict, p.Tests = event.Proven, names
	case !seen.Green && seen.Unnamed:
		p.Verdict, p.Note = event.Proven, "the new tests do not even build without the change"
	default:
		p.Verdict, p.Note = event.Vacuous, prove
	}
	if p.Tests == nil {
		p.Tests = []string{}
	}
	p.enough = !required || p.Verdict == event.Proven || p.Verdict == event.Untried || seen.Docs
	if !p.enough {
		p.text = "The checks pass, but there is no evidence for the change: " + p.Note +
			". Add tests that fail without the change and pass with it."
	}
	return p
}
