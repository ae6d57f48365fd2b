package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
)

// outside reports whether the checks could not do their work.
func (v Verdict) outside() bool { return v.Environment != "" }

// fault is the error of checks that could not do their work.
func (v Verdict) fault(resume bool) error {
	hint, onward := v.Hint, "try again"
	if resume {
		onward = "continue with: booty resume"
	}
	if hint == "" {
		hint = "fix the environment"
	}
	return fault.New(fault.Environment, hint+"; then "+onward, "the checks cannot run here: %s",
		v.Environment)
}

// firstVerdict returns the baseline's verdict. No model is called if the environment is broken:
// booty waits, if patience was asked for, and then ends the run.
func (v *verifier) firstVerdict(ctx context.Context, s State) (Verdict, error) {
	p := pauses{reporter: v.reporter, patience: v.patience, quick: len(quickPauses)}
	for {
		c, err := v.verify(ctx, VerifyInput{Attempt: 0}, s, nil)
		if err != nil || !c.verdict.outside() {
			return c.verdict, errOr(err, c.verdict.CountError()) // before anything is spent
		}
		if more, err := p.next(ctx, c.verdict.Environment); err != nil || !more {
			return c.verdict, errOr(err, c.verdict.fault(false))
		}
	}
}

// setUp runs the setup command, if there is one to run; what the environment broke is
// dealt with as at the baseline. The tree stays in state s.
func (v *verifier) setUp(ctx context.Context, s State) error {
	ran, err := v.runSetup(ctx)
	if err != nil || !ran {
		return err
	}
	_, _, _, err = v.tree.workspace.AfterChecks(ctx, s, nil)
	return err
}

func (v *verifier) runSetup(ctx context.Context) (ran bool, err error) {
	p := pauses{reporter: v.reporter, patience: v.patience, quick: len(quickPauses)}
	for {
		begun := v.now()
		done, err := v.checks.Setup(ctx, func(e event.CheckFinished) {
			ran = true
			v.emit(e)
		})
		if err != nil {
			return ran, err
		}
		if ran || done.Skipped { // else there is no setup_command
			v.emit(event.SetupFinished{Passed: done.Green, Skipped: done.Skipped,
				DurationMS: v.now().Sub(begun).Milliseconds()})
		}
		switch {
		case done.Green:
			return ran, nil
		case done.Environment == "":
			return ran, done.SetupError("full output: booty status latest --attempt 0 --show output; ")
		}
		if more, err := p.next(ctx, done.Environment); err != nil || !more {
			return ran, errOr(err, done.fault(false))
		}
	}
}

// SetupError is the error of a setup that failed: without it the checks cannot run here. The hint
// begins with where its output is.
func (v Verdict) SetupError(output string) error {
	why := firstLine(v.Text)
	if len(v.Failures) > 0 && v.Failures[0].Message != "" {
		why = firstLine(v.Failures[0].Message)
	}
	return fault.New(fault.Environment, output+"run setup_command by hand, or fix it in .booty.yml",
		"setup_command failed: %s", why)
}

// judge verifies the state s that a proposal made of the state from. A fault
// that looks like the environment's is so only if from shows it too: then it is
// waited for, and uses no attempt; else it is the proposal's.
func (v *verifier) judge(ctx context.Context, in VerifyInput, s, from State, named []string) (
	checked, error) {
	p := pauses{reporter: v.reporter, patience: v.patience}
	var locks []string
	for {
		c, err := v.verify(ctx, in, s, named)
		locks = append(locks, c.locks...)
		c.locks = locks
		if err != nil || !c.verdict.outside() || c.verdict.Environment == v.before.Baseline.Environment {
			return c, err
		}
		s = c.state
		if err := v.tree.restore(ctx, from); err != nil {
			return c, err
		}
		without, err := v.verify(ctx, VerifyInput{Attempt: in.Attempt}, from, nil)
		if err != nil {
			return c, err
		}
		if !without.verdict.outside() {
			v.notice("info", "without the proposal the checks can run: it is the proposal's fault")
			c.verdict = c.verdict.blamed()
			return c, v.tree.restore(ctx, s)
		}
		if more, err := p.next(ctx, without.verdict.Environment); err != nil || !more {
			return c, errOr(err, without.verdict.fault(true))
		}
		if err := v.tree.restore(ctx, s); err != nil {
			return c, err
		}
	}
}

// unreadAsBefore reports whether a failure of which nothing is understood is the same as before the
// change: showing it to the model would not help.
func (v Verdict) unreadAsBefore(baseline *Verdict) bool {
	return baseline != nil && v.Unread && baseline.Unread && !v.Green && v.Signature == baseline.Signature
}

// blamed makes a fault that looked like the environment's a failing of the code.
func (v Verdict) blamed() Verdict {
	if v.Text == "" {
		v.Text = v.Environment
	}
	v.Environment, v.Hint = "", ""
	v.Green, v.Failing = false, max(1, v.Failing)
	v.TestsFailed = v.TestsFailed || !v.GatesFailed
	return v
}

// quickPauses are those of one round of quick tries.
var quickPauses = [...]time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second}

// pauses are the waits for the environment to recover: a round of short ones, and another round
// after each wait of patience.
type pauses struct {
	reporter
	patience    []time.Duration
	quick, long int
}

// next waits; false means that it was waited enough.
func (p *pauses) next(ctx context.Context, reason string) (bool, error) {
	var d time.Duration
	switch {
	case p.quick < len(quickPauses):
		d = quickPauses[p.quick]
		p.quick++
	case p.long < len(p.patience):
		d = p.patience[p.long]
		p.long, p.quick = p.long+1, 0
	default:
		return false, nil
	}
	p.emit(event.Wait{What: "environment", Reason: reason, WaitMS: d.Milliseconds()})
	return true, Sleep(ctx, d)
}

// Sleep waits for d, or returns the context's cause if that ends first.
func Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("wait: %w", context.Cause(ctx))
	}
}

func errOr(err, other error) error {
	if err != nil {
		return err
	}
	return other
}
