package check

import (
	"context"

	"github.com/booty-cli/booty/internal/failure"
)

// Gate is a quality check that runs before the tests.
type Gate struct {
	Step
	// FixCommand fixes findings mechanically, such as a formatter; "" if there is none.
	FixCommand string
}

// Suite are the checks of a repository.
type Suite struct {
	Setup *Step
	Gates []Gate
	// Tests are run one after the other, all of them, also after one failed.
	Tests []Step
	// Rerun is the template of a command that runs single tests; see [CheckTemplate]. If empty, one
	// is derived from each of Tests where that is safe.
	Rerun string
}

// VerifyOptions say what to run, and what is known about the state to verify.
type VerifyOptions struct {
	// Setup runs the suite's setup first; if that fails, nothing else runs.
	Setup bool
	// Previous are the failures of the last verification. They run first, alone, and the full
	// command only if they pass.
	Previous []failure.Failure
	// Full runs the full commands even if tests of Previous still fail: for a final verdict on a
	// state.
	Full bool
	// Known reports failures that are old: they count like all others, but the text leaves them
	// out. May be nil.
	Known func(failure.Failure) bool
	// Alone runs only the tests of these failures. If they cannot run alone, nothing runs, and the
	// verdict says so.
	Alone []failure.Failure
	// DocsOnly skips the tests: only documents changed.
	DocsOnly bool
	// LeaveOut leaves out the gates whose tool is not installed, instead of failing by them.
	LeaveOut bool
	// FlakeCheck runs the failing tests of a full run once more, alone. Without it, that happens
	// only if all of Previous pass now and other tests fail, which passed the last time: an
	// ordinary wrong attempt should not pay for a second run.
	FlakeCheck bool
	// Again makes FlakeCheck run all tests once more if the failing ones cannot run alone.
	Again bool
	// AfterFix is called after the gates and before the tests, if a fix command ran. May be nil.
	AfterFix func(context.Context) error
	// OnStart and OnResult are called for each step, on the caller's goroutine. May be nil.
	OnStart  func(Step)
	OnResult func(Result)
}

// Verdict is the verdict of the checks on one state of the work tree, with the result of each step.
type Verdict struct {
	failure.Verdict
	Results []Result
	// SetupFailed says that setup failed: nothing else ran.
	SetupFailed bool
	// Missing says that a package or a tool seems not to be installed.
	Missing bool
}

// Verify runs gates and tests and returns their common verdict. The tests also run when a gate
// fails: whoever fixes it should see both. The error is a fault of booty's own or the end of the
// context; the verdict then holds the results so far.
func (r *Runner) Verify(ctx context.Context, s Suite, o VerifyOptions) (Verdict, error) {
	v := verification{r: r, s: s, o: o}
	err := v.run(ctx)
	if err == nil {
		v.conclude()
	}
	return v.Verdict, err
}

// verification is one Verify under way.
type verification struct {
	Verdict
	r *Runner
	s Suite
	o VerifyOptions
	// failed are the results that count against green.
	failed []Result
	// full are the last runs of the full test commands.
	full []Result
	// fixed says that a fix command ran.
	fixed bool
	// previousPass says that all of Previous ran alone and pass.
	previousPass bool
}

func (v *verification) run(ctx context.Context) error {
	if len(v.o.Alone) > 0 {
		return v.alone(ctx)
	}
	if v.o.Setup && v.s.Setup != nil {
		res, err := v.step(ctx, *v.s.Setup, Setup)
		if err != nil {
			return err
		}
		if !res.Passed {
			v.SetupFailed, v.TestsFailed, v.Tally = true, true, failure.Uncounted
			v.failed = append(v.failed, res)
			return nil
		}
	}
	for _, g := range v.s.Gates {
		if err := v.gate(ctx, g); err != nil {
			return err
		}
	}
	if v.fixed && v.o.AfterFix != nil {
		if err := v.o.AfterFix(ctx); err != nil {
			return err
		}
	}
	if v.o.DocsOnly {
		return nil
	}
	return v.tests(ctx)
}

// step runs one step and reports it.
func (v *verification) step(ctx context.Context, step Step, kind Kind) (Result, error) {
	step.Kind, step.known = kind, v.o.Known
	if v.o.OnStart != nil {
		v.o.OnStart(step)
	}
	res, err := v.r.Run(ctx, step)
	if err != nil {
		return res, err
	}
	v.Results = append(v.Results, res)
	if v.o.OnResult != nil {
		v.o.OnResult(res)
	}
	return res, nil
}

// gate runs a gate; one that fails and can be fixed gets its fix and a second run.
func (v *verification) gate(ctx context.Context, g Gate) error {
	res, err := v.step(ctx, g.Step, GateK)
	if err == nil && !res.Passed && g.FixCommand != "" && res.Environment == "" && res.End != NotStarted {
		v.fixed = true
		fix := g.Step
		fix.Name, fix.Command = g.Name+" fix", g.FixCommand
		// How the fix ends does not matter: many fixers exit with 1 when they
		// fixed something. The gate has the last word.
		if _, err = v.step(ctx, fix, Fix); err == nil {
			res, err = v.step(ctx, g.Step, GateK)
		}
	}
	if err == nil && !res.Passed && v.o.LeaveOut && lacksTool(res) {
		v.LeftOut = append(v.LeftOut, failure.LeftOut{Gate: g.Name, Reason: res.Environment})
		v.Missing = v.Missing || missing(res)
		return nil
	}
	if err == nil && !res.Passed {
		if failsTests(res) { // by another name, it is a test command
			v.TestsFailed = true
		} else {
			v.GatesFailed = true
		}
		v.failed = append(v.failed, res)
	}
	return err
}
