package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/pkg/distill"
)

// verify runs the checks on the tree in state s and puts back what they changed.
// What a fix_command made of the paths that the proposals named stays: the state given back has it.
func (r *run) verify(ctx context.Context, in VerifyInput, s State, named []string) (Verdict, State, error) {
	in.Report, in.Baseline = r.report(), r.m.Baseline
	in.Fixed = func(ctx context.Context) error {
		now, fixed, err := r.Workspace.Adopt(ctx, s, named)
		if err != nil || len(fixed) == 0 {
			return err
		}
		s, r.tree = now, now
		r.notice("info", "mended by fix_command: "+list(fixed))
		return nil
	}
	v, err := r.Checks.Verify(ctx, in)
	tidied, tidyErr := r.Workspace.Tidy(context.WithoutCancel(ctx), s)
	if err := errors.Join(err, tidyErr); err != nil {
		return Verdict{}, s, err
	}
	if len(tidied) > 0 {
		r.notice("info", "the checks changed "+list(tidied)+": kept out of the commit")
	}
	if len(v.Flakes) > 0 {
		r.notice("warning", "flaky, passed when run again alone: "+list(v.Flakes))
	}
	if v.Green && !in.DocsOnly { // then no test was to run
		v = r.countGuard(v)
	}
	return v, s, nil
}

// countGuard turns a green run that ran fewer tests than the baseline into a
// failing one: tests that did not run prove nothing.
func (r *run) countGuard(v Verdict) Verdict {
	if r.m.Baseline == nil || r.m.Baseline.Broken {
		return v
	}
	before, now := executed(r.m.Baseline.Counts), executed(v.Counts)
	if now < 0 && before > 0 && (r.m.Baseline.Green || distill.AlwaysCounts(r.m.Baseline.Runner)) {
		now = 0 // it counted before, and would again
	}
	if before == 0 || now < 0 || now >= before {
		return v
	}
	v.Green, v.TestsFailed, v.Failing = false, true, before-now
	v.Text = fmt.Sprintf("The test command passed, but only %s ran where %d ran before the change. "+
		"Every test that ran before must run again: undo whatever keeps them from running.", tests(now), before)
	v.Lacks = tests(before-now) + " that ran before did not run"
	v.Signature = fmt.Sprintf("count:%d<%d", now, before)
	return v
}

// tests counts them in words.
func tests(n int) string {
	if n == 1 {
		return "1 test"
	}
	return fmt.Sprintf("%d tests", n)
}

// executed is how many tests ran, -1 where the output does not tell.
func executed(c event.Counts) int {
	if c.Passed == nil {
		return -1
	}
	n := *c.Passed
	if c.Failed != nil {
		n += *c.Failed
	}
	return n
}
