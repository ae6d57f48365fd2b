package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/event"
)

// What follows asks the model once about work that passes: it may add to it, or confirm it without
// an edit.

// askBesides asks where green work fixed some tests of a file, and left others there
// failing as before: the task may be about them all.
func (r *run) askBesides(a *Attempt, fixed []event.Failure) {
	if r.m.OldShown || a.N >= r.max() {
		return
	}
	files := map[string]bool{"": false}
	for _, f := range fixed {
		if f.File != "" {
			files[f.File] = true
		}
	}
	text, names, shown := "", []string{}, []string{}
	for _, f := range r.m.Baseline.Failures {
		if files[f.File] && a.Verdict.knows(f) {
			text += inWords(f)
			names, shown = union(names, []string{f.Test}), union(shown, []string{f.File})
		}
	}
	if text == "" {
		return
	}
	r.m.OldShown = true
	a.Verdict = a.Verdict.held(HeldAsked, "still failing as before: "+list(names),
		"besides:"+list(names),
		"Some of the tests that failed before your work pass now. These, of the same file, fail as before:\n"+text+
			"If the task is about them as well, fix them now; if not, say so without edits.")
	slices.Sort(shown)
	a.Verdict.Files = shown
}

// Passed is an attempt that passes, before the model was asked about survivors or a challenge. The
// run returns to it if that leads to nothing better.
type Passed struct {
	N         int                     `json:"n"`
	Evidence  *event.EvidenceFinished `json:"evidence,omitempty"`
	Claims    []event.Claim           `json:"claims,omitempty"`
	Survivors []event.Survivor        `json:"survivors,omitempty"`
	// Caught says that the model was asked about the tests of Challenge.
	Caught    bool                     `json:"caught,omitempty"`
	Challenge *event.ChallengeFinished `json:"challenge,omitempty"`
}

// askedFor is what the model was asked for.
func (p Passed) askedFor() string {
	if p.Caught {
		return "fix what a challenge caught"
	}
	return "add tests"
}

// askAboutSurvivors asks where proof is required and no test notices some small changes.
func (r *run) askAboutSurvivors(a *Attempt, c event.Claim) {
	if !r.o.RequireEvidence || r.m.Passed != nil || a.N >= r.max() {
		return
	}
	var text strings.Builder
	text.WriteString("The checks pass. But these changes to your code go unnoticed, all tests pass with each of them: add tests that fail.\n")
	var files []string
	for _, s := range r.m.Survivors {
		now := s.Now
		if now == "" || now == ";" {
			now = "nothing"
		}
		fmt.Fprintf(&text, "%s:%d: %s\n  changed to: %s\n", s.File, s.Line, s.Was, now)
		files = union(files, []string{s.File})
	}
	text.WriteString("Where one of them makes no difference to anybody, leave it. If none needs a test, say so without edits.")
	a.Verdict = a.Verdict.held(HeldAsked,
		fmt.Sprintf("no test notices %d small changes to it", len(r.m.Survivors)),
		"survivors:"+c.Reason, text.String())
	a.Verdict.Files = files
	r.m.Passed = &Passed{N: a.N, Evidence: r.m.Evidence, Claims: r.m.Claims, Survivors: r.m.Survivors}
}

// fallback is the attempt that passed before the model was asked; nil where another one
// passes, or the tree was changed by someone else since.
func (m *Memory) fallback() *Attempt {
	if m.Passed == nil || m.green() != nil {
		return nil
	}
	for i := m.Fresh; i < len(m.Attempts); i++ {
		if m.Attempts[i].N == m.Passed.N {
			return &m.Attempts[i]
		}
	}
	return nil
}

// fallBack ends the run with that attempt, where the one after it is not green.
func (r *run) fallBack(ctx context.Context, a *Attempt, why error) error {
	r.notice("warning", fmt.Sprintf("back to attempt %d, which passes: %v", a.N, why))
	if err := r.tree.goTo(ctx, a.State); err != nil {
		return err
	}
	for i := range r.m.Attempts {
		if later := &r.m.Attempts[i]; later.N > a.N {
			later.Outcome = event.RolledBack
		}
	}
	p := r.m.Passed
	r.open, r.m.ForReview, r.m.Evidence, r.m.Claims, r.m.Survivors = nil, nil, p.Evidence, p.Claims,
		p.Survivors
	if p.Challenge != nil {
		r.m.Challenge, r.m.ChallengeOf = p.Challenge, a.State
	}
	if err := r.acceptUnshown(ctx, a); err != nil {
		return err
	}
	if !a.Verdict.Green {
		return why
	}
	return r.whenGreen(ctx)
}

// claimUnshown emits the claims of an attempt that the model has confirmed, unless they were
// emitted before it was asked.
func (r *run) claimUnshown(ctx context.Context, a *Attempt) (err error) {
	p := r.unclaimed
	switch {
	case r.o.Refine || p == nil && r.m.Passed != nil && r.m.Passed.N == a.N:
		return nil
	case p == nil:
		found, err := r.proveAgain(ctx, a)
		if err != nil {
			return err
		}
		p = &found
	}
	r.tellProof(*p)
	return nil
}

// acceptUnshown makes an attempt green that the model has confirmed, although nothing shows what it
// does.
func (r *run) acceptUnshown(ctx context.Context, a *Attempt) error {
	v := &a.Verdict
	v.Green, v.Held, v.Unproven, v.Text, v.Signature, v.Files = true, "", "", "", "", nil
	var err error
	if a.Verdict, err = r.recheck(ctx, *a); err != nil || !a.Verdict.Green {
		return err
	}
	a.Outcome = event.Green
	r.m.Current, r.m.Standing = a.State, a.Verdict
	r.finished(*a)
	return r.save(ctx)
}
