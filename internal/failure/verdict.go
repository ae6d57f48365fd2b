package failure

import (
	"strings"

	"github.com/booty-cli/booty/internal/testreport"
)

// Tally is how precisely the failures are known, from each by name to not at all.
type Tally int

// The tallies. What is worse is greater.
const (
	Named     Tally = iota // each failing test has a name
	Unnamed                // they are counted, not all have names
	Uncounted              // tests did not build, load or end: no number says how many fail
	Unparsed               // nor is the form of the output known
)

// Verdict is what the checks say of one state of the work tree.
type Verdict struct {
	// Green: every gate passed, and the full test command.
	Green       bool `json:"green"`
	TestsFailed bool `json:"tests_failed"`
	GatesFailed bool `json:"gates_failed"`
	// Partial says that only the tests that failed before ran again: they fail
	// still, and others may fail besides.
	Partial bool `json:"partial,omitempty"`
	// NotAlone says that the tests to run alone could not be.
	NotAlone bool `json:"-"`
	// Failing is the number of failing tests, as far as Tally says that it can be told.
	Failing int   `json:"failing"`
	Tally   Tally `json:"tally,omitempty"`
	// Trouble says in words what stands in the place of a number.
	Trouble string `json:"trouble,omitempty"`
	// Failures and Files are those of gates and tests together, in this order.
	Failures []Failure `json:"failures,omitempty"`
	Files    []string  `json:"files,omitempty"`
	// Findings are the failures that gates told; UnnamedGates are those failed
	// gates of which the output tells none.
	Findings     []Failure `json:"findings,omitempty"`
	UnnamedGates []string  `json:"unnamed_gates,omitempty"`
	// Flaky are tests that failed among the others and passed alone; Again are the
	// failures of those that failed alone as well, as that run told them.
	Flaky []string  `json:"flaky,omitempty"`
	Again []Failure `json:"again,omitempty"`
	// Reran are the full runs that were made twice, nothing changed, since what
	// failed passed alone.
	Reran []Reran `json:"-"`
	// Counts are those of the test commands together, nil where one does not tell or
	// was not run in full.
	Counts testreport.Counts `json:"counts"`
	// Ran names the tests that passed, where the output names all, in the form that
	// RanAs tells: names told otherwise are not these.
	Ran   []string `json:"ran,omitempty"`
	RanAs string   `json:"ran_as,omitempty"`
	// RanBadly names those that failed in the same form, where it is [OwnReport].
	RanBadly []string `json:"ran_badly,omitempty"`
	// Rows names the cases of tests that ran, passed or not, where a report tells them from
	// their tests.
	Rows []string `json:"rows,omitempty"`
	// NoTests says that a test command ran no test: what was skipped did not run.
	NoTests bool `json:"no_tests,omitempty"`
	// Silent are the test commands that ended well and told of no test: nothing shows
	// that they run any.
	Silent []string `json:"silent,omitempty"`
	// AlwaysCounts says that the test runner counts its tests however it ends.
	AlwaysCounts bool `json:"always_counts,omitempty"`
	// Text is for whoever has to fix it, gates and tests together, within 6000 bytes.
	Text string `json:"text,omitempty"`
	// Signature is the same for the same failure; "" when Green.
	Signature string `json:"signature,omitempty"`
	// Hung says that a check did not end in time; "" else.
	Hung string `json:"-"`
	// Environment says what outside the code broke the checks, Hint what fixes it.
	Environment string `json:"environment,omitempty"`
	Hint        string `json:"hint,omitempty"`
	// Unread says that no failing check, gate or test, named a test or a file: nobody
	// can act on that, also where its form is known.
	Unread bool `json:"unread,omitempty"`
	// LeftOut are gates whose tool is not installed here: they judged nothing.
	LeftOut []LeftOut `json:"left_out,omitempty"`
}

// LeftOut is a gate that cannot run here, and why.
type LeftOut struct {
	Gate   string `json:"gate"`
	Reason string `json:"reason"`
}

// LeftReport is the form of names in JUnit XML that a runner left in the work tree.
const LeftReport = "JUnit XML"

// OwnReport is the form of names in a report that the runner itself wrote.
const OwnReport = "its own report"

// Reported says that a runner itself reported the tests that ran.
func (v Verdict) Reported() bool { return strings.Contains(v.RanAs, OwnReport) }

// TestsRan is how many tests ran, -1 where the output does not tell.
func (v Verdict) TestsRan() int { return v.Counts.Ran() }

// Reran tells of a full run that was made twice: which tests Failed at first, and
// how it ended then; Still names those that failed the second time.
type Reran struct {
	Failed, Still []string
	Passed        bool
}
