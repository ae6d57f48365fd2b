package core

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

// section is a part of an output that lists results.
type section int

const (
	noSection section = iota
	failures
	others // skipped tests, warnings, passes
)

var (
	reSection = Lazy(`^(?:\d+ )?(?:(?:all |the |list of |summary of |details of |short test |test )*(?:failures?|failed|failing|errors?|broken|unsuccessful)(?: (?:tests?|specs?|examples?|scenarios?|cases?|test cases?|test suites|in the test run|info|details|summary|results?))*(?: \(\d+\)|: \d+| \d+)?:?|(?:the )?(?:following|these) .*(?:fail|error|broke).*:?|tests? that failed:?|(?:there (?:was|were) )?\d+ (?:failures?|errors?|failed tests?|failing tests?|risky tests?):?|short test summary info)$`)
	reElse    = Lazy(`^(?:\d+ )?(?:skipped|pending|warnings?|passed|deprecations?|coverage|ignored|todo|(?:list of )?slow(?:est)?|flaky|captured .*|reruns?|failed commands?|notices?|profil\w*|top \d+.*|there (?:was|were) \d+ (?:skipped|incomplete|warnings?|notices?|deprecations?|risky))(?: tests?| examples?| specs?| scenarios?| summary| durations?| info| cases?)*:?(?: ?\(.*\))?$`)
)

// sectionOf tells what a line that is a title lists.
func sectionOf(low string) section {
	t := strings.Trim(low, rules+" :\t!.")
	switch {
	case t == "" || len(t) > 110:
		return noSection
	case len(t) < 70 && reSection().MatchString(t):
		return failures
	case reElse().MatchString(t):
		return others
	}
	return noSection
}

// enter files the events of the stream in the ledger.
func (g *generic) enter() {
	g.ledger, g.begun = newLedger(), map[string]bool{}
	part := noSection
	path := titles{isFile: g.f.Root.isFile}
	for i := 0; i < len(g.d.Lines); i++ {
		s := g.d.Lines[i].S
		if s == "" || len(s) > 400 {
			continue
		}
		if n, is := g.atLine[i]; is {
			m := &g.marks[n]
			path.enter(m.indent)
			if end := g.mark(m, part, &path); end > i {
				i = end - 1
			}
			continue
		}
		if g.d.Lines[i].Used {
			continue
		}
		p := sectionOf(strings.ToLower(s))
		if p == noSection && g.runningTests(i) {
			i = g.list(i, proofMark) - 1
			continue
		}
		if p != noSection {
			part = p
			if p == failures {
				i = g.list(i, proofListed) - 1
			}
			continue
		}
		if part == failures {
			if end := g.namedPlace(i); end > i {
				i = end - 1
				continue
			}
		}
		if g.deeperBelow(i) {
			path.title(s)
		}
	}
}

// runningTests tells the title of the tests that were running when a run died.
func (g *generic) runningTests(i int) bool {
	t := strings.ToLower(strings.Trim(g.d.Lines[i].S, " \t:"))
	if !strings.HasSuffix(t, "running tests") {
		return false
	}
	dead := g.deathAt(max(0, i-3))
	return dead >= 0 && dead <= i
}

// deeperBelow tells whether the next line is deeper: else a line is no title.
func (g *generic) deeperBelow(i int) bool {
	for j := i + 1; j < len(g.d.Lines) && j < i+4; j++ {
		if s := g.d.Lines[j].S; s != "" {
			return IndentOf(s) > IndentOf(g.d.Lines[i].S)
		}
	}
	return false
}

var reNamePlace = Lazy(`^\s*(?:\d+\) )?(\S.*?) (?:=>|->|@|at|in|\(|\[) ?(\S+:\d+(?::\d+)?)[\])]?:?$`)

// namedPlace reads "name => a.js:3:4", which in a list of failures is a failing
// test with its message below.
func (g *generic) namedPlace(i int) int {
	m := reNamePlace().FindStringSubmatch(g.d.Lines[i].S)
	if m == nil || !nameLike(m[1]) || !g.f.Root.placed(m[2]) {
		return i
	}
	k := marked{at: i, indent: IndentOf(g.d.Lines[i].S), number: 1}
	e := event{said: failed, name: Qualified(strings.ReplaceAll(m[1], " ... ", " > ")), at: i, proof: proofHeading}
	var end int
	e.block, end = g.below(&k)
	if n := slices.Index(e.block, ""); n > 0 {
		e.block, end = e.block[:n], i+1+n
	}
	e.block = append(e.block, g.d.Lines[i].S)
	g.ledger.add(e)
	return end
}

