package failure

import "time"

// Outcome is how a test ended.
type Outcome string

// The outcomes. A test that did not run for whatever reason is skipped.
const (
	Passed  Outcome = "passed"
	Failed  Outcome = "failed"
	Skipped Outcome = "skipped"
)

// The kinds of what fails beside tests, in Test and in Failure.
const (
	Hook = "hook" // what runs before or after tests: a fixture, a hook
	Load = "load" // a file of tests could not be loaded
)

// Test is how one test ended, as its runner says.
type Test struct {
	// Suite is what holds it: a package, a file, a class. Name is its name as a user
	// of the runner gives it.
	Suite, Name string
	// Program is what ran it, where the runner has several of which none names its tests.
	Program string
	// Of is the test that this one is a row of.
	Of      string
	Outcome Outcome
	// Kind is Hook or Load for what is no test and failed.
	Kind     string
	Message  string
	File     string
	Line     int
	Duration time.Duration
}

// Ran are the tests of one run.
type Ran []Test

// Leaves leaves out what only holds rows and does not fail by itself.
func (ts Ran) Leaves() Ran {
	type place struct{ suite, name string }
	holds := map[place]bool{} // true where one of its rows fails
	for _, t := range ts {
		if t.Of != "" {
			at := place{t.Suite, t.Of}
			holds[at] = holds[at] || t.Outcome == Failed
		}
	}
	out := Ran{}
	for _, t := range ts {
		if rowFails, parent := holds[place{t.Suite, t.Name}]; !parent || t.Outcome == Failed && !rowFails {
			out = append(out, t)
		}
	}
	return out
}

// Counts counts the tests. A row of a table is one, and what only holds rows is none.
func (ts Ran) Counts() Counts {
	n := map[Outcome]int{}
	for _, t := range ts.Leaves() {
		if t.Kind == "" {
			n[t.Outcome]++
		}
	}
	passed, failed, skipped := n[Passed], n[Failed], n[Skipped]
	return Counts{&passed, &failed, &skipped}
}

// Of gives the tests with an outcome, rows of tests and what is no test left out.
func (ts Ran) Of(o Outcome) Ran {
	out := Ran{}
	for _, t := range ts {
		if t.Outcome == o && t.Of == "" && t.Kind == "" {
			out = append(out, t)
		}
	}
	return out
}

// Rows are the identities of the cases of tests that ran.
func (ts Ran) Rows() []string {
	var keys []string
	for _, t := range ts {
		if t.Of != "" && t.Kind == "" && t.Outcome != Skipped {
			keys = append(keys, t.Key())
		}
	}
	return keys
}

// Names are those of the tests, one for each.
func (ts Ran) Names() []string {
	names := make([]string, 0, len(ts))
	for _, t := range ts {
		names = append(names, t.Name)
	}
	return names
}

// Keys are the identities of the tests, one for each.
func (ts Ran) Keys() []string {
	keys := make([]string, 0, len(ts))
	for _, t := range ts {
		keys = append(keys, t.Key())
	}
	return keys
}

// Beside counts the failures of what is no test.
func Beside(failures []Failure) (n int) {
	for _, f := range failures {
		if f.Kind == Hook || f.Kind == Load {
			n++
		}
	}
	return n
}
