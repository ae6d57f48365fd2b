package queue

import (
	"context"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/specs"
)

// List gives the pending specs in their order, with how far the work on each is.
func (q *Queue) List(ctx context.Context) (report.Queue, error) {
	sit, err := q.look(ctx)
	if err != nil {
		return report.Queue{}, err
	}
	for at := 0; at < len(sit.Specs); at += askAtOnce {
		var ids []string
		for _, s := range sit.Specs[at:min(at+askAtOnce, len(sit.Specs))] {
			ids = append(ids, s.ID)
		}
		if err := q.ask(ctx, &sit, ids); err != nil {
			return report.Queue{}, err
		}
	}
	out := report.Queue{Specs: []report.QueuedSpec{}}
	for _, s := range sit.Specs {
		out.Specs = append(out.Specs, sit.listed(s, q.s.Settings.Specs.MaxAttempts))
		if s.SharedID != "" {
			q.s.Say("booty: %s:%d would have the id %s, too, and is called %s: begin its title with an id of its own",
				s.File, s.Line, s.SharedID, s.ID)
		}
	}
	return out, nil
}

// listed is a spec with the state that its pull request tells.
func (s Situation) listed(spec specs.Spec, setting int) report.QueuedSpec {
	out := report.QueuedSpec{
		ID: spec.ID, Title: spec.Title, File: spec.File, Line: spec.Line, Marker: spec.Marker,
		Priority:    spec.Priority,
		MaxAttempts: mostAttempts(spec, setting), State: string(Pending),
	}
	p := s.open(spec.ID)
	if past, ok := s.Past[spec.ID]; p == nil && ok {
		p = &past
	}
	state := s.Labels.StateOf(p)
	if p == nil || state == Pending {
		return out
	}
	out.State = string(state)
	out.PullRequest = &event.PullRequest{Number: p.Number, URL: p.URL, Draft: p.Draft}
	if t, ok := parseTitle(p.Title); ok {
		out.Attempts, out.MaxAttempts = t.Attempt, t.Of
		if state == Active { // that one is under way
			out.Attempts--
		}
	}
	return out
}
