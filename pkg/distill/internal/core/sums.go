package core

import (
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

// A sum is told in many orders: "3 passed, 1 failed", "passing: 3 / failing: 1",
// "1 of 4 tests failed", "Ran 4 tests", "FAILED (failures=1, errors=1)". It is
// read as numbers and the words beside them; words of no meaning are skipped.

// countKind is what a number counts.
type countKind int

const (
	countNone countKind = iota
	countPassed
	countFailed
	countErrors
	countSkipped
	countTotal
	countOther // files, suites, steps, assertions: not tests
)

// count is one number of a sum.
type count struct {
	kind countKind
	n    int
}

// countStems are the beginnings of the words that say what a number counts.
var countStems = []struct {
	stem string
	kind countKind
}{
	{"pass", countPassed}, {"succe", countPassed}, {"ok", countPassed}, {"good", countPassed}, {"fine", countPassed}, {"green", countPassed},
	{"fail", countFailed}, {"bad", countFailed}, {"broke", countFailed}, {"crash", countFailed}, {"wrong", countFailed}, {"red", countFailed},
	{"error", countErrors}, {"abort", countErrors}, {"died", countErrors}, {"fatal", countErrors}, {"cancel", countErrors}, {"timedout", countErrors}, {"interrupt", countErrors},
	{"skip", countSkipped}, {"omission", countSkipped}, {"ignor", countSkipped}, {"pend", countSkipped}, {"disab", countSkipped}, {"filtered", countOther}, {"todo", countOther},
	{"test", countTotal}, {"spec", countTotal}, {"example", countTotal}, {"case", countTotal}, {"total", countTotal}, {"ran", countTotal},
	{"run", countTotal}, {"scenario", countTotal}, {"tried", countTotal}, {"check", countTotal}, {"execut", countTotal},
	{"suite", countOther}, {"file", countOther}, {"step", countOther}, {"assert", countOther}, {"expect", countOther}, {"module", countOther},
	{"warn", countOther}, {"problem", countOther}, {"fixture", countOther}, {"snapshot", countOther}, {"worker", countOther}, {"feature", countOther},
	{"group", countOther}, {"target", countOther}, {"subtest", countOther}, {"rule", countOther}, {"sec", countOther}, {"ms", countOther}, {"line", countOther},
}

func kindOfWord(w string) countKind {
	if len(w) < 2 {
		return countNone
	}
	for _, c := range countStems {
		if strings.HasPrefix(w, c.stem) {
			if (c.stem == "red" || c.stem == "ok" || c.stem == "ran" || c.stem == "ms" || c.stem == "bad" || c.stem == "sec") && w != c.stem && w != c.stem+"s" {
				continue
			}
			return c.kind
		}
	}
	return countNone
}

// token is a word or a number of a line.
type token struct {
	text string
	num  bool
	sep  string // what stands between this and the next
}

func tokens(s string) []token {
	var out []token
	for i := 0; i < len(s) && len(out) < 60; {
		c := s[i]
		word := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
		num := c >= '0' && c <= '9'
		if !word && !num {
			if n := len(out); n > 0 {
				out[n-1].sep += s[i : i+1]
			}
			i++
			continue
		}
		j := i + 1
		for j < len(s) && (num && (s[j] >= '0' && s[j] <= '9' || s[j] == '.' && j+1 < len(s) && s[j+1] >= '0' && s[j+1] <= '9') ||
			word && (s[j] >= 'a' && s[j] <= 'z' || s[j] >= 'A' && s[j] <= 'Z' || s[j] >= 0x80 ||
				c < 0x80 && s[j] >= '0' && s[j] <= '9')) { // "n150" is a name
			j++
		}
		out = append(out, token{text: strings.ToLower(s[i:j]), num: num})
		i = j
	}
	return out
}

// countsIn reads the numbers of a line that count tests.
func countsIn(s string) []count {
	if len(s) > 300 || !strings.ContainsAny(s, "0123456789") || strings.HasPrefix(s, "ok ") || strings.HasPrefix(s, "not ok ") {
		return nil
	}
	toks := tokens(s)
	var out []count
	label := countNone // "[  PASSED  ] 1 test."
	if t := strings.TrimSpace(s); t[0] == '[' && len(toks) > 1 && toks[1].num && strings.HasPrefix(toks[0].sep, " ") {
		label = kindOfWord(toks[0].text)
	}
	before, foreign, whole := labelled(toks), false, -1
	for i := range toks {
		if !toks[i].num || strings.Contains(toks[i].text, ".") || len(toks[i].text) > 7 || strings.HasPrefix(toks[i].sep, "%") ||
			i+1 < len(toks) && !toks[i+1].num && toks[i].sep == "" {
			continue // the last: "12ms"
		}
		n := Atoi(toks[i].text)
		if n == whole && i > 0 && (toks[i-1].text == "of" || toks[i-1].num) {
			continue // the whole of "2 of 4 tests failed"
		}
		if before {
			out = append(out, count{kindOfWord(toks[i-1].text), n})
			continue
		}
		if i+1 == len(toks) && len(out) > 0 && strings.HasSuffix(toks[i-1].sep, "(") && strings.HasPrefix(toks[i].sep, ")") {
			out = append(out, count{countTotal, n}) // "3 passed (3)"
			continue
		}
		if kind, total := countAt(toks, i); kind != countNone {
			if kind == countOther && i+2 < len(toks) && kindOfWord(toks[i+2].text) == countPassed {
				foreign = true // "0 features passed, 1 failed"
			} else if kind == countTotal {
				foreign = false
			} else if foreign {
				continue
			}
			if i == 1 && kind == countTotal && label != countNone && total < 0 {
				kind = label
			}
			out = append(out, count{kind, n})
			if total >= 0 {
				out = append(out, count{countTotal, total})
				whole = total
			}
		}
	}
	prose := 0
	for i := range toks {
		if !toks[i].num && len(toks[i].text) > 2 && kindOfWord(toks[i].text) == countNone {
			prose++
		}
	}
	if prose > 5+3*len(out) {
		return nil
	}
	return out
}

// labelled tells a line in which each number stands behind its word:
// "Total 2  Passed 1  Failed 1".
func labelled(toks []token) bool {
	n := 0
	for i := range toks {
		if !toks[i].num {
			continue
		}
		if i == 0 || toks[i-1].num || kindOfWord(toks[i-1].text) == countNone || strings.Trim(toks[i-1].sep, " \t:=") != "" {
			return false
		}
		n++
	}
	return n > 1 && toks[len(toks)-1].num
}

// countAt tells what the number at i counts: by the word behind it, or by the
// one before it if a sign binds them ("failures=1", "Failed: 1").
func countAt(toks []token, i int) (kind countKind, total int) {
	total = -1
	sep := toks[i].sep
	if i > 1 && strings.HasSuffix(toks[i-2].text, "expected") && (toks[i-1].text == "fail" || toks[i-1].text == "pass") {
		return countOther, total
	}
	if i > 1 && toks[i-1].text == "of" && toks[i-2].text == "out" {
		return countTotal, total
	}
	next := countNone
	if i+1 < len(toks) && strings.TrimSpace(sep) == "" {
		next = kindOfWord(toks[i+1].text)
	}
	if i > 0 && next == countNone && !toks[i-1].num && strings.ContainsAny(toks[i-1].sep, ":=") && strings.Trim(toks[i-1].sep, ":= \t|") == "" {
		if k := kindOfWord(toks[i-1].text); k != countNone {
			return k, total
		}
	}
	if i+1 < len(toks) && toks[i+1].num && strings.TrimSpace(sep) == "/" { // n/m failed
		total, i = Atoi(toks[i+1].text), i+1
	} else if i+2 < len(toks) && (toks[i+1].text == "of" || toks[i+1].text == "out") { // n of m tests failed
		k := i + 2
		if toks[k].text == "of" && k+1 < len(toks) {
			k++
		}
		if toks[k].num {
			total, i = Atoi(toks[k].text), k
		}
	}
	best := countNone
	for k := i + 1; k < len(toks) && k <= i+4 && !toks[k].num; k++ {
		if strings.ContainsAny(toks[k-1].sep, ",;/|.()[]") && k > i+1 || k == i+1 && strings.ContainsAny(toks[i].sep, ",;:|/()=") {
			break
		}
		w := kindOfWord(toks[k].text)
		if w == countOther && best == countNone {
			return countOther, -1
		}
		if w == countNone && k == i+1 && k+1 < len(toks) && strings.HasSuffix(toks[k].text, "s") && kindOfWord(toks[k+1].text) != countNone {
			return countOther, -1 // "6 containers skipped"
		}
		if w != countNone && (best == countNone || best == countTotal && w != countTotal) {
			best = w
		}
	}
	last := i+1 == len(toks) || strings.ContainsAny(sep, ",;|/)\t") || strings.HasPrefix(sep, "  ")
	if best == countNone && i > 0 && last && !toks[i-1].num && total < 0 && toks[i-1].text != "ok" && strings.Trim(toks[i-1].sep, " \t|") == "" { // "Passed  3", "# fail 1"
		best = kindOfWord(toks[i-1].text)
	}
	return best, total
}

// resultWords must stand in a line that counts tests.
var resultWords = sync.OnceValue(func() *stream.Matcher {
	var words []string
	for _, c := range countStems {
		if c.kind != countOther && c.stem != "red" && c.stem != "run" && c.stem != "ran" && c.stem != "case" {
			words = append(words, c.stem)
		}
	}
	return stream.NewMatcher(words)
})

// counter reads the counts of the lines of a stream, each once.
type counter struct {
	d    *stream.Doc
	memo map[int][]count
}

// at gives the counts of line i, none if it counts other things than tests.
func (c *counter) at(i int) []count {
	s := c.d.Lines[i].S
	if len(s) > 200 || !resultWords().Match([]byte(s)) {
		return nil
	}
	out, known := c.memo[i]
	if !known {
		out = countsIn(s)
		if len(out) > 0 && (otherThings(s) || reFileWord().MatchString(s) || ofTest(s)) {
			out = nil
		}
		c.memo[i] = out
	}
	return out
}

// sumAt reads the sum that begins at line i, over the lines that belong to it,
// and gives the line after it.
func (c *counter) sumAt(i int) (Total, int, bool) {
	d := c.d
	t := tally{-1, -1, -1, -1, -1}
	kinds, timed, errors := 0, false, 0
	end := i
	first := d.Lines[i].S
	ruled := rule(first[:min(3, len(first))])
	results := 0 // numbers that count results, not the whole
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
			if kinds == 1 && IndentOf(s) > IndentOf(first) { // the names below "2 failed"
				continue
			}
			if j > end {
				break
			}
			continue
		}
		for _, n := range counts {
			if !t.take(n, j > i) {
				return t.close(), max(end, i+1), t.enough(timed) && kinds > errors
			}
			kinds++
			if n.kind == countErrors {
				errors++
			}
			if n.kind != countTotal && n.kind != countOther {
				results++
			}
		}
		timed = timed || reSumLabel().MatchString(s) || reTimed().MatchString(s)
		end = j + 1
	}
	if t.whole > 0 && t == (tally{-1, -1, -1, -1, t.whole}) && (reAllWell().MatchString(first) || c.wellBelow(end)) {
		t.passed, t.failed = t.whole, 0
	}
	return t.close(), max(end, i+1), t.enough(timed) && (kinds > errors || ruled)
}