// titles are the lines above with less indentation: the parents of a test.
type titles struct {
	indents []int
	names   []string
	isFile  func(string) bool
}

func (t *titles) enter(indent int) {
	n := len(t.indents)
	for n > 0 && t.indents[n-1] >= indent {
		n--
	}
	t.indents, t.names = t.indents[:n], t.names[:n]
}

func (t *titles) title(s string) {
	indent := IndentOf(s)
	t.enter(indent)
	name := strings.TrimSpace(strings.TrimLeft(s, " │├└─┌┃▸▶•#"))
	name = strings.TrimSuffix(cutTook(name), ":")
	if r, n := utf8.DecodeRuneInString(name); glyphVerdict(r) == begun && !strings.Contains(strings.TrimSpace(name[n:]), "/") {
		t.push(indent, strings.TrimSpace(name[n:]))
		return
	}
	if i := strings.LastIndex(name, " ("); i > 0 && t.isFile(strings.Trim(name[i:], " ()")) {
		name = name[:i]
	}
	if len(name) > 100 || strings.HasSuffix(name, ".") || !nameLike(name) || ErrorLike(name) > 0 || strings.HasSuffix(name, " started") || strings.Contains(name, ": ") || strings.ContainsAny(name, "=[]{};|\"") || strings.HasPrefix(name, "$ ") || strings.HasPrefix(name, "> ") {
		return
	}
	t.push(indent, name)
}

func (t *titles) push(indent int, name string) {
	if i := strings.LastIndex(name, " ("); i > 0 && stream.OnlyDigits(strings.Trim(name[i:], " ()")) {
		name = name[:i]
	}
	t.indents, t.names = append(t.indents, indent), append(t.names, name)
}

// above gives the parents of a line with this indentation.
func (t *titles) above(indent int) []string {
	var out []string
	for i, n := range t.indents {
		if n < indent && indent > 0 {
			out = append(out, t.names[i])
		}
	}
	return out
}

// mark files one marked line and gives the line after what belongs to it.
func (g *generic) mark(m *marked, part section, path *titles) int {
	x := g.groups[m.key()]
	e := event{said: x.said, name: m.name, mark: x.key, at: m.at, more: m.more, proof: g.proofOf(m), place: m.place}
	m.listed = part == failures
	if e.place.File == "" {
		e.place = g.placeAbove(m.at)
	}
	if !strings.HasPrefix(x.key, "\x01") && m.number == 0 {
		e.titles = path.above(m.indent)
	}
	end := m.at + 1
	switch {
	case strings.HasPrefix(x.key, "\x01"):
		e.block, end = g.below(m)
		if e.proof = proofHeading; part != failures && m.said != failed {
			e.said = unknown
		} else {
			e.said = failed
		}
	case m.number > 0 && x.said == unknown:
		return g.numbered(m, part)
	case x.said == failed:
		e.block, end = g.below(m)
		if end > m.at+1 && IndentOf(g.d.Lines[m.at+1].S) > m.indent {
			g.taken = end
		}
		own, between := g.telling(e.block), g.textAbove || g.begun[NameKey(m.name)]
		if own < 3 || between {
			if above := g.aboveLines(m); between && (g.telling(above) > 0 || own == 0 && len(above) > 0) {
				e.block, end = above, m.at+1
			} else if g.telling(above) > own {
				e.block = append(above, e.block...)
			}
		}
		if part == others { // a list of what was skipped, or of flaky tests
			e.said = unknown
		}
	case x.said == unknown:
		if m.said == unknown && part == failures && g.follows(m) {
			e.said, e.proof = failed, proofListed
			e.block, end = g.below(m)
		}
	}
	if x.said == begun && m.wordy() {
		g.begun[NameKey(m.name)] = true
	} else if x.said == begun && g.deeperBelow(m.at) {
		path.push(m.indent, m.name)
	}
	e.name = Qualified(e.name)
	e.scenario()
	if e.said != unknown || len(e.block) > 0 {
		g.ledger.add(e)
	}
	return end
}

// wordy tells a mark with a word in it.
func (m *marked) wordy() bool {
	return strings.ContainsFunc(m.lead, func(c rune) bool { return c < 0x80 && unicode.IsLetter(c) })
}

