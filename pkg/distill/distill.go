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

// DefaultBudget is the maximum size of [Report.Text] in bytes if [Options.Budget] is 0.
const DefaultBudget = 6000

// Options holds what is known besides the output. The zero value is useful.
type Options struct {
	// Dir is the folder in which the command ran, usually the root of a repository. Paths
	// in the report are relative to it, and only files below it are looked up and read.
	// Empty means the current directory.
	Dir string
	// PrintedDir is the absolute path at which the command saw Dir, if different.
	PrintedDir string
	// Hidden reports whether a file, relative to Dir, must not be quoted. May be nil.
	Hidden func(path string) bool
	// Budget is the maximum size of [Report.Text] in bytes; 0 means [DefaultBudget].
	Budget int
	// ExitCode is the command's exit code, if known. A report never contradicts it: with 0
	// there are no failures, with another code the text never reads like success.
	ExitCode *int
	// Before is the output of an earlier run of the same command that passed, if there is one.
	// Lines that stand there too, numbers aside, are noise if the format is not known; lines that are
	// new or missing are the news.
	Before *Good
}

// Good is an earlier output of a run that passed, read for comparison. Several goroutines may share it.
type Good struct{ seen *stream.Seen }

// ReadGood reads to its end the output of a run that passed.
func ReadGood(ctx context.Context, r io.Reader) (*Good, error) {
	s := stream.NewSieve(stream.DefaultLimits.None())
	s.Compare()
	if err := s.ReadFrom(ctx, stream.Decoded(r)); err != nil {
		return nil, fmt.Errorf("read the output of the last good run: %w", err)
	}
	return &Good{s.Finish().Seen}, nil
}

// Report is the content of one output.
type Report struct {
	// Runner names the recognized tools, such as "pytest" or "jest, tsc"; empty if there is
	// none.
	Runner string `json:"runner"`
	// AlwaysCounts is set if one of these tools always prints how many tests passed. If its
	// output has no count, no test ran.
	AlwaysCounts bool `json:"-"`
	// Passed, Failed and Skipped are nil if the output does not say.
	Passed  *int `json:"passed"`
	Failed  *int `json:"failed"`
	Skipped *int `json:"skipped"`
	// Failures has one entry for each failing assertion or diagnostic, in output order.
	Failures []Failure `json:"failures"`
	// Retried are failed tries of tests that passed in the end.
	Retried []Failure `json:"retried,omitempty"`
	// NonTests counts the part of Failed that is not tests: fixtures, hooks, files that
	// could not be loaded, and parts that a runner counts in addition to their test.
	NonTests int `json:"non_tests,omitempty"`
	// Files are the suspects, best first: sources named by the failures and those that the
	// failing tests import. Test files are left out.
	Files []string `json:"files"`
	// Text is a short summary: every failing test, each cause once, the source lines, and
	// no noise.
	Text string `json:"text"`
	// NoTests is set if a runner reports that there were no tests to run.
	NoTests bool `json:"no_tests"`
	// Recognised is set if the format of the output was understood. Otherwise Text holds
	// the last and the most error-like lines, and says so.
	Recognised bool `json:"recognised"`
	// Signature is a stable hash of the failures: the same for two runs that fail in the
	// same way, whatever their times, addresses, temporary names and order of tests.
	Signature string `json:"signature"`
	// Lines and Bytes are the size of the input.
	Lines int64 `json:"lines"`
	Bytes int64 `json:"bytes"`

	found    []core.Failure // the basis of Text
	streams  []*stream.Stream
	options  Options
	red      bool     // the run has failed, or reads as if
	green    bool     // it has passed, by its exit code or all that it counts
	compared bool     // with the last good run
	missing  []string // the lines of that run which are not in this one
	cut      bool     // it was ended from outside
	// suspicious are lines of a green run of unknown exit code that read like errors.
	suspicious     []string
	moreSuspicious int
}

// Without returns the report without some of its failures, given by their index in
// [Report.Failures], such as failures that are known already.
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
	out.finish(root)
	return &out
}

// Recount returns the report with counts from a better source than the output, such as a
// report of the runner's own; nil is unknown.
func (r *Report) Recount(passed, failed, skipped *int) *Report {
	out := *r
	out.Passed, out.Failed, out.Skipped, out.NonTests = passed, failed, skipped, 0
	if r.streams != nil {
		out.Text = out.TextWithin(r.options.Budget)
	}
	return &out
}

// TextWithin returns [Report.Text] for another budget, in bytes.
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
	KindVet     = core.KindVet     // go vet, which keeps a package's tests from running
	KindLint    = core.KindLint    // a linter complained
	KindLoad    = core.KindLoad    // a test file could not be loaded
	KindCrash   = core.KindCrash   // a process died: panic, signal, data race
	KindTimeout = core.KindTimeout // a test or a run took too long
	KindError   = core.KindError   // an error that belongs to no test
	KindHook    = core.KindHook    // something before or after tests failed: a fixture, a hook
	KindSubtest = core.KindSubtest // a part of a test that the runner counts separately failed
	KindRetry   = core.KindRetry   // a failed try of a test that passed in the end, see [Report.Retried]
)

// Failure is one failing assertion or one diagnostic.
type Failure struct {
	// Test is the name as users of the framework write it; empty for diagnostics of
	// compilers and linters.
	Test string `json:"test"`
	// File is relative to [Options.Dir] if it was found there, else as printed. Line and
	// Column are 0 if unknown.
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column,omitempty"`
	Kind    string `json:"kind,omitempty"`
	Message string `json:"message"`
	// Expected and Actual are set if the output distinguishes them.
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

// Read reads an output to its end and reports what failed. It returns an error only if r
// does or if ctx ends; output that it does not understand is not an error.
func Read(ctx context.Context, r io.Reader, o Options) (*Report, error) {
	return settings{stream.DefaultLimits, format.Formats()}.read(ctx, r, o)
}

// settings are what tests change: how much is kept, and which readers run.
type settings struct {
	limits stream.Limits
	rows   []core.Format
}

func (c settings) read(ctx context.Context, r io.Reader, o Options) (*Report, error) {
	if o.Budget <= 0 {
		o.Budget = DefaultBudget
	}
	s := stream.NewSieve(c.limits)
	if o.Before != nil {
		s.Compare()
	}
	in := &stream.Counter{R: r}
	if err := s.ReadFrom(ctx, stream.Decoded(in)); err != nil {
		return nil, fmt.Errorf("read output: %w", err)
	}
	k := s.Finish()
	k.Bytes = in.N
	return analyse(k, o, c.rows), nil
}
