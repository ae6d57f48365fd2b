package check

import (
	"context"

	"github.com/booty-cli/booty/internal/failure"
)

// Gate is a quality check that runs before the tests.
type Gate struct {
	Step
	// FixCommand fixes what can be fixed without thought, such as a
	// formatter; "" where there is none.
	FixCommand string
}

// Suite is what a repository wants run.
type Suite struct {
	Setup *Step
	Gates []Gate
	// Tests are run one after the other, all of them, also after one failed.
	Tests []Step
	// Rerun is the template of a command that runs single tests; see
	// [CheckTemplate]. Where empty one is derived from each of Tests if that is safe.
	Rerun string
}

// VerifyOptions say what is known about the state to verify.
type VerifyOptions struct {
	// Setup runs the suite's setup first; if that fails, nothing else runs.
	Setup bool
	// Previous are the failures of the last time: they run first, alone, and the
	// full command only if they pass.
	Previous []failure.Failure
	// Full runs the full commands though tests of Previous fail still: where the
	// verdict is the last word on a state.
	Full bool
	// Known tells failures that are no news: they count like all others, but the
	// text leaves them out. May be nil.
	Known func(failure.Failure) bool
	// Alone runs the tests of these failures and nothing else. Where there is no way to
	// run them alone, nothing is run, and the verdict says so.
	Alone []failure.Failure
	// DocsOnly leaves the tests out: nothing changed that they could see.
	DocsOnly bool
	// LeaveOut leaves out the gates whose tool is not installed, instead of failing by them.
	LeaveOut bool
	// FlakeCheck asks for the failing tests of a full run to be run once more
	// alone. It is done without asking if all of Previous pass now and others
	// fail: those passed the last time. Otherwise it is not done, so that an
	// ordinary wrong attempt does not pay for a second run.
	FlakeCheck bool
	// Again runs all tests once more with it, where the failing ones cannot be run alone.
	Again bool
	// AfterFix is called once the gates have ended, where a fix command ran: what
	// it changed lies in the tree, and the tests have not run yet. May be nil.
	AfterFix func(context.Context) error
	// OnStart and OnResult are told each step, on the caller's goroutine. May be nil.
	OnStart  func(Step)
	OnResult func(Result)
}

// Verdict is what the checks say of one state of the work tree, and how each step ended.
type Verdict struct {
	failure.Verdict
	Results []Result
	// SetupFailed says that setup stood in the way: nothing else ran.
	SetupFailed bool
	// Missing means that a package or a tool seems not to be installed.
	Missing bool
}

// Verify runs gates and tests and says what they say together. The tests run
// also when a gate fails: whoever fixes it should see both. The error is for
// booty's own trouble or the context's end; the verdict then holds the results
// so far.
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

// step runs one step and tells of it.
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
