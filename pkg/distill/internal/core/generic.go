package core

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

// ReadGeneric reads the runs of test runners that nothing else knows, by what
// nearly all of them share: marks beside names, headings with a message below,
// lists of what failed, and sums. Which marks are those of failures is learned
// from the output itself.
func ReadGeneric(d *stream.Doc, f *Found) {
	g := &generic{d: withoutLevels(d), all: d, f: f, known: namedTests(f.Failures[f.from:])}
	g.runs, g.sums = runsOf(g.d), map[int]bool{}
	for _, r := range g.runs {
		if r.summed {
			for i := r.to; i < r.end; i++ {
				g.sums[i] = true
			}
			g.counted = true
			g.failed += max(r.total.Failed, 0)
			g.passed += max(r.total.Passed, 0)
		}
	}
	if partsFailed(d) {
		f.partFailed = true
	}
	for _, t := range slices.Concat(f.Totals[f.totalsFrom:], f.Reports) {
		g.counted = true
		g.failed += max(t.Failed, 0)
		g.passed += max(t.Passed, 0)
	}
	g.scan()
	g.learn()
	g.enter()
	g.settle()
}

type generic struct {
	d    *stream.Doc // the lines without the levels of logs
	all  *stream.Doc // the same lines as they are
	f    *Found
	runs []run
	sums map[int]bool // the lines of sums

	marks  []marked
	atLine map[int]int // index of the mark at a line
	groups map[string]*group
	order  []*group
	ledger *ledger

	counted        bool             // a sum was read
	passed, failed int              // what the sums say
	begun          map[string]bool  // names that a word has announced
	textAbove      bool             // the text of a test stands above its result
	taken          int              // the line behind the last block of deeper lines
	said           map[string]Frame // where a line says what a message says
	known          bool             // another reader has found failing tests
	tests          bool             // what ran was a runner of tests
}

// withoutLevels takes off "[INFO] " and the like where most lines have it.
func withoutLevels(d *stream.Doc) *stream.Doc {
	n, all := 0, 0
	for i := range d.Lines {
		if s := d.Lines[i].S; s != "" {
			all++
			if levelLen(s) > 0 {
				n++
			}
		}
	}
	if n < 3 || n*3 < all {
		return d
	}
	out := &stream.Doc{Label: d.Label, Lines: slices.Clone(d.Lines)}
	for i := range out.Lines {
		s := out.Lines[i].S
		out.Lines[i].S = s[levelLen(s):]
	}
	return out
}

// levelLen is the length of a level in brackets and the blank behind it.
func levelLen(s string) int {
	if s == "" || s[0] != '[' {
		return 0
	}
	end := strings.IndexByte(s, ']')
	if end < 0 || end > 9 || !isLevel(s[:end+1]) {
		return 0
	}
	if end+1 < len(s) && s[end+1] == ' ' {
		end++
	}
	return end + 1
}

// namedTests tells whether failing tests are known already.
func namedTests(all []Failure) bool {
	return slices.ContainsFunc(all, func(x Failure) bool { return x.Test != "" })
}

// scan finds the lines that may speak of a test.
func (g *generic) scan() {
	g.atLine = map[int]int{}
	for i := 0; i < len(g.d.Lines); i++ {
		l := &g.d.Lines[i]
		if l.Used || len(l.S) < 3 || len(l.S) > 400 {
			continue
		}
		if _, frame := ParseFrame(l.S); frame {
			continue
		}
		if m, ok := g.heading(i); ok {
			g.note(m)
			continue
		}
		if m, ok := g.closing(i); ok {
			g.note(m)
			continue
		}
		if m, ok := g.titled(i); ok {
			g.note(m)
			i++
			continue
		}
		m, ok := g.placedMark(l.S)
		if ok && m.nameBelow() && i+1 < len(g.d.Lines) && nameLike(g.d.Lines[i+1].S) {
			name, more := cutName(g.d.Lines[i+1].S, "")
			m.name, m.more, m.at, m.head = strings.TrimPrefix(name, "test "), more, i+1, i
			if d, is := g.f.Root.PlaceIn(l.S); is {
				m.place = Frame{File: d.File, Line: d.Line, Column: d.Col}
			}
			g.note(m)
			i++
			continue
		}
		if !ok || m.said != passed && m.number == 0 && !g.plausible(&m) || g.inDiff(i) {
			continue
		}
		m.at = i
		g.note(m)
	}
}

