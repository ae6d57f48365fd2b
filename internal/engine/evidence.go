package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

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

// Findings is what a run has found out about its green work.
type Findings struct {
	// Review is a reviewer's, Evidence and Claims are what runs show.
	Review   *event.ReviewFinished   `json:"review,omitempty"`
	Evidence *event.EvidenceFinished `json:"evidence,omitempty"`
	Claims   []event.Claim           `json:"claims,omitempty"`
	// Survivors are small changes to the work that no test notices.
	Survivors []event.Survivor `json:"survivors,omitempty"`
	// OldShown says that what failed before the work was shown to the model in full.
	OldShown bool `json:"old_shown,omitempty"`
	// Passed is set once the model was asked about survivors or a challenge.
	Passed *Passed `json:"passed,omitempty"`
}

// evidence finds out what tests show of green work. If they show too little, the model is asked, once:
// the work is held until it answers.
type evidence struct {
	reporter
	// prover is nil where evidence is off.
	prover Prover
	before before
	found  *Findings
	// refine, required and testsMayGo are the options Refine, RequireEvidence and TestsMayGo.
	refine, required, testsMayGo bool
	// mutants is how many small changes are tried.
	mutants int
	// unclaimed is what was found of work that is held, before anything is claimed.
	unclaimed *Proof
}

// work is green work of attempt n. last is what its checks found; mayAsk says that another attempt
// could follow.
type work struct {
	n       int
	state   State
	verdict Verdict
	last    checked
	mayAsk  bool
}

// weigh finds out what tests prove about green work: those that failed before it and
// pass now or, if there are none, those that the proposal adds. If proof is required and missing,
// the verdict is not green any more.
func (e *evidence) weigh(ctx context.Context, w work) (Verdict, error) {
	e.unclaimed = nil
	b := e.before.Baseline
	// unless it was earlier work on the same task that broke it
	red := b.TestsFailed && !e.before.continued()
	if fixed := e.before.fixed(w.verdict); red && (len(fixed) > 0 || b.Tally >= failure.Unnamed) {
		return e.byFixed(ctx, w, fixed)
	}
	return e.byNew(ctx, w, red)
}

// byFixed weighs work by tests that failed before it.
func (e *evidence) byFixed(ctx context.Context, w work, fixed []event.Failure) (Verdict, error) {
	names := failure.Tests(failure.Cases(fixed))
	found := event.EvidenceFinished{Verdict: event.Proven, Tests: names,
		Note: "these tests fail without the change and pass with it"}
	if len(names) == 0 {
		found.Verdict, found.Note = event.Untried, "the tests failed before without naming one, and pass now"
	}
	e.tell(found)
	if v := e.askBesides(w, fixed); !v.Green {
		return v, nil
	}
	p, err := e.prove(ctx, w, false)
	if err != nil {
		return w.verdict, err
	}
	if c := &p.Claims[0]; len(names) == 0 && c.State != event.StateProven {
		c.State, c.Reason = event.StateUntried, found.Note
	}
	return e.claim(w, p), nil
}

// byNew weighs it by the tests that the proposal brings. Green among failures proves
// nothing, since the task may be about them: ask says so.
func (e *evidence) byNew(ctx context.Context, w work, ask bool) (Verdict, error) {
	if e.prover == nil || e.refine {
		if ask {
			return e.unproven(w.verdict, "", "The checks pass, but for what failed before. ", ask), nil
		}
		p := Proof{Claims: e.judge(w)}
		p.Claims[0] = event.Claim{Claim: event.ClaimChange, State: event.StateUntried, Tests: []string{},
			Reason: "evidence is off"}
		return e.claim(w, p), nil
	}
	required := e.required || ask
	p, err := e.prove(ctx, w, required)
	if err != nil {
		return w.verdict, err
	}
	found := p.evidence()
	e.tell(found)
	if !required || p.Docs || found.Verdict == event.Proven || found.Verdict == event.Untried {
		return e.claim(w, p), nil
	}
	e.unclaimed = &p
	return e.unproven(w.verdict, found.Verdict, "The checks pass, but there is no evidence for the change: "+
		found.Note+". Add tests that fail without the change and pass with it.", ask), nil
}

// given is what ran of green work.
func (e *evidence) given(w work) proof.Given {
	after := w.last.ran
	if after.Passing == nil && after.Counts.Ran() <= 0 { // it is not this run that judged it
		after = e.before.resultOf(w.verdict)
	}
	return proof.Given{Before: e.before.result(), After: after, Stood: w.last.stood, Suite: w.last.took,
		TestsMayGo: e.testsMayGo, Survivors: e.found.Survivors}
}

// judge returns the claims that follow from what already ran.
func (e *evidence) judge(w work) []event.Claim {
	g := e.given(w)
	return proof.Judge(proof.Ran{Before: g.Before, After: g.After, Stood: g.Stood, TestsMayGo: g.TestsMayGo})
}

// prove runs more, if evidence is asked for; must says that no mutants are needed if no test shows
// the change.
func (e *evidence) prove(ctx context.Context, w work, must bool) (Proof, error) {
	if e.prover == nil {
		return Proof{Claims: e.judge(w)}, nil
	}
	in := ProofInput{From: e.before.Start.State, To: w.state, Given: e.given(w)}
	if in.MustShow = must; !e.refine {
		in.Mutants = e.mutants
	}
	return e.prover.Prove(ctx, in)
}

// tell emits what the tests prove.
func (e *evidence) tell(found event.EvidenceFinished) {
	if e.prover != nil && !e.refine {
		e.found.Evidence = &found
		e.emit(found)
	}
}

