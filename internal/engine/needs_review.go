package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/fault"
)

// errNeedsReview marks the end of a run whose work passes, but not with the tests
// as they stood: whether it may change what they expect is for a person to say.
var errNeedsReview = errors.New("a person must judge")

// ForPerson is what a run knows of work that a person must judge.
type ForPerson struct {
	// ForReview is the state that passes, but not with the tests as they stood. OldTestsReported
	// says that the model was told of such a state.
	ForReview        *State `json:"for_review,omitempty"`
	OldTestsReported bool   `json:"stood_told,omitempty"`
	// StoodReason is what the model says about it.
	StoodReason string `json:"stood_reason,omitempty"`
}

// insists reports whether an attempt passes, but not with the tests as they stood, and the model
// was told so, or cannot be: most is the highest number that an attempt may have.
func (p *ForPerson) insists(a Attempt, most int) bool {
	told, stood := p.OldTestsReported, a.Verdict.Held == HeldStood
	p.OldTestsReported = told || stood
	return stood && (told || a.N == most)
}

// forPerson ends the run with an attempt that a person must judge, who reads the claims of green work
// about it.
func (r *run) forPerson(ctx context.Context, a Attempt) error {
	s := a.State
	if !r.o.Refine && (r.m.ForReview == nil || *r.m.ForReview != s) {
		p, err := r.proveAgain(ctx, &a)
		if err != nil {
			return err
		}
		r.evidence.tell(p.evidence())
		r.evidence.tellProof(p)
	}
	r.m.ForReview = &s
	if err := r.save(ctx); err != nil {
		return err
	}
	return r.m.mustBeJudged()
}

// mustBeJudged is the end of a run that passes, but not with the tests as they stood.
func (m *Memory) mustBeJudged() error {
	var names []string
	if a := m.forReview(); a != nil {
		names = a.Verdict.Stood
	}
	reason := ""
	if m.StoodReason != "" {
		reason = fmt.Sprintf("; the model says: %q", m.StoodReason)
	}
	return fault.New(fault.Exhausted, "if the task asks for that: booty resume --accept",
		"the checks pass, but these fail as they stood before the change, which %w: %s%s", errNeedsReview, list(names), reason)
}

// forReview returns the attempt that a person must judge; nil if there is none.
func (m *Memory) forReview() *Attempt {
	if m.ForReview == nil {
		return nil
	}
	for i := range m.Attempts {
		if a := &m.Attempts[i]; a.State == *m.ForReview {
			return a
		}
	}
	return nil
}

// takeReviewed checks the attempt that a person has allowed.
func (r *run) takeReviewed(ctx context.Context) (bool, error) {
	a := r.m.forReview()
	if a == nil {
		return false, nil
	}
	v, err := r.verifier.again(ctx, a.State, a.N)
	if err != nil {
		return false, err
	}
	r.m.ForReview, a.Verdict = nil, v
	if v.Green {
		if a.Verdict, err = r.evidence.weigh(ctx, r.workOf(*a)); err != nil {
			return false, err
		}
		a.Verdict.Green, a.Verdict.Held, a.Verdict.Unproven = true, "", "" // a person has decided
	}
	return a.Verdict.Green, r.accept(ctx, a)
}

// reviewOf says what of a verdict a person must look at before it is merged.
func (v Verdict) reviewOf() []string {
	out := slices.Clone(v.Review)
	if len(v.Stood) > 0 {
		out = slices.Insert(out, 0, "these tests fail as they stood before: "+strings.Join(v.Stood, ", "))
	}
	return out
}
