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

// Action is a way to continue with a spec that waits for a person.
type Action string

// The actions of booty recover.
const (
	Retry         Action = "retry"
	ResetAttempts Action = "reset-attempts"
	MarkForReview Action = "mark-for-review"
	CloseAndReset Action = "close-and-reset"
)

// Actions returns all of them.
func Actions() []Action { return []Action{Retry, ResetAttempts, MarkForReview, CloseAndReset} }

// effect is one change that an action makes. Changes already made are left out.
type effect struct {
	what string
	do   func(context.Context) error
}

// Recover applies an action to a pull request. Repeating it changes nothing. With dry it
// only says what it would do. Retry also continues with the spec.
func (q *Queue) Recover(ctx context.Context, a Action, number int, dry bool) (Turn, error) {
	p, err := q.client.PullRequest(ctx, number)
	if err != nil {
		return Turn{}, err
	}
	id := q.specOf(p)
	if id == "" || !strings.EqualFold(p.HeadRepo, q.up.Repository().Repo.String()) {
		return Turn{}, fault.New(fault.Refused, "booty status --queue lists those of the queue",
			"pull request #%d is not one of booty's queue: it is left as it is", number)
	}
	if q.base, q.commit, err = q.up.Base(ctx); err != nil {
		return Turn{}, err
	}
	q.pulls = map[int]github.PullRequest{number: p}
	pending, _, err := q.pending(ctx, q.commit)
	if err != nil {
		return Turn{}, err
	}
	step := Step{Pull: q.pullOf(p)}
	step.Spec, _ = Situation{Specs: pending}.find(id)
	ps, err := q.loadPull(ctx, step)
	if err != nil {
		return Turn{}, err
	}
	ps.note.Used = Used(p.Title, ps.note.Used)
	if t, ok := parseTitle(p.Title); ok {
		ps.note.Of = t.Of
	}
	plan, err := ps.plan(ctx, a, step.Pull)
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
		q.s.Say("booty: #%d: nothing to do", number)
	}
	if a != Retry || dry {
		return Turn{}, nil
	}
	q.o.Only = id
	return q.Turn(ctx)
}

// plan returns the effects of an action on a pull request.
func (ps *pullState) plan(ctx context.Context, a Action, p Pull) ([]effect, error) {
	again := a == Retry || a == ResetAttempts
	switch {
	case p.Merged && a != CloseAndReset:
		return nil, fault.New(fault.Refused, "", "pull request #%d is merged", p.Number)
	case p.Closed && again:
		return nil, fault.New(fault.Refused,
			fmt.Sprintf("reopen it, or booty recover close-and-reset %d starts the spec over", p.Number),
			"pull request #%d is closed", p.Number)
	case a == Retry && ps.note.Used >= ps.note.Of:
		return nil, fault.New(fault.Refused, fmt.Sprintf("booty recover reset-attempts %d", p.Number),
			"%s", engine.UsedUp(ps.note.Of, fmt.Sprintf("pull request #%d", p.Number)))
	}
	switch a {
	case Retry:
		return ps.free(p, nil), nil
	case ResetAttempts:
		return ps.planReset(p), nil
	case MarkForReview:
		return ps.planReview(p), nil
	case CloseAndReset:
		return ps.planClose(ctx, p)
	}
	return nil, fault.New(fault.Usage, "", "there is no action %s", a)
}

// free removes what leaves a spec to a person.
func (ps *pullState) free(p Pull, also []effect) []effect {
	plan := also
	for _, l := range ps.q.labels.Held() {
		if p.has(l) {
			plan = append(plan, effect{"label " + l + " is taken away", func(ctx context.Context) error {
				return ps.q.client.RemoveLabel(ctx, p.Number, l)
			}})
		}
	}
	return plan
}

// planReset restarts the count of attempts.
func (ps *pullState) planReset(p Pull) []effect {
	var plan []effect
	first := Title{ps.note.Spec, 1, ps.note.Of}
	if ps.note.Used > 0 || ps.note.Held {
		plan = append(plan, effect{"its attempts are counted from one again",
			func(ctx context.Context) error {
				ps.note.Used, ps.note.Held, ps.note.Faults, ps.note.Tip = 0, false, 0, ps.pull.Commit
				ps.statusText = ps.explain(
					Ending{State: Active,
						Why: "Its attempts are counted from one again; the next turn continues."})
				if err := ps.putComment(ctx); err != nil {
					return err
				}
				return ps.retitle(ctx, first)
			}})
	}
	return ps.free(p, plan)
}