var (
	reStep     = Lazy(`^(?:Given|When|Then|And|But) `)
	reScenario = Lazy(`^(?:Scenario|Example|Scenario Outline|Feature|Rule): `)
)

// scenario takes a step for the scenario that it is a part of: a step is no test.
func (e *event) scenario() {
	if n := len(e.titles); n > 0 && reStep().MatchString(e.name) && strings.HasPrefix(e.titles[n-1], "Scenario") {
		e.more = strings.TrimSpace(e.name + " " + e.more)
		e.name, e.titles = e.titles[n-1], e.titles[:n-1]
	}
	for i, t := range e.titles {
		e.titles[i] = t[len(reScenario().FindString(t)):]
	}
	e.name = e.name[len(reScenario().FindString(e.name)):]
}

// proofOf says how sure a mark speaks of a test.
func (g *generic) proofOf(m *marked) int {
	switch {
	case strings.Contains(m.lead, "not ok"), strings.HasPrefix(m.lead, "---"), strings.HasPrefix(m.lead, "["), strings.HasPrefix(m.lead, "("):
		return proofMark
	case m.tail != "" && m.tail == strings.ToUpper(m.tail):
		return proofMark
	case m.lead != "" && m.lead[0] >= 0x80:
		return proofMark
	}
	return proofWord
}

// numbered files an entry of a numbered list: "1) name", with a message below.
func (g *generic) numbered(m *marked, part section) int {
	e := event{said: unknown, name: m.name, at: m.at, more: m.more, proof: proofHeading, place: m.place}
	if e.place.File == "" {
		e.place = g.placeAbove(m.at)
	}
	first := m.at + 1
	e.name, first = g.longTitle(m, e.name, first)
	if first > m.at+1 && e.place.File == "" {
		_, e.place = g.f.Root.cutPlaced(g.d.Lines[first-1].S)
	}
	k := *m
	k.at = first - 1
	var end int
	e.block, end = g.below(&k)
	switch {
	case part == others:
		e.said = skipped
	case part == failures || g.failed > 0 || tellingBlock(e.block) > 3:
		if tellingBlock(e.block) > 0 || part == failures || g.failed > 0 && g.tests {
			e.said = failed
		}
	}
	if e.said == unknown || !nameLike(e.name) {
		return m.at + 1
	}
	e.name = Qualified(e.name)
	g.ledger.add(e)
	return end
}

// longTitle reads a title of several lines ("1) Suite" / "     name:"), or one
// whose first line says only that it failed.
func (g *generic) longTitle(m *marked, name string, next int) (string, int) {
	line := func(i int) string {
		if i < len(g.d.Lines) {
			return g.d.Lines[i].S
		}
		return ""
	}
	bare := strings.ToLower(strings.Trim(name, ": "))
	if verdictOf(bare) != unknown || strings.HasPrefix(bare, "failure") || strings.HasPrefix(bare, "error") {
		if t := strings.TrimSpace(line(next)); t != "" {
			n, _ := cutName(t, "")
			if k := strings.LastIndex(n, " ["); k > 0 {
				n = n[:k]
			}
			return n, next + 1
		}
	}
	parts := []string{name}
	for i := next; i < next+6; i++ {
		s := line(i)
		if s == "" || IndentOf(s) <= m.indent || i > next && IndentOf(s) < IndentOf(line(i-1)) {
			break
		}
		parts = append(parts, strings.TrimSuffix(strings.TrimSpace(s), ":"))
		if after := line(i + 1); strings.HasSuffix(s, ":") && (after == "" || IndentOf(after) < IndentOf(s)) {
			return strings.Join(parts, " > "), i + 1
		}
	}
	return name, next
}

