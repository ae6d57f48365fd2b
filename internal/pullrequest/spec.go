package pullrequest

import (
	"context"
	"slices"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/runner"
	"github.com/booty-cli/booty/internal/workspace"
)

// Client speaks with GitHub for the target.
func (g *Target) Client() *github.Client { return g.client }

// Base fetches the base branch, and gives its name and newest commit.
func (g *Target) Base(ctx context.Context) (name, commit string, err error) {
	err = g.freshBase(ctx)
	return g.base, g.baseCommit, err
}

// Fetch brings a reference of the repository here.
func (g *Target) Fetch(ctx context.Context, ref string) error { return g.bring(ctx, ref) }

// Spec is work on a pending test that has its pull request already.
type Spec struct {
	Task runner.Task
	Pull github.PullRequest
	// Used and Of are the attempts, over all runs.
	Used, Of int
	// Asked is what else is to be done, though the checks pass here; "" for nothing.
	Asked string
	// Title gives the pull request's title once a run has ended.
	Title func() string
	// Ahead gives the commit that an attempt of the run under way has been pushed as,
	// "" where none has.
	Ahead func() string
}

// ForSpec goes on with the pull request of a spec: it fills in the job. The pull
// request stays a draft, whatever comes of it; the queue says when it is ready.
func (g *Target) ForSpec(ctx context.Context, sp Spec, j *runner.Job) error {
	if err := g.bring(ctx, "refs/heads/"+sp.Pull.Head); err != nil {
		return err
	}
	g.o.PR = "draft"
	g.remember(&sp.Pull)
	g.earlier, g.head, g.fixed, g.ahead = sp.Used, sp.Pull.Head, sp.Title, sp.Ahead
	j.Task, j.Base = sp.Task, g.remote+"/"+g.base
	if err := g.enter(ctx, j, sp.Pull.Commit); err != nil {
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

// FailedChecks tells what the named checks of a commit printed, for the model.
func (g *Target) FailedChecks(ctx context.Context, commit string, names []string) (string, error) {
	failed, _, err := g.client.FailedChecks(ctx, commit)
	if err != nil {
		return "", err
	}
	text := "The work so far passes where booty runs, but not where its pull request is checked.\n"
	for _, c := range failed {
		if slices.Contains(names, c.Name) {
			text += "\n" + g.readCheck(ctx, c).words()
		}
	}
	return text, nil
}

// ForSpecAgain goes on with a run on a spec that is taken up again: it fills in the
// job's part that others see.
func (g *Target) ForSpecAgain(_ context.Context, sp Spec, j *runner.Job) error {
	g.o.PR = "draft"
	g.remember(&sp.Pull)
	g.earlier, g.head, g.fixed, g.ahead = j.Again.Memory.Earlier, sp.Pull.Head, sp.Title, sp.Ahead
	g.continued = true
	j.Shared = g.shared(j.Task)
	return nil
}

// Clashes gives the paths in which a pull request is in conflict with the newest base.
func (g *Target) Clashes(ctx context.Context, p github.PullRequest) ([]string, error) {
	return g.clashes(ctx, &p)
}

// Tip gives the commit of a branch on GitHub and says whether all that it holds
// beyond the base is booty's own; "" where there is no such branch.
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

// PushBranch makes a branch on GitHub be at a commit, if it still is at old ("" for
// no such branch): else it is another machine's, and an error wraps
// workspace.ErrNonFastForward.
func (g *Target) PushBranch(ctx context.Context, branch, commit, old string) error {
	return g.s.Wait.Network(ctx, func() error {
		return g.s.Repo.Push(ctx, workspace.PushOptions{Remote: g.remote, Local: commit, Branch: branch,
			Expect: old, Token: g.client.Token()})
	})
}
