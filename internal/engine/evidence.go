package engine

import (
	"context"
	"slices"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
)

// Shown is what the proposal's own tests show, run on the old code.
type Shown struct {
	// None says that the change adds no test, Docs that it is to
	// documents alone: then nothing was run.
	None, Docs bool
	// Proven says that a test shows the change: Tests fail without it and pass with it,
	// Failures are those seen of them. Reason says what else there is to say.
	Proven   bool
	Tests    []string
	Failures []event.Failure
	Reason   string
	// Untried says that the old code could not be tried.
	Untried bool
}

// Prover runs the proposal's own tests on the old code. What failed before the work
// proves nothing, nor does a test that is not among the passing, where they have names.
type Prover interface {
	TryOld(ctx context.Context, from, to State, before []failure.Signature, passing []string) (Shown, error)
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
	b := r.m.Baseline
	red := b.TestsFailed && !r.o.Continued // unless it was earlier work on the same task that broke it
	if names := r.fixedTests(a.Verdict); red && (len(names) > 0 || b.Tally >= failure.Unnamed) {
		e := event.EvidenceFinished{Verdict: event.Proven, Tests: names, Note: "these tests fail without the change and pass with it"}
		if len(names) == 0 {
			e.Note = "the tests failed before without naming one, and pass now"
		}
		if r.Prover != nil {
			r.m.Evidence = &e
			r.emit(e)
		}
		if r.askBesides(a, names); !a.Verdict.Green {
			return nil
		}
		return r.claim(ctx, a, &e, slices.DeleteFunc(slices.Clone(b.Failures),
			func(f event.Failure) bool { return len(names) > 0 && !slices.Contains(names, f.Test) }), true)
	}
	ask := red // green among failures proves nothing: the task may be about them
	p := proof{enough: !ask, text: "The checks pass, but for what failed before. "}
	var seen Shown
	if r.Prover != nil {
		var before []failure.Signature
		if b := r.before(); b != nil && b.TestsFailed {
			before = failure.Signatures(b.Failures, b.Again)
		}
		var err error
		if seen, err = r.Prover.TryOld(ctx, r.m.Start.State, a.State, before, r.passing); err != nil {
			return err
		}
		p = weigh(seen, r.o.RequireEvidence || ask)
		r.m.Evidence = &p.EvidenceFinished
		r.emit(p.EvidenceFinished)
	}
	if p.enough {
		return r.claim(ctx, a, r.m.Evidence, seen.Failures, false)
	}
	v := &a.Verdict // no test fails: it stays better than a change that breaks one
	v.Green = false
	v.Unproven = "there is no evidence for the change"
	v.Text, v.Signature = p.text, "evidence:"+p.Verdict
	if ask {
		v.Asked = !r.o.RequireEvidence
		v.Unproven += ", and what failed before still fails"
		v.Text += "\nOr, if the change needs no test, say so without edits."
	}
	if ask && !r.m.OldShown {
		r.m.OldShown, v.Files = true, b.Files
		v.Text += "\nThis failed before your work, and still does. If the task is about it, fix it now:\n" + b.Text
	}
	return nil
}

// claim tells what may be said of green work, and makes it a failed attempt where the
// tests that show it cannot fail. They failed as they stood, or as the work has them.
func (r *run) claim(ctx context.Context, a *Attempt, e *event.EvidenceFinished, shown []event.Failure, stood bool) error {
	change := event.Claim{Claim: event.ClaimChange, State: event.StateUntried, Tests: []string{}, Reason: "evidence is off"}
	if e != nil {
		change.Tests, change.Reason = e.Tests, e.Note
		switch e.Verdict {
		case event.Proven:
			change.State = event.StateProven
		case event.NoTests, event.Vacuous:
			change.State = event.StateNotShown
		}
	}
	claims := []event.Claim{change, r.unharmed(a.Verdict)}
	if r.Canary != nil && len(shown) > 0 {
		c, err := r.Canary.CanFail(ctx, a.State, shown, stood, r.took)
		if err != nil {
			return err
		}
		if claims = append(claims, c); c.State == event.StateDisproven {
			a.Verdict = a.Verdict.toothless(c)
		}
	}
	r.m.Survivors = nil
	if r.Mutator != nil && r.o.Mutants > 0 && a.Verdict.Green {
		c, err := r.mutants(ctx, a)
		if err != nil {
			return err
		}
		claims = append(claims, c)
	}
	r.m.Claims = claims
	if a.Verdict.Asked {
		r.m.Passed = &Passed{N: a.N, Evidence: r.m.Evidence, Claims: claims, Survivors: r.m.Survivors}
	}
	r.emit(event.ProofFinished{Claims: claims, Survivors: r.m.Survivors})
	return nil
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

// askBesides makes green work that fixed some tests of a file, and left others there
// failing as before, a failed attempt, once: the task may be about them all.
func (r *run) askBesides(a *Attempt, fixed []string) {
	if r.m.OldShown || a.N >= r.max() {
		return
	}
	files := map[string]bool{"": false}
	for _, f := range r.m.Baseline.Failures {
		if f.File != "" && slices.Contains(fixed, f.Test) {
			files[f.File] = true
		}
	}
	v := &a.Verdict
	text, names := "", []string{}
	for _, f := range r.m.Baseline.Failures {
		if files[f.File] && slices.Contains(v.Known, f.Test) {
			text += inWords(f)
			names = append(names, f.Test)
		}
	}
	if text == "" {
		return
	}
	r.m.OldShown, v.Asked, v.Green = true, true, false
	v.Unproven = "beside what it fixes there still fails as before: " + list(names)
	v.Text = "Some of the tests that failed before your work pass now. These, of the same file, fail as before:\n" + text +
		"If the task is about them as well, fix them now; if not, say so without edits."
	v.Signature = "besides:" + list(names)
	v.Files = nil
	for file, is := range files {
		if is {
			v.Files = append(v.Files, file)
		}
	}
	slices.Sort(v.Files)
}

// acceptUnshown makes an attempt green that passes but for what failed before the
// work: that was shown, and the model has nothing to add. Nothing shows what it does.
func (r *run) acceptUnshown(ctx context.Context, a *Attempt) error {
	v := &a.Verdict
	v.Green, v.Asked, v.Unproven, v.Text, v.Signature, v.Files = true, false, "", "", "", nil
	if err := r.recheck(ctx, a); err != nil || !a.Verdict.Green {
		return err
	}
	a.Outcome = event.Green
	r.m.Current, r.m.Standing = a.State, a.Verdict
	r.finished(*a)
	return r.save(ctx)
}

// weigh says what the new tests prove, and whether that is enough.
func weigh(seen Shown, required bool) proof {
	p := proof{EvidenceFinished: event.EvidenceFinished{Tests: slices.Clone(seen.Tests), Note: seen.Reason}}
	if p.Tests == nil {
		p.Tests = []string{}
	}
	switch {
	case seen.None:
		p.Verdict, p.Note = event.NoTests, "the change adds no test"
	case seen.Proven:
		p.Verdict = event.Proven
	case seen.Untried:
		p.Verdict = event.Untried
	default:
		p.Verdict = event.Vacuous
	}
	p.enough = !required || p.Verdict == event.Proven || p.Verdict == event.Untried || seen.Docs
	if !p.enough {
		p.text = "The checks pass, but there is no evidence for the change: " + p.Note +
			". Add tests that fail without the change and pass with it."
	}
	return p
}