// list reads the names below a title such as "Failed tests:". Lines that are
// deeper than a name are its message.
func (g *generic) list(i, proof int) int {
	lines := g.d.Lines
	j := i + 1
	for j < len(lines) && j < i+3 && strings.TrimSpace(lines[j].S) == "" {
		j++
	}
	if j >= len(lines) {
		return j
	}
	base := IndentOf(lines[j].S)
	for ; j < len(lines) && j < i+2000; j++ {
		s := lines[j].S
		if _, is := g.atLine[j]; is || lines[j].Used || s == "" || rule(s) || IndentOf(s) != base || g.isSum(j) {
			return j
		}
		e, ok := g.listed(s)
		if !ok {
			return j
		}
		if e.place.File != "" && j+1 < len(lines) && lines[j+1].S != "" && IndentOf(lines[j+1].S) == base {
			if _, again := g.listed(lines[j+1].S); !again {
				return j // its text is below it
			}
		}
		e.at, e.proof = j, proof
		m := marked{at: j, indent: base}
		if j+1 < len(lines) && IndentOf(lines[j+1].S) > base {
			e.block, _ = g.below(&m)
			j += len(e.block)
			for j+1 < len(lines) && lines[j+1].S == "" && j+2 < len(lines) && IndentOf(lines[j+2].S) == base && len(e.block) > 0 {
				j++
			}
		}
		g.ledger.add(e)
	}
	return j
}

// listed reads one entry of a list of names.
func (g *generic) listed(s string) (event, bool) {
	t := strings.TrimLeft(s, "-*•· \t")
	if k := LeadingDigits(t); k > 0 && k < len(t) && (t[k] == ' ' || t[k] == '.' || t[k] == ')') {
		t = strings.TrimLeft(t[k:], " .)-")
	}
	if m, ok := splitMark(t); ok && m.said == failed && m.lead == "" && m.tail == strings.ToUpper(m.tail) {
		return event{said: failed, name: Qualified(m.name), more: m.more}, nameLike(m.name)
	}
	var at Frame
	if m := rePlaceFirst().FindStringSubmatch(t); m != nil && g.f.Root.placed(m[1]) { // "a.feature:6  name"
		_, at = g.f.Root.cutPlaced(m[1])
		t = strings.TrimPrefix(m[2], "Scenario: ")
	}
	if head, rest, ok := strings.Cut(t, " # "); ok && g.f.Root.placed(head) { // "rspec ./a_spec.rb:3 # name"
		_, at = g.f.Root.cutPlaced(head)
		t = rest
	}
	if at.File == "" {
		t, at = g.f.Root.cutPlaced(t)
	}
	name, more := cutName(t, "")
	if m := reListLine().FindStringSubmatch(t); m != nil { // "Class.test:12 message"
		name, more = m[1], m[2]
	}
	if k := strings.LastIndex(name, " ("); k > 0 && strings.HasSuffix(t, ")") {
		if v := strings.Trim(name[k:], " ()"); verdictOf(v) != unknown || strings.HasPrefix(strings.ToLower(v), "exit") {
			name = name[:k]
		}
	}
	if len(name) > 160 || !nameLike(name) || ErrorLike(name) > 4 || g.f.Root.placed(name) {
		return event{}, false
	}
	return event{said: failed, name: Qualified(name), more: more, proof: proofListed, place: at}, true
}

var rePlaceFirst = Lazy(`^(\S+:\d+)(?::\d+)? +(?:# )?(\S.*)$`)

var reListLine = Lazy(`^([A-Z][\w$]*(?:\.[\w$]+)+):\d+ (\S.*)$`)

// below gives the lines that belong to a marked line: those that are deeper, or,
// where none is, the paragraphs up to the next mark.
func (g *generic) below(m *marked) (block []string, end int) {
	lines := g.d.Lines
	j := m.at + 1
	for j < len(lines) && strings.TrimSpace(lines[j].S) == "" && j < m.at+3 {
		j++
	}
	if j >= len(lines) {
		return nil, m.at + 1
	}
	deeper := IndentOf(lines[j].S) > m.indent && !strings.HasPrefix(m.key(), "\x01")
	blanks := 0
	for ; j < len(lines) && len(block) < 1000; j++ {
		s := lines[j].S
		if s == "" {
			blanks++
			block = append(block, s)
			continue
		}
		if lines[j].Used || g.ends(j, m, deeper, blanks > 0, block) {
			break
		}
		blanks = 0
		block = append(block, s)
	}
	for len(block) > 0 && block[len(block)-1] == "" {
		block = block[:len(block)-1]
		j--
	}
	return block, j
}

