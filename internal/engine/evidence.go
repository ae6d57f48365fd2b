package engine

import (
	"context"
	"slices"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/proof"
)

// Prover finds out what the tests of a change prove, in trees beside that of the work. The change
// passes the checks.
type Prover interface {
	Prove(ctx context.Context, in ProofInput) (Proof, error)
}

// ProofInput is a change that passes the checks, with the results of its tests.
type ProofInput struct {
	From, To State
	proof.Given
	// Mutants is how many small changes are tried.
	Mutants int
}

// Proof is the result of a Prover.
type Proof struct {
	// Claims are the claims about the change. None says that it adds no test, Docs that it changes
	// only documents.
	Claims     []event.Claim
	None, Docs bool
	// Survivors are small changes that no test notices.
	Survivors []event.Survivor
}

// change is the claim that something shows the change.
func (p Proof) change() event.Claim {
	for _, c := range p.Claims {
		if c.Claim == event.ClaimChange {
			return c
		}
	}
	return event.Claim{Claim: event.ClaimChange, State: event.StateUntried, Tests: []string{}}
}

// evidence finds out what tests prove about a green attempt: those that failed before the work and
// pass now or, if there are none, those that the proposal adds. If proof is required and missing,
// the attempt fails.
func (r *run) evidence(ctx context.Context, a *Attempt) error {
	r.unclaimed = nil
	b := r.m.Baseline
	red := b.TestsFailed && !r.before.continued() // unless it was earlier work on the same task that broke it
	if fixed := r.before.fixed(a.Verdict); red && (len(fixed) > 0 || b.Tally >= failure.Unnamed) {
		return r.provenByFixed(ctx, a, fixed)
	}
	return r.provenByNew(ctx, a, red)
}

// provenByFixed is of tests that failed before the work.
func (r *run) provenByFixed(ctx context.Context, a *Attempt, fixed []event.Failure) error {
	names := failure.Tests(failure.Cases(fixed))
	e := event.EvidenceFinished{Verdict: event.Proven, Tests: names,
		Note: "these tests fail without the change and pass with it"}
	if len(names) == 0 {
		e.Verdict, e.Note = event.Untried, "the tests failed before without naming one, and pass now"
	}
	r.tellEvidence(e)
	if r.askBesides(a, fixed); !a.Verdict.Green {
		return nil
	}
	p, err := r.prove(ctx, a, false)
	if err != nil {
		return err
	}
	if c := &p.Claims[0]; len(names) == 0 && c.State != event.StateProven {
		c.State, c.Reason = event.StateUntried, e.Note
	}
	r.claim(a, p)
	return nil
}

// provenByNew is of the tests that the proposal brings. Green among failures proves
// nothing, since the task may be about them: ask says so.
func (r *run) provenByNew(ctx context.Context, a *Attempt, ask bool) error {
	if r.Prover == nil || r.o.Refine {
		if ask {
			r.unproven(a, "", "The checks pass, but for what failed before. ", ask)
			return nil
		}
		p := Proof{Claims: r.claimsOf(a)}
		p.Claims[0] = event.Claim{Claim: event.ClaimChange, State: event.StateUntried, Tests: []string{},
			Reason: "evidence is off"}
		r.claim(a, p)
		return nil
	}
	required := r.o.RequireEvidence || ask
	p, err := r.prove(ctx, a, required)
	if err != nil {
		return err
	}
	e := p.evidence()
	r.tellEvidence(e)
	if !required || p.Docs || e.Verdict == event.Proven || e.Verdict == event.Untried {
		r.claim(a, p)
		return nil
	}
	r.unclaimed = &p
	r.unproven(a, e.Verdict, "The checks pass, but there is no evidence for the change: "+e.Note+
		". Add tests that fail without the change and pass with it.", ask)
	return nil
}

