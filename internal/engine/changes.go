package engine

import (
	"context"

	"github.com/booty-cli/booty/internal/proof"
	"github.com/booty-cli/booty/pkg/edit"
)

// Changes reads from git what the work has changed. It runs nothing.
type Changes interface {
	// AsTheyStood returns the changes that restore the tests in a state to what they were before
	// the work.
	AsTheyStood(ctx context.Context, s State) (Swap, error)
	// Doubt says why a green state should be checked once more in a clean copy; the zero
	// Doubt is none.
	Doubt(ctx context.Context, paths []string) (Doubt, error)
	// Sources returns the product files that differ between two states.
	Sources(ctx context.Context, from, to State) ([]proof.Source, error)
	// Spoiled returns the tests of a state, or only the named one, with what they expect made
	// wrong, and in how many places. With texts, strings are altered instead of numbers.
	Spoiled(ctx context.Context, s State, only *Awaited, texts bool) (changes []edit.Change, n int, err error)
}
