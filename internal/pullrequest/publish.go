package pullrequest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/runner"
	"github.com/booty-cli/booty/internal/workspace"
)

// publisher is the engine's Publisher: it pushes the run's branch and keeps
// pull request and issue as the run's outcome asks for.
type publisher struct {
	runner.Publishing
	to Target
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

// shared is the target as the run's work has to do with it.
func (g *Target) shared(t runner.Task) *runner.Shared {
	out := &runner.Shared{Subject: func(s string) string { return conventional(s) }, Drafts: g.refine}
	if g.o.PR != "none" {
		out.Publisher = func(at runner.Publishing) engine.Publisher { return g.publisher(at, t) }
	}
	if g.baseCommit == "" && !g.refine {
		return out // nothing is done there
	}
	out.BaseName, out.BaseCommit, out.From, out.Exists, out.Continued = g.base, g.baseCommit, g.from,
		g.exists, g.continued
	if g.todo != nil {
		out.Asked = len(g.todo.checks)+len(g.todo.items) > 0 || g.todo.asked != ""
		out.Answered, out.Protected = g.todo.answersAll, g.locks
	}
	if g.issue != nil {
		out.Subject = func(s string) string { return conventional(s, g.issue.Labels...) }
		out.Trailers = []string{"Refs: #" + strconv.Itoa(g.issue.Number)}
	}
	return out
}

// publisher makes the Publisher of a run.
func (g *Target) publisher(at runner.Publishing, t runner.Task) engine.Publisher {
	if g.todo != nil {
		return &answerer{Publishing: at, to: *g, pull: *g.pull}
	}
	p := &publisher{Publishing: at, to: *g, mark: t.Marker(), read: readMark(t), head: g.head, wrote: g.wrote}
	if g.pull != nil {
		pull := *g.pull
		p.pull = &pull
	}
	return p
}

func (p *publisher) notice(format string, args ...any) {
	warn(p.Events, format, args...)
}

// warn emits a warning.
func warn(events event.Listener, format string, args ...any) {
	events.Handle(event.Notice{Level: "warning", Message: fmt.Sprintf(format, args...)})
}

// Begin implements engine.Publisher.
func (p *publisher) Begin(ctx context.Context) error {
	if p.pull == nil || p.pull.Draft || p.to.theirs {
		return nil
	}
	if err := p.to.client.ConvertToDraft(ctx, *p.pull); err != nil {
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
	if !pub.Changed && p.to.continued && pub.Start.BaseCommit != p.to.baseCommit {
		// Nothing new, but the branch that is continued holds earlier work.
		pub.Changed, pub.Commit = true, pub.Start.BaseCommit
	}
	if pub.Behind && p.pull == nil && !p.to.continued && !p.to.refine {
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
	if p.to.theirs {
		p.notice("pull request #%d was not opened by booty: it gets the commits, and keeps its text and state", p.pull.Number)
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
	if p.pull == nil && p.to.theirs {
		return nil
	}
	now, err := p.Session.Repo.RemoteBranch(ctx, p.to.remote, p.to.base, p.to.client.Token())
	if err != nil || now == "" {
		return ctx.Err()
	}
	err = p.Session.Repo.Fetch(ctx, workspace.FetchOptions{Remote: p.to.remote,
		Refspecs: []string{"refs/heads/" + p.to.base}, Token: p.to.client.Token()})
	if err != nil {
		return ctx.Err()
	}
	p.conflicts, err = p.Session.Repo.WouldConflict(ctx, commit, now)
	return err
}

// conflictError is the error of green work whose pull request is no ready one.
func (p *publisher) conflictError(pub engine.Publication) error {
	if !pub.Green || len(p.conflicts) == 0 || p.to.o.PR == "draft" {
		return nil
	}
	return fault.New(fault.Git,
		"the next run for the task has the model settle it; or merge "+p.to.base+" by hand",
		"the checks pass, but the work is in conflict with %s in %s: the pull request stays a draft", p.to.base,
		report.Some(p.conflicts))
}

// noteMovedBase notes where the base has moved on since the checks ran.
func (p *publisher) noteMovedBase(ctx context.Context, text *report.PullRequest) {
	now, err := p.Session.Repo.RemoteBranch(ctx, p.to.remote, p.to.base, p.to.client.Token())
	if err != nil || now == "" || now == p.to.baseCommit {
		return
	}
	note := fmt.Sprintf("%s has moved on since: the checks ran on top of %s.", p.to.base, short(p.to.baseCommit))
	text.Notes = append(text.Notes, note)
	p.notice("%s", note)
}

func short(commit string) string { return commit[:min(len(commit), 10)] }

// settle makes the pull request what the outcome asks for: there, with this
// text, ready or draft.
func (p *publisher) settle(
	ctx context.Context, d journal.Run, text *report.PullRequest, pub engine.Publication,
) (opened bool, err error) {
	ready := pub.Green && p.to.o.PR != "draft" && len(p.conflicts) == 0
	// Work that was green and that nothing was added to is described already.
	described := p.pull != nil && pub.Green && p.to.past.Green && len(pub.Attempts) == 0 &&
		len(p.conflicts)+len(p.settled) == 0
	if p.pull == nil {
		if opened, err = p.open(ctx, text, ready); err != nil {
			return false, err
		}
	}
	text.Number, text.URL = p.pull.Number, p.pull.URL
	if ready && p.pull.Draft {
		if err := p.to.client.MarkReady(ctx, *p.pull); err != nil {
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
	if err := p.to.client.AddLabels(ctx, p.pull.Number, labels); err != nil {
		p.notice("%v", err)
	}
	if ready {
		if err := p.to.client.RequestReview(ctx, p.pull.Number, p.Session.Settings.GitHub.Reviewers); err != nil {
			p.notice("%v", err)
		}
	}
	if ready && p.to.issue != nil && p.Session.Settings.GitHub.AutoMerge && len(p.settled) == 0 {
		p.merge(ctx, pub.Commit, text.Look)
	}
	return opened, nil
}

// open makes the pull request. Where the repository has no drafts, its title
// says that it is none to be merged.
func (p *publisher) open(ctx context.Context, text *report.PullRequest, ready bool) (bool, error) {
	n := github.NewPullRequest{Title: p.title(*text), Body: text.Body(), Head: p.head, HeadOwner: p.owner,
		Base: p.to.base, Draft: !ready}
	pr, created, err := p.to.client.CreatePullRequest(ctx, n)
	if errors.Is(err, github.ErrNoDrafts) {
		p.noDrafts = true
		n.Draft, n.Title = false, p.title(*text)
		text.Notes = append(text.Notes,
			"This repository has no draft pull requests: this one is not ready to be merged.")
		pr, created, err = p.to.client.CreatePullRequest(ctx, n)
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

func (p *publisher) title(text report.PullRequest) string {
	text.Summary = conventional(text.Summary, p.labels()...)
	if p.noDrafts {
		return "[WIP] " + text.Title()
	}
	return text.Title()
}

func (p *publisher) labels() []string {
	if p.to.issue == nil {
		return nil
	}
	return p.to.issue.Labels
}

// merge has GitHub merge the pull request, where settings and repository allow.
// What a person must look at waits for one.
func (p *publisher) merge(ctx context.Context, commit string, look []string) {
	if len(look) > 0 {
		p.notice("pull request #%d waits for a person: %s", p.pull.Number, look[0])
		return
	}
	if p.to.repo.AutoMerge != nil && !*p.to.repo.AutoMerge {
		p.notice("the repository does not allow auto-merge: pull request #%d waits for a person",
			p.pull.Number)
		return
	}
	if p.to.rules.Queue {
		p.notice("%s has a merge queue: pull request #%d joins it once its checks pass and it is approved",
			p.to.base, p.pull.Number)
	}
	how, why, err := p.to.client.AutoMerge(ctx, *p.pull, commit)
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

// reportsOnIssue reports whether a failed run is mentioned on the issue: only where its
// readers can help.
func reportsOnIssue(outcome string, attempts int) bool {
	switch outcome {
	case event.Stuck, event.NeedsReview, event.Question, event.Declined, event.NothingToDo:
		return true
	case event.Exhausted, event.Budget, event.ModelFailed:
		return attempts > 0
	}
	return false
}

// commentOnIssue keeps the one comment on the issue: what failed for good, or that
// it is solved after all.
func (p *publisher) commentOnIssue(
	ctx context.Context, text report.PullRequest, pub engine.Publication,
) error {
	if p.to.issue == nil {
		return nil
	}
	n := p.to.issue.Number
	marker := report.FailureMarker(n)
	if pub.Green {
		old, err := p.to.client.FindComment(ctx, n, marker)
		if err != nil || old == nil || p.pull == nil {
			return err
		}
		return p.to.client.UpdateComment(ctx, old.ID,
			fmt.Sprintf("%s\n**Solved**: booty failed on this before; pull request #%d passes the checks "+
				"now.\n", marker,
				p.pull.Number))
	}
	if !reportsOnIssue(pub.Outcome, len(pub.Attempts)) {
		return nil
	}
	text.Markers = append(text.Markers, p.read)
	return p.to.client.PutComment(ctx, n, marker, report.FailureComment(text))
}

// readMark is the hidden line that tells which text of a task booty has ended with.
func readMark(t runner.Task) string {
	sum := sha256.Sum256([]byte(t.Text))
	return report.Marker("read", hex.EncodeToString(sum[:8]))
}
