package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/pkg/edit"
)

// Options are the run's own settings.
type Options struct {
	Task event.Task
	// MaxAttempts is how many attempts this run may use, 1 to 10; Earlier is how
	// many other runs of the same task have used before it.
	MaxAttempts, Earlier int
	// Refine works on failing checks in place; green ones leave nothing to do.
	Refine bool
	// RunTime ends the run early enough for a draft; 0 is no limit.
	RunTime time.Duration
	// Continued says that earlier work on the same task is gone on with: where
	// its checks pass by now, it is done.
	Continued bool
	// Asked says that earlier work is not done where its checks pass, Answered reports
	// whether a reply that changes nothing is the answer; may be nil.
	Asked    bool
	Answered func(reply string) bool
	// Anyway goes to the model though the environment is found broken before
	// the first call.
	Anyway bool
	// Patience are the waits for what is out of order outside (the model, the
	// environment of the checks), one after the other; empty is no patience.
	Patience []time.Duration
	// AllGreen asks that all passes, also what failed before.
	AllGreen bool
	// RequireEvidence turns green without proof into a failed attempt. Mutants is how many
	// small changes to green work its tests are asked about.
	RequireEvidence bool
	Mutants         int
	// TestsMayGo says that tests may be removed: one that does not run any more is
	// told, and does not fail the attempt.
	TestsMayGo bool
	// Awaited is the pending test that the work is about; nil for any other task.
	Awaited *Awaited
	// Looking lets the model ask to see more before it answers with edits.
	Looking bool
	// Refactor has green work tidied where it fixed several tests.
	Refactor bool
	// DryRun stops before the first call to the model.
	DryRun bool
	// Candidates is how many proposals an attempt asks for at once; 0 and 1
	// mean one.
	Candidates int
}

// Parts are what the loop works with. CommitChecks, Prover, Tidier, Reviewer and
// Publisher may be nil; the others must be there.
type Parts struct {
	Workspace Workspace
	Prompts   Prompts
	Model     Model
	Checks    Checks
	Prover    Prover
	// Named reports whether the task names what a failure is about: then it is the
	// task's own, also where it failed before. May be nil.
	Named func(event.Failure) bool
	// Stood knows the tests as they stood before the work; nil where they may go.
	Stood OldTestFiles
	// Hearing asks whether test commands that count nothing run tests; nil where their exit
	// code is believed.
	Hearing Hearing
	// Canary asks whether tests can fail; may be nil.
	Canary Canary
	// Mutator asks the tests about small changes to green work; may be nil.
	Mutator Mutator
	// OldChecks tell what failed before earlier work that is gone on with.
	OldChecks OldChecks
	// Rechecker checks green attempts once more where there is doubt; may be nil.
	Rechecker Rechecker
	// CommitChecks have the last word on a green commit.
	CommitChecks CommitChecks
	Reviewer     Reviewer
	// Tidier judges what is proposed for green work; nil where that is not tidied.
	Tidier    Tidier
	Publisher Publisher
	Journal   Journal
	// Merger settles conflicts with the base; nil where there is no earlier work.
	Merger Merger
	// Arena checks several candidates at once; nil where Candidates is 1.
	Arena Arena
	// Person answers the model's questions; nil where nobody is at a terminal.
	Person Person
	Events event.Listener
	Now    func() time.Time
}

// run is one run in progress.
type run struct {
	Parts
	o       Options
	m       Memory
	started time.Time
	// calls counts the replies used in the attempt under way.
	calls int
	// tree is the state that the files are in, empty while that is unknown: it
	// is ahead of Current during an attempt.
	tree State
	// open is the attempt under way once it was checked.
	open *Attempt
	// looked is what the attempt under way has asked to see.
	looked looking
	// kept are the edits of the last refused reply that were fine.
	kept []edit.Edit
	// takenBack tells the next quality round why the last one was taken back.
	takenBack string
	// passing names the tests that passed in the last full run that was green, nil
	// where not all have names.
	passing []string
	// took is how long the last check did.
	took time.Duration
	// followed are the lock files that tools wrote during the attempt under way.
	followed []string
	// tidying says that what is asked and checked is about work that is green.
	tidying bool
	// published: what comes after cannot make the run an interrupted one.
	published bool
}

// ErrRunTime ends the loop when the run's own time is nearly over: its error wraps it.
var ErrRunTime = errors.New("the run's time")