// ends tells whether line j is no longer a part of the block of m.
func (g *generic) ends(j int, m *marked, deeper, paragraph bool, block []string) bool {
	s := g.d.Lines[j].S
	indent := IndentOf(s)
	if n, is := g.atLine[j]; is {
		k := &g.marks[n]
		heading := strings.HasPrefix(k.key(), "\x01") || g.f.Root.isFile(m.name)
		said := g.groups[k.key()].said
		if said == begun && endsIn(NameKey(m.name), NameKey(k.name)) {
			return false // the same test, once more
		}
		if heading || k.key() == m.key() || said != unknown && (said != begun || k.wordy()) && k.indent <= m.indent || k.number > 0 && k.indent <= m.indent || g.groups[k.key()].said == passed {
			return true
		}
	}
	if sectionOf(strings.ToLower(s)) != noSection || g.isSum(j) && (indent <= m.indent || !deeper && paragraph) {
		return true
	}
	if deeper && paragraph && m.number > 0 && indent <= m.indent && g.resumes(j, m) {
		return false
	}
	if deeper {
		return indent <= m.indent && (paragraph || !isFrame(s)) && !g.explains(j, paragraph && !explained(block))
	}
	if strings.HasPrefix(m.key(), "\x01") || m.number > 0 || m.listed {
		return rule(s) && (paragraph || m.listed)
	}
	if !paragraph {
		return false
	}
	return !g.explains(j, true) && !(ErrorLike(s) > 3 && tellingBlock(block) == 0)
}

// resumes tells whether the block of an entry goes on, deeper, behind a value
// that was printed at the margin.
func (g *generic) resumes(j int, m *marked) bool {
	blank := false
	for k := j; k < len(g.d.Lines) && k < j+6; k++ {
		s := g.d.Lines[k].S
		if _, is := g.atLine[k]; is || sectionOf(strings.ToLower(s)) != noSection || g.isSum(k) {
			return false
		}
		if blank = blank || s == ""; blank && s != "" {
			return IndentOf(s) > m.indent
		}
	}
	return false
}

func isFrame(s string) bool {
	_, ok := ParseFrame(s)
	return ok
}

// explained tells whether a block holds a trace already.
func explained(block []string) bool { return slices.ContainsFunc(block, isFrame) }

// explains tells whether the paragraph at line j, at the margin, belongs to the
// test above it: a trace, or values.
func (g *generic) explains(j int, paragraph bool) bool {
	if !paragraph {
		return false
	}
	for k := j; k < len(g.d.Lines) && k < j+8; k++ {
		s := g.d.Lines[k].S
		if _, is := g.atLine[k]; is || s == "" {
			return false
		}
		if _, _, value := valueOf(s); value || isFrame(s) {
			return true
		}
	}
	return false
}

// placeAbove reads a line that is a place and nothing else, right above a test.
func (g *generic) placeAbove(i int) Frame {
	if i == 0 || !rePlaceOnly().MatchString(strings.TrimSpace(g.d.Lines[i-1].S)) {
		return Frame{}
	}
	d, ok := g.f.Root.PlaceIn(g.d.Lines[i-1].S)
	if !ok {
		return Frame{}
	}
	return Frame{File: d.File, Line: d.Line, Column: d.Col}
}

// rules are the characters of which tools draw lines.
const rules = "=-_*~#+─━⎯═┄┈"

func rule(s string) bool {
	if strings.HasSuffix(strings.TrimRight(s, rules), "]") { // "────[1/2]──"
		head, _, _ := strings.Cut(s, "[")
		return len(head) > 9 && strings.Trim(head, rules) == ""
	}
	return strings.Trim(s, rules+" ") == ""
}

func (g *generic) isSum(i int) bool { return g.sums[i] }

// aboveLines gives what was printed before the result, back to the one before.
func (g *generic) aboveLines(m *marked) []string {
	j := m.at - 1
	for ; j >= g.taken && j > m.at-60; j-- {
		if g.d.Lines[j].Used || sectionOf(strings.ToLower(g.d.Lines[j].S)) != noSection || g.isSum(j) {
			break
		}
		if n, is := g.atLine[j]; is {
			if v := g.groups[g.marks[n].key()].said; v != unknown || strings.HasPrefix(g.marks[n].key(), "\x01") {
				break
			}
		}
	}
	var out []string
	for k := j + 1; k < m.at; k++ {
		out = append(out, g.d.Lines[k].S)
	}
	return out
}

// linesAbove gives the lines right above a mark, up to a blank one or another mark.
func (g *generic) linesAbove(at int) []string {
	j := at - 1
	for ; j >= 0 && j > at-30 && g.d.Lines[j].S != "" && !rule(g.d.Lines[j].S) && !g.isSum(j); j-- {
		if n, is := g.atLine[j]; is && g.marks[n].said != unknown {
			break
		}
	}
	var out []string
	for k := j + 1; k < at; k++ {
		out = append(out, g.d.Lines[k].S)
	}
	return out
}

