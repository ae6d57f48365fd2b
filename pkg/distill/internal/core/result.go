package core

import (
	"cmp"
	"slices"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/tree"
)

// Format is the knowledge about one tool. The order of the table only matters if a later
// format leaves used lines alone.
type Format struct {
	Name string   // as its users call it
	Also []string // names of tools that print the same
	// Read reads a whole stream, marks the lines it understood as used, and reports what it
	// found.
	Read func(d *stream.Stream, f *Result)
	// Words: the reader only runs on streams with one of them.
	Words []string
	// Signs name a tool without a reader: in a stream with one of them, what the core finds
	// is attributed to this tool.
	Signs []string
	// Counts is set if the tool prints its counts however the run ends.
	Counts bool
	// Empty are the beginnings of lines that report that there were no tests.
	Empty []string
	// Core readers know no tool.
	Core bool
}

// Result collects what the formats report.
type Result struct {
	Root     *tree.Tree
	Failures []Failure
	Warnings []Failure // reported only if a run failed and nothing else did
	Retried  []Failure // of tests that passed in the end
	Loose    []Failure // traces outside of any framework
	Wrapped  []Failure // what a wrapper says of a failure inside; the same
	Seen     []string  // runners, in the order of recognition
	Totals   []Total
	reports  []reported
	NoTests  bool
	// NonTests counts what a sum counts as failed but is no test: fixtures, hooks, files.
	NonTests int
	// Todo counts tests that a runner lists and does not hold against the run.
	Todo       int
	exit       *int    // the exit code, where it is known
	outer      []Total // sums beside streams that have their own
	from       int     // how many failures the streams before this one had
	totalsFrom int     // and how many totals
	partFailed bool    // a sum of files or suites says that some failed
	counted    int64   // the last line that counts results
	namedFound bool    // the reader of a tool has found failures
	Tally      stream.Tally
	streams    []*stream.Stream
	rows       []Format
	tool       string // of the stream, by its signs
	stream     *stream.Stream
	Format     string
}

// Total holds the counts of one run of one tool; -1 is unknown.
type Total struct{ Passed, Failed, Skipped int }

// NewTotal is a total in the order of the fields.
func NewTotal(passed, failed, skipped int) Total { return Total{passed, failed, skipped} }

// Plus adds the counts of another run.
func (t Total) Plus(u Total) Total {
	return Total{t.Passed + u.Passed, t.Failed + u.Failed, t.Skipped + u.Skipped}
}

// reported are the counts of a report, and how many of its failures are no tests.
type reported struct {
	Total
	nonTests int
}

// Reported reports the counts of a JSON or XML report. A runner may print the same counts
// for people; they count once.
func (f *Result) Reported(t Total, nonTests int) {
	f.Saw(f.Format)
	f.reports = append(f.reports, reported{t, nonTests})
}

// Fail reports a failure.
func (f *Result) Fail(x Failure) {
	if len(f.Failures) >= maxFailures {
		return
	}
	if x.Runner == "" {
		x.Runner = f.Format
	}
	if strings.IndexByte(x.Test, '\n') >= 0 {
		x.Test = strings.Join(strings.Fields(x.Test), " ")
	}
	if strings.IndexByte(x.File, '\n') >= 0 {
		x.File, x.Line, x.Column = "", 0, 0
	}
	f.Saw(x.Runner)
	f.Failures = append(f.Failures, x)
}

// maxFailures bounds the work on an output with countless failures.
const maxFailures = 5000

// Total reports the counts of one run; several runs add up.
func (f *Result) Total(passed, failed, skipped int) {
	f.Saw(f.Format)
	f.Totals = append(f.Totals, Total{passed, failed, skipped})
}

// Saw records that a tool was recognized.
func (f *Result) Saw(runner string) {
	if runner != "" && !slices.Contains(f.Seen, runner) {
		f.Seen = append(f.Seen, runner)
	}
}

// Recognise reads the streams with the formats, in order.
func Recognise(streams []*stream.Stream, root *tree.Tree, t stream.Tally, exit *int, rows []Format) *Result {
	f := &Result{Root: root, Tally: t, exit: exit, streams: streams, rows: rows}
	for _, d := range streams {
		f.stream, f.from, f.totalsFrom, f.namedFound, f.tool = d, len(f.Failures), len(f.Totals), false, ""
		if d.Label != "" {
			f.enterLabel(d.Label)
		}
		f.enterFolders(d)
		for i := range rows {
			f.ask(&rows[i], d)
		}
		f.setRetried(d)
		f.joinReports()
	}
	if len(f.Totals) == 0 {
		f.Totals = f.outer
	}
	return f
}

// ask lets one format read a stream, and records its name in what it finds.
func (f *Result) ask(x *Format, d *stream.Stream) {
	for _, w := range x.Empty {
		if d.Begins(w) {
			f.NoTests = true
			f.Saw(x.Name)
		}
	}
	if x.Read == nil {
		return
	}
	if len(x.Words) > 0 && !slices.ContainsFunc(x.Words, d.Holds) {
		return
	}
	f.Format = x.Name
	lists := []*[]Failure{&f.Failures, &f.Loose, &f.Warnings, &f.Wrapped}
	had := make([]int, len(lists))
	for i, l := range lists {
		had[i] = len(*l)
	}
	x.Read(d, f)
	for i, l := range lists {
		for k := had[i]; k < len(*l); k++ {
			f.namedFound = f.namedFound || !x.Core
			if !x.Core && (*l)[k].Test != "" {
				f.tool = cmp.Or(f.tool, (*l)[k].Runner)
			}
			(*l)[k].By = x.Name
		}
	}
}

// joinReports adds the counts of reports that no runner has printed.
func (f *Result) joinReports() {
	left := slices.Clone(f.Totals)
	for _, r := range f.reports {
		if i := slices.Index(left, r.Total); i >= 0 {
			left = slices.Delete(left, i, i+1)
			continue
		}
		f.Totals, f.NonTests = append(f.Totals, r.Total), f.NonTests+r.nonTests
	}
	f.reports = nil
}

// runner returns the name of the tool for the generic reader.
func (f *Result) runner() string {
	if f.tool != "" {
		return f.tool
	}
	f.tool = "test runner"
	signs := make([][]string, len(f.rows))
	for i := range f.rows {
		signs[i] = f.rows[i].Signs
	}
	if first := stream.NewMatcher(false, signs...).First(f.stream); first >= 0 {
		f.tool = f.rows[first].Name
	}
	return f.tool
}

func (f *Result) Runner() string { return strings.Join(f.Seen, ", ") }

func (f *Result) Recognised() bool { return len(f.Seen) > 0 }

// Counts adds up the totals. A count that one of the runs does not report is unknown, and
// so is zero failures if there are some.
func (f *Result) Counts() (passed, failed, skipped *int) {
	sum := func(get func(Total) int) *int {
		if len(f.Totals) == 0 {
			return nil
		}
		n := 0
		for _, t := range f.Totals {
			v := get(t)
			if v < 0 {
				return nil
			}
			n += v
		}
		return &n
	}
	passed = sum(func(t Total) int { return t.Passed })
	failed = sum(func(t Total) int { return t.Failed })
	skipped = sum(func(t Total) int { return t.Skipped })
	if failed != nil && *failed == 0 && len(f.Failures) > 0 {
		failed = nil
	}
	return passed, failed, skipped
}
