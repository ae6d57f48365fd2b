package queue

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/journal/record"
	"github.com/booty-cli/booty/internal/llm"
	"github.com/booty-cli/booty/internal/placeholder"
	"github.com/booty-cli/booty/internal/pullrequest"
	"github.com/booty-cli/booty/internal/runner"
	"github.com/booty-cli/booty/internal/shellword"
)

// maxRounds is how often a turn merges the base again while it moves on or conflicts with
// the finished work.
const maxRounds = 3

// errAgain asks for another round.
var errAgain = errors.New("the base has moved on")

// errChanged asks for another look: the queue is not as it was when the step was chosen.
var errChanged = errors.New("another machine or a person has changed what is to be done")

// continueSpec works on a spec that has a pull request.
func (q *Queue) continueSpec(ctx context.Context, step Step) (Turn, error) {
	ps, err := q.loadPull(ctx, step)
	if err != nil {
		return Turn{}, err
	}
	if ps.note.Busy(q.o.Machine, q.s.Now()) {
		return Turn{}, ps.about(fault.New(fault.NothingToDo, "run again later",
			"another machine is working on %s (pull request #%d)", ps.note.Spec, ps.pull.Number))
	}
	if err := ps.unchanged(ctx, step.Pull); err != nil {
		return Turn{}, err
	}
	if err := errors.Join(ps.count(ctx), ps.recall(ctx),
		ps.backToDraft(ctx, step.Pull.FailedChecks)); err != nil {
		return Turn{}, err
	}
	if ps.periods, err = q.credit(ctx); err != nil {
		return Turn{}, err
	}
	if ps.note.Used >= ps.note.Of { // killed before the comment was written
		err := fault.New(fault.Exhausted, fmt.Sprintf("booty recover reset-attempts %d", ps.pull.Number),
			"%s",
			engine.UsedUp(ps.note.Of, ps.note.Spec))
		e := q.labels.End(Run{Outcome: event.Exhausted, Used: ps.note.Used, Of: ps.note.Of})
		return Turn{Person: true}, errors.Join(ps.apply(ctx, e), ps.about(err))
	}
	if err := q.afford(ctx, ps.periods); err != nil {
		return Turn{}, ps.unaffordable(ctx, err)
	}
	if ps.attemptsReset { // the title first: only the comment says that the last attempt is over
		if err := ps.retitle(ctx, ps.title()); err != nil {
			return Turn{}, err
		}
	}
	if err := ps.heartbeat(ctx); err != nil {
		return Turn{}, err
	}
	for round := 1; ; round++ {
		turn, err := ps.work(ctx, round == maxRounds)
		if !errors.Is(err, errAgain) {
			return turn, err
		}
	}
}

// unchanged reads the pull request once more, after the comment says that nobody is at work:
// another machine may have finished since the step was chosen.
func (ps *pullState) unchanged(ctx context.Context, was Pull) error {
	p, err := ps.q.client.PullRequest(ctx, ps.pull.Number)
	if err != nil {
		return err
	}
	now, held := ps.q.pullOf(p), ps.q.labels.Held()
	if now.Closed != was.Closed || now.Draft != was.Draft || now.Commit != was.Commit ||
		now.has(held...) != was.has(held...) {
		return errChanged
	}
	return nil
}

// backToDraft makes the pull request a draft again if its checks fail, and reads their
// output.
func (ps *pullState) backToDraft(ctx context.Context, red []string) (err error) {
	if len(red) == 0 {
		return nil
	}
	ps.q.s.Say("booty: pull request #%d is a draft again: %s", ps.pull.Number, strings.Join(red, ", "))
	ps.extraTask, err = ps.q.up.FailedChecks(ctx, ps.q.commit, ps.pull.Commit, red)
	if err != nil || ps.pull.Draft {
		return err
	}
	ps.pull.Draft = true
	return ps.q.client.ConvertToDraft(ctx, ps.pull)
}