// titled reads "Error:" alone in a line, with the name of the test below it.
func (g *generic) titled(i int) (marked, bool) {
	s := g.d.Lines[i].S
	if !strings.HasSuffix(s, ":") || len(s) > 16 || verdictOf(s) != failed || i+1 >= len(g.d.Lines) {
		return marked{}, false
	}
	name, colon := strings.CutSuffix(g.d.Lines[i+1].S, ":")
	if !colon || IndentOf(name) != IndentOf(s) || strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Exception") {
		return marked{}, false
	}
	m := marked{at: i + 1, head: i, indent: IndentOf(s), lead: strings.TrimSpace(s), said: failed}
	m.name, m.place = g.f.Root.cutPlaced(strings.TrimSpace(name))
	return m, nameLike(m.name)
}

// placedMark takes a line apart, and the place beside the name from it.
func (g *generic) placedMark(s string) (marked, bool) {
	m, ok := splitMark(s)
	if ok {
		m.name = strings.TrimSuffix(m.name, " [")
	}
	digits := strings.ContainsAny(s, "0123456789") && strings.ContainsAny(s, ":@(<")
	if !digits || ok && m.said == passed {
		return m, ok
	}
	if ok {
		m.name, m.place = g.f.Root.cutPlaced(m.name)
	}
	if m.place.File != "" || ok && m.said != unknown && m.lead+m.tail != "error" {
		if d, from, _, is := g.f.Root.findPlace(s); is && m.place.File == "" && strings.Index(s, m.name) > from {
			m.place = Frame{File: d.File, Line: d.Line, Column: d.Col}
		}
		return m, ok
	}
	d, from, _, is := g.f.Root.findPlace(s)
	if !is || from > IndentOf(s) {
		return m, ok
	}
	n, is := codedMark(d.Text)
	if !is {
		return m, ok
	}
	n.indent, n.place = IndentOf(s), Frame{File: d.File, Line: d.Line, Column: d.Col}
	return n, true
}

// codedMark reads what stands behind a place: "FAIL half cents", "F:Core:test_adds:0: why",
// "test_adds:FAIL: why".
func codedMark(s string) (marked, bool) {
	if word, name, ok := strings.Cut(s, " "); ok && strings.HasPrefix(word, "FAIL") && verdictOf(word) == failed && nameLike(name) {
		return marked{lead: word, said: failed, name: name}, true
	}
	m := marked{lead: ":"}
	parts := strings.SplitN(s, ":", 6)
	for i, p := range parts {
		if p == "" || strings.Contains(p, " ") {
			m.more = strings.TrimSpace(strings.Join(parts[i:], ":"))
			break
		}
		v := verdictOf(p + ":")
		switch {
		case v == unknown && p == "P":
			m.said = passed
		case v != unknown && p == strings.ToUpper(p):
			m.said = v
		case nameLike(p) && !stream.OnlyDigits(p):
			m.name = p
		}
	}
	return m, m.said != unknown && m.name != "" && len(parts) > 2
}

