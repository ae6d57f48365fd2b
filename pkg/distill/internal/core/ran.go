package core

import "github.com/booty-cli/booty/internal/testreport"

// Ran is a test as the reader of its runner found it: how it ended, and what failed in it. The failures
// of one that passed in the end are those of earlier tries.
type Ran struct {
	testreport.Test
	Failures []Failure
}

// File reports what failed in the tests of a run, and counts them. Rows count with their test; nonTests
// are those of the failed that are no tests.
func (f *Result) File(ran []Ran) (t Total, nonTests int) {
	for _, r := range ran {
		for _, x := range r.Failures {
			if r.Outcome == testreport.Passed {
				x.Kind = KindRetry
				f.Retried = append(f.Retried, x)
			} else {
				f.Fail(x)
			}
		}
		switch {
		case r.Of != "":
		case r.Outcome == testreport.Passed:
			t.Passed++
		case r.Outcome == testreport.Skipped:
			t.Skipped++
		default:
			t.Failed++
			if r.Kind != "" {
				nonTests++
			}
		}
	}
	return t, nonTests
}
