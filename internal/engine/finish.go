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
func (x *exchange) dryRun(ctx context.Context, b Brief) error {
	b.Looks = x.looked.left()
	p, err := x.compose(ctx, b)
	if err != nil {
		return err
	}
	model := x.calls.model
	provider, name := model.Describe(b.Role, false)
	e := event.ModelRequest{
		Attempt: b.Attempt, Role: string(b.Role), Provider: provider, Model: name,
		InputTokens: p.Tokens, Prompt: p.System + "\n\n" + p.User,
	}
	if q, ok := model.(Quoter); ok {
		usd := q.Quote(b.Role, p)
		e.CostUSD = &usd
	}
	x.emit(e)
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
	prepared, published := r.m.Stage != Begun, false
	if prepared && ctx.Err() == nil && !r.o.DryRun {
		var e error
		if published, e = r.wrapUp(ctx, &out); e != nil {
			out.Err = e
		}
	}
	if prepared {
		out.Branch = r.m.Start.Branch
	}
	if ctx.Err() != nil && !published {
		out.Err = interrupted(r.m.Stage)
	}
	if prepared {
		if e := leave(ctx, r.Workspace); e != nil && !explains(out.Err) {
			out.Err = e
		}
	}
	if out.Err != nil && errors.Is(out.Err, errDryRun) {
		out.Err, out.Outcome, out.Message = nil, event.NothingToDo, errDryRun.Error()
	}
	out.Memory = r.m
	out.DurationMS = r.Now().Sub(r.started).Milliseconds()
	out.conclude()
	r.emit(out.RunFinished)
	return out
}

// explains says that what ended the run is why it cannot be put in order either:
// an interruption, or a git that is no more what it was.
func explains(err error) bool {
	kind := fault.KindOf(err)
	return err != nil && (kind == fault.Interrupted || kind == fault.Refused || kind == fault.Git)
}

func interrupted(s Stage) error {
	if s == Begun {
		return fault.New(fault.Interrupted, "", "interrupted before anything was changed")
	}
	return fault.New(fault.Interrupted, "continue with: booty resume", "interrupted; the state is saved")
}

// leave goes back, interrupted or not.
func leave(ctx context.Context, w Workspace) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTime)
	defer cancel()
	return w.Leave(ctx)
}

// wrapUp makes the best attempt the result and publishes it: then what comes after cannot make the run
// an interrupted one. An interrupted run does not get here: it keeps its state as it is, for resume.
func (r *run) wrapUp(ctx context.Context, out *Outcome) (published bool, err error) {
	whole := context.WithoutCancel(ctx)
	r.closeOpen(whole)
	if err := r.settleBest(whole, out.Err); err != nil {
		r.notice("warning", "the best attempt could not be checked in full: "+err.Error())
	}
	best := r.m.best()
	if r.m.ForReview != nil {
		best = r.m.forReview()
	}
	switch {
	case best != nil:
		out.Commit, err = r.keep(whole, best)
	case r.tree.at != r.m.Current: // a proposal that was never checked
		err = r.tree.restore(whole, r.m.Current)
	}
	if err == nil && best == nil && out.Err == nil {
		out.Commit, err = r.keepAsItIs(whole)
	}
	if err != nil || r.Publisher == nil || best == nil && out.Err != nil && !r.m.tells(out.Err, r.o) {
		return false, err
	}
	return r.publish(ctx, best, out)
}

// keepAsItIs makes a green result of what no attempt of this run has changed:
// the user's own tree, or earlier work.
func (r *run) keepAsItIs(ctx context.Context) (commit string, err error) {
	if r.m.From.Commit == "" {
		return r.m.Start.BaseCommit, nil
	}
	k := Keep{Green: true, Paths: r.m.Named()}
	if a := r.m.wordsOf(r.m.last()); a != nil {
		k.Summary, k.Prose = a.Summary, a.Prose
	}
	return r.keepState(ctx, r.m.From, k, r.m.total())
}

// tells reports whether a run that changed nothing has something to publish: not if there was
// nothing to do, or booty could not begin.
func (m *Memory) tells(err error, o Options) bool {
	switch fault.KindOf(err) {
	case fault.NothingToDo:
		return m.used() > 0 || o.Asked || o.Task.Kind == "issue" // else it is asked for again
	case fault.Bug, fault.Usage, fault.Git, fault.Environment:
		return m.used() > 0 && err != nil
	}
	return err != nil
}

// keep brings the best attempt's tree back and makes it the run's result.
func (r *run) keep(ctx context.Context, best *Attempt) (commit string, err error) {
	s, v := r.m.remains(best, r.o.Refine)
	floor, _ := r.m.floor()
	if s == floor {
		r.notice("info", "no attempt was better than the start: the files are as they were")
	}
	if err := r.tree.goTo(ctx, s); err != nil {
		return "", err
	}
	r.m.Current, r.m.Standing = s, v
	if s == floor {
		return "", nil
	}
	words := r.m.wordsOf(best)
	k := Keep{Green: v.Green, Changed: v.changedNames(), Summary: words.Summary, Prose: words.Prose,
		Paths: r.m.Named(), Kept: r.m.Kept}
	return r.keepState(ctx, s, k, best.N)
}

