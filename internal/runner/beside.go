package runner

import (
	"context"
	"errors"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/workspace"
)

// beside is where work is tried outside of the run's own tree: it fills the ports of the
// engine that need work trees for it.
type beside struct {
	s       *Session
	checks  *worktreeChecks
	changes *changes
}

// Open implements engine.Trees.
func (b *beside) Open(ctx context.Context, commit string, o engine.TreeOptions) (engine.Tree, error) {
	c, err := b.open(ctx, commit, o)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// open makes a tree of a commit, with what setup installed in the run's own.
func (b *beside) open(ctx context.Context, commit string, o engine.TreeOptions) (*copied, error) {
	add := b.s.Repo.AddWorktree
	if o.Bare || !b.checks.replaced { // ignored files of the run's tree may name it by its path
		add = func(ctx context.Context, commit string) (*workspace.Repo, func(context.Context) error, error) {
			return b.s.Repo.AddTree(ctx, commit, workspace.TreeOptions{Bare: o.Bare})
		}
	}
	w, release, err := add(ctx, commit)
	if err != nil {
		return nil, err
	}
	c := &copied{repo: w, fix: o.Fix, report: o.Report, release: func() error { return release(context.WithoutCancel(ctx)) }}
	if c.checks, err = b.checks.inCopy(ctx, w, o.Elsewhere); err == nil && (o.Bare || !b.checks.replaced) {
		err = c.setUp(ctx, func(event.CheckFinished) {})
	}
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}
