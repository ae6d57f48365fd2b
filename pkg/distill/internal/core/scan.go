package core

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// scan finds the lines that may speak of a test.
func (g *generic) scan() {
	g.atLine = map[int]int{}
	readers := []func(int) (marked, bool){g.heading, g.closing, g.titled, g.within, g.explained, g.beside}
	for i := 0; i < len(g.d.Lines); i++ {
		l := &g.d.Lines[i]
		if l.Used || len(l.S) < 3 || len(l.S) > 400 || g.rowAt[i] {
			continue
		}
		if _, frame := ParseFrame(l.S); frame {
			continue
		}
		if strings.TrimSpace(l.S) == "---" { // what is told of a result: keys and values
			i = g.behindValues(i)
			continue
		}
		for _, read := range readers {
			if m, ok := read(i); ok {
				g.note(m)
				i = m.at // a name may stand below its mark
				break
			}
		}
	}
}

// beside reads a mark and the name beside or below it.
func (g *generic) beside(i int) (marked, bool) {
	s := g.d.Lines[i].S
	m, ok := g.placedMark(s)
	m.at = i
	switch {
	case !ok:
		return m, false
	case m.nameBelow() && i+1 < len(g.d.Lines) && nameLike(g.d.Lines[i+1].S):
		m.at, m.head = i+1, i
		g.nameBelow(&m)
		return m, true
	}
	return m, (m.said != failed || m.more != "" || sectionOf(strings.ToLower(s)) == noSection) &&
		(m.said == passed || m.number != 0 || g.plausible(&m)) && (identifier(m.name) || !g.inDiff(i))
}

// nameBelow takes the name from the line below a mark, and the place from beside it.
func (g *generic) nameBelow(m *marked) {
	name, more := cutName(g.d.Lines[m.at].S, "")
	m.name, m.more = strings.TrimPrefix(name, "test "), more
	if m.sure = m.name != name; m.sure { // "test adds: why"
		if head, why, is := strings.Cut(m.name, ": "); is && !strings.Contains(head, " ") {
			m.name, m.more = head, strings.TrimSpace(why+" "+m.more)
		}
	}
	if d, is := g.f.Root.PlaceIn(g.d.Lines[m.head].S); is {
		m.place = Frame{File: d.File, Line: d.Line, Column: d.Col}
	}
}

// behindValues gives the last line of a block between "---" and "..." of the same
// indentation, i itself where no block begins.
func (g *generic) behindValues(i int) int {
	indent := text.IndentOf(g.d.Lines[i].S)
	for j := i + 1; j < len(g.d.Lines) && j < i+200; j++ {
		s := g.d.Lines[j].S
		switch {
		case strings.TrimSpace(s) == "..." && text.IndentOf(s) == indent:
			return j
		case s != "" && text.IndentOf(s) < indent:
			return i
		}
	}
	return i
}

// titled reads "Error:" alone in a line, with the name of the test below it.
func (g *generic) titled(i int) (marked, bool) {
	s := g.d.Lines[i].S
	if !strings.HasSuffix(s, ":") || len(s) > 16 || verdictOf(s) != failed || i+1 >= len(g.d.Lines) {
		return marked{}, false
	}
	name, colon := strings.CutSuffix(g.d.Lines[i+1].S, ":")
	if !colon || text.IndentOf(name) != text.IndentOf(s) || strings.HasSuffix(name, "Error") ||
		strings.HasSuffix(name, "Exception") {
		return marked{}, false
	}
	m := marked{at: i + 1, head: i, indent: text.IndentOf(s), lead: strings.TrimSpace(s), said: failed}
	m.name, m.place = cutPlaced(g.f.Root, strings.TrimSpace(name))
	return m, nameLike(m.name)
}

// within reads "In Suite::test:" above a line that tells an error and its place.
func (g *generic) within(i int) (marked, bool) {
	name, ok := strings.CutPrefix(g.d.Lines[i].S, "In ")
	if !ok || i+1 >= len(g.d.Lines) || !strings.HasSuffix(name, ":") {
		return marked{}, false
	}
	name = strings.TrimSuffix(name, ":")
	p, is := ParseDiag(g.d.Lines[i+1].S, g.f.Root)
	if !is || p.Line == 0 || !strings.ContainsAny(name, ".:#") || strings.ContainsAny(name, " /(") {
		return marked{}, false
	}
	return marked{at: i, head: i, lead: "In", said: failed, name: name, sure: true,
		place: Frame{File: p.File, Line: p.Line, Column: p.Col}}, true
}

