package queue

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/report"
)

// Action is one of the ways on with a spec that waits for a person.
type Action string

// The actions of booty recover.
const (
	Retry         Action = "retry"
	ResetAttempts Action = "reset-attempts"
	MarkForReview Action = "mark-for-review"
	CloseAndReset Action = "close-and-reset"
)

// Actions are all of them.
func Actions() []Action { return []Action{Retry, ResetAttempts, MarkForReview, CloseAndReset} }

// measure is one thing that an action does; what is so already is left out.
type measure struct {
	what string
	do   func(context.Context) error
}

// Recover takes one of the actions on a pull request; taken again, it changes
// nothing more. With dry it only says what would be done. Retry goes on at once.
func (q *Queue) Recover(ctx context.Context, a Action, number int, dry bool) (Turn, error) {
	p, err := q.client.PullRequest(ctx, number)
	if err != nil {
		return Turn{}, err
	}
	id := q.specOf(p)
	if id == "" || !strings.EqualFold(p.HeadRepo, q.target.Repository().Repo.String()) {
		return Turn{}, fault.New(fault.Refused, "booty status --queue lists those of the queue",
			"pull request #%d is not one of booty's queue: it is left as it is", number)
	}
	if q.base, q.commit, err = q.target.Base(ctx); err != nil {
		return Turn{}, err
	}
	q.known = map[int]github.PullRequest{number: p}
	pending, err := q.pending(ctx)
	if err != nil {
		return Turn{}, err
	}
	step := Step{Pull: q.pullOf(p)}
	step.Spec, _ = Situation{Specs: pending}.find(id)
	d, err := q.sit(ctx, step)
	if err != nil {
		return Turn{}, err
	}
	d.note.Used = Used(p.Title, d.note.Used)
	if t, ok := parseTitle(p.Title); ok {
		d.note.Of = t.Of
	}
	plan, err := d.plan(ctx, a, step.Pull)
	if err != nil {
		return Turn{}, err
	}
	for _, m := range plan {
		q.s.Say("booty: #%d: %s", number, m.what)
		if dry {
			continue
		}
		if err := m.do(ctx); err != nil {
			return Turn{}, err
		}
	}
	if len(plan) == 0 {
		q.s.Say("booty: #%d is so already", number)
	}
	if a != Retry || dry {
		return Turn{}, nil
	}
	q.o.Only = id
	return q.Turn(ctx)
}

// plan says what an action does to a pull request.
func (d *desk) plan(ctx context.Context, a Action, p Pull) ([]measure, error) {
	again := a == Retry || a == ResetAttempts
	switch {
	case p.Merged && a != CloseAndReset:
		return nil, fault.New(fault.Refused, "", "pull request #%d is merged", p.Number)
	case p.Closed && again:
		return nil, fault.New(fault.Refused,
			fmt.Sprintf("reopen it, or booty recover close-and-reset %d begins the spec anew", p.Number),
			"pull request #%d is closed", p.Number)
	case a == Retry && d.note.Used >= d.note.Of:
		return nil, fault.New(fault.Refused, fmt.Sprintf("booty recover reset-attempts %d", p.Number),
			"%s", engine.UsedUp(d.note.Of, fmt.Sprintf("pull request #%d", p.Number)))
	}
	switch a {
	case Retry:
		return d.free(p, nil), nil
	case ResetAttempts:
		return d.planReset(p), nil
	case MarkForReview:
		return d.planReview(p), nil
	case CloseAndReset:
		return d.planClose(ctx, p)
	}
	return nil, fault.New(fault.Usage, "", "there is no action %s", a)
}

// free takes away what leaves a spec to a person.
func (d *desk) free(p Pull, also []measure) []measure {
	plan := also
	for _, l := range d.q.labels.Held() {
		if p.has(l) {
			plan = append(plan, measure{"label " + l + " is taken away", func(ctx context.Context) error {
				return d.q.client.RemoveLabel(ctx, p.Number, l)
			}})
		}
	}
	return plan
}

// planReset counts from the first attempt again.
func (d *desk) planReset(p Pull) []measure {
	var plan []measure
	first := Title{d.note.Spec, 1, d.note.Of}
	if d.note.Used > 0 || d.note.Held {
		plan = append(plan, measure{"its attempts are counted from the first again",
			func(ctx context.Context) error {
				d.note.Used, d.note.Held, d.note.Faults, d.note.Tip = 0, false, 0, d.pull.Commit
				d.words = d.tell(
					Ending{State: Active, Why: "Its attempts are counted from the first again; the next turn goes on."})
				if err := d.putComment(ctx); err != nil {
					return err
				}
				return d.retitle(ctx, first)
			}})
	}
	return d.free(p, plan)
}

