package runner

import (
	"context"
	"errors"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/proof"
	"github.com/booty-cli/booty/internal/workspace"
)

// beside is where work is tried outside of the run's own tree: it fills the ports of the
// engine that need work trees for it.
type beside struct {
	s      *Session
	checks *worktreeChecks
	isTest func(string) bool
	// base is the code before all work on the task, "" for what the run begins at.
	base string
	// stood reads the tests as they stood.
	stood *oldTests
	// merges says that green work is merged without a person.
	merges bool
}

// open makes a work tree of a commit, with what setup installed in the run's own; elsewhere
// checks it as somebody who has no CI would.
func (b *beside) open(ctx context.Context, commit string, elsewhere bool) (c *copied, done func() error, err error) {
	add := b.s.Repo.AddWorktree
	if !b.checks.replaced { // ignored files of the run's tree may name it by its path
		add = func(ctx context.Context, commit string) (*workspace.Repo, func(context.Context) error, error) {
			return b.s.Repo.AddTree(ctx, commit, workspace.TreeOptions{})
		}
	}
	w, cleanup, err := add(ctx, commit)
	if err != nil {
		return nil, nil, err
	}
	done = func() error { return cleanup(context.WithoutCancel(ctx)) }
	c = &copied{repo: w}
	c.checks, err = b.checks.inCopy(ctx, w, elsewhere)
	if err == nil && !b.checks.replaced {
		var v engine.Verdict
		if v, err = c.checks.Setup(ctx, func(event.CheckFinished) {}); err == nil && !v.Green {
			c.broken = "setup_command fails: " + v.Text
		}
	}
	if err != nil {
		return nil, nil, errors.Join(err, done())
	}
	return c, done, nil
}

// Open implements engine.Trees.
func (b *beside) Open(ctx context.Context, commit string, report func(event.CheckFinished)) (proof.Tree, func() error, error) {
	c, done, err := b.open(ctx, commit, false)
	if err != nil {
		return nil, nil, err
	}
	c.report = report
	return c, done, nil
}

// VerifyCommit implements engine.CommitChecks: nothing is in the tree but the commit.
func (b *beside) VerifyCommit(ctx context.Context, commit string, report func(event.CheckFinished)) (v engine.Verdict, err error) {
	w, cleanup, err := b.s.Repo.AddTree(ctx, commit, workspace.TreeOptions{Bare: true})
	if err != nil {
		return v, err
	}
	defer func() { err = errors.Join(err, cleanup(context.WithoutCancel(ctx))) }()
	clean, err := b.checks.quietly(ctx, w)
	if err != nil {
		return v, err
	}
	if v, err = clean.Setup(ctx, report); err != nil || !v.Green {
		return v, err
	}
	clean.asItIs()
	return clean.Verify(ctx, engine.VerifyInput{Report: report, Twice: true})
}