// planReview closes the pull request and leaves the spec to a person.
func (ps *pullState) planReview(p Pull) []effect {
	var plan []effect
	c, review := ps.q.client, ps.q.labels.Review()
	if !p.SetAside {
		plan = append(plan, effect{"it is explained in the comment", func(ctx context.Context) error {
			ps.note.Held = true
			ps.statusText = ps.explain(
				Ending{State: ForReview, Why: "A person set the spec aside to be looked at. Take the label " +
					review + " away to start it over."})
			if err := ps.putComment(ctx); err != nil {
				return err
			}
			return c.UpdatePullRequest(ctx, p.Number, ps.pull.Title, ps.pull.Body+"\n"+setAside+"\n")
		}})
	}
	if !p.has(review) {
		plan = append(plan, effect{"it gets the label " + review, func(ctx context.Context) error {
			return c.AddLabels(ctx, p.Number, []string{review})
		}})
	}
	return append(plan, ps.closing(p)...)
}

// closing closes the pull request if it is open.
func (ps *pullState) closing(p Pull) []effect {
	if p.Closed {
		return nil
	}
	return []effect{{"it is closed",
		func(ctx context.Context) error { return ps.q.client.ClosePullRequest(ctx, p.Number) }}}
}

// planClose closes the pull request so that its spec starts over.
func (ps *pullState) planClose(ctx context.Context, p Pull) ([]effect, error) {
	var plan []effect
	c, reset := ps.q.client, ps.q.labels.Reset()
	if !p.has(reset) {
		plan = append(plan, effect{"it gets the label " + reset, func(ctx context.Context) error {
			if err := ps.closeIssue(ctx); err != nil {
				return err
			}
			ps.note.Held, ps.note.Machine, ps.note.Issue = false, "", 0
			ps.statusText = "**Closed to start over.** The test is pending again on " +
				report.Code(ps.q.base) +
				"; the queue takes it in its turn."
			if err := ps.putComment(ctx); err != nil {
				return err
			}
			return c.AddLabels(ctx, p.Number, []string{reset})
		}})
	}
	plan = append(ps.free(p, plan), ps.closing(p)...)
	tip, own, err := ps.q.up.Tip(ctx, ps.q.commit, p.Head)
	if err != nil {
		return nil, err
	}
	switch {
	case tip != "" && own:
		plan = append(plan, effect{"branch " + p.Head + " is deleted",
			func(ctx context.Context) error { return c.DeleteBranch(ctx, p.Head) }})
	case tip != "":
		ps.q.s.Say("booty: branch %s holds commits of others: it stays", p.Head)
	}
	return plan, ps.explainMarker(ctx, p)
}

// explainMarker says how to restore the marker if the base lacks it.
func (ps *pullState) explainMarker(ctx context.Context, p Pull) error {
	if ps.spec.File != "" { // pending on the base
		return nil
	}
	place, err := ps.markerPlace(ctx, p)
	if err != nil {
		return err
	}
	if place == "" {
		place = "put it back by hand where its test is"
	}
	ps.q.s.Say("booty: the marker of %s is not on %s any more: %s", p.Spec, ps.q.base, place)
	return nil
}

// markerPlace finds the marker and its place in the commit that activated the spec; "" if
// it cannot be found.
func (ps *pullState) markerPlace(ctx context.Context, p Pull) (string, error) {
	q := ps.q
	if err := q.up.Fetch(ctx, fmt.Sprintf("refs/pull/%d/head", p.Number)); err != nil {
		return "", err
	}
	commit, parent, err := q.s.Repo.History.CommitSaying(ctx, p.Commit, specTrailer+": "+p.Spec)
	if err != nil || commit == "" {
		return "", err
	}
	changes, err := q.s.Repo.Compare.Changes(ctx, parent, commit)
	if err != nil || len(changes) != 1 {
		return "", err
	}
	path := changes[0].Path
	before, _, err := q.s.Repo.History.ReadFile(ctx, parent, path)
	if err != nil {
		return "", err
	}
	now, there, err := q.s.Repo.History.ReadFile(ctx, q.commit, path)
	if err != nil || !there {
		return "", err
	}
	finder, _, err := finderOf(q.s.Settings.Specs.Patterns)
	if err != nil {
		return "", err
	}
	for _, s := range finder.In(path, before) {
		active := s.Activate(before)
		if after, _, _ := q.s.Repo.History.ReadFile(ctx, commit, path); !slices.Equal(after, active) {
			continue
		}
		if line, text, ok := s.Place(before, now); ok {
			return fmt.Sprintf("make line %d of %s be: %s", line, path, text), nil
		}
	}
	return "", nil
}

// specTrailer is the commit trailer of a commit that activates a spec.
const specTrailer = "Booty-Spec"
