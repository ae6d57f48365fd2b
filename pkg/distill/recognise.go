package distill

import (
	"slices"
	"strings"
)

// format reads what one tool prints. It looks at a whole stream, marks the
// lines it has made sense of as used and reports what it found. The order of
// the table matters only there: a later format leaves used lines alone.
type format struct {
	name string
	read func(d *doc, f *found)
}

// found collects what the formats report.
type found struct {
	root     *tree
	failures []Failure
	warnings []Failure // reported only if a run failed and nothing else did
	loose    []Failure // traces outside of any framework
	wrapped  []Failure // what a wrapper says of a failure inside; the same
	seen     []string  // runners, in the order of recognition
	totals   []total
	reports  []total
	noTests  bool
	exit     *int // the exit code, where it is known
	tally    tally
	docs     []*doc
	doc      *doc
	format   string
}

// total is what one run of one tool counts; -1 is unknown.
type total struct{ passed, failed, skipped int }

// reported reports the counts of a report in JSON or XML. A runner may have
// printed the same ones for a person, and they count once.
func (f *found) reported(t total) {
	f.saw(f.format)
	f.reports = append(f.reports, t)
}

// fail reports a failure.
func (f *found) fail(x Failure) {
	if len(f.failures) >= maxFailures {
		return
	}
	if x.runner == "" {
		x.runner = f.format
	}
	if strings.IndexByte(x.Test, '\n') >= 0 {
		x.Test = strings.Join(strings.Fields(x.Test), " ")
	}
	if strings.IndexByte(x.File, '\n') >= 0 {
		x.File, x.Line, x.Column = "", 0, 0
	}
	f.saw(x.runner)
	f.failures = append(f.failures, x)
}

// maxFailures bounds the work on an output with failures beyond counting.
const maxFailures = 5000

// total reports the counts of one run; they add up over several runs.
func (f *found) total(passed, failed, skipped int) {
	f.saw(f.format)
	f.totals = append(f.totals, total{passed, failed, skipped})
}

// saw notes that a tool has been recognised.
func (f *found) saw(runner string) {
	if runner != "" && !slices.Contains(f.seen, runner) {
		f.seen = append(f.seen, runner)
	}
}

func recognise(docs []*doc, root *tree, t tally, exit *int) *found {
	f := &found{root: root, tally: t, exit: exit, docs: docs}
	for _, d := range docs {
		f.doc = d
		if d.label != "" {
			f.enterLabel(d.label)
		}
		for _, x := range formats() {
			f.format = x.name
			x.read(d, f)
		}
		f.joinReports()
	}
	return f
}

// joinReports adds the counts of reports that no runner has printed as well.
func (f *found) joinReports() {
	left := slices.Clone(f.totals)
	for _, r := range f.reports {
		if i := slices.Index(left, r); i >= 0 {
			left = slices.Delete(left, i, i+1)
			continue
		}
		f.totals = append(f.totals, r)
	}
	f.reports = nil
}

// enterLabel takes the name of a workspace as a folder it may lie in.
func (f *found) enterLabel(label string) {
	label = strings.Trim(label, "[]|: ")
	if i := strings.IndexAny(label, ": "); i > 0 {
		label = label[:i]
	}
	if i := strings.LastIndexByte(label, '/'); i >= 0 && strings.HasPrefix(label, "@") {
		label = label[i+1:]
	}
	for _, dir := range []string{"", "packages/", "apps/", "libs/", "services/", "modules/", "crates/"} {
		f.root.entered(dir + label)
	}
}

func (f *found) runner() string { return strings.Join(f.seen, ", ") }

func (f *found) recognised() bool { return len(f.seen) > 0 }

// counts adds the totals up. A number that one of the runs does not tell is
// not told at all, and neither are no failures where there are some.
func (f *found) counts() (passed, failed, skipped *int) {
	sum := func(get func(total) int) *int {
		if len(f.totals) == 0 {
			return nil
		}
		n := 0
		for _, t := range f.totals {
			v := get(t)
			if v < 0 {
				return nil
			}
			n += v
		}
		return &n
	}
	passed = sum(func(t total) int { return t.passed })
	failed = sum(func(t total) int { return t.failed })
	skipped = sum(func(t total) int { return t.skipped })
	if failed != nil && *failed == 0 && len(f.failures) > 0 {
		failed = nil
	}
	return passed, failed, skipped
}
