package core

import (
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// Sums come in many forms: "3 passed, 1 failed", "passing: 3 / failing: 1", "1 of 4 tests
// failed", "Ran 4 tests", "FAILED (failures=1, errors=1)". They are read as numbers with
// the words next to them; other words are skipped.

// counter caches the counts of the lines of a stream.
type counter struct {
	d    *stream.Stream
	memo []lineCounts // by line
	// marked is how many lines have a sign in front that says that a test passed.
	marked func() int
}

// lineCounts are the counts of a line, once they are known.
type lineCounts struct {
	known  bool
	counts []count
}

func newCounter(d *stream.Stream) *counter {
	return &counter{d: d, memo: make([]lineCounts, len(d.Lines)), marked: sync.OnceValue(func() (n int) {
		for i := range d.Lines {
			if m, ok := markOf(d.Lines[i].S); ok && m.sure && m.said == passed {
				n++
			}
		}
		return n
	})}
}

// at returns the counts of line i, none if it does not count tests.
func (c *counter) at(i int) []count {
	m, s := &c.memo[i], c.d.Lines[i].S
	if m.known {
		return m.counts
	}
	m.known = true
	if len(s) > 200 || !resultWords().Match([]byte(s)) {
		return nil
	}
	if out := countsIn(s); len(out) > 0 && !otherThings(s) && !namesFile(s) && !ofTest(s) {
		m.counts = out
	}
	return m.counts
}

// sumAt reads the sum that begins at line i, over all lines that belong to it, and returns
// the line after it.
func (c *counter) sumAt(i int) (Total, int, bool) {
	d := c.d
	t := tally{-1, -1, -1, -1, -1}
	kinds, errors, told := 0, 0, []string(nil)
	end := i
	first := d.Lines[i].S
	ruled := rule(first[:min(3, len(first))])
	results := 0 // numbers that count results, not the whole
	well := false
	for j := i; j < len(d.Lines) && j < i+12+40*min(results, 1); j++ {
		s := d.Lines[j].S
		if strings.TrimSpace(s) == "" {
			if j > i && kinds != 1 { // mocha and others: one number a line
				break
			}
			continue
		}
		counts := c.at(j)
		if len(counts) == 0 || strings.Contains(s, " == ") || strings.Contains(s, "!=") {
			if kinds == 1 && text.IndentOf(s) > text.IndentOf(first) { // the names below "2 failed"
				continue
			}
			if j > end {
				break
			}
			continue
		}
		fine := strings.HasPrefix(s, "OK (") && strings.HasSuffix(s, ")")
		well = well || fine
		for _, n := range counts {
			if fine && (n.kind == countFailed || n.kind == countErrors) { // expected ones
				continue
			}
			if !t.take(n, j > i) {
				return t.close(), max(end, i+1), t.enough(told) && kinds > errors
			}
			kinds++
			if n.kind == countErrors {
				errors++
			}
			if n.kind != countTotal && n.kind != countOther {
				results++
			}
		}
		told = append(told, s)
		end = j + 1
	}
	if t.whole > 0 && t == (tally{-1, -1, -1, t.skipped, t.whole}) &&
		(well || t.skipped < 0 && (reAllWell().MatchString(first) || c.okBelow(end))) {
		t.passed, t.failed = max(0, t.whole-max(t.skipped, 0)), 0
	}
	return t.close(), max(end, i+1), c.enough(t, told) && (kinds > errors || ruled)
}

// enough reports whether these numbers are the sum of a test run. A number that stands for
// itself is, if that many tests are marked as passed.
func (c *counter) enough(t tally, lines []string) bool {
	return t.enough(lines) || t.passed > 0 && t == (tally{t.passed, -1, -1, -1, -1}) && c.marked() == t.passed
}

// okBelow reports whether the next line says that all went well: unittest's "OK".
func (c *counter) okBelow(i int) bool {
	for ; i < len(c.d.Lines) && c.d.Lines[i].S == ""; i++ {
	}
	return i < len(c.d.Lines) && c.d.Lines[i].S == "OK"
}

// reTimed matches how long a run took, a sign that a single number is a sum.
var reTimed = text.Lazy(`(?:in |\(|took )\d+(?:\.\d+)? ?(?:ms|s|sec|seconds?|m)\b`)

// reSumLabel matches the label of a line that only counts tests.
var reSumLabel = text.Lazy(`^\W*(?i:tests?|specs|examples|scenarios|results?|summary|test summary|` +
	`test result)\b`)

// partsFailed reports whether a sum of suites or files says that some failed.
func partsFailed(d *stream.Stream) bool {
	for i := range d.Lines {
		s := d.Lines[i].S
		if len(s) > 120 || !strings.Contains(s, "uites") && !strings.Contains(s, "iles") || !otherThings(s) {
			continue
		}
		for _, w := range []string{" failed", " errored"} {
			if k := strings.Index(s, w); k > 0 && s[k-1] >= '0' && s[k-1] <= '9' &&
				!strings.HasSuffix(s[:k], " 0") {
				return true
			}
		}
	}
	return false
}

// tally is a sum being read; -1 is unknown.
type tally struct{ passed, failed, errors, skipped, whole int }

// take adds a number. It returns false if another sum begins here. If a line repeats a
// number as the run progresses, the last counts.
func (t *tally) take(c count, later bool) bool {
	put := func(p *int) bool {
		if *p >= 0 && later {
			return false
		}
		*p = max(*p, c.n)
		return true
	}
	switch c.kind {
	case countPassed:
		return put(&t.passed)
	case countFailed:
		return put(&t.failed)
	case countErrors:
		t.errors = max(t.errors, 0) + c.n
	case countSkipped:
		if t.skipped >= 0 && !later {
			t.skipped += c.n
			return true
		}
		return put(&t.skipped)
	case countTotal:
		t.whole = max(t.whole, c.n)
	}
	return true
}

// enough reports whether the numbers of these lines are the sum of a test run.
func (t tally) enough(lines []string) bool {
	failed := t.close().Failed
	known := 0
	for _, n := range []int{t.passed, max(t.failed, t.errors), t.skipped, t.whole} {
		if n >= 0 {
			known++
		}
	}
	return known >= 2 && (t.failed >= 0 || t.errors >= 0 || t.passed >= 0) || failed > 0 && t.whole >= 0 ||
		(t.passed >= 0 || failed > 0) && slices.ContainsFunc(lines, func(s string) bool {
			return reSumLabel().MatchString(s) || reTimed().MatchString(s)
		})
}

// close derives missing numbers from the others.
func (t tally) close() Total {
	if t.errors >= 0 {
		t.failed = max(t.failed, 0) + t.errors
	}
	if t.whole >= 0 && t.passed < 0 && t.failed >= 0 {
		t.passed = max(0, t.whole-t.failed-max(t.skipped, 0))
	}
	if t.whole >= 0 && t.failed < 0 && t.passed >= 0 {
		t.failed = max(0, t.whole-t.passed-max(t.skipped, 0))
	}
	if t.skipped < 0 && t.passed >= 0 && t.failed >= 0 && t.whole <= t.passed+t.failed {
		t.skipped = 0 // who counts the passed and the failed would tell of others
	}
	return Total{t.passed, t.failed, t.skipped}
}

// run is the sum of a run of tests.
type run struct {
	to, end int // its first line, and the one behind it
	total   Total
}

// runsOf returns the sums of a stream.
func runsOf(d *stream.Stream) []run {
	var sums []run
	c := newCounter(d)
	none := map[uint64]int{} // how often a line of this shape was no sum: of a log many are alike
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used || l.S == "" {
			continue
		}
		shape := stream.ShapeOf([]byte(l.S))
		if none[shape] > 3 || len(c.at(i)) == 0 {
			continue
		}
		if t, end, ok := c.sumAt(i); ok {
			sums = append(sums, run{i, end, t})
			i = end - 1
		} else {
			none[shape]++
		}
	}
	return joinSums(sums)
}

// joinSums merges sums of the same run: those that are close together, and repetitions.
func joinSums(sums []run) []run {
	var out []run
	for _, s := range sums {
		n := len(out)
		if n > 0 && out[n-1].total.Passed <= 0 && out[n-1].total.Failed <= 0 && out[n-1].total.Skipped <= 0 {
			out, n = out[:n-1], n-1 // nothing had run yet
		}
		if n > 0 && (s.to-out[n-1].end < 6 || out[n-1].total == s.total) {
			if s.to-out[n-1].end >= 6 {
				out[n-1].to = s.to
			}
			out[n-1].end = s.end
			continue
		}
		out = append(out, s)
	}
	return slices.Clip(out)
}

// reAllWell matches "OK (3 tests)": the total, and that all is well.
var reAllWell = text.Lazy(`^(?:OK|PASS(?:ED)?|All) \(?\d+ `)

// IsSum reports whether a line counts results of several kinds.
func IsSum(s string) bool { return len(s) < 200 && len(countsIn(s)) > 1 && !ofTest(s) }
