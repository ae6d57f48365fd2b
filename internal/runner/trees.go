package runner

import (
	"context"
	"errors"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/workspace"
)

// trees is the engine's Trees: it opens trees beside that of the run.
type trees struct {
	s      *Session
	checks *worktreeChecks
}

// Open implements engine.Trees.
func (t *trees) Open(ctx context.Context, commit string, o engine.TreeOptions) (engine.Tree, error) {
	c, err := t.open(ctx, commit, o)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// open makes a tree of a commit, with what setup installed in the run's own.
func (t *trees) open(ctx context.Context, commit string, o engine.TreeOptions) (*secondTree, error) {
	add := t.s.Repo.AddWorktree
	if o.Bare || !t.checks.replaced { // ignored files of the run's tree may name it by its path
		add = func(ctx context.Context, commit string) (*workspace.Repo, func(context.Context) error, error) {
			return t.s.Repo.AddTree(ctx, commit, workspace.TreeOptions{Bare: o.Bare})
		}
	}
	w, release, err := add(ctx, commit)
	if err != nil {
		return nil, err
	}
	c := &secondTree{repo: w, fix: o.Fix, report: o.Report, release: func() error { return release(context.WithoutCancel(ctx)) }}
	if c.checks, err = t.checks.inCopy(ctx, w, o.Elsewhere); err == nil && (o.Bare || !t.checks.replaced) {
		err = c.setUp(ctx, func(event.CheckFinished) {})
	}
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}
