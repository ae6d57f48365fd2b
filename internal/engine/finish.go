package engine

import (
	"context"
	"errors"
	"fmt"
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

// finish keeps the best attempt, publishes it, leaves the tree and emits the outcome. It cleans up
// even if ctx has ended.
func (r *run) finish(ctx context.Context, err error) Outcome {
	out := Outcome{Err: err}
	prepared, published := r.m.Stage != Begun, false
	if prepared && ctx.Err() == nil && !r.o.DryRun { // an interrupted run keeps its state, for resume
		whole := context.WithoutCancel(ctx)
		r.closeOpen(whole)
		if e := r.settleBest(whole, err); e != nil {
			r.notice("warning", "the best attempt could not be checked in full: "+e.Error())
		}
		var e error
		if published, e = r.ending().wrapUp(ctx, &r.m, &out); e != nil {
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

func (r *run) ending() ending {
	return ending{reporter: r.reporter, workspace: r.Workspace, tree: r.tree, verifier: r.verifier,
		publisher: r.Publisher, before: r.before, refine: r.o.Refine, merges: r.o.Merges,
		unasked: !r.calls.made, answers: r.o.Asked || r.o.Task.Kind == "issue"}
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