// wellBelow tells whether the next line says that all went well: unittest's "OK".
func (c *counter) wellBelow(i int) bool {
	for ; i < len(c.d.Lines) && c.d.Lines[i].S == ""; i++ {
	}
	return i < len(c.d.Lines) && c.d.Lines[i].S == "OK"
}

// ofTest tells the result of one test, whose name holds numbers.
func ofTest(s string) bool {
	m, ok := splitMark(s)
	if !ok || m.said == unknown || m.lead+m.tail == "" || len(m.name) < 4 || !nameLike(m.name) {
		return false
	}
	if strings.ContainsAny(m.name, ">[(:#") {
		return len(m.name) > 12 && !allCounted(strings.ToLower(m.name))
	}
	return !slices.ContainsFunc(tokens(m.name), func(t token) bool { return kindOfWord(t.text) != countNone })
}

// reFileWord finds a file in a line: what it counts is a part of the run.
var reFileWord = Lazy(`\w/\S*\.\w{1,5}\b|\.(?:test|spec)\.\w`)

// reTimed finds how long a run took: a sum of one number says so.
var reTimed = Lazy(`(?:in |\(|took )\d+(?:\.\d+)? ?(?:ms|s|sec|seconds?|m)\b`)

// reSumLabel finds the label of a line that counts tests and nothing else.
var reSumLabel = Lazy(`^\W*(?i:tests?|specs|examples|scenarios|results?|summary|test summary|test result)\b`)