// planReview closes the pull request and leaves the spec to a person.
func (d *desk) planReview(p Pull) []measure {
	var plan []measure
	c, review := d.q.client, d.q.labels.Review()
	if !p.SetAside {
		plan = append(plan, measure{"it is explained in the comment", func(ctx context.Context) error {
			d.note.Held = true
			d.words = d.tell(
				Ending{State: ForReview, Why: "A person set the spec aside to be looked at. Take the label " +
					review + " away to start it over."})
			if err := d.putComment(ctx); err != nil {
				return err
			}
			return c.UpdatePullRequest(ctx, p.Number, d.pull.Title, d.pull.Body+"\n"+setAside+"\n")
		}})
	}
	if !p.has(review) {
		plan = append(plan, measure{"it gets the label " + review, func(ctx context.Context) error {
			return c.AddLabels(ctx, p.Number, []string{review})
		}})
	}
	return append(plan, d.closing(p)...)
}

// closing closes what is open.
func (d *desk) closing(p Pull) []measure {
	if p.Closed {
		return nil
	}
	return []measure{{"it is closed",
		func(ctx context.Context) error { return d.q.client.ClosePullRequest(ctx, p.Number) }}}
}

// planClose closes the pull request so that its spec starts over.
func (d *desk) planClose(ctx context.Context, p Pull) ([]measure, error) {
	var plan []measure
	c, reset := d.q.client, d.q.labels.Reset()
	if !p.has(reset) {
		plan = append(plan, measure{"it gets the label " + reset, func(ctx context.Context) error {
			if err := d.closeIssue(ctx); err != nil {
				return err
			}
			d.note.Held, d.note.Machine, d.note.Issue = false, "", 0
			d.words = "**Closed to start over.** The test is pending again on " + report.Code(d.q.base) +
				"; the queue takes it in its turn."
			if err := d.putComment(ctx); err != nil {
				return err
			}
			return c.AddLabels(ctx, p.Number, []string{reset})
		}})
	}
	plan = append(d.free(p, plan), d.closing(p)...)
	tip, own, err := d.q.target.Tip(ctx, p.Head)
	if err != nil {
		return nil, err
	}
	switch {
	case tip != "" && own:
		plan = append(plan, measure{"branch " + p.Head + " is deleted",
			func(ctx context.Context) error { return c.DeleteBranch(ctx, p.Head) }})
	case tip != "":
		d.q.s.Say("booty: branch %s holds commits of others: it stays", p.Head)
	}
	return plan, d.tellMarker(ctx, p)
}

// tellMarker says how to put the marker back where the base lacks it.
func (d *desk) tellMarker(ctx context.Context, p Pull) error {
	if d.spec.File != "" { // pending on the base
		return nil
	}
	place, err := d.markerPlace(ctx, p)
	if err != nil {
		return err
	}
	if place == "" {
		place = "put it back by hand where its test is"
	}
	d.q.s.Say("booty: the marker of %s is not on %s any more: %s", p.Spec, d.q.base, place)
	return nil
}

// markerPlace finds, in the commit that activated the spec, what to put where; ""
// where that is not to be told.
func (d *desk) markerPlace(ctx context.Context, p Pull) (string, error) {
	q := d.q
	if err := q.target.Fetch(ctx, fmt.Sprintf("refs/pull/%d/head", p.Number)); err != nil {
		return "", err
	}
	commit, parent, err := q.s.Repo.CommitSaying(ctx, p.Commit, specTrailer+": "+p.Spec)
	if err != nil || commit == "" {
		return "", err
	}
	changes, err := q.s.Repo.Changes(ctx, parent, commit)
	if err != nil || len(changes) != 1 {
		return "", err
	}
	path := changes[0].Path
	before, _, err := q.s.Repo.ReadFile(ctx, parent, path)
	if err != nil {
		return "", err
	}
	now, there, err := q.s.Repo.ReadFile(ctx, q.commit, path)
	if err != nil || !there {
		return "", err
	}
	finder, _, err := finderOf(q.s.Settings.Specs.Patterns)
	if err != nil {
		return "", err
	}
	for _, s := range finder.In(path, before) {
		active := s.Activate(before)
		if after, _, _ := q.s.Repo.ReadFile(ctx, commit, path); !slices.Equal(after, active) {
			continue
		}
		if line, text, ok := s.Place(before, now); ok {
			return fmt.Sprintf("make line %d of %s be: %s", line, path, text), nil
		}
	}
	return "", nil
}

// specTrailer is the line in the message of a commit that activates a spec.
const specTrailer = "Booty-Spec"