// count determines how many attempts are used, from the title, the comment and the last
// pushed commit. It starts at zero if a person removed the label that says that no attempts
// are left.
func (ps *pullState) count(ctx context.Context) error {
	if err := ps.q.up.Fetch(ctx, "refs/heads/"+ps.pull.Head); err != nil {
		return err
	}
	of := mostAttempts(ps.spec, ps.q.s.Settings.Specs.MaxAttempts)
	if t, ok := parseTitle(ps.pull.Title); ok && ps.spec.MaxAttempts == 0 {
		of = t.Of // the initial number, or a person's edit
	}
	used := Used(ps.pull.Title, ps.note.Used)
	if ps.pull.Commit != ps.note.Tip { // killed before the comment was updated
		text, err := ps.q.s.Repo.History.Trailer(ctx, ps.pull.Commit, attemptTrailer)
		if err != nil {
			return err
		}
		if n, err := strconv.Atoi(text); err == nil {
			used = max(used, n)
		}
	}
	if ps.note.Held && used >= of {
		used, ps.attemptsReset = 0, true
	}
	ps.note.Used, ps.note.Of, ps.note.Held, ps.note.Tip = used, of, false, ps.pull.Commit
	return nil
}

// attemptTrailer is the commit trailer that numbers a pushed attempt.
const attemptTrailer = "Booty-Attempt"

func (ps *pullState) about(err error) error { return pullrequest.About(err, *ps.event()) }

// work makes one run and handles its result. The last round accepts passing work even if
// the base has moved on.
func (ps *pullState) work(ctx context.Context, last bool) (Turn, error) {
	q := ps.q
	_, base, err := q.up.Base(ctx)
	if err != nil {
		return Turn{}, err
	}
	j, w, err := ps.job(ctx, base)
	if err != nil {
		return Turn{}, err
	}
	s, err := ps.session()
	if err != nil {
		return Turn{}, err
	}
	s, done, err := runner.Apart(ctx, s, &j)
	if err != nil {
		return Turn{}, err
	}
	defer func() { _ = done() }() // the directory holds nothing of the user's
	ps.passed = false
	show, shown := q.o.Show(j.ID)
	defer shown()
	w.next, w.repo = show.Events, s.Repo
	show.Events = w
	stop := ps.keepAlive(ctx)
	r, err := runner.Run(ctx, s, j, show)
	stop()
	if err != nil {
		if fault.KindOf(err) == fault.Budget {
			return Turn{}, ps.unaffordable(ctx, err)
		}
		return Turn{}, errors.Join(ps.release(ctx), ps.about(err))
	}
	ps.note.Tip = w.tip
	if r.Err == nil {
		ps.extraTask = "" // not asked for again after the base has moved on
	}
	if err := ps.spend(ctx, j.ID, 0); err != nil {
		return Turn{}, errors.Join(ps.release(ctx), ps.about(err))
	}
	if ctx.Err() != nil {
		_ = ps.release(ctx) // otherwise the heartbeat has to expire
		w.finish(ps.event(), r.Err)
		return Turn{Result: &r}, r.Err
	}
	err = ps.settle(ctx, r, base, last)
	r.Branch = ps.pull.Head
	if r.PullRequest != nil {
		if e := q.noteState(ctx, record.Run{ID: j.ID, PullRequest: r.PullRequest}, ps.pull); err == nil {
			err = e
		}
	}
	if errors.Is(err, errAgain) {
		w.finish(ps.event(), nil)
		return Turn{}, err
	}
	w.finish(ps.event(), err)
	return Turn{Result: &r, Person: fault.KindOf(err) == fault.Exhausted}, err
}

// job returns the run's job and its event listener, for a new run or a resumed one. base is the
// newest commit of the base.
func (ps *pullState) job(ctx context.Context, base string) (j runner.Job, w *watcher, err error) {
	q := ps.q
	w = &watcher{ps: ps, ctx: ctx, tip: ps.pull.Commit}
	spec := pullrequest.Spec{
		Task: specTask(ps.spec), Pull: ps.pull, Base: base, Used: ps.note.Used, Of: ps.note.Of, Asked: ps.extraTask,
		Title: func() string { return ps.finalTitle().String() }, Ahead: func() string { return w.ahead },
	}
	if q.resumed != nil {
		j, q.resumed = *q.resumed, nil
		if w.ahead, err = ps.resumeJob(ctx, &j); err == nil {
			pullrequest.ResumeSpec(q.up, spec, &j)
		}
		for _, a := range j.Again.Memory.Attempts {
			w.notePaths(a.Files)
		}
	} else {
		j = runner.Job{ID: journal.NewRunID(), Options: q.o.Work}
		err = pullrequest.ForSpec(ctx, q.up, q.o.GitHub, spec, &j)
	}
	w.run = j.ID
	if !ps.spec.Bodyless { // otherwise its test has yet to be written, and proven
		j.Awaited = &engine.Awaited{Name: cmp.Or(ps.spec.Test, ps.spec.Title), File: ps.spec.File}
	}
	return j, w, err
}

