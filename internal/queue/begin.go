package queue

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/booty-cli/booty/internal/commit"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/runner"
	"github.com/booty-cli/booty/internal/specs"
)

// begin activates a spec, opens its pull request, and works on it.
func (q *Queue) begin(ctx context.Context, step Step) (Turn, error) {
	spec := step.Spec
	periods, err := q.credit(ctx)
	if err != nil {
		return Turn{}, err
	}
	if err := q.afford(ctx, periods); err != nil {
		return Turn{}, err
	}
	branch, pushed, err := q.activate(ctx, spec)
	if err != nil {
		return Turn{}, q.lostRace(spec, err)
	}
	if pushed != "" { // nobody else began from this branch
		takeBack := func() error { return q.takeBack(ctx, branch, pushed) }
		if err := q.unlessDone(ctx, spec, takeBack); err != nil {
			return Turn{}, err
		}
	}
	pull, created, err := q.openPull(ctx, spec, branch)
	if err != nil {
		return Turn{}, err
	}
	if !created {
		return Turn{}, q.lostRace(spec, git.ErrNonFastForward)
	}
	q.pulls[pull.Number] = pull
	if pushed == "" { // another machine may have had a pull request from it until now
		closeIt := func() error { return q.client.ClosePullRequest(ctx, pull.Number) }
		if err := q.unlessDone(ctx, spec, closeIt); err != nil {
			return Turn{}, err
		}
	}
	if err := q.client.AddLabels(ctx, pull.Number, []string{q.labels.Queue()}); err != nil {
		return Turn{}, err
	}
	step.Pull = q.pullOf(pull)
	return q.continueSpec(ctx, step)
}

// unlessDone calls undo and returns errChanged if a spec is no longer pending on the newest base.
// Another machine may have done it since the step was chosen: where GitHub deleted its branch with
// the merge, ours could be pushed.
func (q *Queue) unlessDone(ctx context.Context, spec specs.Spec, undo func() error) error {
	_, now, err := q.up.Base(ctx)
	if err != nil || now == q.commit {
		return err
	}
	all, _, err := q.pending(ctx, now)
	if err != nil {
		return err
	}
	if _, pending := (Situation{Specs: all}).find(spec.ID); pending {
		return nil
	}
	return cmp.Or(undo(), errChanged)
}

// takeBack deletes a branch that this turn pushed, unless somebody has pushed to it since.
func (q *Queue) takeBack(ctx context.Context, branch, pushed string) error {
	err := q.up.PushBranch(ctx, branch, "", pushed)
	if errors.Is(err, git.ErrNonFastForward) {
		return nil
	}
	return err
}

// lostRace turns a rejected push into an error that says another machine has just begun the
// spec.
func (q *Queue) lostRace(spec specs.Spec, err error) error {
	if !errors.Is(err, git.ErrNonFastForward) {
		return err
	}
	return fault.New(fault.NothingToDo, "booty status --queue shows it", "another machine has just begun %s",
		spec.ID)
}

// activate pushes a branch on which the spec's test is active, and returns what it pushed. A branch
// left by a killed turn is used as it is. If its pull request is closed, the branch starts over; if
// it holds commits of others, it is left alone.
func (q *Queue) activate(ctx context.Context, spec specs.Spec) (branch, pushed string, err error) {
	want, err := q.branch(spec.ID)
	if err != nil {
		return "", "", err
	}
	for i := 1; ; i++ {
		branch := runner.Numbered(want, i)
		tip, own, err := q.up.Tip(ctx, q.commit, branch)
		if err != nil {
			return "", "", err
		}
		if !own {
			q.s.Say("booty: branch %s holds commits of others: it is left as it is", branch)
			continue
		}
		if tip != "" {
			closed, err := q.client.ClosedFrom(ctx, q.up.Repository().Repo.Owner, branch)
			if err != nil || len(closed) == 0 {
				return branch, "", err
			}
		}
		commit, err := q.activation(ctx, spec)
		if err != nil {
			return "", "", err
		}
		return branch, commit, q.up.PushBranch(ctx, branch, commit, tip)
	}
}

// activation returns a commit on top of the newest base that removes the spec's marker.
func (q *Queue) activation(ctx context.Context, spec specs.Spec) (string, error) {
	f, err := q.fileOf(spec)
	if err != nil {
		return "", err
	}
	active := spec.Activate(f.Data)
	if bytes.Equal(active, f.Data) {
		return "", fault.New(fault.Usage, "change active of that pattern in specs.patterns",
			"the pattern that finds %s replaces the marker with what is already there", spec.ID)
	}
	f.Data = active
	return q.s.Repo.Commits.File(ctx, q.commit, f, commit.Options{
		Message: "test: activate " + spec.ID + "\n\n" + spec.Title,
		Trailers: append([]string{specTrailer + ": " + spec.ID, runner.TrailerActivates + ": " + spec.ID,
			runner.TrailerRun + ": " + journal.NewRunID()}, runner.SignOff(ctx, q.s)...),
	})
}

// openPull opens the draft pull request that shows that work on the spec is under way.
func (q *Queue) openPull(
	ctx context.Context, spec specs.Spec, branch string,
) (github.PullRequest, bool, error) {
	n := Note{
		Spec: spec.ID, Of: mostAttempts(spec, q.s.Settings.Specs.MaxAttempts),
		Machine: q.o.Machine, LastSeen: q.s.Now().UTC().Truncate(time.Second),
	}
	in := github.NewPullRequest{
		Title: Title{spec.ID, 1, n.Of}.String(), Body: startText(spec, branch, specTask(spec).Marker(), n),
		Head: branch, Base: q.base, Draft: true,
	}
	p, created, err := q.client.CreatePullRequest(ctx, in)
	if errors.Is(err, github.ErrNoDrafts) {
		in.Draft, in.Title = false, "[WIP] "+in.Title
		p, created, err = q.client.CreatePullRequest(ctx, in)
	}
	if err == nil && created {
		q.s.Say("booty: %s: %s", spec.ID, p.URL)
	}
	return p, created, err
}

// specTask turns a spec into a task.
func specTask(s specs.Spec) runner.Task {
	title := s.Title
	if title == "" {
		title = s.ID
	}
	return runner.Task{Task: event.Task{Kind: "spec", Spec: s.ID, Title: runner.Title(title)},
		Text: taskText(s)}
}
