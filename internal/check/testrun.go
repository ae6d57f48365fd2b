package check

import (
	"context"
	"slices"

	"github.com/booty-cli/booty/internal/failure"
)

// tests runs the tests that failed the last time, then all, and, if asked for, the failing ones
// once more.
func (v *verification) tests(ctx context.Context) error {
	if !v.o.Full {
		if err := v.previous(ctx); err != nil || v.Partial {
			return err
		}
	}
	for _, step := range v.s.Tests {
		step.amongOthers = len(v.s.Tests) > 1
		if err := v.fullRun(ctx, step); err != nil {
			return err
		}
	}
	if n := len(v.full); n > 1 &&
		!slices.ContainsFunc(v.full, func(res Result) bool { return !onlySkipped(res) }) {
		last := &v.full[n-1]
		last.End, last.Passed, v.TestsFailed = NoTests, false, true
		v.failed = append(v.failed, *last)
	}
	return nil
}

// previous runs the tests of Previous alone. If they still fail, the full commands would add
// nothing.
func (v *verification) previous(ctx context.Context) error {
	steps, all := v.reruns(slices.DeleteFunc(slices.Clone(v.o.Previous), func(f failure.Failure) bool {
		return slices.ContainsFunc(v.s.Gates, func(g Gate) bool { return g.Name == f.Check }) // these ran already
	}))
	for _, s := range steps {
		res, err := v.step(ctx, s, Rerun)
		if err != nil {
			return err
		}
		if !res.Passed && res.Environment == "" && failsTests(res) {
			v.TestsFailed, v.Partial = true, true
			v.failed = append(v.failed, res)
		}
		all = all && res.Passed // else it was not understood, and the full command tells
	}
	v.previousPass = all && len(steps) > 0
	return nil
}

// alone runs the tests of some failures and nothing else.
func (v *verification) alone(ctx context.Context) error {
	steps, all := v.reruns(v.o.Alone)
	if v.NotAlone = !all || len(steps) == 0; v.NotAlone {
		return nil
	}
	for _, s := range steps {
		res, err := v.step(ctx, s, Rerun)
		if err != nil {
			return err
		}
		if !res.Passed {
			v.TestsFailed = true
			v.failed = append(v.failed, res)
		}
	}
	return nil
}

// fullRun runs one full test command.
func (v *verification) fullRun(ctx context.Context, step Step) error {
	step.asked = v.r.ask(ctx, step)
	res, err := v.step(ctx, step, Test)
	if err != nil {
		return err
	}
	if step, res, err = v.withoutReport(ctx, step, res); err != nil {
		return err
	}
	if !res.Passed && (v.o.FlakeCheck || v.previousPass || v.othersFail(res)) {
		if res, err = v.twice(ctx, step, res); err != nil {
			return err
		}
	}
	v.full = append(v.full, res)
	if !res.Passed {
		v.TestsFailed = true
		v.failed = append(v.failed, res)
	}
	return nil
}

// othersFail says that of the tests that failed the last time all pass, and
// others fail, which passed then.
func (v *verification) othersFail(res Result) bool {
	before, now := failure.Tests(of(v.o.Previous, res.Step)), failure.Tests(res.Summary.Failures)
	return len(before) > 0 && len(now) > 0 && !slices.ContainsFunc(now,
		func(name string) bool { return slices.Contains(before, name) })
}

// of returns the failures that a step reported.
func of(failures []failure.Failure, step Step) []failure.Failure {
	var out []failure.Failure
	for _, f := range failures {
		if f.Check == "" || f.Check == step.Name {
			out = append(out, f)
		}
	}
	return out
}

// twice runs the failing tests alone and, if they pass, the full command once
// more: how that ends is the result. Where they cannot be run alone, and two runs are
// asked for, all run.
func (v *verification) twice(ctx context.Context, step Step, full Result) (Result, error) {
	if full.End.stopped() || full.Environment != "" {
		return full, nil
	}
	was := loaded(full.Summary.Failures)
	again, ok := v.rerunOf(step, was)
	if !ok {
		if !v.o.Again || len(was) == 0 {
			return full, nil
		}
		return v.fullAgain(ctx, step, full, false)
	}
	alone, err := v.step(ctx, again, Rerun)
	if err != nil {
		return full, err
	}
	if !alone.Passed {
		v.tellAgain(full, alone)
		return full, nil
	}
	v.Flaky = append(v.Flaky, failure.Tests(was)...)
	return v.fullAgain(ctx, step, full, true)
}

// fullAgain runs a full command once more. What passes then is its result, as is what fails
// after the tests passed alone.
func (v *verification) fullAgain(ctx context.Context, step Step, full Result,
	passedAlone bool) (Result, error) {
	step.asked = v.r.ask(ctx, step)
	second, err := v.step(ctx, step, Test)
	if err != nil {
		return full, err
	}
	was := failure.Tests(loaded(full.Summary.Failures))
	if !second.Passed && !passedAlone {
		v.tellAgain(full, second)
		return full, nil
	}
	v.Reran = append(v.Reran, failure.Reran{Failed: was, Still: failure.Tests(second.Summary.Failures),
		Passed: second.Passed})
	return second, nil
}

// tellAgain keeps the results of a second run for the tests that failed in the first.
func (v *verification) tellAgain(full, second Result) {
	v.Again = append(v.Again, second.Summary.Failures...)
	if still := failure.IDs(second.Summary.Failures); len(still) > 0 {
		was := slices.DeleteFunc(failure.IDs(loaded(full.Summary.Failures)),
			func(id failure.ID) bool { return id.Among(still) })
		v.Flaky = append(v.Flaky, failure.Names(was)...)
	}
}

// loaded leaves out the failures of what did not load: there is no test to run again.
func loaded(failures []failure.Failure) []failure.Failure {
	return slices.DeleteFunc(slices.Clone(failures), unloaded)
}

// reruns makes the steps that run the tests of failures alone: one from the
// template, else one for each test command. all says that none was left out.
func (v *verification) reruns(failures []failure.Failure) (steps []Step, all bool) {
	if v.s.Rerun != "" && len(v.s.Tests) > 0 {
		step, ok := v.rerunOf(v.s.Tests[0], failures)
		if !ok {
			return nil, false
		}
		return []Step{step}, true
	}
	all = true
	for _, test := range v.s.Tests {
		mine := of(failures, test)
		if len(mine) == 0 {
			continue
		}
		step, ok := v.rerunOf(test, mine)
		if all = all && ok; ok {
			steps = append(steps, step)
		}
	}
	return steps, all
}

// failedOnly ends the name of a step that runs the failed tests alone.
const failedOnly = " (failed only)"

// rerunOf makes the step that runs only the tests of failures that the test command test reported,
// if there is a safe way.
func (v *verification) rerunOf(test Step, failures []failure.Failure) (Step, bool) {
	command, ok := rerunCommand(v.r.c.Dir, v.s.Rerun, test.Command, failures)
	step := test
	step.Name, step.Command, step.asked = test.Name+failedOnly, command, asking{}
	return step, ok
}

// failsTests reports whether it is tests that failed, and not the rerun itself.
func failsTests(res Result) bool {
	return slices.ContainsFunc(res.Summary.Failures, func(f failure.Failure) bool { return f.Test != "" })
}