// telling is tellingBlock, and counts places of the tree.
func (g *generic) telling(block []string) int {
	score := tellingBlock(block)
	for _, s := range block[:min(len(block), 40)] {
		if g.f.Root.placed(s) {
			return score + 3
		}
	}
	return score
}

// settle turns the ledger into failures and totals.
func (g *generic) settle() {
	f := g.f
	g.innerSums()
	told := len(f.Totals[f.totalsFrom:])+len(f.Reports) > 0
	if !told {
		for _, r := range g.runs {
			g.total(&r)
		}
	}
	if g.known || f.namedFound && len(g.ledger.open()) == 0 || told && f.green() {
		g.secondRun()
		return
	}
	if g.counted && g.failed == 0 && f.exit == nil && !f.partFailed {
		return
	}
	proven := g.proven()
	g.tests = g.tests || proven
	var out, loose, again []Failure
	for _, x := range g.agree(g.ledger.failing()) {
		y, ok := g.failure(x)
		if ok {
			out = append(out, g.others(&y, x.best().block)...)
			again = append(again, g.further(&y, x)...)
		}
		switch {
		case !ok:
		case !g.counted && !proven && x.proof() < proofMark: // perhaps a tool that ran others
			loose = append(loose, y)
		default:
			out = append(out, y)
		}
	}
	if len(out) == 1 && (out[0].File == "" || !f.Root.Exists(out[0].File)) {
		g.onlyTrace(&out[0])
	}
	if len(out) == 0 {
		f.Loose = append(f.Loose, loose...)
	} else {
		out = append(append(out, loose...), again...)
	}
	if x, ok := g.died(); ok && (len(out) == 0 || f.exit == nil || *f.exit != 0) {
		f.finish(&x)
		out = append(out, x)
	}
	g.report(out)
}

// innerSums forgets the sums that failing tests have printed: they ran a runner
// of their own, and the sum that follows them counts them as one.
func (g *generic) innerSums() {
	for i := range g.runs[:max(0, len(g.runs)-1)] {
		r := &g.runs[i]
		inside := slices.ContainsFunc(g.ledger.failing(), func(x *entry) bool {
			return slices.ContainsFunc(x.events, func(e event) bool {
				return e.at < r.to && r.end <= e.at+1+len(e.block)
			})
		})
		if r.summed && inside && g.runs[len(g.runs)-1].summed {
			r.summed = false
			g.failed, g.passed = g.failed-max(r.total.Failed, 0), g.passed-max(r.total.Passed, 0)
		}
	}
}

// onlyTrace gives the only failing test the trace that the run has printed
// elsewhere.
func (g *generic) onlyTrace(x *Failure) {
	var rest []string
	for i := range g.d.Lines {
		if l := &g.d.Lines[i]; !l.Used && len(rest) < 2000 {
			rest = append(rest, l.S)
		}
	}
	z := Failure{Frames: innermostFirst(rest)}
	if g.f.place(&z); z.File != "" && g.f.Root.Exists(z.File) {
		x.File, x.Line, x.Column, x.Frames = z.File, z.Line, z.Column, z.Frames
	}
}

func (g *generic) report(out []Failure) {
	g.f.Failures = append(g.f.Failures, g.withoutFiles(out)...)
	if len(out) > 0 {
		g.f.Saw(g.f.runner())
	}
}

// total files the sum of a run.
func (g *generic) total(r *run) {
	f := g.f
	if !r.summed || !g.tests && (r.total.Passed < 0 || r.total.Failed < 0) {
		return
	}
	if r.total.Failed < 0 && r.total.Passed >= 0 && len(g.ledger.failing()) == 0 {
		r.total.Failed, r.total.Skipped = 0, max(r.total.Skipped, 0) // who tells only what passed had no more to tell
	}
	for i := r.from; i < r.end; i++ { // the headline tells them
		l := &g.all.Lines[i]
		l.Used = l.Used || resultWords().Match([]byte(l.S)) && len(countsIn(g.d.Lines[i].S)) > min(1, max(0, r.to-i))
	}
	f.Format = f.runner()
	if len(f.docs) > 1 && f.Doc.Label == "" { // what a task runner counts are tasks
		f.outer = append(f.outer, r.total)
		return
	}
	f.Total(r.total.Passed, r.total.Failed, r.total.Skipped)
}

