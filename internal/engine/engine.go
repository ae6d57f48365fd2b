package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
)

// run is one run in progress. It decides, and keeps the memory; its parts do the rest.
type run struct {
	Parts
	reporter
	o       Options
	m       Memory
	started time.Time
	// before is the code before the work. The parts after it are each given the ports that they need
	// and their part of the memory. None of them knows the run.
	before     before
	tree       *worktree
	calls      *calls
	verifier   *verifier
	evidence   *evidence
	challenges *challenges
	changed    changedTests
	// open is an attempt that was checked and then cut short.
	open *Attempt
}

// ErrRunTime ends the loop when the run's own time is nearly over: its error wraps it.
var ErrRunTime = errors.New("the run's time")

// Run works on the task until the checks pass or there is a reason to stop. A non-nil memory is
// that of an interrupted run, which continues after its last finished step. The error in the
// outcome carries kind and hint; its events have been emitted already.
func Run(ctx context.Context, p Parts, o Options, memory *Memory) Outcome {
	r := newRun(p, o, memory)
	err := r.work(ctx)
	return r.finish(ctx, err)
}

// newRun puts a run together.
func newRun(p Parts, o Options, memory *Memory) *run {
	r := &run{Parts: p, reporter: reporter{p.Events}, o: o, started: p.Now()}
	if memory != nil {
		r.m = *memory
	}
	r.tree = &worktree{reporter: r.reporter, workspace: p.Workspace}
	r.calls = &calls{reporter: r.reporter, model: p.Model, prompts: p.Prompts, spent: &r.m.Spent,
		save: r.save}
	r.before = before{Origin: &r.m.Origin, oldCommit: o.OldCommit, mustPass: o.AllGreen || o.Refine,
		named: p.Named}
	r.verifier = &verifier{reporter: r.reporter, checks: p.Checks, trees: p.Trees, changes: p.Changes,
		tree: r.tree, before: r.before, now: p.Now, testsMayGo: o.TestsMayGo, countTests: o.TestCount,
		patience: o.Patience}
	r.evidence = &evidence{reporter: r.reporter, prover: p.Prover, before: r.before, found: &r.m.Findings,
		refine: o.Refine, required: o.RequireEvidence, testsMayGo: o.TestsMayGo, mutants: o.Mutants}
	r.challenges = &challenges{reporter: r.reporter, challenger: p.Challenger, calls: r.calls,
		before: r.before, known: &r.m.Challenged, onlyUnproven: o.ChallengeUnproven}
	r.changed = changedTests{r.reporter, p.TestReviewer, r.calls}
	return r
}

// workOf is the green work of an attempt.
func (r *run) workOf(a Attempt) work {
	return work{n: a.N, state: a.State, verdict: a.Verdict, last: r.verifier.last, mayAsk: a.N < r.max()}
}

// brief is that of the first request of attempt n.
func (r *run) brief(n int) Brief { return briefFor(&r.m, r.before, r.o.Refine, n, r.max()) }

// exchange begins the exchange of an attempt.
func (r *run) exchange() *exchange {
	return &exchange{reporter: r.reporter, calls: r.calls, said: &r.m.Conversation, tree: r.tree,
		trees: r.Trees, person: r.Person, candidates: r.o.Candidates, answered: r.o.Answered,
		standing: r.m.Standing, first: r.m.used() == 0, looked: looking{allowed: r.o.Looking}}
}