// closing reads a line that is a result and nothing else, which closes the test
// that a line above has begun: "test adds ... ", its output, "FAILED".
func (g *generic) closing(i int) (marked, bool) {
	word, note, _ := strings.Cut(strings.TrimSpace(g.d.Lines[i].S), " (")
	v := verdictOf(word)
	if v != failed && v != passed || word == "" || word[0] >= 0x80 || len(word) > 9 || word == "F" || word == "E" {
		return marked{}, false
	}
	if t := strings.TrimSpace(g.d.Lines[max(i-1, 0)].S); i > 0 && reNoun().MatchString(t) {
		if name, _ := cutName(t, ""); nameLike(name) { // "Testcase: adds", and its result below
			return marked{at: i, indent: IndentOf(g.d.Lines[i-1].S), tail: "\x02" + word, said: v, name: name}, true
		}
	}
	for j := i - 1; j >= 0 && j > i-200; j-- {
		if n, is := g.atLine[j]; is && g.marks[n].said != unknown && g.marks[n].said != begun {
			break
		}
		name, rest, ok := strings.Cut(g.d.Lines[j].S, "...")
		if !ok || IndentOf(name) > 4 || strings.HasPrefix(rest, ".") {
			continue
		}
		m := marked{indent: IndentOf(name)}
		name = strings.TrimPrefix(strings.TrimSpace(m.cutIndex(strings.TrimSpace(name))), "test ")
		if name, _ = cutName(name, ""); !nameLike(name) || verdictOf(strings.TrimSpace(rest)) != unknown && strings.TrimSpace(rest) != "" {
			continue
		}
		more := strings.TrimSpace(strings.TrimSpace(rest) + " " + strings.TrimSuffix(note, ")"))
		return marked{at: i, indent: m.indent, tail: "\x02" + word, said: v, name: name, more: more}, true
	}
	return marked{}, false
}

func (g *generic) note(m marked) {
	if m.head == 0 {
		m.head = m.at
	}
	g.atLine[m.at] = len(g.marks)
	g.marks = append(g.marks, m)
}

// inDiff tells a line of a comparison: the next or the last begins with the
// other sign.
func (g *generic) inDiff(i int) bool {
	sign := func(k int) byte {
		if k < 0 || k >= len(g.d.Lines) {
			return 0
		}
		t := strings.TrimLeft(g.d.Lines[k].S, " \t")
		if t == "" || t[0] != '+' && t[0] != '-' {
			return 0
		}
		return t[0]
	}
	own := sign(i)
	for _, step := range []int{-1, 1} {
		k := i
		for own != 0 && sign(k) == own && k < i+20 && k > i-20 {
			k += step
		}
		if own != 0 && sign(k) == '+'+'-'-own {
			return true
		}
	}
	return false
}

// plausible tells whether what stands beside a mark can be a name.
func (g *generic) plausible(m *marked) bool {
	if len(m.name) > 200 || isLevel(m.lead) && (m.said != failed || strings.Contains(Qualified(m.name), " ")) {
		return false
	}
	return nameLike(m.name) || m.said == failed && g.f.Root.isFile(m.name)
}

// isLevel tells the levels of logs.
func isLevel(mark string) bool {
	word, _, _ := strings.Cut(strings.ToLower(strings.Trim(mark, "[]():<>*! ")), " ")
	switch word {
	case "info", "debug", "warn", "warning", "notice", "trace", "note", "hint", "help", "fatal", "critical", "verbose", "log", "error", "err":
		return true
	}
	return false
}

// heading reads a name between rules: "____ name ____", "---- name stdout ----".
func (g *generic) heading(i int) (marked, bool) {
	s := strings.TrimSpace(g.d.Lines[i].S)
	if len(s) < 8 || !rule(s[:1]) && !rule(s[:3]) {
		return marked{}, false
	}
	t := strings.Trim(s, rules+" ")
	if r := reDuring().FindStringIndex(t); r == nil { // "ERROR at setup of name"
		if mark, rest := leadingMark(t); verdictOf(mark) == failed && reDuring().MatchString(rest) {
			t = rest
		}
	}
	before := strings.Index(s, t)
	if t == "" || before < 3 || len(s)-before-len(t) < 3 && before < 6 {
		return marked{}, false
	}
	t = strings.TrimSuffix(strings.TrimSuffix(t, " stdout"), " stderr")
	t = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(t, "STDOUT:"), "STDERR:"))
	m, ok := splitMark(t)
	if !ok || m.said == unknown {
		m = marked{name: t}
		m.name, m.more = cutName(t, "")
	}
	m.at, m.lead, m.indent = i, "\x01heading", 0
	return m, nameLike(m.name) && !g.title(m.name)
}

// title tells the heading of a part of the output.
func (g *generic) title(s string) bool {
	low := strings.ToLower(s)
	if strings.ContainsAny(s, "_.:[") {
		return false
	}
	return sectionOf(low) != 0 || strings.Contains(low, "session") || strings.Contains(low, "captured ") || strings.Contains(low, "summary") || strings.Contains(low, "warnings")
}

