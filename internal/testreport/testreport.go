// Package testreport is the one form of what a test runner says of its tests, and the readers of what
// runners write for programs: JUnit XML, the JSON of jest, RSpec and node, the lines that Go's and
// Rust's programs of tests keep. A report comes in; each test comes out, with its outcome, message and
// place. It runs nothing, opens no file, and does not know whether a report can be trusted.
package testreport

import (
	"cmp"
	"strings"
	"time"
)

// Outcome is how a test ended.
type Outcome string

// The outcomes. A test that did not run for whatever reason is skipped.
const (
	Passed  Outcome = "passed"
	Failed  Outcome = "failed"
	Skipped Outcome = "skipped"
)

// The kinds of what fails beside tests.
const (
	Hook = "hook" // what runs before or after tests: a fixture, a hook
	Load = "load" // a file of tests could not be loaded
)

// Test is how one test ended, as its runner says.
type Test struct {
	// Suite is what holds it: a package, a file, a class. Name is its name in there, with
	// the suite: two tests of a run rarely share it.
	Suite, Name string
	// Title is how people write the name, "" where that is Name. Group is the name of the
	// innermost group around it, where a report has such.
	Title, Group string
	// Program is what ran it, where the runner has several of which none names its tests.
	Program string
	// Of is the test that this one is a row of.
	Of      string
	Outcome Outcome
	// Kind is Hook or Load for what is no test and failed.
	Kind string
	// Message is that of the first of its problems. Those of a test that passed are of
	// earlier tries.
	Message  string
	Problems []Problem
	File     string
	Line     int
	Duration time.Duration
}

// Problem is one of the reasons for which a test failed.
type Problem struct {
	// Type is the kind or class of the error, Text the message at length, often with the stack.
	Type, Message, Text string
	// Stack is the stack where the report has it apart.
	Stack []string
}

// Run holds the tests of one run, in the order in which the runner tells them.
type Run []Test

// Leaves leaves out what only holds rows and does not fail by itself.
func (ts Run) Leaves() Run {
	out := Run{}
	for i, leaf := range ts.Leaf() {
		if leaf {
			out = append(out, ts[i])
		}
	}
	return out
}

// Leaf reports of each test whether it is more than the head of its rows.
func (ts Run) Leaf() []bool {
	type place struct{ suite, name string }
	holds := map[place]bool{} // true where one of its rows fails
	for _, t := range ts {
		if t.Of != "" {
			at := place{t.Suite, t.Of}
			holds[at] = holds[at] || t.Outcome == Failed
		}
	}
	out := make([]bool, len(ts))
	for i, t := range ts {
		rowFails, parent := holds[place{t.Suite, t.Name}]
		out[i] = !parent || t.Outcome == Failed && !rowFails
	}
	return out
}

// Counts counts the tests. A row of a table is one, and what only holds rows is none.
func (ts Run) Counts() Counts {
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
func (ts Run) Of(o Outcome) Run {
	out := Run{}
	for _, t := range ts {
		if t.Outcome == o && t.Of == "" && t.Kind == "" {
			out = append(out, t)
		}
	}
	return out
}

// Rows are the identities of the cases of tests that ran.
func (ts Run) Rows() []string {
	var keys []string
	for _, t := range ts {
		if t.Of != "" && t.Kind == "" && t.Outcome != Skipped {
			keys = append(keys, t.Key())
		}
	}
	return keys
}

// Names are those of the tests, one for each.
func (ts Run) Names() []string {
	names := make([]string, 0, len(ts))
	for _, t := range ts {
		names = append(names, t.Name)
	}
	return names
}

// Keys are the identities of the tests, one for each.
func (ts Run) Keys() []string {
	keys := make([]string, 0, len(ts))
	for _, t := range ts {
		keys = append(keys, t.Key())
	}
	return keys
}

// PlaceOf is the file or program of the test when it goes by a name, "" where the name says it.
func (t Test) PlaceOf(name string) string {
	place := cmp.Or(t.File, t.Program)
	if place != "" && strings.HasPrefix(strings.TrimPrefix(name, "./"), place) {
		return ""
	}
	return place
}

// Key is the test's identity in a word.
func (t Test) Key() string {
	if place := t.PlaceOf(t.Name); place != "" {
		return place + "::" + t.Name
	}
	return t.Name
}
