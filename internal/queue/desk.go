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

// desk is one pull request with the comment on it, as it is kept up to date.
type desk struct {
	q    *Queue
	spec specs.Spec
	pull github.PullRequest
	note Note
	// periods are what was spent, to be shown.
	periods []record.Period
	// words are what the comment says last.
	words string
	// over says that the checks pass: no further attempt is under way.
	over bool
	// unseen says that the test commands do not run the spec: the settings' command for its
	// file does.
	unseen bool
	// anew says that a person has freed the spec, and its attempts are counted from the
	// first again.
	anew bool
	// asked is what the pull request's own checks ask for, though all passes here.
	asked string
	// mu holds what is done beside a run apart from the signs of life.
	mu sync.Mutex
}

func (d *desk) locked(f func() error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return f()
}

// sit reads the comment on a pull request.
func (q *Queue) sit(ctx context.Context, step Step) (*desk, error) {
	d := &desk{q: q, spec: step.Spec, pull: q.known[step.Pull.Number]}
	old, err := q.client.FindComment(ctx, d.pull.Number, creditMark)
	if err != nil {
		return nil, err
	}
	text := d.pull.Body // who has just opened it says there that it is at work
	if old != nil {
		text = old.Body
	}
	d.note, _ = readNote(text)
	d.note.Spec = step.Pull.Spec
	if t, ok := parseTitle(d.pull.Title); ok && d.note.Of == 0 { // the comment is lost
		d.note.Used, d.note.Of = t.Attempt-1, t.Of
	}
	return d, nil
}

// title is the title as the note has it.
func (d *desk) title() Title {
	if d.over {
		return d.ended()
	}
	return Title{d.note.Spec, min(d.note.Used+1, d.note.Of), d.note.Of}
}

// ended is the title once nothing is under way: the last attempt is the one told, also
// where it was cut short and does not count. So titles never count backwards.
func (d *desk) ended() Title {
	last := max(min(d.note.Used, d.note.Of), 1)
	if t, ok := parseTitle(d.pull.Title); ok && t.Attempt <= d.note.Of {
		last = max(last, t.Attempt)
	}
	return Title{d.note.Spec, last, d.note.Of}
}

// retitle changes the title where it says something else.
func (d *desk) retitle(ctx context.Context, t Title) error {
	want := t.String()
	if strings.HasPrefix(d.pull.Title, "[WIP]") {
		want = "[WIP] " + want
	}
	if d.pull.Title == want {
		return nil
	}
	d.pull.Title = want
	return d.q.client.SetTitle(ctx, d.pull.Number, want)
}

// alive says in the comment that this machine is at work.
func (d *desk) alive(ctx context.Context) error {
	d.note.Why, d.note.Machine, d.note.Alive = "", d.q.o.Machine, d.q.s.Now().UTC().Truncate(time.Second)
	return d.putComment(ctx)
}

// putComment writes the comment.
func (d *desk) putComment(ctx context.Context) error {
	return d.q.client.PutComment(ctx, d.pull.Number, creditMark, d.text())
}

// apply makes GitHub say what an ending asks for. Each step may be taken again, and
// another machine may look after any of them: what was spent is written first, what keeps a
// pull request from being merged before it is ready, and that the spec is free last.
func (d *desk) apply(ctx context.Context, e Ending) error {
	c, n := d.q.client, d.pull.Number
	d.words = d.tell(e)
	if e.held() || e.State == Conflicted { // one issue, whatever it waits for
		i, err := c.PutIssue(ctx, d.q.labels.Manual(), report.Marker("spec-issue", d.note.Spec),
			issueTitle(d.note.Spec), d.issueText(e))
		if err != nil {
			return err
		}
		d.note.Issue = i.Number
	}
	if err := d.putComment(ctx); err != nil {
		return err
	}
	if err := d.retitle(ctx, d.ended()); err != nil {
		return err
	}
	if err := c.AddLabels(ctx, n, e.Add); err != nil {
		return err
	}
	if e.State == Ready {
		if err := d.closeIssue(ctx); err != nil {
			return err
		}
	}
	if e.Ready {
		if err := d.ready(ctx); err != nil {
			return err
		}
	}
	if err := d.q.removeLabels(ctx, Pull{Number: n, Labels: d.pull.Labels}, e.Remove); err != nil {
		return err
	}
	d.note.Held, d.note.Faults, d.note.Machine = e.held(), e.Faults, ""
	return d.putComment(ctx)
}

// closeIssue closes the issue that asked for a person.
func (d *desk) closeIssue(ctx context.Context) error {
	if d.note.Issue == 0 {
		return nil
	}
	return d.q.client.CloseIssue(ctx, d.note.Issue)
}

// ready makes the pull request a ready one.
func (d *desk) ready(ctx context.Context) error {
	if title, was := strings.CutPrefix(d.pull.Title, "[WIP] "); was { // a repository without drafts
		d.pull.Title = title
		return d.q.client.SetTitle(ctx, d.pull.Number, title)
	}
	if !d.pull.Draft {
		return nil
	}
	if err := d.q.client.MarkReady(ctx, d.pull); err != nil {
		return err
	}
	d.pull.Draft = false
	return d.q.client.RequestReview(ctx, d.pull.Number, d.q.s.Settings.GitHub.Reviewers)
}

// refresh reads the pull request anew.
func (d *desk) refresh(ctx context.Context) error {
	p, err := d.q.client.PullRequest(ctx, d.pull.Number)
	if err != nil {
		return err
	}
	d.pull = p
	d.q.known[p.Number] = p
	return nil
}

func (d *desk) event() *event.PullRequest {
	return &event.PullRequest{Number: d.pull.Number, URL: d.pull.URL, Draft: d.pull.Draft}
}

// hasConflictLabel says that the work was in conflict with its base once.
func (d *desk) hasConflictLabel() bool {
	return slices.ContainsFunc(d.pull.Labels,
		func(l string) bool { return strings.EqualFold(l, d.q.labels.Conflict()) })
}