// tellProof emits the claims about the work.
func (e *evidence) tellProof(p Proof) {
	e.found.Claims, e.found.Survivors = p.Claims, p.Survivors
	e.emit(event.ProofFinished{Claims: p.Claims, Survivors: p.Survivors})
}

// addChallenge adds the claim of a challenge, and emits both.
func (e *evidence) addChallenge(c event.ChallengeFinished) {
	claim := proof.ChallengeClaim(c)
	e.found.Claims = append(slices.DeleteFunc(slices.Clone(e.found.Claims),
		func(c event.Claim) bool { return c.Claim == event.ClaimChallenged }), claim)
	e.emit(event.ProofStep{Step: event.StepChallenge, Good: claim.State == event.StateProven,
		Text: claim.Reason})
	e.emit(c)
	e.emit(event.ProofFinished{Claims: e.found.Claims, Survivors: e.found.Survivors})
}

// claim emits the claims about green work, and asks the model once about small changes that no test
// notices.
func (e *evidence) claim(w work, p Proof) Verdict {
	e.found.Claims, e.found.Survivors = p.Claims, p.Survivors
	v := w.verdict
	for _, c := range p.Claims {
		switch {
		case c.Claim == event.ClaimUnharmed && c.State == event.StateDisproven && len(v.Changed) == 0:
			lost := c.Reason
			if len(c.Tests) > 0 {
				lost += ": " + list(c.Tests)
			}
			v.Review = append(slices.Clone(v.Review), lost)
			e.notice("warning", lost)
		case c.Claim == event.ClaimCanFail && c.State == event.StateNotShown:
			v.Review = append(slices.Clone(v.Review),
				"the test that shows the change was not seen to fail with it in place")
		case c.Claim == event.ClaimMutants && len(p.Survivors) > 0 && w.mayAsk && e.required &&
			e.found.Passed == nil:
			v = v.withSurvivors(c, p.Survivors)
			e.found.Passed = &Passed{N: w.n, Evidence: e.found.Evidence, Claims: p.Claims,
				Survivors: p.Survivors}
		}
	}
	e.emit(event.ProofFinished{Claims: p.Claims, Survivors: p.Survivors})
	return v
}

// unproven makes a green verdict a failed one for want of evidence. No test fails: it stays
// better than a change that breaks one.
func (e *evidence) unproven(green Verdict, verdict, text string, ask bool) Verdict {
	v := green.held(HeldUnproven, "there is no evidence for the change", "evidence:"+verdict, text)
	if ask {
		v.Unproven += ", and what failed before still fails"
		v.Text += "\nOr, if the change needs no test, say so without edits."
		if !e.required {
			v.Held = HeldAsked
		}
	}
	if b := e.before.Baseline; ask && !e.found.OldShown {
		e.found.OldShown, v.Files = true, b.Files
		v.Text += "\nThis failed before your work, and still does. If the task is about it, fix it now:\n" +
			b.Text
	}
	return v
}

// askBesides asks where green work fixed some tests of a file, and left others there
// failing as before: the task may be about them all.
func (e *evidence) askBesides(w work, fixed []event.Failure) Verdict {
	v := w.verdict
	if e.found.OldShown || !w.mayAsk {
		return v
	}
	files := map[string]bool{"": false}
	for _, f := range fixed {
		if f.File != "" {
			files[f.File] = true
		}
	}
	text, names, shown := "", []string{}, []string{}
	for _, f := range e.before.Baseline.Failures {
		if files[f.File] && v.knows(f) {
			text += inWords(f)
			names, shown = union(names, []string{f.Test}), union(shown, []string{f.File})
		}
	}
	if text == "" {
		return v
	}
	e.found.OldShown = true
	v = v.held(HeldAsked, "still failing as before: "+list(names),
		"besides:"+list(names),
		"Some of the tests that failed before your work pass now. These, of the same file, fail as before:\n"+text+
			"If the task is about them as well, fix them now; if not, say so without edits.")
	slices.Sort(shown)
	v.Files = shown
	return v
}

// withSurvivors asks for tests that notice small changes which none does.
func (v Verdict) withSurvivors(c event.Claim, survivors []event.Survivor) Verdict {
	var text strings.Builder
	text.WriteString("The checks pass. But these changes to your code go unnoticed, " +
		"all tests pass with each of them: add tests that fail.\n")
	var files []string
	for _, s := range survivors {
		now := s.Now
		if now == "" || now == ";" {
			now = "nothing"
		}
		fmt.Fprintf(&text, "%s:%d: %s\n  changed to: %s\n", s.File, s.Line, s.Was, now)
		files = union(files, []string{s.File})
	}
	text.WriteString("Where one of them makes no difference to anybody, leave it. " +
		"If none needs a test, say so without edits.")
	v = v.held(HeldAsked, fmt.Sprintf("no test notices %d small changes to it", len(survivors)),
		"survivors:"+c.Reason, text.String())
	v.Files = files
	return v
}

// shown reports whether a test was seen to fail without the change.
func shown(claims []event.Claim) bool {
	return slices.ContainsFunc(claims, func(c event.Claim) bool {
		return c.Claim == event.ClaimChange && c.State == event.StateProven
	})
}

// evident reports whether what may be said of green work is evidence: tests show it, and can fail.
func evident(claims []event.Claim) bool {
	return shown(claims) && !slices.ContainsFunc(claims, func(c event.Claim) bool {
		return c.Claim == event.ClaimCanFail && c.State == event.StateNotShown
	})
}