// Run works on the task until the checks pass or there is a reason to stop,
// and returns what became of it. A non-nil memory is that of an interrupted
// run, which goes on after its last finished step. The error in the outcome
// carries kind and hint; its events have been emitted already.
func Run(ctx context.Context, p Parts, o Options, memory *Memory) Outcome {
	r := &run{Parts: p, o: o, started: p.Now()}
	if memory != nil {
		r.m = *memory
	}
	err := r.work(ctx)
	return r.finish(ctx, err)
}

// work is the whole flow up to the decision to stop; nil means green.
func (r *run) work(ctx context.Context) error {
	loopCtx, cancel := r.withRunTime(ctx)
	defer cancel()
	err := r.steps(loopCtx)
	if err != nil && ctx.Err() == nil && errors.Is(context.Cause(loopCtx), ErrRunTime) {
		err = fault.New(fault.Budget, "raise budget.run_time, or go on with booty resume",
			"stopped before %w of %s was over", ErrRunTime, r.o.RunTime)
	}
	switch kind := fault.KindOf(err); {
	case err == nil || ctx.Err() != nil:
	case kind == fault.Exhausted, kind == fault.Budget, kind == fault.Model:
		if a := r.m.fallback(); a != nil {
			return r.fallBack(ctx, a, err)
		}
	}
	return err
}

func (r *run) steps(ctx context.Context) error {
	if err := r.prepare(ctx); err != nil {
		return err
	}
	if err := r.settle(ctx); err != nil {
		return err
	}
	if err := r.baseline(ctx); err != nil {
		return err
	}
	if r.o.DryRun {
		return r.dryRun(ctx)
	}
	if r.Publisher != nil {
		if err := r.Publisher.Begin(ctx); err != nil {
			return err
		}
	}
	if done, err := r.passesAsItIs(ctx); err != nil {
		return err
	} else if done {
		if err := r.seenToRun(ctx); err != nil {
			return err
		}
		return r.review(ctx)
	}
	if r.m.green() != nil { // interrupted after that
		return r.whenGreen(ctx)
	}
	if r.m.ForReview != nil && !r.o.TestsMayGo { // interrupted after that
		return r.mustBeJudged()
	}
	if r.m.ForReview != nil {
		if green, err := r.takeReviewed(ctx); err != nil {
			return err
		} else if green {
			return r.whenGreen(ctx)
		}
	}
	if err := r.stillAsked(ctx); err != nil {
		return err
	}
	for r.m.used() < r.o.MaxAttempts {
		if err := r.decide(ctx); err != nil {
			return err
		}
		a, err := r.attempt(ctx, r.m.total()+1)
		if err != nil {
			return err
		}
		if a.Outcome == event.Green {
			return r.whenGreen(ctx)
		}
		if f := r.m.fallback(); f != nil && f.N != a.N {
			return fault.New(fault.Exhausted, "", "the attempt to add tests does not pass")
		}
	}
	if b := r.m.best(); b != nil && b.Verdict.Stood != nil {
		return r.forPerson(ctx, *b)
	}
	return r.exhausted()
}

// passesAsItIs says that earlier work, or what the user made of it, is green and does the task before anything is asked of the model. Where the
// checks passed before the task was begun, only evidence says so.
func (r *run) passesAsItIs(ctx context.Context) (bool, error) {
	if r.o.Asked {
		return false, nil
	}
	earlier := r.o.Continued && r.m.used() == 0
	fixed := r.m.From.Commit != "" && r.m.used() == r.m.Fresh && r.m.From.Tree != r.m.Start.State.Tree &&
		(r.m.Fresh > 0 || r.m.Baseline.Green && r.Prover != nil)
	if !r.m.Standing.Green || !earlier && !fixed {
		return false, nil
	}
	a := Attempt{State: r.m.Current, Verdict: r.m.Standing}
	var err error
	if a.Verdict, err = r.asTheyStood(ctx, VerifyInput{Report: r.report()}, a.Verdict, a.State); err != nil {
		return false, err
	}
	if a.Verdict.Green {
		if err := r.evidence(ctx, &a); err != nil {
			return false, err
		}
	}
	r.m.Standing = a.Verdict
	if !earlier && r.m.Evidence != nil && r.m.Evidence.Verdict != event.Proven {
		r.m.Evidence = nil
		return false, nil
	}
	return a.Verdict.Green, nil
}