// given is what ran of a green attempt.
func (r *run) given(a *Attempt) proof.Given {
	after := r.verifier.last.ran
	if after.Passing == nil && after.Counts.Ran() <= 0 { // it is not this run that judged it
		after = r.before.resultOf(a.Verdict)
	}
	return proof.Given{Before: r.before.result(), After: after, Stood: r.verifier.last.stood, Suite: r.verifier.last.took,
		TestsMayGo: r.o.TestsMayGo, Survivors: r.m.Survivors}
}

// claimsOf returns the claims that follow from what already ran.
func (r *run) claimsOf(a *Attempt) []event.Claim {
	g := r.given(a)
	return proof.Judge(proof.Ran{Before: g.Before, After: g.After, Stood: g.Stood, TestsMayGo: g.TestsMayGo})
}

// prove runs more, if evidence is asked for; must says that no mutants are needed if no test shows
// the change.
func (r *run) prove(ctx context.Context, a *Attempt, must bool) (Proof, error) {
	if r.Prover == nil {
		return Proof{Claims: r.claimsOf(a)}, nil
	}
	in := ProofInput{From: r.m.Start.State, To: a.State, Given: r.given(a)}
	if in.MustShow = must; !r.o.Refine {
		in.Mutants = r.o.Mutants
	}
	return r.Prover.Prove(ctx, in)
}

// proveAgain does so of work that may not be what was judged last.
func (r *run) proveAgain(ctx context.Context, a *Attempt) (Proof, error) {
	if r.verifier.last.at != a.State {
		if _, err := r.verifier.again(ctx, a.State, a.N); err != nil {
			return Proof{}, err
		}
	}
	return r.prove(ctx, a, false)
}

// tellProof emits the claims about the work.
func (r *run) tellProof(p Proof) {
	r.m.Claims, r.m.Survivors = p.Claims, p.Survivors
	r.emit(event.ProofFinished{Claims: p.Claims, Survivors: p.Survivors})
}

func (r *run) tellEvidence(e event.EvidenceFinished) {
	if r.Prover != nil && !r.o.Refine {
		r.m.Evidence = &e
		r.emit(e)
	}
}

// evidence returns what the new tests prove, as events have it.
func (p Proof) evidence() event.EvidenceFinished {
	change := p.change()
	e := event.EvidenceFinished{Verdict: event.Vacuous, Tests: slices.Clone(change.Tests),
		Note: change.Reason}
	switch {
	case p.None:
		e.Verdict = event.NoTests
	case change.State == event.StateProven:
		e.Verdict = event.Proven
	case change.State == event.StateUntried:
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
		v.Text += "\nThis failed before your work, and still does. If the task is about it, fix it now:\n" +
			b.Text
	}
	a.Verdict = v
}

// claim emits the claims about green work, and asks the model once about small changes that no test
// notices.
func (r *run) claim(a *Attempt, p Proof) {
	r.m.Claims, r.m.Survivors = p.Claims, p.Survivors
	for _, c := range p.Claims {
		switch {
		case c.Claim == event.ClaimUnharmed && c.State == event.StateDisproven && len(a.Verdict.Changed) == 0:
			lost := c.Reason
			if len(c.Tests) > 0 {
				lost += ": " + list(c.Tests)
			}
			a.Verdict.Review = append(slices.Clone(a.Verdict.Review), lost)
			r.notice("warning", lost)
		case c.Claim == event.ClaimCanFail && c.State == event.StateNotShown:
			a.Verdict.Review = append(slices.Clone(a.Verdict.Review),
				"the test that shows the change was not seen to fail with it in place")
		case c.Claim == event.ClaimMutants && len(p.Survivors) > 0:
			r.askAboutSurvivors(a, c)
		}
	}
	r.emit(event.ProofFinished{Claims: r.m.Claims, Survivors: p.Survivors})
}

// shown reports whether a test was seen to fail without the change.
func shown(claims []event.Claim) bool {
	return slices.ContainsFunc(claims, func(c event.Claim) bool {
		return c.Claim == event.ClaimChange && c.State == event.StateProven
	})
}
