package engine

import (
	"context"

	"github.com/booty-cli/booty/internal/proof"
	"github.com/booty-cli/booty/pkg/edit"
)

// Changes reads from git what the work has changed. It runs nothing: what follows from it is
// for a run in a tree to say.
type Changes interface {
	// AsTheyStood gives what puts the tests back in a state as they stood before the work.
	AsTheyStood(ctx context.Context, s State) (Swap, error)
	// Doubt says why a green state should be checked once more in a clean copy; the zero
	// Doubt is none.
	Doubt(ctx context.Context, paths []string) (Doubt, error)
	// Sources are the files of the product that differ between two states.
	Sources(ctx context.Context, from, to State) ([]proof.Source, error)
	// Spoiled gives the tests of a state with what they expect made wrong, and in how many
	// places: all of them or, where one is named, that one. texts says that it is texts.
	Spoiled(ctx context.Context, s State, only *Awaited, texts bool) (changes []edit.Change, n int, err error)
}