// keepState makes a state the result, on the branch that is named from then on.
func (r *run) keepState(ctx context.Context, s State, k Keep, n int) (string, error) {
	k.Unasked = !r.calls.made
	commit, hooked, err := keepState(ctx, r.Workspace, r.verifier, s, k, n)
	if hooked != nil {
		r.m.Current, r.m.Standing = hooked.state, hooked.verdict
	}
	if name := r.Workspace.Branch(); name != "" {
		r.m.Start.Branch = name
	}
	return commit, err
}

// keepState makes a state the result. What a pre-commit hook has made of it is checked
// like any other work, and the commit is tried once more: hooked is what that check found.
func keepState(ctx context.Context, w Workspace, checks *verifier, s State, k Keep, n int) (
	commit string, hooked *checked, err error) {
	commit, err = w.Keep(ctx, s, k)
	var hook *HookChanged
	if !errors.As(err, &hook) {
		return commit, nil, err
	}
	checks.notice("info", "the pre-commit hook changed "+list(hook.Paths)+": the checks run again")
	c, err := checks.verify(ctx, VerifyInput{Attempt: n, Full: true}, hook.State, k.Paths)
	if err != nil {
		return "", nil, err
	}
	if v := c.verdict; k.Green && !v.Green {
		return "", nil, fault.New(fault.Git, "fix the hook, or the files it changes: "+list(hook.Paths),
			"the checks fail with what the pre-commit hook made of the change: %s", firstLine(v.Text+v.Environment))
	}
	checks.tree.at = c.state
	commit, err = w.Keep(ctx, c.state, k)
	if errors.As(err, &hook) {
		err = fault.New(fault.Git,
			"run the hook by hand to see why it keeps changing files: git hook run pre-commit",
			"%w", err)
	}
	return commit, &c, err
}

// publish makes the result public.
func (r *run) publish(ctx context.Context, best *Attempt, out *Outcome) (published bool, err error) {
	pr, opened, err := r.Publisher.Publish(ctx, publication(&r.m, r.before, best, *out, r.o.Merges))
	if pr == nil {
		return err == nil, err
	}
	out.PullRequest = pr
	if opened {
		r.emit(event.PullRequestOpened(*pr))
	} else {
		r.emit(event.PullRequestUpdated(*pr))
	}
	return true, err
}

// publication is what is published of a run and its outcome. merges says that green work is merged without a
// person.
func publication(m *Memory, before before, best *Attempt, out Outcome, merges bool) Publication {
	pub := Publication{
		Memory: *m, Green: out.Err == nil, Outcome: OutcomeOf(out.Err), Commit: out.Commit, Changed: out.Commit != "",
		Best: best, Main: m.wordsOf(best), Judge: m.ForReview != nil,
		Look: slices.Concat(m.Standing.reviewOf(), m.unresolved(merges), m.objection(merges)),
	}
	if best != nil && !pub.Green && m.Baseline != nil && m.ForReview == nil {
		_, v := m.floor()
		pub.Behind = worse(best.Verdict.withKnown(before.verdict()), v.withKnown(before.verdict()))
	}
	if !pub.Green && pub.Outcome != event.NeedsReview {
		pub.Claims, pub.Survivors, pub.Challenge = nil, nil, nil
	}
	if out.Err != nil {
		pub.Message = out.Err.Error()
	}
	return pub
}

// conclude fills in the last event from the error and the memory.
func (out *Outcome) conclude() {
	m := out.Memory
	if out.Outcome == "" {
		out.Outcome = OutcomeOf(out.Err)
	}
	if out.Err != nil {
		out.Message, out.Hint = out.Err.Error(), fault.HintOf(out.Err)
		out.ExitCode = fault.ExitCode(out.Err)
	} else if out.Message == "" {
		out.Message = "the checks pass"
		if out.Known = m.Standing.Known; len(out.Known) > 0 {
			out.Message += ", but for what failed before and still does: " + list(out.Known)
		}
		if m.Baseline != nil && len(m.Baseline.LeftOut) > 0 {
			out.LeftOut = m.Baseline.LeftOut
			out.Message += "; not checked here: " + list(leftOutGates(out.LeftOut))
		}
		if out.ChangedTests = m.Standing.Changed; len(out.ChangedTests) > 0 {
			var names []string
			for _, c := range out.ChangedTests {
				names = append(names, c.Test)
			}
			out.Message += "; the task changes what these tests expect: " + list(names)
		}
	}
	out.Attempts, out.AttemptsTotal = m.used(), m.total()
	out.InputTokens, out.OutputTokens, out.CostUSD = m.InputTokens, m.OutputTokens, m.CostUSD
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
