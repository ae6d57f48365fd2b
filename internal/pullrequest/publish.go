package pullrequest

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/runner"
)

// publisher is the engine's Publisher: it pushes the run's branch and keeps
// pull request and issue as the run's outcome asks for.
type publisher struct {
	runner.Publishing
	to     target
	client *github.Client
	// mark is the task's hidden line, read that of its text.
	mark, read string
	// head is the branch that is pushed to, owner that of the fork it is in; "" for the repository.
	head, owner string
	// pull is the run's pull request, once there is one; wrote the digest of the title that booty
	// gave it.
	pull  *github.PullRequest
	wrote string
	// noDrafts is set if the repository has no draft pull requests.
	noDrafts bool
	// conflicts are the paths in which the work conflicts with the base, settled those that
	// were settled in this run.
	conflicts, settled []string
}

func (p *publisher) notice(format string, args ...any) { warn(p.Events, format, args...) }

// warn emits a warning.
func warn(events event.Listener, format string, args ...any) {
	events.Handle(event.Notice{Level: "warning", Message: fmt.Sprintf(format, args...)})
}

// Begin implements engine.Publisher.
func (p *publisher) Begin(ctx context.Context) error {
	if p.pull == nil || p.pull.Draft || p.to.earlier.theirs {
		return nil
	}
	if err := p.client.ConvertToDraft(ctx, *p.pull); err != nil {
		return err
	}
	p.pull.Draft = true
	return nil
}

// Publish implements engine.Publisher.
func (p *publisher) Publish(ctx context.Context, pub engine.Publication) (*event.PullRequest, bool, error) {
	p.conflicts, p.settled = p.Conflicts()
	d, err := p.Session.Journal.Detail(ctx, p.Run, p.Session.Repo.Root())
	if err != nil {
		return nil, false, err
	}
	if !pub.Changed && p.to.branch.continued && pub.Start.BaseCommit != p.to.base.commit {
		// Nothing new, but the branch that is continued holds earlier work.
		pub.Changed, pub.Commit = true, pub.Start.BaseCommit
	}
	if pub.Behind && p.pull == nil && !p.to.branch.continued && !p.to.refine {
		pub.Changed = false // a draft that is worse than its base helps nobody
	}
	if pub.Changed {
		if err := p.push(ctx, pub); err != nil {
			return nil, false, err
		}
	}
	if pub.Changed && pub.Green && !p.to.refine {
		if err := p.checkConflict(ctx, pub.Commit); err != nil {
			return nil, false, err
		}
	}
	text, err := p.text(ctx, d, pub)
	if err != nil {
		return nil, false, err
	}
	if pub.Changed && !p.to.refine {
		p.noteMovedBase(ctx, &text)
	}
	opened := false
	if p.to.earlier.theirs {
		p.notice("pull request #%d was not opened by booty: it gets the commits, and keeps its text and state",
			p.pull.Number)
	} else if pub.Changed || p.pull != nil {
		if opened, err = p.settle(ctx, d.Run, &text, pub); err != nil {
			return nil, false, err
		}
	}
	if err := p.commentOnIssue(ctx, text, pub); err != nil {
		p.notice("the issue's comment could not be written: %v", err)
	}
	if p.pull == nil {
		return nil, false, nil
	}
	return &event.PullRequest{Number: p.pull.Number, URL: p.pull.URL, Draft: p.pull.Draft}, opened,
		p.conflictError(pub)
}

func short(commit string) string { return commit[:min(len(commit), 10)] }

// settle opens the pull request if there is none, and makes its text and state what the outcome
// asks for.
func (p *publisher) settle(
	ctx context.Context, d journal.Run, text *report.PullRequest, pub engine.Publication,
) (opened bool, err error) {
	ready := pub.Green && p.to.mode != "draft" && len(p.conflicts) == 0
	// Work that was green and that nothing was added to is described already.
	described := p.pull != nil && pub.Green && p.to.earlier.past.Green && len(pub.Attempts) == 0 &&
		len(p.conflicts)+len(p.settled) == 0
	if p.pull == nil {
		if opened, err = p.open(ctx, text, ready); err != nil {
			return false, err
		}
	}
	text.Number, text.URL = p.pull.Number, p.pull.URL
	if ready && p.pull.Draft {
		if err := p.client.MarkReady(ctx, *p.pull); err != nil {
			return opened, err
		}
		p.pull.Draft = false
	}
	if !described {
		if err := p.write(ctx, d, *text, pub); err != nil {
			return opened, err
		}
	}
	labels := p.Session.Settings.GitHub.Labels
	if len(p.conflicts)+len(p.settled) > 0 {
		labels = append(slices.Clone(labels), conflictLabel(labels))
	}
	if err := p.client.AddLabels(ctx, p.pull.Number, labels); err != nil {
		p.notice("%v", err)
	}
	if ready {
		if err := p.client.RequestReview(ctx, p.pull.Number, p.Session.Settings.GitHub.Reviewers); err != nil {
			p.notice("%v", err)
		}
	}
	if ready && p.to.issue != nil && p.Session.Settings.GitHub.AutoMerge && len(p.settled) == 0 {
		p.merge(ctx, pub.Commit, text.Look)
	}
	return opened, nil
}

// open opens the pull request. Where the repository has no drafts, its title
// says that this one is not to be merged.
func (p *publisher) open(ctx context.Context, text *report.PullRequest, ready bool) (bool, error) {
	n := github.NewPullRequest{Title: p.title(*text), Body: text.Body(), Head: p.head, HeadOwner: p.owner,
		Base: p.to.base.name, Draft: !ready}
	pr, created, err := p.client.CreatePullRequest(ctx, n)
	if errors.Is(err, github.ErrNoDrafts) {
		p.noDrafts = true
		n.Draft, n.Title = false, p.title(*text)
		text.Notes = append(text.Notes,
			"This repository has no draft pull requests: this one is not ready to be merged.")
		pr, created, err = p.client.CreatePullRequest(ctx, n)
	}
	if err != nil {
		return false, err
	}
	p.pull, p.wrote = &pr, report.TitleDigest(pr.Title)
	if !created { // it was there, with a title that may be a person's
		p.wrote = ""
		if past := report.PastOf(pr.Body); past != nil {
			p.wrote = past.Title
		}
	}
	return created, nil
}