// secondRun reads what stands behind the last line that the reader of a tool
// has used, if it ends at a sum of its own: a second tool behind the first.
func (g *generic) secondRun() {
	last := -1
	for i := range g.all.Lines {
		if l := &g.all.Lines[i]; l.Used && !l.Guessed {
			last = i
		}
	}
	for k := range g.runs {
		r := &g.runs[k]
		if !r.summed || r.to <= last || r.total.Failed <= 0 {
			continue
		}
		var out []Failure
		for _, x := range g.ledger.failing() {
			best := x.best()
			if best.at <= last || best.at >= r.to || len(out) >= r.total.Failed || tellingBlock(best.block) < 4 {
				continue // without a message of its own it is a wrapper
			}
			if y, ok := g.failure(x); ok {
				out = append(out, y)
			}
		}
		if len(out) > 0 {
			g.report(out)
			g.total(r)
		}
	}
}

// failure makes a failure of an entry, and marks what was used for it.
func (g *generic) failure(x *entry) (Failure, bool) {
	best := x.best()
	if (!g.counted || strings.Contains(x.name(), "/")) && g.onlyFindings(best.block) {
		return Failure{}, false // a tool that ran others: they say more
	}
	y := Failure{Test: x.name(), Kind: KindTest, Runner: g.f.runner(), Message: best.more}
	if !g.tests && (x.proof() < proofMark || tellingBlock(best.block) == 0) {
		return y, false
	}
	Explain(&y, best.block)
	if y.Message == "" && !g.counted && !g.tests {
		return y, false
	}
	lines := g.all.Lines
	for k := best.at; k < len(lines) && k <= best.at+len(best.block); k++ {
		lines[k].Used, lines[k].Guessed = true, true
	}
	for i := range x.events { // what is not in the name may still be of use
		e := &x.events[i]
		l := &lines[e.at]
		rest := strings.TrimSpace(cutTook(l.S))
		if k := LeadingDigits(rest); k > 0 && k < len(rest) && rest[k] == ')' {
			rest = rest[k:]
		}
		rest = reTookBeside().ReplaceAllString(strings.Replace(rest, e.name, "", 1), "")
		told := e.more == "" || strings.Contains(y.Message, e.more)
		if told {
			rest = strings.Replace(rest, e.more, "", 1)
		}
		l.Used, l.Guessed = true, len(rest) > 24 || !told || strings.ContainsAny(rest, "0123456789")
	}
	g.f.finish(&y)
	g.placeElsewhere(&y, x, best)
	return y, true
}

var reTookBeside = Lazy(`-- |Time elapsed: [\d.,]+ s(?:ec)?|<<< \w+!|\[ *[\d.]+m?s\]`)

// further gives the failures that other headings tell of the same test: one in
// its body and one when it was torn down.
func (g *generic) further(y *Failure, x *entry) []Failure {
	var out []Failure
	for i := range x.events {
		e := &x.events[i]
		if e.said != failed || e.proof != proofHeading || len(out) > 3 || g.telling(e.block) < 3 {
			continue
		}
		z := Failure{Test: y.Test, Kind: KindTest, Runner: y.Runner, Message: e.more}
		Explain(&z, e.block)
		if g.f.finish(&z); z.File != "" && (z.File != y.File || z.Line != y.Line) && g.f.Root.Exists(z.File) {
			out = append(out, z)
		}
	}
	return out
}

// placeElsewhere takes the place of a failure from what else is told of its
// name, where the block that explains it best has none.
func (g *generic) placeElsewhere(y *Failure, x *entry, best *event) {
	found := func() bool { return y.File != "" && g.f.Root.Exists(y.File) }
	for i := range x.events {
		e := &x.events[i]
		if found() {
			return
		}
		if e == best || len(e.block) == 0 || e.said == passed {
			continue
		}
		z := Failure{}
		Explain(&z, e.block)
		if g.f.finish(&z); z.File != "" && g.f.Root.Exists(z.File) {
			y.File, y.Line, y.Column, y.Frames = z.File, z.Line, z.Column, z.Frames
		}
	}
	if at, ok := g.whereSaid()[y.Message]; !found() && ok {
		y.File, y.Line, y.Column = at.File, at.Line, at.Column
	}
	if above := g.linesAbove(best.at); !found() && len(above) > 0 {
		z := Failure{Frames: innermostFirst(above)}
		if g.f.place(&z); z.File != "" && g.f.Root.Exists(z.File) {
			y.File, y.Line, y.Column, y.Frames = z.File, z.Line, z.Column, z.Frames
			y.Detail = append(y.Detail, above...)
		}
	}
	for i := range x.events {
		if at := x.events[i].place; !found() && at.File != "" {
			y.File, y.Line, y.Column = at.File, at.Line, at.Column
		}
	}
}

