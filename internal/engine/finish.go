package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
)

// Outcome is the result of a run.
type Outcome struct {
	event.RunFinished
	// Err is nil for exit code 0, else carries kind and hint.
	Err    error
	Memory Memory
}

// endTime bounds the steps that must still be done after an interruption.
const endTime = 30 * time.Second

// dryRun shows the first request and what it would cost, and stops.
func (r *run) dryRun(ctx context.Context) error {
	b := r.briefFor(r.m.total() + 1)
	x := r.exchange()
	b.Looks = x.looked.left()
	p, err := x.compose(ctx, b)
	if err != nil {
		return err
	}
	provider, model := r.Model.Describe(b.Role, false)
	e := event.ModelRequest{
		Attempt: b.Attempt, Role: string(b.Role), Provider: provider, Model: model,
		InputTokens: p.Tokens, Prompt: p.System + "\n\n" + p.User,
	}
	if q, ok := r.Model.(Quoter); ok {
		usd := q.Quote(b.Role, p)
		e.CostUSD = &usd
	}
	r.emit(e)
	return errDryRun
}

// Quoter is a Model that knows the maximum cost of a call in advance.
type Quoter interface {
	Quote(role Role, p Prompt) float64
}

var errDryRun = errors.New("dry run: no model was called")

// finish keeps the best attempt, publishes it, leaves the tree and emits the outcome. It cleans up
// even if ctx has ended.
func (r *run) finish(ctx context.Context, err error) Outcome {
	out := Outcome{Err: err}
	prepared := r.m.Stage != Begun
	if prepared {
		out.Branch = r.m.Start.Branch
	}
	if prepared && ctx.Err() == nil && !r.o.DryRun {
		if e := r.wrapUp(ctx, &out); e != nil {
			out.Err = e
		}
		out.Branch = r.m.Start.Branch // it may have got another name meanwhile
	}
	if ctx.Err() != nil && !r.published {
		out.Err = r.interrupted()
	}
	if prepared {
		if e := r.leave(ctx); e != nil && !explains(out.Err) {
			out.Err = e
		}
	}
	if out.Err != nil && errors.Is(out.Err, errDryRun) {
		out.Err, out.Outcome, out.Message = nil, event.NothingToDo, errDryRun.Error()
	}
	return r.conclude(out)
}

// explains says that what ended the run is why it cannot be put in order either:
// an interruption, or a git that is no more what it was.
func explains(err error) bool {
	kind := fault.KindOf(err)
	return err != nil && (kind == fault.Interrupted || kind == fault.Refused || kind == fault.Git)
}

func (r *run) interrupted() error {
	if r.m.Stage == Begun {
		return fault.New(fault.Interrupted, "", "interrupted before anything was changed")
	}
	return fault.New(fault.Interrupted, "continue with: booty resume", "interrupted; the state is saved")
}

// leave goes back, interrupted or not.
func (r *run) leave(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTime)
	defer cancel()
	return r.Workspace.Leave(ctx)
}

// wrapUp makes the best attempt the result and publishes it. An interrupted
// run does not get here: it keeps its state as it is, for resume.
func (r *run) wrapUp(ctx context.Context, out *Outcome) error {
	whole := context.WithoutCancel(ctx)
	r.closeOpen(whole)
	if err := r.settleBest(whole, out.Err); err != nil {
		r.notice("warning", "the best attempt could not be checked in full: "+err.Error())
	}
	best := r.m.best()
	if r.m.ForReview != nil {
		best = r.m.forReview()
	}
	if best == nil && r.tree.at != r.m.Current { // a proposal that was never checked
		if err := r.tree.restore(whole, r.m.Current); err != nil {
			return err
		}
	}
	if best != nil {
		if err := r.keep(whole, best, out); err != nil {
			return err
		}
	} else if out.Err == nil {
		if err := r.keepAsItIs(whole, out); err != nil {
			return err
		}
	}
	if r.Publisher == nil || best == nil && out.Err != nil && !r.tells(out.Err) {
		return nil
	}
	return r.publish(ctx, best, out)
}

