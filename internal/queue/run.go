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

// maxRounds is how often a turn brings the base in anew, where that moves on or is
// in conflict with work that is green.
const maxRounds = 3

// errAgain asks for another round.
var errAgain = errors.New("the base has moved on")

// goOn works on a spec that has its pull request.
func (q *Queue) goOn(ctx context.Context, step Step) (Turn, error) {
	d, err := q.sit(ctx, step)
	if err != nil {
		return Turn{}, err
	}
	if d.note.Busy(q.o.Machine, q.s.Now()) {
		return Turn{}, d.about(fault.New(fault.NothingToDo, "run again later",
			"another machine is at work on %s (pull request #%d)", d.note.Spec, d.pull.Number))
	}
	if err := errors.Join(d.count(ctx), d.recall(ctx), d.draftAgain(ctx, step.Pull.Red)); err != nil {
		return Turn{}, err
	}
	if d.periods, err = q.credit(ctx); err != nil {
		return Turn{}, err
	}
	if d.note.Used >= d.note.Of { // killed before that was told
		err := fault.New(fault.Exhausted, fmt.Sprintf("booty recover reset-attempts %d", d.pull.Number), "%s",
			engine.UsedUp(d.note.Of, d.note.Spec))
		e := q.labels.End(Run{Outcome: event.Exhausted, Used: d.note.Used, Of: d.note.Of})
		return Turn{Person: true}, errors.Join(d.apply(ctx, e), d.about(err))
	}
	if err := q.afford(ctx, d.periods); err != nil {
		return Turn{}, d.unaffordable(ctx, err)
	}
	if d.anew { // before the comment, which alone says that the last attempt is over
		if err := d.retitle(ctx, d.title()); err != nil {
			return Turn{}, err
		}
	}
	if err := d.alive(ctx); err != nil {
		return Turn{}, err
	}
	for round := 1; ; round++ {
		turn, err := d.work(ctx, round == maxRounds)
		if !errors.Is(err, errAgain) {
			return turn, err
		}
	}
}

// draftAgain makes the pull request a draft again where its checks fail, and reads them.
func (d *desk) draftAgain(ctx context.Context, red []string) (err error) {
	if len(red) == 0 {
		return nil
	}
	d.q.s.Say("booty: pull request #%d is a draft again: %s", d.pull.Number, strings.Join(red, ", "))
	if d.asked, err = d.q.target.FailedChecks(ctx, d.pull.Commit, red); err != nil || d.pull.Draft {
		return err
	}
	d.pull.Draft = true
	return d.q.client.ConvertToDraft(ctx, d.pull)
}

// count settles how many attempts are used: by title, comment and the commit that
// was pushed last, and anew where a person took the label away that said that
// there are none left.
func (d *desk) count(ctx context.Context) error {
	if err := d.q.target.Fetch(ctx, "refs/heads/"+d.pull.Head); err != nil {
		return err
	}
	of := mostAttempts(d.spec, d.q.s.Settings.Specs.MaxAttempts)
	if t, ok := parseTitle(d.pull.Title); ok && d.spec.MaxAttempts == 0 {
		of = t.Of // as it was begun, or as a person has changed it
	}
	used := Used(d.pull.Title, d.note.Used)
	if d.pull.Commit != d.note.Tip { // killed before the comment told of it
		text, err := d.q.s.Repo.Trailer(ctx, d.pull.Commit, attemptTrailer)
		if err != nil {
			return err
		}
		if n, err := strconv.Atoi(text); err == nil {
			used = max(used, n)
		}
	}
	if d.note.Held && used >= of {
		used, d.anew = 0, true
	}
	d.note.Used, d.note.Of, d.note.Held, d.note.Tip = used, of, false, d.pull.Commit
	return nil
}

// attemptTrailer is the line in the message of a pushed attempt that numbers it.
const attemptTrailer = "Booty-Attempt"

func (d *desk) about(err error) error { return pullrequest.About(err, *d.event()) }

// work makes one run and does what follows from it. The last round takes green
// work as it is, though the base has moved on.
func (d *desk) work(ctx context.Context, last bool) (Turn, error) {
	q := d.q
	_, base, err := q.target.Base(ctx)
	if err != nil {
		return Turn{}, err
	}
	j, w, err := d.job(ctx)
	if err != nil {
		return Turn{}, err
	}
	s, err := d.session()
	if err != nil {
		return Turn{}, err
	}
	s, done, err := runner.Apart(ctx, s, j)
	if err != nil {
		return Turn{}, err
	}
	defer func() { _ = done() }() // what lies there is not the user's
	d.over = false
	show, shown := q.o.Show(j.ID)
	defer shown()
	w.next, w.repo = show.Events, s.Repo
	show.Events = w
	stop := d.beat(ctx)
	r, err := runner.Run(ctx, s, j, show)
	stop()
	if err != nil {
		if fault.KindOf(err) == fault.Budget {
			return Turn{}, d.unaffordable(ctx, err)
		}
		return Turn{}, errors.Join(d.release(ctx), d.about(err))
	}
	d.note.Tip = w.tip
	if r.Err == nil {
		d.asked = "" // what is made anew since the base has moved on is not asked for again
	}
	if err := d.spend(ctx, j.ID, 0); err != nil {
		return Turn{}, errors.Join(d.release(ctx), d.about(err))
	}
	if ctx.Err() != nil {
		_ = d.release(ctx) // else the sign of life runs out
		w.finish(d.event(), r.Err)
		return Turn{Result: &r}, r.Err
	}
	err = d.settle(ctx, r, base, last)
	r.Branch = d.pull.Head
	if r.PullRequest != nil {
		if e := q.noteState(ctx, record.Run{ID: j.ID, PullRequest: r.PullRequest}, d.pull); err == nil {
			err = e
		}
	}
	if errors.Is(err, errAgain) {
		w.finish(d.event(), nil)
		return Turn{}, err
	}
	w.finish(d.event(), err)
	return Turn{Result: &r, Person: fault.KindOf(err) == fault.Exhausted}, err
}

