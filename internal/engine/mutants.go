package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/event"
)

// Mutator has the tests run on small changes to the changed lines of green work. What
// fails in it anyway is known.
type Mutator interface {
	Mutants(ctx context.Context, from, to State, n int, known []event.Failure) (event.Claim, []event.Survivor, error)
}

// Passed is an attempt that passes, whose survivors the model has heard of. The run falls
// back to it where that leads to nothing better.
type Passed struct {
	N         int                     `json:"n"`
	Evidence  *event.EvidenceFinished `json:"evidence,omitempty"`
	Claims    []event.Claim           `json:"claims,omitempty"`
	Survivors []event.Survivor        `json:"survivors,omitempty"`
}

// fallback is that attempt; nil where another one passes, or the tree was changed by
// someone else since.
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

// fallBack ends the run with an attempt that passes, where the round for its survivors
// ended without green.
func (r *run) fallBack(ctx context.Context, a *Attempt, why error) error {
	r.notice("warning", fmt.Sprintf("back to attempt %d, which passes: %v", a.N, why))
	if r.tree != a.State {
		if err := r.restore(ctx, a.State); err != nil {
			return err
		}
	}
	for i := range r.m.Attempts {
		if later := &r.m.Attempts[i]; later.N > a.N {
			later.Outcome = event.RolledBack
		}
	}
	p := r.m.Passed
	r.open, r.m.ForReview, r.m.Evidence, r.m.Claims, r.m.Survivors = nil, nil, p.Evidence, p.Claims, p.Survivors
	if err := r.acceptUnshown(ctx, a); err != nil {
		return err
	}
	if !a.Verdict.Green {
		return why
	}
	return r.whenGreen(ctx)
}

// mutants asks the tests of green work about small changes to it. Where proof is
// required the model hears once of those that no test notices: that is a failed attempt.
func (r *run) mutants(ctx context.Context, a *Attempt) (event.Claim, error) {
	var known []event.Failure
	for _, f := range r.m.Baseline.Failures {
		if slices.Contains(a.Verdict.Known, f.Test) {
			known = append(known, f)
		}
	}
	c, survivors, err := r.Mutator.Mutants(ctx, r.m.Start.State, a.State, r.o.Mutants, known)
	if err != nil {
		return c, err
	}
	r.m.Survivors = survivors
	if len(survivors) == 0 || !r.o.RequireEvidence || r.m.Passed != nil || a.N >= r.max() {
		return c, nil
	}
	v := &a.Verdict // no test fails: it stays better than a change that breaks one
	v.Green, v.Asked = false, true
	v.Unproven = fmt.Sprintf("no test notices %d small changes to it", len(survivors))
	v.Signature = "survivors:" + c.Reason
	var text strings.Builder
	text.WriteString("The checks pass. But these changes to your code go unnoticed, all tests pass with each of them: add tests that fail.\n")
	v.Files = nil
	for _, s := range survivors {
		now := s.Now
		if now == "" || now == ";" {
			now = "nothing"
		}
		fmt.Fprintf(&text, "%s:%d: %s\n  changed to: %s\n", s.File, s.Line, s.Was, now)
		if !slices.Contains(v.Files, s.File) {
			v.Files = append(v.Files, s.File)
		}
	}
	text.WriteString("Where one of them makes no difference to anybody, leave it. If none needs a test, say so without edits.")
	v.Text = text.String()
	return c, nil
}