// keepAsItIs makes a green result of what no attempt of this run has changed:
// the user's own tree, or earlier work.
func (r *run) keepAsItIs(ctx context.Context, out *Outcome) (err error) {
	if r.m.From.Commit == "" {
		out.Commit = r.m.Start.BaseCommit
		return nil
	}
	k := Keep{Green: true, Paths: r.m.Named()}
	if a := r.m.wordsOf(r.m.last()); a != nil {
		k.Summary, k.Prose = a.Summary, a.Prose
	}
	out.Commit, err = r.keepState(ctx, r.m.From, k, r.m.total())
	return err
}

// tells reports whether a run that changed nothing has something to publish: not if there was
// nothing to do, or booty could not begin.
func (r *run) tells(err error) bool {
	switch fault.KindOf(err) {
	case fault.NothingToDo:
		return r.m.used() > 0 || r.o.Asked || r.o.Task.Kind == "issue" // else it is asked for again
	case fault.Bug, fault.Usage, fault.Git, fault.Environment:
		return r.m.used() > 0 && err != nil
	}
	return err != nil
}

// keep brings the best attempt's tree back and makes it the run's result.
func (r *run) keep(ctx context.Context, best *Attempt, out *Outcome) error {
	s, v := r.remains(best)
	floor, _ := r.m.floor()
	if s == floor {
		r.notice("info", "no attempt was better than the start: the files are as they were")
	}
	if err := r.tree.goTo(ctx, s); err != nil {
		return err
	}
	r.m.Current, r.m.Standing = s, v
	if s == floor {
		return nil
	}
	words := r.m.wordsOf(best)
	k := Keep{Green: v.Green, Changed: v.changedNames(), Summary: words.Summary, Prose: words.Prose,
		Paths: r.m.Named(), Kept: r.m.Kept}
	commit, err := r.keepState(ctx, s, k, best.N)
	out.Commit = commit
	return err
}

// keepState makes a state the result. What a pre-commit hook has made of it is checked
// like any other work, and the commit is tried once more.
func (r *run) keepState(ctx context.Context, s State, k Keep, n int) (string, error) {
	commit, err := r.commitState(ctx, s, k)
	var hook *HookChanged
	if !errors.As(err, &hook) {
		return commit, err
	}
	r.notice("info", "the pre-commit hook changed "+list(hook.Paths)+": the checks run again")
	c, err := r.verifier.verify(ctx, VerifyInput{Attempt: n, Full: true}, hook.State, k.Paths)
	if err != nil {
		return "", err
	}
	v, now := c.verdict, c.state
	if k.Green && !v.Green {
		return "", fault.New(fault.Git, "fix the hook, or the files it changes: "+list(hook.Paths),
			"the checks fail with what the pre-commit hook made of the change: %s", firstLine(v.Text+v.Environment))
	}
	r.tree.at, r.m.Current, r.m.Standing = now, now, v
	commit, err = r.commitState(ctx, now, k)
	if errors.As(err, &hook) {
		err = fault.New(fault.Git,
			"run the hook by hand to see why it keeps changing files: git hook run pre-commit",
			"%w", err)
	}
	return commit, err
}

// commitState makes a state the result, on the branch that is named from then on.
func (r *run) commitState(ctx context.Context, s State, k Keep) (string, error) {
	k.Unasked = !r.calls.made
	commit, err := r.Workspace.Keep(ctx, s, k)
	if name := r.Workspace.Branch(); name != "" {
		r.m.Start.Branch = name
	}
	return commit, err
}

// remains returns the state that the run leaves: the best attempt's, unless the user's own tree, at
// the start of a refine or a resumed run, was better.
func (r *run) remains(best *Attempt) (State, Verdict) {
	floor, v := r.m.floor()
	theirs := r.m.ForReview == nil && (r.o.Refine || r.m.From.Commit != "")
	if best == nil || theirs && worse(best.Verdict, v) {
		return floor, v
	}
	return best.State, best.Verdict
}

