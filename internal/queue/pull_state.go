package queue

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/journal/record"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/specs"
)

// creditMark is the hidden line of booty's one comment on a spec's pull request.
var creditMark = report.Marker("credit", "queue")

// pullState is one pull request of the queue together with booty's comment on it.
type pullState struct {
	q    *Queue
	spec specs.Spec
	pull github.PullRequest
	note Note
	// periods are the amounts spent, as shown in the comment.
	periods []record.Period
	// statusText is the last status written to the comment.
	statusText string
	// passed is set once the checks pass: no further attempt follows.
	passed bool
	// testNotRun is set if the configured test commands do not run the spec. Then
	// specs.test_command runs its file.
	testNotRun bool
	// attemptsReset is set if a person released the spec, so that its attempts are counted
	// from one again.
	attemptsReset bool
	// extraTask is the output of pull request checks that fail although the checks here
	// pass.
	extraTask string
	// mu protects the state from the heartbeat.
	mu sync.Mutex
}

func (ps *pullState) locked(f func() error) error {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	return f()
}

// loadPull reads booty's comment on a pull request.
func (q *Queue) loadPull(ctx context.Context, step Step) (*pullState, error) {
	ps := &pullState{q: q, spec: step.Spec, pull: q.pulls[step.Pull.Number]}
	old, err := q.client.FindComment(ctx, ps.pull.Number, creditMark)
	if err != nil {
		return nil, err
	}
	text := ps.pull.Body // a new pull request carries the note in its body
	if old != nil {
		text = old.Body
	}
	ps.note, _ = readNote(text)
	ps.note.Spec = step.Pull.Spec
	if t, ok := parseTitle(ps.pull.Title); ok && ps.note.Of == 0 { // the comment is lost
		ps.note.Used, ps.note.Of = t.Attempt-1, t.Of
	}
	return ps, nil
}

// title returns the title that fits the note.
func (ps *pullState) title() Title {
	if ps.passed {
		return ps.finalTitle()
	}
	return Title{ps.note.Spec, min(ps.note.Used+1, ps.note.Of), ps.note.Of}
}

// finalTitle returns the title once no attempt is under way. It names the last attempt,
// even one that was cut short and does not count, so titles never count backwards.
func (ps *pullState) finalTitle() Title {
	last := max(min(ps.note.Used, ps.note.Of), 1)
	if t, ok := parseTitle(ps.pull.Title); ok && t.Attempt <= ps.note.Of {
		last = max(last, t.Attempt)
	}
	return Title{ps.note.Spec, last, ps.note.Of}
}

// retitle changes the title if it differs.
func (ps *pullState) retitle(ctx context.Context, t Title) error {
	want := t.String()
	if strings.HasPrefix(ps.pull.Title, "[WIP]") {
		want = "[WIP] " + want
	}
	if ps.pull.Title == want {
		return nil
	}
	ps.pull.Title = want
	return ps.q.client.SetTitle(ctx, ps.pull.Number, want)
}

// heartbeat records in the comment that this machine is at work.
func (ps *pullState) heartbeat(ctx context.Context) error {
	ps.note.Why, ps.note.Machine, ps.note.LastSeen = "", ps.q.o.Machine,
		ps.q.s.Now().UTC().Truncate(time.Second)
	return ps.putComment(ctx)
}

// putComment writes the comment.
func (ps *pullState) putComment(ctx context.Context) error {
	return ps.q.client.PutComment(ctx, ps.pull.Number, creditMark, ps.text())
}

// apply brings GitHub in line with an ending. Every step can be repeated, and another
// machine may look at the pull request after any of them. So the amount spent is written
// first, then what keeps the pull request from being merged too early, and last that the
// spec is free.
func (ps *pullState) apply(ctx context.Context, e Ending) error {
	c, n := ps.q.client, ps.pull.Number
	ps.statusText = ps.explain(e)
	if e.held() || e.State == Conflicted { // one issue for every reason to wait
		i, err := c.PutIssue(ctx, ps.q.labels.Manual(), report.Marker("spec-issue", ps.note.Spec),
			issueTitle(ps.note.Spec), ps.issueText(e))
		if err != nil {
			return err
		}
		ps.note.Issue = i.Number
	}
	if err := ps.putComment(ctx); err != nil {
		return err
	}
	if err := ps.retitle(ctx, ps.finalTitle()); err != nil {
		return err
	}
	if err := c.AddLabels(ctx, n, e.Add); err != nil {
		return err
	}
	if e.State == Ready {
		if err := ps.closeIssue(ctx); err != nil {
			return err
		}
	}
	if e.Ready {
		if err := ps.ready(ctx); err != nil {
			return err
		}
	}
	if err := ps.q.removeLabels(ctx, Pull{Number: n, Labels: ps.pull.Labels}, e.Remove); err != nil {
		return err
	}
	ps.note.Held, ps.note.Faults, ps.note.Machine = e.held(), e.Faults, ""
	return ps.putComment(ctx)
}

// closeIssue closes the issue that asked a person for help.
func (ps *pullState) closeIssue(ctx context.Context) error {
	if ps.note.Issue == 0 {
		return nil
	}
	return ps.q.client.CloseIssue(ctx, ps.note.Issue)
}

// ready marks the pull request as ready for review.
func (ps *pullState) ready(ctx context.Context) error {
	if title, was := strings.CutPrefix(ps.pull.Title, "[WIP] "); was { // a repository without drafts
		ps.pull.Title = title
		return ps.q.client.SetTitle(ctx, ps.pull.Number, title)
	}
	if !ps.pull.Draft {
		return nil
	}
	if err := ps.q.client.MarkReady(ctx, ps.pull); err != nil {
		return err
	}
	ps.pull.Draft = false
	return ps.q.client.RequestReview(ctx, ps.pull.Number, ps.q.s.Settings.GitHub.Reviewers)
}

// refresh reads the pull request again.
func (ps *pullState) refresh(ctx context.Context) error {
	p, err := ps.q.client.PullRequest(ctx, ps.pull.Number)
	if err != nil {
		return err
	}
	ps.pull = p
	ps.q.pulls[p.Number] = p
	return nil
}

func (ps *pullState) event() *event.PullRequest {
	return &event.PullRequest{Number: ps.pull.Number, URL: ps.pull.URL, Draft: ps.pull.Draft}
}

// hasConflictLabel reports whether the work was ever in conflict with its base.
func (ps *pullState) hasConflictLabel() bool {
	return slices.ContainsFunc(ps.pull.Labels,
		func(l string) bool { return strings.EqualFold(l, ps.q.labels.Conflict()) })
}