// otherThings tells a line that counts files or suites, not tests.
func otherThings(s string) bool {
	low := strings.ToLower(strings.TrimSpace(s))
	for _, w := range []string{"test suites", "test files", "suites", "files", "snapshots", "steps", "assertions", "features", "test modules", "asserts"} {
		if strings.HasPrefix(low, w) && !strings.HasPrefix(low, w+"=") || strings.HasPrefix(low, "# "+w) {
			return true
		}
	}
	// "Tasks: 0 successful, 2 total"
	label, _, ok := strings.Cut(low, ":")
	return ok && strings.HasSuffix(label, "s") && !strings.Contains(label, " ") && label != "results" && kindOfWord(label) == countNone
}

// partsFailed tells whether a sum of suites or files says that some failed.
func partsFailed(d *stream.Doc) bool {
	for i := range d.Lines {
		s := d.Lines[i].S
		if len(s) > 120 || !strings.Contains(s, "uites") && !strings.Contains(s, "iles") || !otherThings(s) {
			continue
		}
		for _, w := range []string{" failed", " errored"} {
			if k := strings.Index(s, w); k > 0 && s[k-1] >= '0' && s[k-1] <= '9' && !strings.HasSuffix(s[:k], " 0") {
				return true
			}
		}
	}
	return false
}

