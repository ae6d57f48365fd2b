package pullrequest

import (
	"context"
	"slices"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/runner"
	"github.com/booty-cli/booty/internal/workspace"
)

// Client returns the target's GitHub client.
func (g *Target) Client() *github.Client { return g.client }

// Base fetches the base branch and returns its name and newest commit.
func (g *Target) Base(ctx context.Context) (name, commit string, err error) {
	err = g.freshBase(ctx)
	return g.base, g.baseCommit, err
}

// Fetch fetches a reference of the repository.
func (g *Target) Fetch(ctx context.Context, ref string) error { return g.fetchRef(ctx, ref) }

// Spec is work on a pending test that already has a pull request.
type Spec struct {
	Task runner.Task
	Pull github.PullRequest
	// Used and Of count attempts over all runs.
	Used, Of int
	// Asked is what else to do although the checks pass here, or "".
	Asked string
	// Title returns the pull request's title after a run.
	Title func() string
	// Ahead returns the commit of an attempt that the current run has pushed, or "".
	Ahead func() string
}

// ForSpec fills in a job that continues the pull request of a spec. The pull request stays
// a draft; the queue decides when it is ready.
func (g *Target) ForSpec(ctx context.Context, sp Spec, j *runner.Job) error {
	if err := g.fetchRef(ctx, "refs/heads/"+sp.Pull.Head); err != nil {
		return err
	}
	g.o.PR = "draft"
	g.remember(&sp.Pull)
	g.earlier, g.head, g.fixed, g.ahead = sp.Used, sp.Pull.Head, sp.Title, sp.Ahead
	j.Task, j.Base = sp.Task, g.remote+"/"+g.base
	if err := g.continueFrom(ctx, j, sp.Pull.Commit); err != nil {
		return err
	}
	j.MaxAttempts, j.Earlier = sp.Of-sp.Used, sp.Used
	if sp.Asked != "" {
		j.Task.Text += "\n" + sp.Asked
	}
	j.Shared = g.shared(j.Task)
	j.Shared.Asked = sp.Asked != ""
	return nil
}

// FailedChecks returns the output of the named checks of a commit, for the model.
func (g *Target) FailedChecks(ctx context.Context, commit string, names []string) (string, error) {
	failed, _, err := g.client.FailedChecks(ctx, commit)
	if err != nil {
		return "", err
	}
	checks := g.checks()
	text := "The work passes here, but the checks of its pull request fail.\n"
	for _, c := range failed {
		if slices.Contains(names, c.Name) {
			text += "\n" + checks.read(ctx, c).words()
		}
	}
	return text, nil
}

// ResumeSpec fills in the shared part of a resumed run on a spec.
func (g *Target) ResumeSpec(_ context.Context, sp Spec, j *runner.Job) error {
	g.o.PR = "draft"
	g.remember(&sp.Pull)
	g.earlier, g.head, g.fixed, g.ahead = j.Again.Memory.Earlier, sp.Pull.Head, sp.Title, sp.Ahead
	g.continued = true
	j.Shared = g.shared(j.Task)
	return nil
}

// Conflicts returns the paths in which a pull request conflicts with the newest base.
func (g *Target) Conflicts(ctx context.Context, p github.PullRequest) ([]string, error) {
	return g.conflicts(ctx, &p)
}

// Tip returns the commit of a branch on GitHub, "" if it does not exist. own reports
// whether all its commits after the base are booty's.
func (g *Target) Tip(ctx context.Context, branch string) (tip string, own bool, err error) {
	if branch == g.repo.DefaultBranch || branch == g.base {
		return "", false, fault.New(fault.Usage, "choose another in specs.branch",
			"%s is what pull requests go into: booty never pushes there", branch)
	}
	g.head = branch
	if tip, err = g.remoteBranch(ctx); err != nil || tip == "" {
		return "", true, err
	}
	own, err = g.ownBranch(ctx, tip, "")
	return tip, own, err
}

// PushBranch sets a branch on GitHub to a commit if it is still at old ("" means that it
// does not exist). Otherwise another machine has changed it, and the error wraps
// workspace.ErrNonFastForward.
func (g *Target) PushBranch(ctx context.Context, branch, commit, old string) error {
	return g.s.Wait.Network(ctx, func() error {
		return g.s.Repo.Push(ctx, workspace.PushOptions{Remote: g.remote, Local: commit, Branch: branch,
			Expect: old, Token: g.client.Token()})
	})
}
