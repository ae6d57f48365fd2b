package engine

import (
	"context"
	"slices"
	"time"

	"github.com/booty-cli/booty/internal/event"
)

// Canary asks whether the tests that show a change can fail at all: with one expectation
// made wrong, one of them must. stood says that they failed as they stood, not as the
// proposal has them; suite is how long all tests take.
type Canary interface {
	CanFail(ctx context.Context, s State, shown []event.Failure, stood bool, suite time.Duration) (event.Claim, error)
}

// toothless makes a green attempt a failing one.
func (v Verdict) toothless(c event.Claim) Verdict {
	v.Green = false
	v.Unproven = "the test that shows the change cannot fail: " + list(c.Tests)
	v.Signature = "toothless:" + list(c.Tests)
	v.Text = "The checks pass, but " + list(c.Tests) + " passes whatever it expects: numbers, texts and truths in it were made wrong, " +
		"one after the other, and it passed each time. Something keeps its assertions from failing: take that away."
	v.Review = append(slices.Clone(v.Review), v.Unproven)
	return v
}
