package runner

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/booty-cli/booty/internal/check"
	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/sandbox"
)

// checks is the engine's Checks over the repository's commands.
type checks struct {
	runner  *check.Runner
	suite   check.Suite
	journal *journal.Journal
	run     string
	warn    func(string)
	box     *sandbox.Plan
	// gitBox is that of hooks, and of programs that git starts.
	gitBox func() (*sandbox.Plan, error)
	setups *setups
	// leftOut are the gates that cannot run here.
	leftOut *gatesLeftOut
	// shared is what setup made in another tree; nil if setup runs in each.
	shared *sharedSetup
	// dry keeps no record: the run is not in the journal.
	dry bool
	// scrub names the variables that a hook must not see.
	scrub []string
	// reaching makes what runs the same commands where they may read the user's checkout.
	reaching func(context.Context) (*check.Runner, func() error, error)
	// steps numbers the finished commands, for the names of their logs.
	steps int
}

// asItIs lets no gate fix what it finds: the tree must pass as it is.
func (c *checks) asItIs() {
	for i := range c.suite.Gates {
		c.suite.Gates[i].FixCommand = ""
	}
}

// keepLog moves a log into the journal and gives its name there.
func (c *checks) keepLog(ctx context.Context, path, name string) string {
	if path == "" {
		return ""
	}
	data, err := os.ReadFile(path)
	if err == nil {
		name, err = c.journal.Blobs.Save(context.WithoutCancel(ctx), c.run, name, data)
	}
	if err != nil {
		c.warn("the log of a check could not be kept: " + err.Error())
		return ""
	}
	_ = os.Remove(path)
	return name
}

// whyFailed is the line of a failed command that says most.
func whyFailed(r check.Result) string {
	if r.End == check.TimedOut {
		return fmt.Sprintf("it did not end within %s", r.Timeout)
	}
	if r.Environment != "" {
		return r.Environment
	}
	for _, f := range r.Summary.Failures {
		if said := cmp.Or(report.FirstLine(f.Message), f.Test); said != "" {
			return said
		}
	}
	if said := check.Reason(r.Tail); said != "" {
		return said
	}
	return fmt.Sprintf("exit code %d", r.ExitCode)
}

// Verify implements engine.Checks. Where a manifest has changed since setup last
// ran, it runs again first; and where setup was skipped and a module is missing,
// too.
func (c *checks) Verify(ctx context.Context, in engine.VerifyInput) (engine.Verdict, error) {
	if in.Baseline != nil {
		c.leftOut.set(in.Baseline.LeftOut)
	}
	_, again, err := c.setupAgain(in.Named)
	if err != nil {
		return engine.Verdict{}, err
	}
	v, err := c.verify(ctx, in, again)
	if err == nil && in.Baseline == nil && c.setups.skipped && v.Missing {
		c.setups.skipped = false
		v, err = c.verify(ctx, in, true)
	}
	if err != nil {
		return engine.Verdict{}, err
	}
	if in.LeaveOut {
		c.leftOut.set(v.LeftOut)
	}
	if in.Attempt == 0 && in.Baseline == nil {
		suite := c.suite
		if suite.Gates = c.leftOut.without(suite.Gates); in.TestsOnly {
			suite.Gates = nil
		}
		needs, err := c.needsCheckout(ctx, suite, v.Verdict)
		if err != nil {
			return engine.Verdict{}, err
		}
		if needs {
			v.Environment, v.Hint = c.reachWords()
		}
	}
	return engine.Verdict{Verdict: v.Verdict}, nil
}

// verify runs the checks, after the setup where that is asked for.
func (c *checks) verify(ctx context.Context, in engine.VerifyInput, setup bool) (check.Verdict, error) {
	suite := c.suite
	if suite.Gates = c.leftOut.without(suite.Gates); in.TestsOnly {
		suite.Gates, setup = nil, false
	}
	if setup && in.Attempt > 0 {
		step := *suite.Setup
		step.Command = unlocked(step.Command)
		suite.Setup = &step
	}
	v, err := c.runner.Verify(ctx, suite, check.VerifyOptions{
		Setup: setup, Previous: in.Previous, Full: in.Full, Known: in.Known, DocsOnly: in.DocsOnly && !setup,
		LeaveOut: in.LeaveOut, FlakeCheck: in.Twice, Again: in.Twice && in.Baseline == nil,
		AfterFix: func(ctx context.Context) error {
			if in.Fixed == nil {
				return nil
			}
			return in.Fixed(ctx)
		},
		OnResult: func(r check.Result) { c.finished(ctx, in, r) },
	})
	if err != nil || !setup {
		return v, err
	}
	if v.SetupFailed {
		return v, c.setups.failed(context.WithoutCancel(ctx))
	}
	digest, _, err := c.setupAgain(in.Named) // with the lock files that it wrote
	if err != nil {
		return v, err
	}
	return v, c.setups.succeeded(context.WithoutCancel(ctx), digest)
}

// finished reports a result and keeps its log.
func (c *checks) finished(ctx context.Context, in engine.VerifyInput, r check.Result) {
	attempt, e := in.Attempt, checkFinished(in.Attempt, r)
	in.Report(e)
	if c.dry {
		_ = os.Remove(r.Log) // "" where there is none
		return
	}
	c.steps++
	log := c.keepLog(ctx, r.Log, fmt.Sprintf("attempt-%d/%d-%s.log", attempt, c.steps, Slug(r.Name)))
	err := c.journal.AddCheck(context.WithoutCancel(ctx), journal.Check{
		Run: c.run, Attempt: attempt, Name: r.Name, Kind: string(r.Kind), Command: r.Command, Passed: r.Passed,
		ExitCode: r.ExitCode, TimedOut: r.End == check.TimedOut, DurationMS: e.DurationMS, Counts: e.Counts, Failures: e.Failures,
		Note: e.Note, Log: log, Distilled: r.Summary.Text,
	})
	if err != nil {
		c.warn("the check could not be recorded: " + err.Error())
	}
}

// checkFinished returns a result as events have it.
func checkFinished(attempt int, r check.Result) event.CheckFinished {
	return event.CheckFinished{
		Attempt: attempt, Check: r.Name, Kind: string(r.Kind), Passed: r.Passed, ExitCode: r.ExitCode,
		TimedOut: r.End == check.TimedOut, DurationMS: r.Duration.Milliseconds(),
		Counts:   r.Summary.Counts,
		Failures: r.Summary.Failures, Note: Note(r),
	}
}

// Note returns what else a reader of the result should know, in one line.
func Note(r check.Result) string {
	var parts []string
	switch {
	case r.Environment != "":
		parts = append(parts, r.Environment)
	case r.End == check.FilledDisk:
		parts = append(parts, "it was stopped: it had nearly filled the disk")
	case r.End == check.NoTests:
		parts = append(parts, "no tests were run")
	case r.End == check.NotStarted:
		parts = append(parts, "the command could not be started")
	}
	return strings.Join(append(parts, r.Notes...), "; ")
}
