package runner

import (
	"context"
	"errors"
	"runtime"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/trees"
	"github.com/booty-cli/booty/internal/workspace"
)

// secondTrees is the engine's Trees: it opens trees beside that of the run, or of the user's checkout.
type secondTrees struct {
	s      *Session
	checks *worktreeChecks
	// setup receives how setup_command ended in a tree; may be nil.
	setup func(event.CheckFinished)
	// prepared is the tree that is being or was made for a later Open; nil if there is none.
	prepared *preparation
	// shared is what setup made in the first of them; nil if setup runs in each.
	shared *sharedSetup
	closers
}

// preparation is a tree that is made beside the work.
type preparation struct {
	commit string
	done   chan struct{}
	tree   *secondTree // once it is done; nil where that failed
}

// Prepare implements engine.Trees. A tree is made in no time where setup need not run in it.
func (t *secondTrees) Prepare(ctx context.Context, commit string) {
	if t.checks.replaced || t.s.Settings.SetupCommand == "" || runtime.NumCPU() < 2 || t.prepared != nil {
		return
	}
	p := &preparation{commit: commit, done: make(chan struct{})}
	t.prepared = p
	t.add(func() error {
		if p != t.prepared || p.tree == nil {
			return nil
		}
		return p.tree.Close()
	})
	t.background(ctx, func(ctx context.Context) {
		defer close(p.done)
		var err error
		if p.tree, err = t.make(ctx, commit, engine.TreeOptions{}); err != nil {
			t.s.Log.Debug("a tree beside the work was not prepared", "err", err)
		}
	})
}

// take returns the prepared tree if it is the one asked for. Otherwise it is closed: the next tree
// reuses its place, in which setup has run.
func (t *secondTrees) take(ctx context.Context, commit string, o engine.TreeOptions) (*secondTree, error) {
	p := t.prepared
	if p == nil {
		return nil, nil
	}
	select {
	case <-p.done:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	t.prepared = nil
	switch {
	case p.tree == nil:
		return nil, nil
	case p.commit != commit || o.Bare:
		return nil, p.tree.Close()
	}
	p.tree.fix, p.tree.report = o.Fix, o.Report
	return p.tree, nil
}

// Open implements engine.Trees.
func (t *secondTrees) Open(ctx context.Context, commit string, o engine.TreeOptions) (engine.Tree, error) {
	c, err := t.open(ctx, commit, o)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// open returns the prepared tree, or makes one.
func (t *secondTrees) open(ctx context.Context, commit string, o engine.TreeOptions) (*secondTree, error) {
	if c, err := t.take(ctx, commit, o); c != nil || err != nil {
		return c, err
	}
	return t.make(ctx, commit, o)
}

// make makes a tree of a commit in which its tests can run.
func (t *secondTrees) make(ctx context.Context, commit string, o engine.TreeOptions) (*secondTree, error) {
	c, err := t.place(ctx, commit, o)
	if err != nil {
		return nil, err
	}
	if err := c.setUp(ctx, t.setup); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// place makes a tree of a commit. Beside that of a run it has what setup installed there, unless
// that may name the run's tree by its path; else setup is due.
func (t *secondTrees) place(ctx context.Context, commit string, o engine.TreeOptions) (*secondTree, error) {
	installed := !o.Bare && t.checks.replaced && t.s.Repo.Tree != nil
	add := t.s.Repo.AddTreeBeside
	if !installed {
		add = func(ctx context.Context, commit string) (*workspace.Repo, func() error, error) {
			return t.s.Repo.AddTree(ctx, commit, trees.Options{Bare: o.Bare, Overlays: t.s.overlays})
		}
	}
	w, release, err := add(ctx, commit)
	if err != nil {
		return nil, err
	}
	c := &secondTree{repo: w, fix: o.Fix, report: o.Report, due: !installed, release: release}
	if c.checks, err = t.checks.checksOf(ctx, w); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	c.checks.shared = t.shared
	return c, nil
}
