package queue

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/specs"
)

// notesWindow is how far back booty's comments are read for the results of specs.
const notesWindow = 30 * 24 * time.Hour

// List returns the pending specs in order with their progress, what a turn would do now,
// and what was merged since.
func (q *Queue) List(ctx context.Context, since time.Time) (report.Queue, error) {
	out := report.Queue{Specs: []report.QueuedSpec{}, Done: []report.DoneSpec{}, Since: since, Now: q.s.Now()}
	situation, err := q.look(ctx)
	if err != nil {
		return out, err
	}
	for at := 0; at < len(situation.Specs); at += askAtOnce {
		var ids []string
		for _, s := range situation.Specs[at:min(at+askAtOnce, len(situation.Specs))] {
			ids = append(ids, s.ID)
		}
		if err := q.ask(ctx, &situation, ids); err != nil {
			return out, err
		}
	}
	notes, _, err := q.notes(ctx, out.Now.Add(-notesWindow))
	if err != nil {
		return out, err
	}
	_, merged, err := q.client.Newest(ctx, nil, []string{q.labels.Queue()})
	if err != nil {
		return out, err
	}
	for _, p := range merged {
		if n := notes[p.Number]; q.specOf(p) != "" && p.MergedAt.After(since) {
			out.Done = append(out.Done,
				report.DoneSpec{ID: q.specOf(p), At: p.MergedAt, Attempts: n.Used, USD: n.cost(),
					PullRequest: &event.PullRequest{Number: p.Number, URL: p.URL, State: "merged"}})
		}
	}
	for _, s := range situation.Specs {
		out.Specs = append(out.Specs, situation.listed(s, q.s.Settings.Specs.MaxAttempts, notes))
		if s.SharedID != "" {
			q.s.Say("booty: %s:%d has the same ID %s as another spec and is called %s: begin its title with an ID "+
				"of its own",
				s.File, s.Line, s.SharedID, s.ID)
		}
	}
	steps := situation.foresee()
	out.Next = steps[len(steps)-1].describe()
	return out, nil
}

// listed returns a spec with the state of its pull request.
func (s Situation) listed(spec specs.Spec, setting int, notes map[int]Note) report.QueuedSpec {
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
	n, told := notes[p.Number]
	if told {
		out.Began, out.USD, out.Why = n.began(), n.cost(), n.Why
	}
	if t, ok := parseTitle(p.Title); ok {
		out.Attempts, out.MaxAttempts = t.Attempt, t.Of
		if state == Active { // the current attempt is not over
			out.Attempts--
		} else if told { // the title before the first attempt also says 1
			out.Attempts = min(n.Used, out.Attempts)
		}
	}
	return out
}

// Foresee returns what a turn would do, without doing it.
func (q *Queue) Foresee(ctx context.Context) (report.Plan, error) {
	situation, err := q.look(ctx)
	if err != nil {
		return report.Plan{}, err
	}
	for {
		steps := situation.foresee()
		last := steps[len(steps)-1]
		switch last.Kind {
		case Ask:
			if err := q.ask(ctx, &situation, last.IDs); err != nil {
				return report.Plan{}, err
			}
			continue
		case Wait, Idle:
			err = q.idleError(last)
		case Unknown:
			err = fault.New(fault.Usage, "booty status --queue lists the specs", "%s", last.Why)
		}
		plan := report.Plan{Action: string(last.Kind), Spec: last.Spec.ID, Steps: []string{}}
		for _, s := range steps {
			plan.Steps = append(plan.Steps, s.describe())
		}
		if last.Pull.Number > 0 {
			plan.PullRequest = &event.PullRequest{Number: last.Pull.Number, URL: last.Pull.URL,
				Draft: last.Pull.Draft}
		}
		return plan, err
	}
}

// foresee returns the steps of a turn up to the one that ends it, as far as they are known.
// The last one may be a question to GitHub.
func (s Situation) foresee() (steps []Step) {
	s.Open, s.Merged = slices.Clone(s.Open), slices.Clone(s.Merged)
	past := s.Past
	s.Past = map[string]Pull{}
	for id, p := range past {
		s.Past[id] = p
	}
	for range maxSteps {
		step := next(s)
		steps = append(steps, step)
		if !s.take(step) {
			break
		}
	}
	return steps
}

// take records that a step which fixes something was taken. It returns false for a step
// that ends the turn or asks GitHub.
func (s *Situation) take(step Step) bool {
	held := append(slices.Clone(step.Pull.Labels), s.Labels.Review())
	switch step.Kind {
	case Tidy:
		s.Merged = slices.DeleteFunc(s.Merged, func(p Pull) bool { return p.Number == step.Pull.Number })
	case Relabel:
		change(s, step.Pull.Number,
			func(p *Pull) { p.Labels = append(slices.Clone(p.Labels), s.Labels.Queue()) })
	case Merge:
		change(s, step.Pull.Number, func(p *Pull) { p.AutoMerge = true })
	case Orphaned:
		change(s, step.Pull.Number, func(p *Pull) { p.Labels = held })
	case PendingAgain:
		step.Pull.Labels = held
		s.Past[step.Spec.ID] = step.Pull
	default:
		return false
	}
	return true
}

// describe says in words what a step does.
func (s Step) describe() string {
	pull := fmt.Sprintf("pull request #%d (%s)", s.Pull.Number, nameOf(s.Pull))
	switch s.Kind {
	case Begin:
		return fmt.Sprintf("begin %s (%s:%d, priority %d): the first pending spec that neither a person "+
			"nor a pull request holds; its test is activated on a branch of its own, with a draft pull "+
			"request",
			s.Spec.ID, s.Spec.File, s.Spec.Line, s.Spec.Priority)
	case Continue:
		if s.Pull.Conflicts {
			return "go on with " + pull + ": it is in conflict with its base"
		}
		return "go on with " + pull + ": it is a draft that nobody holds"
	case Merge:
		return "have GitHub merge " + pull + ": it is ready"
	case Tidy:
		return "take the labels of its state off " + pull + ": it is merged"
	case Relabel:
		return "put its label back on " + pull
	case Orphaned:
		return "leave " + pull + " to a person: its test is not pending any more"
	case PendingAgain:
		return "leave " + s.Spec.ID + " to a person: " + pull + " is merged, and its test is pending again"
	}
	return s.Why
}
