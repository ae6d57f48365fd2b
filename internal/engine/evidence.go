package engine

import (
	"context"
	"slices"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
)

// Prover runs tests on both sides of a change, in work trees of their own.
type Prover interface {
	Prove(ctx context.Context, in ProofInput) (Proof, error)
}

// ProofInput is a change that passes the checks, and what is known of it.
type ProofInput struct {
	From, To State
	// Fixed are failures from before the work of tests that pass now as they stood. Where
	// there are none, the tests that the change brings are run on the old code.
	Fixed []event.Failure
	// Before failed before the work and proves nothing, Still are those that fail now.
	Before []failure.Signature
	Still  []event.Failure
	// Passing names the tests that pass now; nil where not all have names.
	Passing []string
	// Mutants is how many small changes are tried. MustShow leaves them out where no test
	// shows the change.
	Mutants  int
	MustShow bool
	// Suite is how long all tests take.
	Suite time.Duration
}

// Proof is what was found.
type Proof struct {
	// Change says what shows the change. None says that it adds no test, Docs that it is
	// to documents alone: then nothing was run.
	Change     event.Claim
	None, Docs bool
	// Claims are those about the tests that show it: that they can fail, and what they
	// make of small changes. Survivors are those that no test notices.
	Claims    []event.Claim
	Survivors []event.Survivor
}

// evidence asks what tests prove of a green attempt: those that failed before the work and
// pass now or, where there are none, those that the proposal brings. Where proof is required
// and missing, green becomes a failed attempt.
func (r *run) evidence(ctx context.Context, a *Attempt) error {
	b := r.m.Baseline
	red := b.TestsFailed && !r.continued() // unless it was earlier work on the same task that broke it
	if fixed := r.fixed(a.Verdict); red && (len(fixed) > 0 || b.Tally >= failure.Unnamed) {
		return r.provenByFixed(ctx, a, fixed)
	}
	return r.provenByNew(ctx, a, red)
}

// provenByFixed is of tests that failed before the work.
func (r *run) provenByFixed(ctx context.Context, a *Attempt, fixed []event.Failure) error {
	names := failure.Tests(fixed)
	e := event.EvidenceFinished{Verdict: event.Proven, Tests: names, Note: "these tests fail without the change and pass with it"}
	if len(names) == 0 {
		e.Note = "the tests failed before without naming one, and pass now"
	}
	r.tellEvidence(e)
	if r.askBesides(a, fixed); !a.Verdict.Green {
		return nil
	}
	if len(fixed) == 0 {
		fixed = r.m.Baseline.Failures
	}
	p, err := r.prove(ctx, a, ProofInput{Fixed: fixed})
	if err == nil {
		p.Change = event.Claim{State: event.StateProven, Tests: e.Tests, Reason: e.Note}
		r.claim(a, p)
	}
	return err
}

// provenByNew is of the tests that the proposal brings. Green among failures proves
// nothing, since the task may be about them: ask says so.
func (r *run) provenByNew(ctx context.Context, a *Attempt, ask bool) error {
	if r.Prover == nil || r.o.Refine {
		if ask {
			r.unproven(a, "", "The checks pass, but for what failed before. ", ask)
			return nil
		}
		p := Proof{Change: event.Claim{State: event.StateUntried, Tests: []string{}, Reason: "evidence is off"}}
		r.claim(a, p)
		return nil
	}
	required := r.o.RequireEvidence || ask
	p, err := r.prove(ctx, a, ProofInput{MustShow: required})
	if err != nil {
		return err
	}
	e := p.evidence()
	r.tellEvidence(e)
	if !required || p.Docs || e.Verdict == event.Proven || e.Verdict == event.Untried {
		r.claim(a, p)
		return nil
	}
	r.unproven(a, e.Verdict, "The checks pass, but there is no evidence for the change: "+e.Note+
		". Add tests that fail without the change and pass with it.", ask)
	return nil
}

