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
func (r *run) firstVerdict(ctx context.Context) (Verdict, error) {
	p := pauses{r: r, quick: len(quickPauses)}
	for {
		v, _, err := r.verify(ctx, VerifyInput{Attempt: 0}, r.m.Current, nil)
		if err != nil || !v.outside() {
			return v, errOr(err, v.CountError()) // before anything is spent
		}
		if more, err := p.next(ctx, v.Environment); err != nil || !more {
			return v, errOr(err, v.fault(false))
		}
	}
}

// setUp runs the setup command, if there is one to run; what the environment broke is
// dealt with as at the baseline.
func (r *run) setUp(ctx context.Context) (ran bool, err error) {
	p := pauses{r: r, quick: len(quickPauses)}
	for {
		begun := r.Now()
		v, err := r.Checks.Setup(ctx, func(e event.CheckFinished) {
			ran = true
			r.emit(e)
		})
		if err != nil {
			return ran, err
		}
		if ran || v.Skipped { // else there is no setup_command
			r.emit(event.SetupFinished{Passed: v.Green, Skipped: v.Skipped,
				DurationMS: r.Now().Sub(begun).Milliseconds()})
		}
		switch {
		case v.Green:
			return ran, nil
		case v.Environment == "":
			return ran, v.SetupError("full output: booty status latest --attempt 0 --show output; ")
		}
		if more, err := p.next(ctx, v.Environment); err != nil || !more {
			return ran, errOr(err, v.fault(false))
		}
	}
}

// SetupError is the error of a setup that failed: without it the checks cannot run here. The hint begins with where its output is.
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
func (r *run) judge(ctx context.Context, in VerifyInput, s, from State,
	named []string) (Verdict, State, error) {
	p := pauses{r: r}
	for {
		v, now, err := r.verify(ctx, in, s, named)
		if err != nil || !v.outside() || v.Environment == r.m.Baseline.Environment {
			return v, now, err
		}
		s = now
		if err := r.tree.restore(ctx, from); err != nil {
			return v, s, err
		}
		before, _, err := r.verify(ctx, VerifyInput{Attempt: in.Attempt}, from, nil)
		if err != nil {
			return v, s, err
		}
		if !before.outside() {
			r.notice("info", "without the proposal the checks can run: it is the proposal's fault")
			return v.blamed(), s, r.tree.restore(ctx, s)
		}
		if more, err := p.next(ctx, before.Environment); err != nil || !more {
			return v, s, errOr(err, before.fault(true))
		}
		if err := r.tree.restore(ctx, s); err != nil {
			return v, s, err
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
	r           *run
	quick, long int
}

// next waits; false means that it was waited enough.
func (p *pauses) next(ctx context.Context, reason string) (bool, error) {
	var d time.Duration
	switch {
	case p.quick < len(quickPauses):
		d = quickPauses[p.quick]
		p.quick++
	case p.long < len(p.r.o.Patience):
		d = p.r.o.Patience[p.long]
		p.long, p.quick = p.long+1, 0
	default:
		return false, nil
	}
	p.r.emit(event.Wait{What: "environment", Reason: reason, WaitMS: d.Milliseconds()})
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
