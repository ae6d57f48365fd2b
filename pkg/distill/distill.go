package distill

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/format"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

// DefaultBudget is the largest size of [Report.Text] in bytes where
// [Options.Budget] does not say otherwise.
const DefaultBudget = 6000

// Options says what is known besides the output itself. The zero value is
// useful.
type Options struct {
	// Dir is the folder in which the command ran, usually the root of a
	// repository. Paths in the report are relative to it, and files are looked
	// for (and read, for the line of source at a failure) below it only. Empty
	// means the current directory.
	Dir string
	// PrintedDir is the absolute path at which the command saw Dir, where that is
	// another.
	PrintedDir string
	// Hidden reports whether a file, relative to Dir, must not be quoted. May be nil.
	Hidden func(path string) bool
	// Budget is the largest size of [Report.Text] in bytes; 0 means
	// [DefaultBudget].
	Budget int
	// ExitCode is the exit code of the command, where it is known. A report
	// never contradicts it: with 0 there are no failures, with another code the
	// text never reads as if all had gone well.
	ExitCode *int
}

// Report is what one output says.
type Report struct {
	// Runner names the tools that were recognised, such as "pytest" or
	// "jest, tsc"; empty if none was.
	Runner string `json:"runner"`
	// AlwaysCounts is set if one of these tools prints how many tests passed however its
	// run ends. Where such a tool is silent about it, no test ran.
	AlwaysCounts bool `json:"-"`
	// Passed, Failed and Skipped are nil if the output does not tell.
	Passed  *int `json:"passed"`
	Failed  *int `json:"failed"`
	Skipped *int `json:"skipped"`
	// Failures has one entry for each failing assertion or diagnostic, in the
	// order of the output.
	Failures []Failure `json:"failures"`
	// Retried are tries of tests that failed and passed in the end.
	Retried []Failure `json:"retried,omitempty"`
	// NonTests is how many of Failed are no tests: fixtures and hooks, files that could not be
	// loaded, parts that a runner counts beside their test.
	NonTests int `json:"non_tests,omitempty"`
	// Files are the suspects, best first: sources named by the failures and
	// those that the failing tests import. Test files are left out.
	Files []string `json:"files"`
	// Text is for a reader with little room: every failing test, each cause
	// once, the lines of source, and no noise.
	Text string `json:"text"`
	// NoTests is set if a runner says that there were no tests to run.
	NoTests bool `json:"no_tests"`
	// Recognised is set if the format of the output was understood. Where it is
	// not, Text holds the last and the most error-like lines and says so.
	Recognised bool `json:"recognised"`
	// Signature is a stable hash of the failing set: the same for two runs that
	// fail in the same way, whatever their times, addresses, temporary names
	// and the order of their tests.
	Signature string `json:"signature"`
	// Lines and Bytes are the size of what was read.
	Lines int64 `json:"lines"`
	Bytes int64 `json:"bytes"`

	found   []core.Failure // what Text is made of
	streams []*stream.Stream
	options Options
	red     bool // the run has failed
}

// Without is the report without some of its failures, by their index in [Report.Failures], in
// [Report.Text] and [Report.Files]: those that are known already and not to be fixed.
func (r *Report) Without(known ...int) *Report {
	if r.streams == nil {
		return r
	}
	root, out := newTree(r.options), *r
	defer root.Close()
	out.found = nil
	for i := range r.found {
		if !slices.Contains(known, i) {
			out.found = append(out.found, r.found[i])
		}
	}
	out.tell(root)
	return &out
}

// TextWithin is [Report.Text] made again for a reader with another budget, in bytes.
func (r *Report) TextWithin(budget int) string {
	if r.streams == nil || budget <= 0 {
		return ""
	}
	root, o := newTree(r.options), r.options
	defer root.Close()
	o.Budget = budget
	return render(r, r.found, r.streams, root, o)
}

// Kinds of failure.
const (
	KindTest    = core.KindTest    // an assertion or an error inside a test
	KindCompile = core.KindCompile // a compiler or linker refused
	KindType    = core.KindType    // a type checker refused
	KindLint    = core.KindLint    // a linter complained
	KindLoad    = core.KindLoad    // a test file could not be loaded
	KindCrash   = core.KindCrash   // a process died: panic, signal, data race
	KindTimeout = core.KindTimeout // a test or a run took too long
	KindError   = core.KindError   // an error that belongs to no test
	KindHook    = core.KindHook    // what runs before or after tests failed: a fixture, a hook
	KindSubtest = core.KindSubtest // a part of a test failed that the runner counts next to it
	KindRetry   = core.KindRetry   // a try of a test that passed in the end, see [Report.Retried]
)

// Failure is one failing assertion or one diagnostic.
type Failure struct {
	// Test is the name as a user of the framework gives it; empty for
	// diagnostics of compilers and linters.
	Test string `json:"test"`
	// File is relative to [Options.Dir] where it was found there, else as
	// printed. Line and Column are 0 if the output has none.
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column,omitempty"`
	Kind    string `json:"kind,omitempty"`
	Message string `json:"message"`
	// Expected and Actual are set where the output tells them apart.
	Expected string  `json:"expected,omitempty"`
	Actual   string  `json:"actual,omitempty"`
	Frames   []Frame `json:"frames,omitempty"`
	// FoundBy names the reader or the rule that found it.
	FoundBy string `json:"found_by,omitempty"`
}

// Frame is one call of a stack trace inside the repository, innermost first.
type Frame struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column,omitempty"`
	Func   string `json:"func,omitempty"`
}

// Read reads an output to its end and tells what failed. It fails only if r
// does or if ctx ends; output that it cannot make sense of is not an error.
func Read(ctx context.Context, r io.Reader, o Options) (*Report, error) {
	return settings{stream.DefaultLimits, format.Formats()}.read(ctx, r, o)
}

// settings are what tests change: how much is kept, and who reads it.
type settings struct {
	limits stream.Limits
	rows   []core.Format
}

func (c settings) read(ctx context.Context, r io.Reader, o Options) (*Report, error) {
	if o.Budget <= 0 {
		o.Budget = DefaultBudget
	}
	s := stream.NewSieve(c.limits)
	in := &stream.Counter{R: r}
	if err := s.ReadFrom(ctx, stream.Decoded(in)); err != nil {
		return nil, fmt.Errorf("read output: %w", err)
	}
	k := s.Finish()
	k.Bytes = in.N
	return analyse(k, o, c.rows), nil
}
