package check

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/testreport"
	"github.com/booty-cli/booty/pkg/distill"
)

// goRunner is how the distiller calls it.
const goRunner = "go test"

// nextestRunner is how it calls that of Rust.
const nextestRunner = "cargo nextest"

// maxRan bounds the tests that are kept.
const maxRan = 20_000

// countTests says which tests a step ran, and how many: by the report of the runner's
// own, else by what was printed.
func (r *Runner) countTests(ctx context.Context, res *Result) {
	s := &res.Summary
	reported := r.reportOf(res)
	switch {
	case reported != nil:
		res.tests, res.as = r.located(reported), failure.OwnReport
	case s.Runner == goRunner:
		res.tests, res.as = goTests(*res), goRunner
	case res.Kind == Test && s.Passed == nil && !s.NoTests:
		r.takeLeft(res)
	}
	all := res.tests
	if all != nil {
		res.addReported()
	} else if res.Kind == Test && positive(s.Passed) && *s.Passed <= maxRan && !res.Truncated &&
		s.Runner != goRunner {
		res.tests, res.as = passedTests(ctx, *res)
	}
	res.identify()
	if all == nil && res.Kind == Test && len(s.Failures) > 0 {
		tests, _ := r.leftReports(res.baseName(), res.began)
		failure.Identify(s.Failures, ofClasses(tests))
	}
	res.count(all)
}

// count counts the tests, all of them where they are known, for whoever shows a number of
// them, and has the text say the same.
func (r *Result) count(all testreport.Run) {
	s := &r.Summary
	counts := failure.Count(all, s.Counts, s.Failures)
	if s.Recount != nil && r.ExitCode != 0 && !counts.Same(s.Counts) {
		told := s.Recount(counts)
		s.Text, s.Fit, s.Without = told.Text, told.Fit, told.Without
	}
	s.Counts = counts
}

// goTests are those that the log of a full "go test -v" names, nil where these are not
// all that were counted: a line of a test's own hides some.
func goTests(res Result) testreport.Run {
	s := res.Summary
	if s.Passed == nil || s.Failed == nil || *s.Passed > maxRan || res.Truncated {
		return nil
	}
	f, err := os.Open(res.Log)
	if err != nil {
		return nil
	}
	defer f.Close()
	tests := testreport.Go(f, maxRan).Tests
	if len(tests.Of(testreport.Passed)) != *s.Passed || len(tests.Of(testreport.Failed)) != *s.Failed {
		return nil
	}
	return tests
}

// passedTests returns the tests that the output of any other runner names as passed; nil if it does
// not name all that it counts.
func passedTests(ctx context.Context, res Result) (testreport.Run, string) {
	f, err := os.Open(res.Log)
	if err != nil {
		return nil, ""
	}
	defer f.Close()
	p, err := distill.PassedTests(ctx, f, *res.Summary.Passed)
	if err != nil || len(p.Names) == 0 {
		return nil, ""
	}
	tests := make(testreport.Run, len(p.Names))
	for i, name := range p.Names {
		tests[i] = testreport.Test{Name: name, Outcome: testreport.Passed}
	}
	return tests, p.Mark
}

// addReported adds failures of the runner's own report that are not in the output.
func (r *Result) addReported() {
	s := &r.Summary
	bad := slices.DeleteFunc(r.tests.Leaves(),
		func(t testreport.Test) bool { return t.Outcome != testreport.Failed })
	untold := failure.Identify(s.Failures, r.tests)
	if failure.CountTests(s.Failures) >= len(bad) {
		return
	}
	for _, t := range untold {
		s.Failures = append(s.Failures, failure.Failure{
			Test: t.Name, File: t.File, Line: t.Line, Message: t.Message, Kind: t.Kind,
		})
	}
	if r.ExitCode == 0 {
		s.Text = "The test command ended with exit code 0, but by its runner's own report there are failures:\n"
		for _, t := range bad {
			s.Text += fmt.Sprintf("%s\n%s\n", t.Name, t.Message)
		}
	}
}

// noTests reports whether a test step ran nothing: what was skipped did not run. Of
// several commands one may have nothing but skipped tests.
func noTests(res Result) bool {
	s := res.Summary
	if positive(s.Passed) || positive(s.Failed) || len(s.Failures) > 0 ||
		res.amongOthers && onlySkipped(res) {
		return false
	}
	return s.NoTests || s.Passed != nil && s.Failed != nil
}

// onlySkipped reports whether a step ended well and skipped all of its tests.
func onlySkipped(res Result) bool {
	s := res.Summary
	return res.ExitCode == 0 && positive(s.Skipped) && !positive(s.Passed) && !positive(s.Failed) &&
		len(s.Failures) == 0
}

func positive(n *int) bool { return n != nil && *n > 0 }

// Names returns the tests with an outcome, as their runner names them; none if the output does not
// name them.
func (r Result) Names(o testreport.Outcome) []string { return r.tests.Of(o).Names() }

// Keys returns the tests with an outcome in the form of Verdict.Ran.
func (r Result) Keys(o testreport.Outcome) []string { return r.tests.Of(o).Keys() }

// ranInAll joins the test names of several commands; nothing if one does not report them.
func (v *verification) ranInAll() {
	if slices.ContainsFunc(v.full,
		func(res Result) bool { return res.tests == nil || len(res.tests) > maxRan }) {
		return
	}
	for _, res := range v.full {
		named := func(o testreport.Outcome) []string {
			names := res.tests.Of(o).Keys()
			for i := range names {
				if len(v.full) > 1 {
					names[i] = res.Name + ": " + names[i]
				}
			}
			return names
		}
		v.RanAs = strings.Trim(v.RanAs+", "+res.as, ", ")
		v.Ran = append(v.Ran, named(testreport.Passed)...)
		if res.as == failure.OwnReport {
			v.RanBadly = append(v.RanBadly, named(testreport.Failed)...)
			v.Rows = append(v.Rows, res.tests.Rows()...)
		}
	}
}
