package queue

import (
	"context"
	"fmt"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/runner"
)

// Resume continues a run on a spec with the work tree of this checkout, then handles its
// pull request as a turn does. A spec that waits for a person is released, since a person
// asked for it.
func (q *Queue) Resume(ctx context.Context, j runner.Job) (Turn, error) {
	q.o.Only = j.Task.Spec
	situation, err := q.look(ctx)
	if err != nil {
		return Turn{}, err
	}
	p := situation.open(q.o.Only)
	if p == nil {
		return Turn{}, q.pullClosed()
	}
	step := Step{Pull: *p}
	step.Spec, _ = situation.find(q.o.Only)
	ps, err := q.loadPull(ctx, step)
	if err != nil {
		return Turn{}, err
	}
	if t, ok := parseTitle(p.Title); ok {
		ps.note.Used, ps.note.Of = Used(p.Title, ps.note.Used), t.Of
	}
	plan, err := ps.plan(ctx, Retry, *p)
	if err != nil {
		return Turn{}, err
	}
	for _, m := range plan {
		q.s.Say("booty: #%d: %s", p.Number, m.what)
		if err := m.do(ctx); err != nil {
			return Turn{}, err
		}
	}
	q.resumed = &j
	return q.Turn(ctx)
}

// pullClosed is the error for a run whose pull request is no longer open.
func (q *Queue) pullClosed() error {
	return fault.New(fault.NothingToDo, "booty run --spec "+q.o.Only+" starts it over, if it is pending",
		"the pull request of %s is not open any more", q.o.Only)
}

// resumeJob fills in the job that continues a run, if the branch on GitHub is as the run
// left it. It returns the commit that the run has pushed, or "".
func (ps *pullState) resumeJob(ctx context.Context, j *runner.Job) (ahead string, err error) {
	run, err := ps.q.s.Repo.History.Trailer(ctx, ps.pull.Commit, runner.TrailerRun)
	if err != nil {
		return "", err
	}
	if run == j.ID {
		ahead = ps.pull.Commit
	} else {
		known, err := ps.q.s.Repo.History.Contains(ctx, j.Again.Memory.Start.BaseCommit, ps.pull.Commit)
		if err != nil {
			return "", err
		}
		if !known {
			return "", ps.about(fault.New(fault.Git,
				fmt.Sprintf("booty run --spec %s continues from GitHub; this run's work is on %s",
					ps.note.Spec,
					j.Branch),
				"pull request #%d has new commits since run %s", ps.pull.Number, j.ID))
		}
	}
	j.MaxAttempts = len(j.Again.Memory.Attempts) + ps.note.Of - ps.note.Used
	return ahead, nil
}
