package core

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

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
	deeper := text.IndentOf(lines[j].S) > m.indent && !strings.HasPrefix(m.key(), "\x01")
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
	indent := text.IndentOf(s)
	if n, is := g.atLine[j]; is {
		k := &g.marks[n]
		heading := strings.HasPrefix(k.key(), "\x01") || g.f.Root.IsFile(m.name)
		said := g.groups[k.key()].said
		if said == begun && endsIn(NameKey(m.name), NameKey(k.name)) {
			return false // the same test, once more
		}
		if heading || k.key() == m.key() ||
			said != unknown && (said != begun || k.wordy()) && k.indent <= m.indent ||
			said == begun && k.indent < m.indent ||
			k.number > 0 && k.indent <= m.indent || g.groups[k.key()].said == passed {
			return true
		}
	}
	if sectionOf(strings.ToLower(s)) != noSection ||
		g.isSum(j) && (indent <= m.indent || !deeper && paragraph) {
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
			return text.IndentOf(s) > m.indent
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
		if n, is := g.atLine[k]; is && g.groups[g.marks[n].key()].said != unknown || g.isSum(k) ||
			sectionOf(strings.ToLower(s)) != noSection {
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
	if i == 0 || !placeOnly(strings.TrimSpace(g.d.Lines[i-1].S)) {
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

// toldAlone files what a line further below tells of a failing test that is its name and
// nothing else, between empty lines: all up to a rule, or to a gap of lines. It gives the
// name; what the result says behind it is no part of it.
func (g *generic) toldAlone(m *marked) (name string, ok bool) {
	lines := g.d.Lines
	if g.alone == nil {
		g.alone = map[string]int{}
		for i := 1; i+1 < len(lines); i++ {
			if lines[i-1].S == "" && lines[i+1].S == "" && lines[i].S != "" && !lines[i].Used {
				g.alone[strings.TrimSpace(lines[i].S)] = i
			}
		}
	}
	for name = m.name; g.alone[name] <= m.at; name = name[:strings.LastIndexByte(name, ' ')] {
		if !strings.Contains(name, " ") || len(m.name)-len(name) > 40 {
			return "", false
		}
	}
	e := event{said: failed, name: Qualified(name), at: g.alone[name], proof: proofHeading}
	for i := e.at + 1; i+1 < len(lines) && len(e.block) < 200; i++ {
		s := lines[i].S
		if s == "" && lines[i+1].S == "" || s != "" && rule(s) || g.isSum(i) {
			break
		}
		e.block = append(e.block, s)
	}
	if g.telling(e.block) < 3 || name != m.name && ErrorLike(m.name[len(name):]) == 0 {
		return "", false
	}
	g.ledger.add(e)
	return name, true
}

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
		if g.f.Root.Placed(s) {
			return score + 3
		}
	}
	return score
}