// explained reads a name without any mark: of a test within groups ("oven > roast > an
// hour:") with a stack below it, or above deeper lines that tell both what was expected and
// what was there.
func (g *generic) explained(i int) (marked, bool) {
	s := g.d.Lines[i].S
	path, colon := strings.CutSuffix(s, ":")
	nested := colon && strings.Contains(path, " > ")
	threw := strings.Contains(s, "Error") || strings.Contains(s, "Exception")
	if threw && reThrew().MatchString(s) && i+1 < len(g.d.Lines) && isFrame(g.d.Lines[i+1].S) {
		r := reThrew().FindStringSubmatch(s)
		m := marked{at: i, head: i, indent: text.IndentOf(s), lead: "explained", said: failed, name: r[1], more: r[2]}
		return m, nameLike(m.name) && !g.f.Root.Placed(m.name)
	}
	if s == "" || len(s) > 160 || !nested && (i+1 >= len(g.d.Lines) || !deeperValue(s, g.d.Lines[i+1].S)) {
		return marked{}, false
	}
	m := marked{at: i, head: i, indent: text.IndentOf(s), lead: "explained", said: failed, sure: true}
	if t := strings.TrimSpace(path); m.cutIndex(t) != t {
		return m, false // an entry of a list
	}
	m.name, m.more = cutName(path, "")
	wanted, got := false, false
	for j := i + 1; j < len(g.d.Lines) && j < i+12; j++ {
		t := g.d.Lines[j].S
		if nested && isFrame(t) {
			return m, nameLike(m.name)
		}
		if !nested && t != "" && text.IndentOf(t) <= m.indent {
			break
		}
		w, _, ok := valueOf(t)
		wanted, got = wanted || ok && w, got || ok && !w
	}
	return m, !nested && wanted && got && nameLike(m.name) && verdictOf(s) == unknown &&
		!strings.Contains(s, "=")
}

// reThrew reads a name of several words and the error that the test threw.
var reThrew = text.Lazy(`^\s*([^\s:]+(?: [^\s:]+)+): ((?:\w+\.)*\w*(?:Error|Exception)\b.*)$`)

// deeperValue tells whether the line below is deeper and has the label of a value.
func deeperValue(s, below string) bool {
	i := strings.IndexByte(below, ':')
	return i > 0 && i < 24 && !strings.Contains(strings.TrimSpace(below[:i]), " ") &&
		text.IndentOf(below) > text.IndentOf(s) && !strings.Contains(s, ":")
}

// placedMark takes a line apart, and the place beside the name from it.
func (g *generic) placedMark(s string) (marked, bool) {
	m, ok := splitMark(s)
	if ok {
		m.name = strings.TrimSuffix(m.name, " [")
	}
	if ok && m.said == failed {
		m.name, m.place = cutPlaced(g.f.Root, m.name)
	}
	digits := strings.ContainsAny(s, "0123456789") && strings.ContainsAny(s, ":@(<")
	if !digits || ok && m.said == passed {
		return m, ok
	}
	if ok && m.place.File == "" {
		m.name, m.place = cutPlaced(g.f.Root, m.name)
	}
	if ok && m.number > 0 && m.more != "" && placeOnly(m.name) { // "1) a.pl:9 - name"
		m.name, m.more = cutName(m.more, "")
	}
	if m.place.File != "" || ok && m.said != unknown && m.lead+m.tail != "error" {
		if d, from, _, is := g.f.Root.FindPlace(s); is && m.place.File == "" && strings.Index(s, m.name) > from {
			m.place = Frame{File: d.File, Line: d.Line, Column: d.Col}
		}
		return m, ok
	}
	var n marked
	d, is := g.f.Root.LeadingPlace(s, func(said string) (coded bool) {
		n, coded = codedMark(said)
		return coded
	})
	if !is {
		return m, ok
	}
	n.indent, n.place = text.IndentOf(s), Frame{File: d.File, Line: d.Line, Column: d.Col}
	return n, true
}

