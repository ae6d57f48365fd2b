package engine

import (
	"context"
	"fmt"

	"github.com/booty-cli/booty/internal/event"
)

// What follows asks the model once about work that passes: it may add to it, or confirm it without
// an edit.

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
	p := r.evidence.unclaimed
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
	r.evidence.tellProof(*p)
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

// proveAgain finds out what tests show of work that may not be what was judged last.
func (r *run) proveAgain(ctx context.Context, a *Attempt) (Proof, error) {
	if r.verifier.last.at != a.State {
		if _, err := r.verifier.again(ctx, a.State, a.N); err != nil {
			return Proof{}, err
		}
	}
	return r.evidence.prove(ctx, r.workOf(*a), false)
}
