// Package failure holds what the checks say of one state of the work tree: the verdict,
// the failing tests and diagnostics, the counts. It is one form from the check that ran to
// the report, so that nothing is lost on the way. It is plain data, and decides nothing.
package failure

import (
	"strings"

	"github.com/booty-cli/booty/internal/testreport"
)

// Failure is one failing test or diagnostic.
type Failure struct {
	// Test is the name as a user of the framework gives it; "" for diagnostics.
	Test string `json:"test"`
	// File is relative to the repository's root where it lies there. Line and Column
	// are 0 where the output has none.
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column,omitempty"`
	Message string `json:"message"`
	// Expected and Actual are set where the output tells them apart.
	Expected string `json:"expected,omitempty"`
	Actual   string `json:"actual,omitempty"`
	// Frames are the calls inside the repository, innermost first.
	Frames []Frame `json:"frames,omitempty"`
	// Kind is test, hook, subtest, compile, type, vet, lint, load, crash, timeout or error; absent
	// where the output does not tell.
	Kind string `json:"kind,omitempty"`
	// Check is the name of the check that told it.
	Check string `json:"check,omitempty"`
	// Place and Nth tell the test from others of its name, see [ID].
	Place string `json:"place,omitempty"`
	Nth   int    `json:"nth,omitempty"`
}

// Frame is one call of a stack trace.
type Frame struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column,omitempty"`
	Func   string `json:"func,omitempty"`
}

// Same says that two tell the same of the same place, by the same check.
func (f Failure) Same(g Failure) bool {
	return f.Test == g.Test && f.File == g.File && f.Line == g.Line && f.Column == g.Column &&
		f.Message == g.Message && f.Kind == g.Kind && f.Check == g.Check
}

// Says is the message; or, where its first line only announces two values, as those of node's
// assert and of Jest do, the values themselves.
func (f Failure) Says() string {
	first, _, _ := strings.Cut(f.Message, "\n")
	announces := strings.HasSuffix(strings.TrimSpace(first), ":") || strings.HasPrefix(first, "expect(")
	if !announces || !short(f.Expected) || !short(f.Actual) {
		return f.Message
	}
	return "expected " + f.Expected + ", got " + f.Actual
}

// short reports whether a value is known and fits in a line with another one.
func short(value string) bool {
	const most = 30 // two of them, and the words around them, in the 80 columns of a message
	return value != "" && len(value) <= most && !strings.Contains(value, "\n")
}

// NotLoaded reports whether it is of code that did not load or build, or that go vet kept from being tested.
func (f Failure) NotLoaded() bool {
	return f.Kind == testreport.Load || f.Kind == "compile" || f.Kind == "type" || f.Kind == "vet"
}

// Tests gives the names of the failing tests, each once.
func Tests(failures []Failure) []string { return Names(IDs(failures)) }

// Beside counts the failures of what is no test.
func Beside(failures []Failure) (n int) {
	for _, f := range failures {
		if f.Kind == testreport.Hook || f.Kind == testreport.Load {
			n++
		}
	}
	return n
}