// session returns a session with the settings of this spec.
func (ps *pullState) session() (*runner.Session, error) {
	s, settings := *ps.q.s, *ps.q.s.Settings
	s.Settings = &settings
	settings.MaxRetries = ps.note.Of
	settings.GitHub.Labels = []string{ps.q.labels.Queue()}
	if t := settings.Specs.TestCommand; ps.testNotRun && t != "" {
		parts, err := placeholder.Parse(t, "File")
		command, ok := shellword.Fill(parts, map[string][]string{"File": {ps.spec.File}})
		if err != nil || !ok {
			return nil, fault.New(fault.Usage, "rename the file, or quote {{.File}} otherwise",
				"%s cannot be put into specs.test_command", ps.spec.File)
		}
		settings.TestCommand = append(slices.Clone(settings.TestCommand), command)
	}
	if ps.spec.Timeout > 0 {
		settings.Budget.RunTime = config.Duration(ps.spec.Timeout)
	}
	if ps.spec.Bodyless { // all tests pass before the test is written
		settings.Evidence.Mode = "require"
	}
	return &s, nil
}

// unaffordable ends the work on a spec because of a spending limit, before any model call.
func (ps *pullState) unaffordable(ctx context.Context, err error) error {
	if fault.KindOf(err) != fault.Budget {
		return ps.about(err)
	}
	e := ps.q.labels.End(Run{Outcome: event.Budget, Message: err.Error()})
	return errors.Join(ps.apply(ctx, e), ps.about(err))
}

// settle handles the result of a run and returns the turn's error.
func (ps *pullState) settle(ctx context.Context, r runner.Result, base string, last bool) error {
	q := ps.q
	if err := ps.refresh(ctx); err != nil {
		return err
	}
	if errors.Is(r.Err, engine.ErrUnseen) && q.s.Settings.Specs.TestCommand != "" && !ps.testNotRun {
		ps.testNotRun = true
		return errAgain
	}
	run := Run{
		Outcome: r.Outcome.Outcome, Message: r.Message, Hint: r.Hint, ExitCode: r.ExitCode,
		Used: ps.note.Used, Of: ps.note.Of,
		Settled: ps.hasConflictLabel(), Permanent: permanent(r.Err), Faults: ps.note.Faults,
		TimedOut: errors.Is(r.Err, engine.ErrRunTime),
	}
	if r.Err == nil {
		clash, err := q.up.Conflicts(ctx, ps.pull)
		if err != nil {
			return err
		}
		_, now, err := q.up.Base(ctx)
		if err != nil {
			return err
		}
		run.Conflicts = len(clash) > 0
		if !last && (run.Conflicts || now != base) {
			q.s.Say("booty: %s has new commits: merging them and running the checks again", q.base)
			return errAgain
		}
	}
	var err error
	if ps.periods, err = q.credit(ctx); err != nil {
		return err
	}
	if r.Outcome.Outcome == event.Exhausted { // rounds in which only gates failed count at the end
		ps.note.Used, run.Used = ps.note.Of, ps.note.Of
	}
	e := q.labels.End(run)
	if err := ps.apply(ctx, e); err != nil {
		return err
	}
	if !e.Merge || !q.s.Settings.Specs.AutoMerge {
		return e.asError(r.Err)
	}
	how, err := q.merge(ctx, q.pullOf(ps.pull))
	if err == nil && how == github.NotAllowed {
		ps.statusText += "\nA person merges it.\n"
		err = ps.putComment(ctx)
	}
	return err
}

// release clears the heartbeat, so that another machine may continue at once.
func (ps *pullState) release(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	ps.note.Machine = ""
	ps.statusText = ps.explain(
		Ending{State: Active, Why: "The work was interrupted; the next turn continues it."})
	return ps.putComment(ctx)
}

// keepAlive sends heartbeats until the returned function is called.
func (ps *pullState) keepAlive(ctx context.Context) func() {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(heartbeatInterval)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				_ = ps.locked(func() error { return ps.heartbeat(ctx) }) // the next one may succeed
			}
		}
	}()
	return func() { cancel(); <-done }
}

// permanent reports whether a retry cannot fix a model's error.
func permanent(err error) bool {
	return errors.Is(err, engine.ErrContextLength) || errors.Is(err, llm.ErrContextLength) ||
		errors.Is(err, llm.ErrRefused)
}