// job makes the run's job, and who hears of it: a new one, or the one that is taken
// up again.
func (d *desk) job(ctx context.Context) (j runner.Job, w *watcher, err error) {
	q := d.q
	w = &watcher{d: d, ctx: ctx, tip: d.pull.Commit}
	spec := pullrequest.Spec{
		Task: specTask(d.spec), Pull: d.pull, Used: d.note.Used, Of: d.note.Of, Asked: d.asked,
		Title: func() string { return d.ended().String() }, Ahead: func() string { return w.ahead },
	}
	if q.again != nil {
		j, q.again = *q.again, nil
		if w.ahead, err = d.resumed(ctx, &j); err == nil {
			err = q.target.ForSpecAgain(ctx, spec, &j)
		}
		for _, a := range j.Again.Memory.Attempts {
			w.named(a.Files)
		}
	} else {
		j = runner.Job{ID: journal.NewRunID(), Options: q.o.Work}
		err = q.target.ForSpec(ctx, spec, &j)
	}
	w.run = j.ID
	if !d.spec.Bodyless { // else its test is yet to be written, and proven
		j.Awaited = &engine.Awaited{Name: cmp.Or(d.spec.Test, d.spec.Title), File: d.spec.File}
	}
	return j, w, err
}

// session has the settings that are the spec's own.
func (d *desk) session() (*runner.Session, error) {
	s, settings := *d.q.s, *d.q.s.Settings
	s.Settings = &settings
	settings.MaxRetries = d.note.Of
	settings.GitHub.Labels = []string{d.q.labels.Queue()}
	if t := settings.Specs.TestCommand; d.unseen && t != "" {
		parts, err := placeholder.Parse(t, "File")
		command, ok := shellword.Fill(parts, map[string][]string{"File": {d.spec.File}})
		if err != nil || !ok {
			return nil, fault.New(fault.Usage, "rename the file, or quote {{.File}} otherwise",
				"%s cannot be put into specs.test_command", d.spec.File)
		}
		settings.TestCommand = append(slices.Clone(settings.TestCommand), command)
	}
	if d.spec.Timeout > 0 {
		settings.Budget.RunTime = config.Duration(d.spec.Timeout)
	}
	if d.spec.Bodyless { // all is green before the test is written
		settings.Evidence.Mode = "require"
	}
	return &s, nil
}

// unaffordable ends the work on a spec for which a limit leaves no room, before
// anything is asked of the model.
func (d *desk) unaffordable(ctx context.Context, err error) error {
	if fault.KindOf(err) != fault.Budget {
		return d.about(err)
	}
	e := d.q.labels.End(Run{Outcome: event.Budget, Message: err.Error()})
	return errors.Join(d.apply(ctx, e), d.about(err))
}

// settle does what follows from a run, and gives the turn's error.
func (d *desk) settle(ctx context.Context, r runner.Result, base string, last bool) error {
	q := d.q
	if err := d.refresh(ctx); err != nil {
		return err
	}
	if errors.Is(r.Err, engine.ErrUnseen) && q.s.Settings.Specs.TestCommand != "" && !d.unseen {
		d.unseen = true
		return errAgain
	}
	run := Run{
		Outcome: r.Outcome.Outcome, Message: r.Message, Hint: r.Hint, ExitCode: r.ExitCode, Used: d.note.Used, Of: d.note.Of,
		Settled: d.hasConflictLabel(), Lasting: lasting(r.Err), Faults: d.note.Faults,
		Late: errors.Is(r.Err, engine.ErrRunTime),
	}
	if r.Err == nil {
		clash, err := q.target.Clashes(ctx, d.pull)
		if err != nil {
			return err
		}
		_, now, err := q.target.Base(ctx)
		if err != nil {
			return err
		}
		run.Conflicts = len(clash) > 0
		if !last && (run.Conflicts || now != base) {
			q.s.Say("booty: %s has moved on: it is brought in, and the checks run again", q.base)
			return errAgain
		}
	}
	var err error
	if d.periods, err = q.credit(ctx); err != nil {
		return err
	}
	if r.Outcome.Outcome == event.Exhausted { // rounds in which gates alone failed count in the end
		d.note.Used, run.Used = d.note.Of, d.note.Of
	}
	e := q.labels.End(run)
	if err := d.apply(ctx, e); err != nil {
		return err
	}
	if !e.Merge || !q.s.Settings.Specs.AutoMerge {
		return e.of(r.Err)
	}
	how, err := q.merge(ctx, q.pullOf(d.pull))
	if err == nil && how == github.NotAllowed {
		d.words += "\nA person merges it.\n"
		err = d.putComment(ctx)
	}
	return err
}

// release takes the sign of life back, so that another machine may go on at once.
func (d *desk) release(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	d.note.Machine = ""
	d.words = d.tell(Ending{State: Active, Why: "The work was interrupted; the next turn goes on with it."})
	return d.putComment(ctx)
}

// beat says now and then that this machine is at work; what it gives ends that.
func (d *desk) beat(ctx context.Context) func() {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(beat)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				_ = d.locked(func() error { return d.alive(ctx) }) // the next one may do
			}
		}
	}()
	return func() { cancel(); <-done }
}

// lasting says of a model's error that asking again will not help.
func lasting(err error) bool {
	return errors.Is(err, engine.ErrContextLength) || errors.Is(err, llm.ErrContextLength) ||
		errors.Is(err, llm.ErrRefused)
}
