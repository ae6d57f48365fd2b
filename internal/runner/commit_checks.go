package runner

import (
	"context"
	"errors"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/workspace"
)

// checksIn makes the checks of another work tree.
type checksIn = func(ctx context.Context, w *workspace.Repo) (*checks, error)

// commitChecks are the engine's CommitChecks: a clean work tree at the commit.
type commitChecks struct {
	repo     *workspace.Repo
	checksIn checksIn
}

// VerifyCommit implements engine.CommitChecks.
func (c *commitChecks) VerifyCommit(ctx context.Context, commit string, report func(event.CheckFinished)) (v engine.Verdict, err error) {
	w, cleanup, err := c.repo.AddTree(ctx, commit, workspace.TreeOptions{Bare: true})
	if err != nil {
		return v, err
	}
	defer func() { err = errors.Join(err, cleanup(context.WithoutCancel(ctx))) }()
	clean, err := c.checksIn(ctx, w)
	if err != nil {
		return v, err
	}
	if v, err = clean.Setup(ctx, report); err != nil || !v.Green {
		return v, err
	}
	clean.asItIs()
	return clean.Verify(ctx, engine.VerifyInput{Report: report, Twice: true})
}
