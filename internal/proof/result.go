package proof

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/testreport"
)

// Result is the result of the test command in a tree.
type Result struct {
	Passed bool
	// Failures are those that it reported, those of tests with names.
	Failures []failure.Failure
	// Again are the failures of tests that also failed when they ran alone, Flaky names those that
	// passed then.
	Again []failure.Failure
	Flaky []string
	// Passing names the tests that passed, in the form As; nil if not all have names. Failing names
	// those that failed, and Rows the cases of tests, if the runner's own report does.
	Passing, Failing, Rows []string
	As                     string
	// Counts are how many tests ran. AlwaysCounts says that the runner counts them however
	// it ends.
	Counts       testreport.Counts
	AlwaysCounts bool
	// TimedOut says that the tests did not end in time.
	TimedOut bool
	// NoTests says that no test ran. Trouble is why the tests could not run, such as a missing
	// tool; "" if they could.
	NoTests bool
	Trouble string
	// Text is the summary of failures for whoever has to fix them.
	Text string
}

// ResultOf returns the result of the tests in a verdict.
func ResultOf(v failure.Verdict) Result {
	return Result{
		Passed: v.Green, Failures: v.Failures, Again: v.Again, Flaky: v.Flaky, Passing: v.Ran, Failing: v.RanBadly, Rows: v.Rows, As: v.RanAs,
		Counts: v.Counts, AlwaysCounts: v.AlwaysCounts, NoTests: v.NoTests, Trouble: cmp.Or(v.Environment, v.Hung), Text: v.Text,
	}
}

// reported reports whether the runner itself says which tests ran.
func (r Result) reported() bool { return strings.Contains(r.As, failure.OwnReport) }

// known are the signatures of what failed.
func (r Result) known() []failure.Signature { return failure.Signatures(r.Failures, r.Again) }

// breaks are the failures of a later run that are not among these.
func (r Result) breaks(later Result) []failure.Failure {
	known := r.known()
	return slices.DeleteFunc(slices.Clone(later.Failures), func(f failure.Failure) bool {
		return f.Test == "" || failure.SignatureOf(f).Known(known)
	})
}

// words say how the tests ended.
func (r Result) words() string {
	switch {
	case r.Trouble != "":
		return r.Trouble
	case r.NoTests:
		return "no tests were found"
	case r.Passed:
		return cmp.Or(r.Counts.Words(), "passed")
	}
	if names := failure.Tests(r.Failures); len(names) > 0 {
		return cmp.Or(r.Counts.Words(), "failed") + ": " + some(names)
	}
	return "failed without naming a test"
}

func tests(n int) string {
	if n == 1 {
		return "1 test"
	}
	return fmt.Sprintf("%d tests", n)
}

// some names a few.
func some(names []string) string {
	const most = 3
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}

// unloaded says what keeps some of the tests from running while others fail by name; "" if nothing
// seems to.
func (r Result) unloaded() string {
	for _, f := range r.Failures {
		if !r.Passed && (f.Test == "" || f.NotLoaded()) {
			return Result{Failures: []failure.Failure{f}}.failed()
		}
	}
	return ""
}

// loadFailure is the first error of code that did not load or build, "" if there is none.
func (r Result) loadFailure() string {
	if i := slices.IndexFunc(r.Failures, failure.Failure.NotLoaded); i >= 0 {
		return Result{Failures: r.Failures[i : i+1]}.failed()
	}
	return ""
}

// loadedNone reports whether files did not load or build, and nothing else ran: some
// runners then run no test at all.
func (r Result) loadedNone() bool {
	return !r.Passed && len(r.Passing) == 0 && r.Counts.Ran() <= len(r.Failures) && len(r.Failures) > 0 &&
		!slices.ContainsFunc(r.Failures, func(f failure.Failure) bool { return !f.NotLoaded() })
}

// failed says in a line why no tests could be identified.
func (r Result) failed() string {
	for _, f := range r.Failures {
		if f.Message != "" {
			line, _, _ := strings.Cut(strings.TrimSpace(f.Message), "\n")
			return line
		}
	}
	return r.words()
}
