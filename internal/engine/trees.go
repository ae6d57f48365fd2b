package engine

import (
	"context"
	"errors"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/proof"
)

// Trees opens trees beside that of the work. Everything that does not run on the work as it is runs
// in one: old tests on new code, new tests on old code, failures on unchanged code, a clean copy,
// candidates.
type Trees interface {
	// Prepare begins to make a tree of a commit that is likely to be opened, and returns at once.
	// If that fails, Open reports it.
	Prepare(ctx context.Context, commit string)
	// Open makes a tree of a commit in which its tests can run.
	Open(ctx context.Context, commit string, o TreeOptions) (Tree, error)
}

// TreeOptions say what a tree is for.
type TreeOptions struct {
	// Bare leaves out what git ignores: the tree is that of a fresh clone.
	Bare bool
	// Fix lets gates fix what they find, as they do in the tree of the work.
	Fix bool
	// Report receives each finished command; may be nil.
	Report func(event.CheckFinished)
}

// Tree is a tree of one commit. Nothing that is done in it reaches the tree of the work.
type Tree interface {
	proof.Tree
	proof.Commands
	// Verify runs the gates and the tests.
	Verify(ctx context.Context) (Verdict, error)
	// Close ends the use of the tree.
	Close() error
}

// inTree does something in a tree of a commit.
func inTree[R any](ctx context.Context, trees Trees, commit string, o TreeOptions,
	do func(Tree) (R, error)) (r R, err error) {
	t, err := trees.Open(ctx, commit, o)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	return do(t)
}
