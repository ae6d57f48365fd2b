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
	if !o.publishes() {
		return nil
	}
	up, err := Open(ctx, s, o)
	if err != nil {
		return err
	}
	name, head, err := s.Repo.Head(ctx)
	if err != nil {
		return err
	}
	if err := mayHoldWork(ctx, up, name); err != nil {
		return err
	}
	dirty, err := runner.InTheWay(ctx, s)
	if err != nil {
		return err
	}
	if len(dirty) > 0 && j.Again == nil {
		return fault.New(fault.Refused, "commit or stash them, or leave out --pr",
			"refine --pr: the pull request would lack uncommitted changes: %s", report.Some(dirty))
	}
	pull, err := up.pullFrom(ctx, name)
	if err != nil {
		return err
	}
	into, before := base{name: up.baseName()}, earlier{}
	if pull != nil {
		into.name, before = pull.Base, earlierOn(pull)
		if !strings.Contains(pull.Body, hidden) {
			before = earlier{pull: pull, theirs: true}
		}
	}
	if !up.fork() {
		if err := upToDate(ctx, up, name, head); err != nil {
			return err
		}
	}
	j.Options.Commit = true
	at := start{earlier: before, branch: branch{head: name, fork: up.fork()}}
	target{up: up, refine: true, mode: o.PR, base: into, start: at}.fill(j)
	return nil
}

// mayHoldWork refuses a branch that should not be worked on or pushed to.
func mayHoldWork(ctx context.Context, up *Upstream, branch string) error {
	const hint = "git switch -c NAME, then again"
	switch branch {
	case "":
		return fault.New(fault.Usage, hint, "refine --pr: no branch is checked out")
	case up.baseName(), up.repo.DefaultBranch:
		return fault.New(fault.Usage, hint,
			"refine --pr: %s is what pull requests go into: booty never pushes there", branch)
	}
	b, err := up.client.Branch(ctx, branch)
	if err != nil {
		return err
	}
	if b != nil && b.Protected {
		return fault.New(fault.Refused, hint, "refine --pr: %s is protected: booty never pushes there",
			branch)
	}
	follows := up.s.Repo.Remote.Upstream(ctx, branch)
	if follows != "" && follows != "." && follows != up.remote && !up.fork() {
		return fault.New(fault.Usage, "leave out --pr, and push yourself",
			"refine --pr: %s follows %s, and pull requests of %s come from %s", branch, follows, up.repo.Repo,
			up.remote)
	}
	return nil
}

// upToDate checks, before any cost, that the branch can be pushed. head is its commit here.
func upToDate(ctx context.Context, up *Upstream, branch, head string) error {
	tip, err := up.tip(ctx, branch)
	if err != nil || tip == "" {
		return err
	}
	if ok, err := up.s.Repo.History.Contains(ctx, head, tip); err != nil || ok {
		return err
	}
	return fault.New(fault.Git, fmt.Sprintf("git pull %s %s", up.remote, branch),
		"refine --pr: %s on GitHub holds commits that are not here: %w", branch, git.ErrNonFastForward)
}