// tally is a sum while it is read; -1 is unknown.
type tally struct{ passed, failed, errors, skipped, whole int }

// take adds a number; it fails if another sum begins here. Of a line that tells
// a number again and again as the run goes on, the last counts.
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

// enough tells whether the numbers are a sum of a run of tests.
func (t tally) enough(timed bool) bool {
	failed := t.close().Failed
	known := 0
	for _, n := range []int{t.passed, max(t.failed, t.errors), t.skipped, t.whole} {
		if n >= 0 {
			known++
		}
	}
	return known >= 2 && (t.failed >= 0 || t.errors >= 0 || t.passed >= 0) || failed > 0 && t.whole >= 0 || timed && (t.passed >= 0 || failed > 0)
}

// close computes what follows from the other numbers.
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

// run is a stretch of lines that ends at a sum.
type run struct {
	from, to int // lines; the sum begins at to
	end      int // the line behind the sum
	total    Total
	summed   bool
}

// runsOf cuts a stream at its sums: what follows a sum is a run of its own.
func runsOf(d *stream.Doc) []run {
	var sums []run
	c := &counter{d: d, memo: map[int][]count{}}
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used || l.S == "" || len(c.at(i)) == 0 {
			continue
		}
		if t, end, ok := c.sumAt(i); ok {
			sums = append(sums, run{to: i, end: end, total: t, summed: true})
			i = end - 1
		}
	}
	sums = coveredSums(joinSums(d, sums))
	from := 0
	for i := range sums {
		sums[i].from = from
		from = sums[i].end
	}
	if from < len(d.Lines) {
		sums = append(sums, run{from: from, to: len(d.Lines), end: len(d.Lines)})
	}
	return sums
}

// joinSums makes one of the sums that speak of the same run: those that stand
// close together, and those that are told again and again as a run goes on.
func joinSums(d *stream.Doc, sums []run) []run {
	var out []run
	for _, s := range sums {
		n := len(out)
		if n > 0 && out[n-1].total.Passed <= 0 && out[n-1].total.Failed <= 0 && out[n-1].total.Skipped <= 0 {
			out, n = out[:n-1], n-1 // nothing had run yet
		}
		if n > 0 && (s.to-out[n-1].end < 6 || out[n-1].total == s.total || growing(out[n-1].total, s.total) && alike(d, out[n-1].to, s.to)) {
			if better(s.total, out[n-1].total) {
				out[n-1].total = s.total
			}
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

// coveredSums leaves the last of several sums if it counts what those before it
// have counted together: who runs others tells the whole at the end.
func coveredSums(sums []run) []run {
	n := len(sums) - 1
	if n < 1 {
		return sums
	}
	passed, failed := 0, 0
	for _, s := range sums[:n] {
		passed += max(s.total.Passed, 0)
		failed += max(s.total.Failed, 0)
	}
	last := sums[n].total
	if failed > 0 && last.Failed == failed && (last.Passed > passed || n > 1 && last.Passed == passed) {
		return sums[n:]
	}
	return sums
}

// growing tells a sum of a run that goes on.
func growing(a, b Total) bool {
	return b.Passed >= a.Passed && b.Failed >= a.Failed && (a.Passed > 0 || a.Failed > 0)
}

// alike compares two lines without their numbers.
func alike(d *stream.Doc, i, j int) bool {
	return stream.ShapeOf([]byte(d.Lines[i].S)) == stream.ShapeOf([]byte(d.Lines[j].S)) && j-i < 4
}

func better(a, b Total) bool {
	known := func(t Total) int {
		n := 0
		for _, v := range []int{t.Passed, t.Failed, t.Skipped} {
			if v >= 0 {
				n++
			}
		}
		return n
	}
	if k, l := known(a), known(b); k != l {
		return k > l
	}
	return a.Passed+a.Failed > b.Passed+b.Failed
}

// BehindSums gives the line behind the last sum of a stream.
func BehindSums(d *stream.Doc) int {
	end := len(d.Lines)
	for i := len(d.Lines) - 1; i >= 0 && i > len(d.Lines)-200; i-- {
		if s := d.Lines[i].S; d.Lines[i].Used || len(countsIn(s)) > 0 {
			return i + 1
		}
	}
	return end
}

// reAllWell finds "OK (3 tests)": the whole, and that all is well.
var reAllWell = Lazy(`^(?:OK|PASS(?:ED)?|All) \(?\d+ `)
