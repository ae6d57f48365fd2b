package queue

import (
	"context"
	"fmt"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/runner"
)

// Resume goes on with a run on a spec, from the tree as it is in this checkout, and
// does with its pull request what a turn does. That it is a person's word frees a
// spec which waits for one.
func (q *Queue) Resume(ctx context.Context, j runner.Job) (Turn, error) {
	q.o.Only = j.Task.Spec
	sit, err := q.look(ctx)
	if err != nil {
		return Turn{}, err
	}
	p := sit.open(q.o.Only)
	if p == nil {
		return Turn{}, q.gone()
	}
	step := Step{Pull: *p}
	step.Spec, _ = sit.find(q.o.Only)
	d, err := q.sit(ctx, step)
	if err != nil {
		return Turn{}, err
	}
	if t, ok := parseTitle(p.Title); ok {
		d.note.Used, d.note.Of = Used(p.Title, d.note.Used), t.Of
	}
	plan, err := d.plan(ctx, Retry, *p)
	if err != nil {
		return Turn{}, err
	}
	for _, m := range plan {
		q.s.Say("booty: #%d: %s", p.Number, m.what)
		if err := m.do(ctx); err != nil {
			return Turn{}, err
		}
	}
	q.again = &j
	return q.turn(ctx)
}

// gone is the error where a run's pull request is not open any more.
func (q *Queue) gone() error {
	return fault.New(fault.NothingToDo, "booty run --spec "+q.o.Only+" begins it anew, if it is pending",
		"the pull request of %s is not open any more", q.o.Only)
}

// resumed fills in the job that goes on with a run, where the branch on GitHub is as
// this run knows it, and gives the commit that the run has pushed, "" for none.
func (d *desk) resumed(ctx context.Context, j *runner.Job) (ahead string, err error) {
	run, err := d.q.s.Repo.Trailer(ctx, d.pull.Commit, runner.TrailerRun)
	if err != nil {
		return "", err
	}
	if run == j.ID {
		ahead = d.pull.Commit
	} else {
		known, err := d.q.s.Repo.Contains(ctx, j.Again.Memory.Start.BaseCommit, d.pull.Commit)
		if err != nil {
			return "", err
		}
		if !known {
			return "", d.about(fault.New(fault.Git,
				fmt.Sprintf("booty run --spec %s goes on from GitHub; this run's work is on %s", d.note.Spec, j.Branch),
				"pull request #%d has gone on since run %s", d.pull.Number, j.ID))
		}
	}
	j.MaxAttempts = len(j.Again.Memory.Attempts) + d.note.Of - d.note.Used
	return ahead, nil
}