// whereSaid gives the places of lines that begin with one, by what they say:
// where a list names a test with its message, another line may say where.
func (g *generic) whereSaid() map[string]Frame {
	if g.said != nil {
		return g.said
	}
	g.said = map[string]Frame{}
	for i := range g.d.Lines {
		s := strings.TrimSpace(g.d.Lines[i].S)
		if len(s) < 12 || !strings.ContainsAny(s, ":(") {
			continue
		}
		d, from, _, ok := g.f.Root.findPlace(s)
		if ok && from == 0 && len(d.Text) > 5 {
			g.said[d.Text] = Frame{File: d.File, Line: d.Line, Column: d.Col}
		}
	}
	return g.said
}

// agree drops the least proven where more failures are named than the sums
// count.
func (g *generic) agree(all []*entry) []*entry {
	if !g.counted || g.failed == 0 || len(all) <= g.failed {
		return all
	}
	worth := func(x *entry) int {
		w := 10 * x.proof()
		if len(x.events) > 1 {
			w += 8
		}
		if g.f.Root.isFile(x.name()) {
			w -= 25
		}
		return w + min(tellingBlock(x.best().block), 9)
	}
	order := slices.Clone(all)
	slices.SortStableFunc(order, func(a, b *entry) int { return worth(b) - worth(a) })
	keep := map[*entry]bool{}
	least := worth(order[g.failed-1])
	for i, x := range order {
		keep[x] = i < g.failed || worth(x) == least && x.proof() > proofListed
	}
	return slices.DeleteFunc(all, func(x *entry) bool { return !keep[x] })
}

// onlyFindings tells a block that holds findings of a compiler or linter.
func (g *generic) onlyFindings(block []string) bool {
	for _, s := range block {
		if p, ok := ParseDiag(s, g.f.Root); ok && (p.Severity != "" || p.Code != "" || p.Col > 0) {
			return true
		}
	}
	return false
}

// withoutFiles drops entries that are files in which other tests failed.
func (g *generic) withoutFiles(all []Failure) []Failure {
	in := map[string]bool{}
	for i := range all {
		if !g.f.Root.isFile(all[i].Test) {
			in[all[i].File] = true
			for _, fr := range all[i].Frames {
				in[fr.File] = true
			}
		}
	}
	var out []Failure
	for _, x := range all {
		if rel, ok := g.f.Root.Resolve(x.Test, ""); ok && in[rel] {
			continue
		}
		out = append(out, x)
	}
	return out
}

// proven tells whether a line counts as many failures as are named: two numbers
// that agree prove both.
func (g *generic) proven() bool {
	n := len(g.ledger.failing())
	if n == 0 {
		return false
	}
	for i := range g.d.Lines {
		s := g.d.Lines[i].S
		if len(s) > 200 || otherThings(s) {
			continue
		}
		if !resultWords().Match([]byte(s)) {
			continue
		}
		for _, c := range countsIn(s) {
			if c.kind == countFailed && c.n == n {
				return true
			}
		}
	}
	return false
}

// others gives the further failures of a test that has reported several, each
// in a line that begins with its place.
func (g *generic) others(x *Failure, block []string) []Failure {
	var out []Failure
	for _, s := range block {
		p, ok := CutPlace(strings.TrimSpace(s), g.f.Root)
		if !ok || p.Line == 0 || p.Text == "" || Telling(p.Text) == 0 {
			continue
		}
		file, ok := g.f.Root.Resolve(p.File, "")
		if !ok || file != x.File || p.Line == x.Line || len(out) > 20 {
			continue
		}
		out = append(out, Failure{Test: x.Test, File: file, Line: p.Line, Column: p.Col, Message: p.Text, Kind: x.Kind, Runner: x.Runner})
	}
	return out
}
