package core

import (
	"slices"
	"strings"
	"unicode"

	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// enter files the events of the stream in the ledger.
func (g *generic) enter() {
	g.ledger, g.begun = newLedger(), map[string]bool{}
	for _, e := range g.rows {
		g.ledger.add(e)
	}
	part := noSection
	path := titles{isFile: g.f.Root.IsFile}
	for i := 0; i < len(g.d.Lines); i++ {
		s := g.d.Lines[i].S
		if s == "" || len(s) > 400 {
			continue
		}
		if n, is := g.atLine[i]; is {
			m := &g.marks[n]
			if m.said != unknown || !isLevel(m.lead) { // what a program logs ends no group
				path.leave(m.indent)
			}
			if end := g.mark(m, part, &path); end > i {
				i = end - 1
			}
			continue
		}
		if g.d.Lines[i].Used {
			continue
		}
		if end := g.countedList(i); end > i {
			i = end - 1
			continue
		}
		p := sectionOf(strings.ToLower(s))
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
		if j := g.deeperBelow(i); j > 0 {
			path.title(s, g.resultAt(j))
		}
	}
}

// deeperBelow gives the next line if it is deeper, else 0: the line is no title.
func (g *generic) deeperBelow(i int) int {
	for j := i + 1; j < len(g.d.Lines) && j < i+4; j++ {
		if s := g.d.Lines[j].S; s != "" {
			if text.IndentOf(s) > text.IndentOf(g.d.Lines[i].S) {
				return j
			}
			break
		}
	}
	return 0
}

// resultAt tells whether line i is the result of a test, with a sign that logs lack.
func (g *generic) resultAt(i int) bool {
	n, is := g.atLine[i]
	return is && (g.marks[n].said == passed || g.marks[n].said == failed) && g.proofOf(&g.marks[n]) == proofMark
}

var reNamePlace = text.Lazy(`^\s*(?:\d+\) )?(\S.*?) (?:=>|->|@|at|in|\(|\[) ?(\S+:\d+(?::\d+)?)[\])]?:?$`)

// namedPlace reads "name => a.js:3:4", which in a list of failures is a failing
// test with its message below.
func (g *generic) namedPlace(i int) int {
	m := reNamePlace().FindStringSubmatch(g.d.Lines[i].S)
	if m == nil || !nameLike(m[1]) || !g.f.Root.Placed(m[2]) {
		return i
	}
	k := marked{at: i, indent: text.IndentOf(g.d.Lines[i].S), number: 1}
	e := event{said: failed, name: Qualified(strings.ReplaceAll(m[1], " ... ", " > ")), at: i,
		proof: proofHeading}
	var end int
	e.block, end = g.below(&k)
	if n := slices.Index(e.block, ""); n > 0 {
		e.block, end = e.block[:n], i+1+n
	}
	e.block = append(e.block, g.d.Lines[i].S)
	g.ledger.add(e)
	return end
}

// mark files one marked line and gives the line after what belongs to it.
func (g *generic) mark(m *marked, part section, path *titles) int {
	x := g.groups[m.key()]
	e := event{said: x.said, name: m.name, mark: x.key, at: m.at, more: m.more, proof: g.proofOf(m),
		place: m.place}
	m.listed = part == failures
	if e.place.File == "" {
		e.place = g.placeAbove(m.at)
	}
	if !strings.HasPrefix(x.key, "\x01") && m.number == 0 {
		if e.titles = path.above(m.indent); len(e.titles) == 0 && strings.HasSuffix(m.lead, "ok") {
			e.titles = g.comment(m.at)
		}
	}
	end := m.at + 1
	switch {
	case strings.HasPrefix(x.key, "\x01"):
		if e.block, end = g.below(m); part != failures && m.said != failed && g.resultsWithin(m.at+1, end) {
			return m.at + 1 // the title of a whole run
		}
		if e.proof = proofHeading; part != failures && m.said != failed {
			e.said = unknown
		} else {
			e.said = failed
		}
	case m.number > 0 && x.said == unknown:
		return g.numbered(m, part)
	case x.said == failed:
		e.block, end = g.below(m)
		if end > m.at+1 && text.IndentOf(g.d.Lines[m.at+1].S) > m.indent {
			g.taken = end
		}
		own, between := g.telling(e.block), g.textAbove || g.begun[NameKey(m.name)]
		if name, ok := g.toldAlone(m); ok {
			e.name, e.block, e.more = name, nil, strings.TrimSpace(m.name[len(name):]+" "+e.more)
		} else if own < 3 || between {
			if above := g.aboveLines(m); between && (g.telling(above) > 0 || own == 0 && len(above) > 0) {
				e.block, end = above, m.at+1
			} else if g.telling(above) > own {
				e.block = append(above, e.block...)
			}
		}
		if part == asides { // a list of what was skipped, or of flaky tests
			e.said = unknown
		}
	}
	if x.said == begun && m.wordy() {
		g.begun[NameKey(m.name)] = true
	} else if x.said == begun && g.deeperBelow(m.at) > 0 {
		path.push(m.indent, m.name)
	}
	e.name = Qualified(e.name)
	e.scenario()
	e.assertion()
	if e.said != unknown || len(e.block) > 0 {
		g.ledger.add(e)
	}
	return end
}

// resultsWithin tells whether lines tell results of tests.
func (g *generic) resultsWithin(from, to int) bool {
	for i := from; i < to; i++ {
		if n, is := g.atLine[i]; is && g.marks[n].said == failed && g.marks[n].number == 0 &&
			g.proofOf(&g.marks[n]) == proofMark {
			return true
		}
	}
	return false
}

// comment gives the comment above an assertion, which is the title of its test.
func (g *generic) comment(i int) []string {
	for i--; i >= 0 && g.d.Lines[i].S == ""; i-- {
	}
	if i < 0 || !strings.HasPrefix(g.d.Lines[i].S, "# ") || !nameLike(g.d.Lines[i].S[2:]) ||
		reMeasured().MatchString(g.d.Lines[i].S) {
		return nil
	}
	return []string{strings.TrimPrefix(g.d.Lines[i].S[2:], "Subtest: ")}
}

// wordy tells a mark with a word in it.
func (m *marked) wordy() bool {
	return strings.ContainsFunc(m.lead, func(c rune) bool { return c < 0x80 && unicode.IsLetter(c) })
}

// proofOf says how sure a mark speaks of a test.
func (g *generic) proofOf(m *marked) int {
	switch {
	case m.sure, strings.Contains(m.lead, "not ok"), strings.HasPrefix(m.lead, "---"),
		strings.HasPrefix(m.lead, "["), strings.HasPrefix(m.lead, "("):
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
		_, e.place = cutPlaced(g.f.Root, g.d.Lines[first-1].S)
	}
	k := *m
	k.at = first - 1
	var end int
	e.block, end = g.below(&k)
	switch {
	case part == asides:
		e.said = skipped
	case part == failures || g.failed > 0 || tellingBlock(e.block) > 3:
		if tellingBlock(e.block) > 0 || part == failures || g.failed > 0 && g.tests {
			e.said = failed
		}
	}
	if e.said == unknown || !nameLike(e.name) {
		return m.at + 1
	}
	for i := range g.marks { // a step ends the name: "cart > rounds up > adding"
		k := &g.marks[i]
		if k.place == e.place && e.place.File != "" && strings.HasPrefix(NameKey(e.name), NameKey(k.name)+" ") {
			e.name = k.name
		}
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
		if s == "" || text.IndentOf(s) <= m.indent || i > next && text.IndentOf(s) < text.IndentOf(line(i-1)) {
			break
		}
		parts = append(parts, strings.TrimSuffix(strings.TrimSpace(s), ":"))
		if after := line(i + 1); strings.HasSuffix(s, ":") &&
			(after == "" || text.IndentOf(after) < text.IndentOf(s)) {
			return strings.Join(parts, " > "), i + 1
		}
	}
	return name, next
}
