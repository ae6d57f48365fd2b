// Package core interprets an output of any tool: what failed, where, and which files are
// suspect. Streams of lines and the readers of single tools come in; one list of failures
// goes out, each once and with its place in the tree, and the counts. It decides nothing by
// a tool's name, reads only files below the given folder, and writes none.
package core

import "github.com/booty-cli/booty/internal/testreport"

// Kinds of failure.
const (
	KindTest    = "test"          // an assertion or an error inside a test
	KindCompile = "compile"       // a compiler or linker refused
	KindType    = "type"          // a type checker refused
	KindVet     = "vet"           // go vet, before the tests of a package, which it keeps from running
	KindLint    = "lint"          // a linter complained
	KindLoad    = testreport.Load // a test file could not be loaded
	KindCrash   = "crash"         // a process died: panic, signal, data race
	KindTimeout = "timeout"       // a test or a run took too long
	KindError   = "error"         // an error that belongs to no test
	KindHook    = testreport.Hook // what runs before or after tests: a fixture, a hook
	KindSubtest = "subtest"       // a part of a test that a runner counts next to it
	KindRetry   = "retry"         // a try of a test that passed in the end
)

// Failure is one failing assertion or one diagnostic.
type Failure struct {
	// Test is the name as users of the framework write it; empty for diagnostics of
	// compilers and linters.
	Test string
	// File is relative to the tree if it was found there, else as printed. Line and Column
	// are 0 if unknown.
	File    string
	Line    int
	Column  int
	Kind    string
	Message string
	// Expected and Actual are set if the output distinguishes them.
	Expected string
	Actual   string
	Frames   []Frame

	// At is the number of the line at which it was found, 0 if unknown.
	At int64
	// Old is set if that line stands in the last good run, too.
	Old bool
	// Runner is the tool that printed it, By the reader that found it.
	Runner, By string
	// Detail holds further lines worth showing: diffs, code frames, notes.
	Detail []string
	// Weak failures are dropped if another one says the same with more detail.
	Weak bool
	// Related are further places, such as the declaration a compiler points at.
	Related []Frame
	// Pkg is a hint for resolving File: a package, folder or class.
	Pkg string
	// Output is what the test printed, used if nothing else is known.
	Output []string
}

// Frame is one call of a stack trace inside the repository, innermost first.
type Frame struct {
	File   string
	Line   int
	Column int
	Func   string
}
