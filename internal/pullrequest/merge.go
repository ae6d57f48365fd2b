package pullrequest

import (
	"context"
	"fmt"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/remote"
	"github.com/booty-cli/booty/internal/report"
)

// conflictLabel marks a pull request that was, or is, in conflict with its base:
// a person is to look at it before it is merged.
func conflictLabel(labels []string) string {
	if len(labels) > 0 {
		return labels[0] + ":had-conflict"
	}
	return "booty:had-conflict"
}

// checkConflict looks, before a pull request is made ready, whether the newest base
// would merge. What cannot be asked is left to GitHub.
func (p *publisher) checkConflict(ctx context.Context, commit string) error {
	now, err := p.newestBase(ctx)
	if err != nil || now == "" {
		return ctx.Err()
	}
	err = p.Session.Repo.Remote.Fetch(ctx, remote.FetchOptions{Remote: p.to.up.remote,
		Refspecs: []string{"refs/heads/" + p.to.base.name}, Token: p.client.Token()})
	if err != nil {
		return ctx.Err()
	}
	p.conflicts, err = p.Session.Repo.Commits.WouldConflict(ctx, commit, now)
	return err
}

// newestBase returns the newest commit of the base on GitHub, "" if the branch is gone.
func (p *publisher) newestBase(ctx context.Context) (string, error) {
	return p.Session.Repo.Remote.Branch(ctx, p.to.up.remote, p.to.base.name, p.client.Token())
}

// conflictError is the error of green work whose pull request is no ready one.
func (p *publisher) conflictError(pub engine.Publication) error {
	if !pub.Green || len(p.conflicts) == 0 || p.to.mode == "draft" {
		return nil
	}
	return fault.New(fault.Git,
		"the next run for the task has the model settle it; or merge "+p.to.base.name+" by hand",
		"the checks pass, but the work is in conflict with %s in %s: the pull request stays a draft",
		p.to.base.name, report.Some(p.conflicts))
}

// noteMovedBase notes where the base has moved on since the checks ran.
func (p *publisher) noteMovedBase(ctx context.Context, text *report.PullRequest) {
	now, err := p.newestBase(ctx)
	b := p.to.base
	if err != nil || now == "" || now == b.commit {
		return
	}
	note := fmt.Sprintf("%s has moved on since: the checks ran on top of %s.", b.name, short(b.commit))
	text.Notes = append(text.Notes, note)
	p.notice("%s", note)
}

// merge has GitHub merge the pull request, where settings and repository allow.
// What a person must look at waits for one.
func (p *publisher) merge(ctx context.Context, commit string, look []string) {
	if len(look) > 0 {
		p.notice("pull request #%d waits for a person: %s", p.pull.Number, look[0])
		return
	}
	if p.to.up.repo.AutoMerge != nil && !*p.to.up.repo.AutoMerge {
		p.notice("the repository does not allow auto-merge: pull request #%d waits for a person",
			p.pull.Number)
		return
	}
	if p.to.rules.Queue {
		p.notice("%s has a merge queue: pull request #%d joins it once its checks pass and it is approved",
			p.to.base.name, p.pull.Number)
	}
	how, why, err := p.client.AutoMerge(ctx, *p.pull, commit)
	switch {
	case err != nil:
		p.notice("%v", err)
	case how == github.NotAllowed:
		p.notice("pull request #%d waits for a person: %s", p.pull.Number, why)
	case how == github.Merged:
		p.Events.Handle(event.Notice{Level: "info",
			Message: fmt.Sprintf("pull request #%d is merged", p.pull.Number)})
	default:
		p.Events.Handle(event.Notice{Level: "info",
			Message: fmt.Sprintf("pull request #%d is merged once its checks pass", p.pull.Number)})
	}
}