// work is the whole flow up to the decision to stop; nil means green.
func (r *run) work(ctx context.Context) error {
	loopCtx, cancel := withRunTime(ctx, r.o.RunTime)
	defer cancel()
	err := r.steps(loopCtx)
	if err != nil && ctx.Err() == nil && errors.Is(context.Cause(loopCtx), ErrRunTime) {
		err = fault.New(fault.Budget, "raise budget.run_time, or continue with booty resume",
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

// steps is the loop: what was there before comes first, then one attempt follows another.
func (r *run) steps(ctx context.Context) error {
	for _, step := range []func(context.Context) error{r.prepare, r.settle, r.baseline} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	if r.o.DryRun {
		return r.exchange().dryRun(ctx, r.brief(r.m.total()+1))
	}
	if r.Publisher != nil {
		if err := r.Publisher.Begin(ctx); err != nil {
			return err
		}
	}
	green, err := r.greenAlready(ctx)
	if err == nil && !green {
		green, err = r.attempts(ctx)
	}
	switch {
	case err != nil:
		return err
	case green:
		return r.whenGreen(ctx)
	}
	return r.giveUp(ctx, exhausted)
}

// greenAlready reports whether nothing is left to be asked of the model: earlier work
// passes, or the run was interrupted, or judged by a person, after an attempt had passed.
func (r *run) greenAlready(ctx context.Context) (bool, error) {
	if green, err := r.passesAsItIs(ctx); err != nil || green {
		return green, err
	}
	switch {
	case r.m.green() != nil:
		return true, nil
	case r.m.ForReview == nil:
		return false, nil
	case !r.o.TestsMayGo:
		return false, r.m.mustBeJudged()
	}
	return r.takeReviewed(ctx)
}

// attempts makes one after the other until one passes.
func (r *run) attempts(ctx context.Context) (green bool, err error) {
	if err := r.m.putAgain(ctx, r.Person); err != nil {
		return false, err
	}
	r.Trees.Prepare(ctx, r.before.commit()) // while the model is asked
	for r.m.used() < r.o.MaxAttempts {
		if err := r.decide(ctx); err != nil {
			return false, err
		}
		a, err := r.attempt(ctx, r.m.total()+1)
		if err != nil || a.Outcome == event.Green {
			return err == nil, err
		}
	}
	return false, r.m.backToPassed()
}

// attempt makes attempt n: one proposal, applied, checked and judged. In between, gates that fail alone
// are fixed.
func (r *run) attempt(ctx context.Context, n int) (Attempt, error) {
	x, from := r.exchange(), r.tree.at
	a, p, err := r.propose(ctx, x, n)
	if err != nil {
		return a, err
	}
	if len(p.Changes) == 0 {
		return r.withoutChange(ctx, x, a, p)
	}
	if a, err = r.tree.write(ctx, a, p); err != nil {
		return a, err
	}
	docs := p.DocsOnly && r.m.Standing.Green && len(r.m.Standing.Known) == 0
	a, err = r.check(ctx, a, from, VerifyInput{Previous: r.m.Standing.Failures, DocsOnly: docs})
	if err != nil {
		return a, err
	}
	if a, err = r.qualityRounds(ctx, x, a); err == nil {
		a, err = r.judge(ctx, a, p.Said)
	}
	if err != nil {
		r.open = &a
		return a, err
	}
	insists := r.m.insists(a, r.max())
	if err = r.record(ctx, a); err == nil {
		err = a.Verdict.CountError() // the model can do nothing about that
	}
	if err == nil && insists {
		err = r.forPerson(ctx, a)
	}
	return a, err
}

// passesAsItIs says that earlier work, or what the user made of it, is green and does the
// task before anything is asked of the model. Where the checks passed before the task was
// begun, only evidence says so.
func (r *run) passesAsItIs(ctx context.Context) (bool, error) {
	if r.o.Asked {
		return false, nil
	}
	earlier := r.before.continued() && r.m.used() == 0
	fixed := r.m.From.Commit != "" && r.m.used() == r.m.Fresh && r.m.From.Tree != r.m.Start.State.Tree &&
		(r.m.Fresh > 0 || r.m.Baseline.Green && r.Prover != nil)
	if !r.m.Standing.Green || !earlier && !fixed {
		return false, nil
	}
	a := Attempt{State: r.m.Current, Verdict: r.m.Standing}
	var err error
	if a.Verdict, err = r.verifier.withOriginalTests(ctx, a.Verdict, a.State); err != nil {
		return false, err
	}
	if a.Verdict.Green {
		if a.Verdict, err = r.evidence.weigh(ctx, r.workOf(a)); err != nil {
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

// whenGreen is what follows once everything passes.
func (r *run) whenGreen(ctx context.Context) error {
	if err := r.awaitedRan(ctx); err != nil {
		return err
	}
	if r.o.MustNotice && !shown(r.m.Claims) {
		if ok, err := r.verifier.noticesChange(ctx, r.m.Current); err != nil || !ok {
			return errOr(err, errUnnoticed())
		}
	}
	if err := r.challengeGreen(ctx); err != nil {
		return err
	}
	if err := r.keepTests(ctx); err != nil {
		return err
	}
	return r.review(ctx)
}

// awaitedRan ends a run whose awaited test was not seen to run.
func (r *run) awaitedRan(ctx context.Context) error {
	if r.o.Awaited == nil || r.m.Seen {
		return nil
	}
	seen, err := r.verifier.ran(ctx, r.o.Awaited, r.m.Standing, r.m.Current)
	if err != nil || seen {
		r.m.Seen = seen
		return errors.Join(err, r.save(ctx))
	}
	return r.o.Awaited.unseen()
}

// withRunTime leaves a tenth of the time, at most two minutes, for the draft.
func withRunTime(ctx context.Context, most time.Duration) (context.Context, context.CancelFunc) {
	if most <= 0 {
		return context.WithCancel(ctx)
	}
	margin := min(most/10, 2*time.Minute)
	return context.WithTimeoutCause(ctx, most-margin, ErrRunTime)
}

// max is the highest number that an attempt of the task may have.
func (r *run) max() int { return r.m.Earlier + r.o.MaxAttempts }

// cancelled reports whether a context has ended, and not because the run's time is over.
func cancelled(ctx context.Context) bool {
	return ctx.Err() != nil && !errors.Is(context.Cause(ctx), ErrRunTime)
}

func (r *run) save(ctx context.Context) error {
	if err := r.Journal.Save(context.WithoutCancel(ctx), r.m); err != nil {
		return fmt.Errorf("save the run's state: %w", err)
	}
	return ctx.Err()
}