// group is all lines that carry the same mark in the same column.
type group struct {
	key   string
	marks []*marked
	said  verdict
	below int // how many have a block of deeper lines or a trace below
}

// learn decides which marks are those of failures.
func (g *generic) learn() {
	g.groups = map[string]*group{}
	for i := range g.marks {
		m := &g.marks[i]
		k := m.key()
		x := g.groups[k]
		if x == nil {
			x = &group{key: k, said: m.said}
			if strings.HasPrefix(k, "\x01") {
				x.said = unknown
			}
			g.groups[k] = x
			g.order = append(g.order, x)
		}
		x.marks = append(x.marks, m)
		if g.follows(m) {
			x.below++
		}
	}
	crosses, ticks := 0, 0
	for _, x := range g.order {
		switch x.said {
		case passed:
			ticks += len(x.marks)
		case failed:
			crosses += len(x.marks)
		}
	}
	g.tests = g.counted || crosses > 0 && ticks > 0 || g.f.partFailed
	g.textAbove = g.printsAbove()
	for _, x := range g.order {
		if x.said == unknown && !strings.HasPrefix(x.key, "\x01") && x.marks[0].number == 0 {
			x.said = g.judge(x)
		}
	}
}

// printsAbove tells whether the text of a failing test stands above its result:
// there is some above the first and none below the last.
func (g *generic) printsAbove() bool {
	first, last := (*marked)(nil), (*marked)(nil)
	for i := range g.marks {
		if m := &g.marks[i]; m.said == failed && m.number == 0 && !strings.HasPrefix(m.key(), "\x01") {
			if first == nil {
				first = m
			}
			last = m
		}
	}
	if first == nil || g.telling(g.linesAbove(first.head)) <= 3 || g.follows(last) {
		return false
	}
	below, _ := g.below(last)
	return g.telling(below) == 0
}

// judge learns what an unknown mark says: from the sum that it agrees with, and
// from the mark that stands in the same column of lines otherwise alike.
func (g *generic) judge(x *group) verdict {
	var pair *group
	for _, y := range g.order {
		if y != x && (y.said == passed || y.said == unknown) && sameColumn(x, y) && (pair == nil || len(y.marks) > len(pair.marks)) {
			pair = y
		}
	}
	n := len(x.marks)
	agrees := g.failed > 0 && n == g.failed
	switch {
	case g.counted && g.failed == 0:
		return unknown
	case pair == nil:
		if agrees && x.below*2 >= n {
			return failed
		}
		return unknown
	case agrees && (x.below > 0 || g.passed > 0 && len(pair.marks) == g.passed), pair.said == passed && x.below > 0 && x.below*2 >= n, pair.said == unknown && x.below*2 >= n && pair.below*2 < len(pair.marks) && n <= len(pair.marks):
		if pair.said == unknown && (x.below > 0 || agrees) {
			pair.said = passed
			g.tests = true
		}
		return failed
	}
	return unknown
}

// sameColumn tells whether two marks stand in the same place of their lines.
func sameColumn(x, y *group) bool {
	a, b := x.marks[0], y.marks[0]
	return (a.lead == "") == (b.lead == "") && (a.tail == "") == (b.tail == "") && a.lead != b.lead == (a.tail == b.tail) && a.number == 0 && b.number == 0 && !strings.HasPrefix(y.key, "\x01")
}

// follows tells whether deeper lines, a trace or values stand below a line.
func (g *generic) follows(m *marked) bool {
	gap := false
	for j := m.at + 1; j < len(g.d.Lines) && j < m.at+4; j++ {
		s := g.d.Lines[j].S
		if strings.TrimSpace(s) == "" {
			gap = true
			continue
		}
		if _, is := g.atLine[j]; is && IndentOf(s) <= m.indent {
			return false
		}
		if IndentOf(s) > m.indent {
			return true
		}
		_, frame := ParseFrame(s)
		_, _, value := valueOf(s)
		return frame || value || ErrorLike(s) > 3 && !gap
	}
	return false
}
