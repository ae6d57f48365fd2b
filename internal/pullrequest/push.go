package pullrequest

import (
	"context"
	"errors"
	"fmt"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/remote"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/runner"
)

// push pushes the run's commit to GitHub. A branch with foreign commits is never
// overwritten: the next free name is used, or, if the pull request depends on the branch,
// the work stays local.
func (p *publisher) push(ctx context.Context, pub engine.Publication) error {
	target, err := p.target(ctx)
	if err != nil {
		return err
	}
	if p.to.refine {
		return p.Session.Wait.Network(ctx, func() error { return p.pushForward(ctx, target, pub) })
	}
	name := p.head
	for i := 1; i < 20; i++ {
		p.head = runner.Numbered(name, i)
		err = p.Session.Wait.Network(ctx, func() error { return p.pushTo(ctx, target, pub) })
		if err == nil || !errors.Is(err, git.ErrNonFastForward) {
			return err
		}
		if p.pull != nil {
			return fault.New(fault.Git,
				fmt.Sprintf("booty run --issue continues from there; this run's work is commit %s on %s",
					short(pub.Commit), pub.Start.Branch),
				"others pushed to %s meanwhile: it is left as it is", p.head)
		}
	}
	return err
}

// pushTo pushes once, if the branch is new or booty's own.
func (p *publisher) pushTo(ctx context.Context, target string, pub engine.Publication) error {
	repo, token := p.Session.Repo, p.client.Token()
	tip, err := repo.Remote.Branch(ctx, target, p.head, token)
	if err != nil || tip == pub.Commit {
		return err
	}
	if p.to.spec != nil && tip != "" && tip == p.to.spec.Ahead() && !pub.Judge {
		commit, err := repo.Commits.Like(ctx, tip, pub.Commit)
		if err != nil || commit == "" {
			return err
		}
		return repo.Remote.Push(ctx,
			remote.PushOptions{Remote: target, Local: commit, Branch: p.head, Expect: tip, Token: token})
	}
	if tip != "" && tip != pub.Start.BaseCommit {
		err := repo.Remote.Fetch(ctx, remote.FetchOptions{Remote: target,
			Refspecs: []string{"refs/heads/" + p.head}, Token: token})
		if err != nil {
			return err
		}
		others, err := repo.History.OthersOn(ctx, pub.Start.BaseCommit, tip, runner.TrailerRun)
		if err != nil {
			return err
		}
		if len(others) > 0 {
			return fmt.Errorf("push %s: %w: of %s", p.head, git.ErrNonFastForward, report.Some(others))
		}
	}
	return repo.Remote.Push(ctx, remote.PushOptions{Remote: target, Local: pub.Commit, Branch: p.head,
		Expect: tip, Token: token})
}

// pushForward pushes the current branch if it contains what is on GitHub.
func (p *publisher) pushForward(ctx context.Context, target string, pub engine.Publication) error {
	repo, token := p.Session.Repo, p.client.Token()
	tip, err := repo.Remote.Branch(ctx, target, p.head, token)
	if err != nil || tip == pub.Commit {
		return err
	}
	if tip != "" {
		if ok, err := repo.History.Contains(ctx, pub.Commit, tip); err != nil {
			return err
		} else if !ok {
			return fault.New(fault.Git,
				fmt.Sprintf("git pull %s %s, then push; this run's work is commit %s", target,
					p.head, short(pub.Commit)),
				"others pushed to %s meanwhile: %w", p.head, git.ErrNonFastForward)
		}
	}
	if err := repo.Remote.Push(ctx, remote.PushOptions{Remote: target, Local: pub.Commit, Branch: p.head,
		Expect: tip, Token: token}); err != nil {
		return err
	}
	return repo.Home().Remote.NotePushed(ctx, target, p.head, pub.Commit)
}

// target returns where to push: the repository or the user's fork.
func (p *publisher) target(ctx context.Context) (string, error) {
	if !p.to.branch.fork {
		return p.to.up.remote, nil
	}
	fork, err := p.client.Fork(ctx)
	if err != nil {
		return "", err
	}
	p.owner = fork.Repo.Owner
	p.Events.Handle(event.Notice{Level: "info", Message: "pushing to the fork " + fork.Repo.String()})
	remotes, err := p.Session.Repo.Remote.List(ctx)
	if err != nil {
		return "", err
	}
	for _, r := range remotes {
		if r.Name == p.to.up.remote && len(r.URLs) > 0 && overSSH(r.URLs[0]) {
			return fork.SSHURL, nil
		}
	}
	return fork.CloneURL, nil
}
