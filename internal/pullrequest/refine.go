package pullrequest

import (
	"context"
	"fmt"
	"strings"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/runner"
)

// ForRefine prepares the pull request of a refine. It is opened from the current branch and
// contains its commits.
func ForRefine(ctx context.Context, s *runner.Session, o Options, j *runner.Job) error {
	if o.DryRun || o.PR == "" || o.PR == "none" {
		return nil
	}
	g, err := Open(ctx, s, o)
	if err != nil {
		return err
	}
	branch, head, err := g.s.Repo.Head(ctx)
	if err != nil {
		return err
	}
	if err := mayHoldWork(ctx, g, branch); err != nil {
		return err
	}
	if up := g.s.Repo.Upstream(ctx, branch); up != "" && up != "." && up != g.remote && !g.fork {
		return fault.New(fault.Usage, "leave out --pr, and push yourself",
			"refine --pr: %s follows %s, and pull requests of %s come from %s", branch, up, g.repo.Repo,
			g.remote)
	}
	dirty, err := runner.InTheWay(ctx, s)
	if err != nil {
		return err
	}
	if len(dirty) > 0 && j.Again == nil {
		return fault.New(fault.Refused, "commit or stash them, or leave out --pr",
			"refine --pr: the pull request would lack uncommitted changes: %s", report.Some(dirty))
	}
	g.head, g.refine, j.Options.Commit = branch, true, true
	if g.pull, err = g.pullFrom(ctx, branch); err != nil {
		return err
	}
	if g.pull != nil {
		g.base = g.pull.Base
		if g.theirs = !strings.Contains(g.pull.Body, hidden); !g.theirs {
			g.remember(g.pull)
		}
	}
	if !g.fork {
		if err := g.upToDate(ctx, head); err != nil {
			return err
		}
	}
	j.Shared = g.shared(j.Task)
	return nil
}

// mayHoldWork refuses a branch that should not be worked on or pushed to.
func mayHoldWork(ctx context.Context, g *Target, branch string) error {
	const hint = "git switch -c NAME, then again"
	switch branch {
	case "":
		return fault.New(fault.Usage, hint, "refine --pr: no branch is checked out")
	case g.base, g.repo.DefaultBranch:
		return fault.New(fault.Usage, hint,
			"refine --pr: %s is what pull requests go into: booty never pushes there", branch)
	}
	b, err := g.client.Branch(ctx, branch)
	if err != nil {
		return err
	}
	if b != nil && b.Protected {
		return fault.New(fault.Refused, hint, "refine --pr: %s is protected: booty never pushes there",
			branch)
	}
	return nil
}

// upToDate checks, before any cost, that the branch can be pushed.
func (g *Target) upToDate(ctx context.Context, head string) error {
	tip, err := g.remoteBranch(ctx)
	if err != nil || tip == "" {
		return err
	}
	if ok, err := g.s.Repo.Contains(ctx, head, tip); err != nil || ok {
		return err
	}
	return fault.New(fault.Git, fmt.Sprintf("git pull %s %s", g.remote, g.head),
		"refine --pr: %s on GitHub holds commits that are not here: %w", g.head, git.ErrNonFastForward)
}