func (r *run) publish(ctx context.Context, best *Attempt, out *Outcome) error {
	pub := Publication{
		Memory: r.m, Green: out.Err == nil, Outcome: OutcomeOf(out.Err), Commit: out.Commit, Changed: out.Commit != "",
		Best: best, Main: r.m.wordsOf(best), Look: slices.Concat(r.m.Standing.reviewOf(), r.m.unresolved(r.o.Merges), r.objection()), Judge: r.m.ForReview != nil,
	}
	if best != nil && !pub.Green && r.m.Baseline != nil && r.m.ForReview == nil {
		_, v := r.m.floor()
		pub.Behind = worse(best.Verdict.withKnown(r.before.verdict()), v.withKnown(r.before.verdict()))
	}
	if !pub.Green && pub.Outcome != event.NeedsReview {
		pub.Claims, pub.Survivors, pub.Challenge = nil, nil, nil
	}
	if out.Err != nil {
		pub.Message = out.Err.Error()
	}
	pr, opened, err := r.Publisher.Publish(ctx, pub)
	if err == nil || pr != nil {
		r.published = true
	}
	if pr == nil {
		return err
	}
	out.PullRequest = pr
	if opened {
		r.emit(event.PullRequestOpened(*pr))
	} else {
		r.emit(event.PullRequestUpdated(*pr))
	}
	return err
}

// conclude fills in the last event and emits it.
func (r *run) conclude(out Outcome) Outcome {
	if out.Outcome == "" {
		out.Outcome = OutcomeOf(out.Err)
	}
	if out.Err != nil {
		out.Message, out.Hint = out.Err.Error(), fault.HintOf(out.Err)
		out.ExitCode = fault.ExitCode(out.Err)
	} else if out.Message == "" {
		out.Message = "the checks pass"
		if out.Known = r.m.Standing.Known; len(out.Known) > 0 {
			out.Message += ", but for what failed before and still does: " + list(out.Known)
		}
		if r.m.Baseline != nil && len(r.m.Baseline.LeftOut) > 0 {
			out.LeftOut = r.m.Baseline.LeftOut
			out.Message += "; not checked here: " + list(leftOutGates(out.LeftOut))
		}
		if out.ChangedTests = r.m.Standing.Changed; len(out.ChangedTests) > 0 {
			var names []string
			for _, c := range out.ChangedTests {
				names = append(names, c.Test)
			}
			out.Message += "; the task changes what these tests expect: " + list(names)
		}
	}
	out.Attempts, out.AttemptsTotal = r.m.used(), r.m.total()
	out.InputTokens, out.OutputTokens, out.CostUSD = r.m.InputTokens, r.m.OutputTokens, r.m.CostUSD
	out.DurationMS = r.Now().Sub(r.started).Milliseconds()
	out.Memory = r.m
	r.emit(out.RunFinished)
	return out
}

// leftOutGates names each gate that could not run with the reason.
func leftOutGates(gates []event.LeftOut) []string {
	var out []string
	for _, g := range gates {
		out = append(out, fmt.Sprintf("%s (%s)", g.Gate, g.Reason))
	}
	return out
}

// OutcomeOf returns the outcome that run.finished has for an error's kind.
func OutcomeOf(err error) string {
	if err == nil {
		return event.Green
	}
	switch fault.KindOf(err) {
	case fault.Exhausted:
		switch {
		case errors.Is(err, errStuck):
			return event.Stuck
		case errors.Is(err, errNeedsReview), errors.Is(err, ErrUnseen), errors.Is(err, ErrConflict):
			return event.NeedsReview
		case errors.Is(err, errQuestion):
			return event.Question
		}
		return event.Exhausted
	case fault.Budget:
		return event.Budget
	case fault.Model:
		return event.ModelFailed
	case fault.NothingToDo:
		return event.NothingToDo
	case fault.Interrupted:
		return event.Interrupted
	case fault.Refused:
		return event.Declined
	case fault.Environment:
		return event.Environment
	}
	return event.Errored
}