// prove fills in what the run knows of a green attempt.
func (r *run) prove(ctx context.Context, a *Attempt, in ProofInput) (Proof, error) {
	if r.Prover == nil || r.o.Refine && len(in.Fixed) == 0 {
		return Proof{}, nil
	}
	in.From, in.To, in.Passing, in.Suite = r.m.Start.State, a.State, r.passing, r.took
	if !r.o.Refine {
		in.Mutants = r.o.Mutants
	}
	if b := r.before(); b != nil && b.TestsFailed {
		in.Before = failure.Signatures(b.Failures, b.Again)
	}
	for _, f := range r.m.Baseline.Failures {
		if a.Verdict.knows(f) {
			in.Still = append(in.Still, f)
		}
	}
	return r.Prover.Prove(ctx, in)
}

func (r *run) tellEvidence(e event.EvidenceFinished) {
	if r.Prover != nil && !r.o.Refine {
		r.m.Evidence = &e
		r.emit(e)
	}
}

// evidence tells what the new tests prove as events do.
func (p Proof) evidence() event.EvidenceFinished {
	e := event.EvidenceFinished{Verdict: event.Vacuous, Tests: slices.Clone(p.Change.Tests), Note: p.Change.Reason}
	switch {
	case p.None:
		e.Verdict = event.NoTests
	case p.Change.State == event.StateProven:
		e.Verdict = event.Proven
	case p.Change.State == event.StateUntried:
		e.Verdict = event.Untried
	}
	return e
}

// unproven makes a green attempt a failed one for want of evidence. No test fails: it stays
// better than a change that breaks one.
func (r *run) unproven(a *Attempt, verdict, text string, ask bool) {
	v := a.Verdict.held(HeldUnproven, "there is no evidence for the change", "evidence:"+verdict, text)
	if ask {
		v.Unproven += ", and what failed before still fails"
		v.Text += "\nOr, if the change needs no test, say so without edits."
		if !r.o.RequireEvidence {
			v.Held = HeldAsked
		}
	}
	if b := r.m.Baseline; ask && !r.m.OldShown {
		r.m.OldShown, v.Files = true, b.Files
		v.Text += "\nThis failed before your work, and still does. If the task is about it, fix it now:\n" + b.Text
	}
	a.Verdict = v
}

// claim tells what may be said of green work, and asks, once, about small changes to it that
// go unnoticed.
func (r *run) claim(a *Attempt, p Proof) {
	p.Change.Claim = event.ClaimChange
	r.m.Claims = append([]event.Claim{p.Change, r.unharmed(a.Verdict)}, p.Claims...)
	r.m.Survivors = p.Survivors
	for _, c := range p.Claims {
		switch {
		case c.Claim == event.ClaimCanFail && c.State == event.StateNotShown:
			a.Verdict.Review = append(slices.Clone(a.Verdict.Review), "the test that shows the change was not seen to fail with it in place")
		case c.Claim == event.ClaimMutants && len(p.Survivors) > 0:
			r.askAboutSurvivors(a, c)
		}
	}
	r.emit(event.ProofFinished{Claims: r.m.Claims, Survivors: p.Survivors})
}

// unharmed says whether what the tests said before still holds.
func (r *run) unharmed(v Verdict) event.Claim {
	c := event.Claim{Claim: event.ClaimUnharmed, State: event.StateProven, Tests: []string{}}
	switch {
	case r.o.TestsMayGo:
		c.State, c.Reason = event.StateUntried, "test_edits is allow"
	case r.m.Baseline.Tally >= failure.Uncounted:
		c.State, c.Reason = event.StateNotShown, "the tests did not run before the change"
	case v.TestsRan() < 0:
		c.State, c.Reason = event.StateNotShown, "the test command does not say how many tests ran"
	case v.StoodPassed:
		c.Reason = "the old tests pass on the new code, and every test that ran before still runs"
	default:
		c.Reason = "no test was changed, and every test that ran before still runs"
	}
	return c
}