// codedMark reads what stands behind a place: "FAIL half cents", "F:Core:test_adds:0: why",
// "test_adds:FAIL: why".
func codedMark(s string) (marked, bool) {
	if word, name, ok := strings.Cut(s, " "); ok &&
		(strings.HasPrefix(word, "FAIL") || strings.HasPrefix(word, "PASS")) && nameLike(name) {
		return marked{lead: word, said: verdictOf(word), name: name}, verdictOf(word) != unknown
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
	if v != failed && v != passed || word == "" || word[0] >= 0x80 || len(word) > 9 || word == "F" ||
		word == "E" {
		return marked{}, false
	}
	if t := strings.TrimSpace(g.d.Lines[max(i-1, 0)].S); i > 0 && reNoun().MatchString(t) {
		if name, _ := cutName(t, ""); nameLike(name) { // "Testcase: adds", and its result below
			return marked{at: i, indent: text.IndentOf(g.d.Lines[i-1].S), tail: "\x02" + word, said: v,
				name: name}, true
		}
	}
	for j := i - 1; j >= 0 && j > i-200; j-- {
		if n, is := g.atLine[j]; is && g.marks[n].said != unknown && g.marks[n].said != begun {
			break
		}
		name, rest, ok := strings.Cut(g.d.Lines[j].S, "...")
		if !ok || text.IndentOf(name) > 4 || strings.HasPrefix(rest, ".") {
			continue
		}
		m := marked{indent: text.IndentOf(name)}
		name = strings.TrimPrefix(strings.TrimSpace(m.cutIndex(strings.TrimSpace(name))), "test ")
		if name, _ = cutName(name, ""); !nameLike(name) ||
			verdictOf(strings.TrimSpace(rest)) != unknown && strings.TrimSpace(rest) != "" {
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
	g.atLine[m.at], g.atLine[m.head] = len(g.marks), len(g.marks)
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
	if len(m.name) > 200 || isLevel(m.lead) && !g.bracketed(m.lead) &&
		(m.said != failed || strings.Contains(Qualified(m.name), " ")) {
		return false
	}
	if low := strings.ToLower(m.name); slices.Contains(wantedWords, low) || slices.Contains(actualWords, low) {
		return false // "ERROR: Got: 90"
	}
	if n := text.LeadingDigits(m.name); n > 0 && reAssertionNo().MatchString(m.name) {
		return false
	}
	switch {
	case m.said == failed && (g.f.Root.IsFile(m.name) || m.lead == "not ok" ||
		m.indent > 0 && m.lead != "" && m.lead[0] >= 0x80 && !strings.Contains(m.name, ": ") && named(m.name)),
		nameLike(m.name), m.sure && named(m.name):
		return true
	}
	return m.said == unknown && m.lead == "" && m.tail != "" && named(m.name)
}

// reAssertionNo finds the number of an assertion, which is a part of a test.
var reAssertionNo = text.Lazy(`^\d+ (?:\(\S+\) )?[—–] `)

var rePassedInBrackets = text.Lazy(`(?i)^\s*\[ *(?:ok|pass|passed|success) *\]`)

// bracketed tells a level in brackets beside which passes stand in brackets: "[err]", "[ok]".
func (g *generic) bracketed(lead string) bool {
	if g.brackets == 0 { // looked for once
		g.brackets = 2 + slices.IndexFunc(g.d.Lines,
			func(l stream.Line) bool { return len(l.S) < 400 && rePassedInBrackets().MatchString(l.S) })
	}
	return lead[0] == '[' && verdictOf(lead) == failed && g.brackets > 1
}

// headingOutput is the mark of a heading above what a test has printed.
const headingOutput = "\x01heading output"

// heading reads a name between rules: "____ name ____", "---- name stdout ----".
func (g *generic) heading(i int) (marked, bool) {
	s := strings.TrimSpace(g.d.Lines[i].S)
	if len(s) < 8 || !rule(s[:1]) && !rule(s[:3]) {
		return marked{}, false
	}
	t := strings.Trim(s, rules+" ")
	before := strings.Index(s, t)
	if t == "" || before < 3 || len(s)-before-len(t) < 3 && before < 6 {
		return marked{}, false
	}
	t, lead := strings.TrimSuffix(strings.TrimSuffix(t, " stdout"), " stderr"), "\x01heading"
	if of, is := text.CutAny(t, "STDOUT:", "STDERR:"); is {
		t, lead = strings.TrimSpace(of), headingOutput
	}
	m, ok := splitMark(t)
	if !ok || m.said == unknown {
		m = marked{name: t}
		m.name, m.more = cutName(t, "")
	}
	m.at, m.lead, m.indent = i, lead, 0
	return m, nameLike(m.name) && !g.title(m.name)
}

// title tells the heading of a part of the output.
func (g *generic) title(s string) bool {
	low := strings.ToLower(s)
	if strings.ContainsAny(s, "_.:[") {
		return false
	}
	return sectionOf(low) != 0 || strings.Contains(low, "session") || strings.Contains(low, "captured ") ||
		strings.Contains(low, "summary") || strings.Contains(low, "warnings")
}