// withRunTime leaves a tenth of the time, at most two minutes, for the draft.
func (r *run) withRunTime(ctx context.Context) (context.Context, context.CancelFunc) {
	if r.o.RunTime <= 0 {
		return context.WithCancel(ctx)
	}
	margin := min(r.o.RunTime/10, 2*time.Minute)
	return context.WithTimeoutCause(ctx, r.o.RunTime-margin, ErrRunTime)
}

func (r *run) prepare(ctx context.Context) error {
	if !r.m.Prepared {
		start, err := r.Workspace.Prepare(ctx)
		if err != nil {
			return err
		}
		r.m.Start, r.m.Current, r.m.Prepared, r.m.Earlier = start, start.State, true, r.o.Earlier
	}
	r.tree = r.m.Current
	err := r.save(ctx)
	r.emit(event.RunStarted{
		Task: r.o.Task, Repo: r.m.Start.Repo, Branch: r.m.Start.Branch,
		Base: r.m.Start.Base, MaxRetries: r.max(),
	})
	return err
}

// baseline runs setup once and the checks as they stood before the run.
func (r *run) baseline(ctx context.Context) error {
	if r.o.DryRun && !r.o.Refine {
		return nil
	}
	if !r.m.SetUp {
		if err := r.setup(ctx); err != nil {
			return err
		}
	}
	if r.m.Baseline == nil {
		if err := r.firstCheck(ctx); err != nil {
			return err
		}
	}
	if r.m.Unjudged {
		if err := r.judgeTheirs(ctx); err != nil {
			return err
		}
	}
	if r.o.Refine && r.m.Baseline.Green {
		return fault.New(fault.NothingToDo, "", "the checks pass already: there is nothing to refine")
	}
	return nil
}

func (r *run) firstCheck(ctx context.Context) error {
	v, err := r.firstVerdict(ctx)
	if err != nil {
		return err
	}
	r.m.Baseline = &v
	if r.o.Continued && !v.Green && !r.o.AllGreen && !r.o.Refine && r.OldChecks != nil {
		old, err := r.OldChecks.VerifyOld(ctx)
		old = old.Unchanged()
		if err != nil {
			return err
		}
		r.m.Old = &old
	}
	r.m.Standing = r.stands(v)
	if r.m.Unjudged {
		r.m.FromVerdict, r.m.Unjudged = r.m.Standing, false
	}
	r.tellBaseline(v)
	r.tellBefore()
	return r.save(ctx)
}

func (r *run) tellBaseline(v Verdict) {
	r.emit(event.BaselineFinished{Green: v.Green, Passed: v.Counts.Passed, Failed: v.Counts.Failed,
		Failing: v.Failing, Trouble: v.Trouble})
}

// judgeTheirs runs the checks on the tree as the user has changed it; the
// baseline stays that of the tree before the run.
func (r *run) judgeTheirs(ctx context.Context) error {
	v, err := r.firstVerdict(ctx)
	if err != nil {
		return err
	}
	r.m.Standing, r.m.Unjudged = r.stands(v), false
	r.m.FromVerdict = r.m.Standing
	r.tellBaseline(v)
	return r.save(ctx)
}

func (r *run) setup(ctx context.Context) error {
	ran, err := r.setUp(ctx)
	if err != nil {
		return err
	}
	r.m.SetUp = true
	if ran {
		if _, err := r.Workspace.Tidy(ctx, r.m.Current); err != nil {
			return err
		}
	}
	return r.save(ctx)
}

// max is the highest number that an attempt of the task may have.
func (r *run) max() int { return r.m.Earlier + r.o.MaxAttempts }

func (r *run) report() func(event.CheckFinished) {
	return func(e event.CheckFinished) {
		if r.tidying {
			e.Role = string(Refactor)
		}
		r.emit(e)
	}
}

func (r *run) emit(e event.Event) { r.Events.Handle(e) }

func (r *run) notice(level, message string) {
	r.emit(event.Notice{Level: level, Message: message})
}

func (r *run) save(ctx context.Context) error {
	if err := r.Journal.Save(context.WithoutCancel(ctx), r.m); err != nil {
		return fmt.Errorf("save the run's state: %w", err)
	}
	return ctx.Err()
}

// list names at most five of many.
func list(names []string) string {
	if len(names) <= 5 {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:5], ", "), len(names)-5)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}
