package engine

import (
	"context"
	"fmt"
	"strings"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
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

// backToPassed ends the attempts where work passes and a later attempt, which the model was asked for
// about that work, does not: the run goes back to what passes.
func (m *Memory) backToPassed() error {
	if f := m.fallback(); f != nil && m.last().N != f.N {
		return fault.New(fault.Exhausted, "", "the attempt to %s does not pass", m.Passed.askedFor())
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

// withoutChange handles a reply that changes nothing: it accepts the last attempt, if the model
// confirms it, or else ends the run.
func (r *run) withoutChange(ctx context.Context, x *exchange, a Attempt, p Proposal) (Attempt, error) {
	last := r.m.last()
	switch {
	case last != nil && p.nothing() && r.m.Standing.Held == HeldAsked:
		err := r.claimUnshown(ctx, last)
		if err == nil {
			err = r.acceptUnshown(ctx, last)
		}
		if !last.Verdict.Green {
			r.m.Claims, r.m.Survivors = nil, nil
		}
		return *last, err
	case last != nil && p.nothing() && r.m.Standing.Held == HeldChallenged:
		err := r.disputed(ctx, last, p.Said)
		return *last, err
	case last != nil && p.nothing() && r.m.Standing.Held == HeldStood:
		return r.answeredStood(ctx, last, p)
	}
	return a, r.endWithoutEdit(ctx, a.N, p, x.noEdit)
}

// answeredStood is what follows a reply without edits to the question about old tests: the
// attempt is green by the task's word, or a person decides.
func (r *run) answeredStood(ctx context.Context, last *Attempt, p Proposal) (Attempt, error) {
	var err error
	if last.Verdict, err = r.changed.settle(ctx, last.N, last.Verdict, p.Said); err != nil {
		return *last, err
	}
	if !last.Verdict.Green {
		_, reason := changesIn(p.Prose)
		if reason == "" && !strings.Contains(p.Said, "```") {
			_, reason = changesIn(p.Said)
		}
		r.m.StoodReason = inOneLine(reason, maxSaid)
		return *last, r.forPerson(ctx, *last)
	}
	if last.Verdict, err = r.evidence.weigh(ctx, r.workOf(*last)); err != nil {
		return *last, err
	}
	if last.Verdict, err = r.verifier.recheck(ctx, *last, r.m.Named(last.Files...)); err != nil {
		return *last, err
	}
	r.m.Replies = nil
	return *last, r.accept(ctx, last)
}

// disputed is what follows a reply without edits to the question about a challenge: a reviewer
// judges the tests that it disputes, and the attempt is green.
func (r *run) disputed(ctx context.Context, last *Attempt, said string) error {
	c, err := r.challenges.settle(ctx, last.N, said)
	if err != nil {
		return err
	}
	if c != nil {
		r.evidence.addChallenge(*c)
		if err := r.save(ctx); err != nil {
			return err
		}
	}
	r.m.Replies = nil
	return r.acceptUnshown(ctx, last)
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
	if a.Verdict, err = r.verifier.recheck(ctx, *a, r.m.Named(a.Files...)); err != nil || !a.Verdict.Green {
		return err
	}
	return r.accept(ctx, a)
}

// accept makes an earlier attempt the current one, with the verdict that it has now.
func (r *run) accept(ctx context.Context, a *Attempt) error {
	r.m.Current, r.m.Standing = a.State, a.Verdict
	if a.Verdict.Green {
		a.Outcome = event.Green
		r.emit(a.finished(a.Verdict))
	}
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
