package runner

import (
	"context"
	"fmt"
	"time"

	"github.com/booty-cli/booty/internal/check"
	"github.com/booty-cli/booty/internal/detect"
	"github.com/booty-cli/booty/internal/proof"
	"github.com/booty-cli/booty/internal/testfile"
	"github.com/booty-cli/booty/internal/testreport"
	"github.com/booty-cli/booty/pkg/edit"
)

// probe asks whether a command that counts no tests runs any.
func (t *trial) probe(ctx context.Context, step check.Step, o detect.Outcome) (detect.Outcome, error) {
	if t.o.Believe {
		o.Why = "test_count is off"
		return o, nil
	}
	c := *t.checks
	c.suite = check.Suite{Tests: []check.Step{step}}
	spoiled := func(ctx context.Context, texts bool) ([]edit.Change, int, error) {
		return spoiledAll(ctx, t.repo, testfile.Is, t.head, texts)
	}
	uncounted, why, err := proof.Uncounted(ctx, &secondTree{repo: t.repo, checks: &c}, []string{step.Command},
		spoiled)
	switch {
	case ctx.Err() != nil:
		return o, err
	case err != nil:
		why = err.Error()
	case len(uncounted) == 0:
		o.Why = "it counts no tests, but fails where tests expect something wrong"
		return o, nil
	}
	o.State, o.Passed, o.Why = detect.NoTests, false, why
	return o, nil
}

// testOutcome runs a test command as a run would.
func testOutcome(ctx context.Context, runner *check.Runner, step check.Step) (detect.Outcome, error) {
	step.Kind = check.Test
	v, err := runner.Verify(ctx, check.Suite{Tests: []check.Step{step}}, check.VerifyOptions{Full: true})
	if err != nil || len(v.Results) == 0 {
		return detect.Outcome{}, err
	}
	res := v.Results[len(v.Results)-1]
	o := ended(res)
	o.Names, o.As, o.Runner, o.Files = v.Ran, v.RanAs, res.Summary.Runner, v.Files
	if v.RanAs != "" { // some may fail at random, or with one command alone
		o.Names = append(o.Names, res.Keys(testreport.Failed)...)
	}
	if names := res.Names(testreport.Passed); len(o.Names) > 0 && len(names) > 0 {
		o.One = names[len(names)/2]
	}
	if v.Counts.Passed != nil {
		o.Passing = *v.Counts.Passed
	}
	if o.Tests = o.Passing; v.Counts.Failed != nil {
		o.Tests += *v.Counts.Failed
	}
	if len(v.Failures) > 0 && v.Failures[0].Says() != v.Failures[0].Message {
		o.Why = v.Failures[0].Says()
	}
	switch {
	case o.State == detect.Blocked:
	case o.Tests == 0 && o.Passed && len(v.Silent) > 0:
		o.State = detect.Uncounted
	case o.Tests == 0 && res.ExitCode == 0:
		o.State, o.Passed, o.Why = detect.NoTests, false, ""
	case o.Tests == 0 && v.NoTests:
		o.State, o.Why = detect.NoTests, ""
	case o.Tests == 0:
		o.State = detect.Failed
	case !o.Passed && o.Passing == o.Tests:
		o.Why = fmt.Sprintf("it fails, though its %d tests pass: %s", o.Tests, o.Why)
	case !o.Passed:
		o.Why = fmt.Sprintf("%d of %d tests fail: %s", o.Tests-o.Passing, o.Tests, o.Why)
	}
	return o, nil
}

// ended reads how a command ended, whatever it is for.
func ended(res check.Result) detect.Outcome {
	o := detect.Outcome{State: detect.Counted, Passed: res.Passed, ExitCode: res.ExitCode,
		Duration: res.Duration}
	switch {
	case res.Passed:
	case res.End == check.TimedOut:
		o.State, o.TimedOut, o.Why = detect.Blocked, true,
			fmt.Sprintf("it did not end within %s", res.Timeout.Round(time.Second))
	case res.Environment != "":
		o.State, o.Why, o.Hint = detect.Blocked, res.Environment, res.Hint
	case res.End == check.NotStarted:
		o.State, o.Why = detect.Blocked, "it cannot be started: "+whyFailed(res)
	default:
		o.Why = whyFailed(res)
	}
	return o
}
