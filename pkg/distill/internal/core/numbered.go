package core

import (
	"strconv"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// numbered reads the entries of lists of failures: "1) name", with a message below.
func (g *generic) numbered() []Failure {
	var out []Failure
	lines, part := g.d.Lines, noSection
	for i := 0; i < len(lines); i++ {
		s := lines[i].S
		if s == "" || lines[i].Used {
			continue
		}
		if p := sectionOf(s); p != noSection {
			part = p
			continue
		}
		if part == noSection {
			continue
		}
		if _, _, ok := PassedName(s); ok || strings.HasPrefix(s, "> ") { // another run
			part = noSection
		}
		n, rest, ok := entryHead(s)
		if !ok || part != failures {
			continue
		}
		name, first := g.title(i, rest)
		if first == i+1 {
			name = g.parted(i, n, name)
		}
		end := first
		for end < len(lines) && end < i+1000 && !g.endsEntry(end, text.IndentOf(s), n) {
			end++
		}
		if x, ok := g.entry(i, name); ok {
			for _, part := range parts(g.block(first, end), n) {
				y := x
				Explain(&y, part)
				out = append(out, y)
			}
			g.use(i, end)
			i = end - 1
		}
	}
	return out
}

// parts splits the block of entry n at lines that begin with "n.1) ", "n.2) ": each is a failure.
func parts(block []string, n int) [][]string {
	var out [][]string
	for _, s := range block {
		t := strings.TrimLeft(s, " ")
		rest, ok := strings.CutPrefix(t, strconv.Itoa(n)+"."+strconv.Itoa(len(out)+1)+") ")
		switch {
		case ok:
			out = append(out, []string{s[:len(s)-len(t)] + rest})
		case len(out) > 0:
			out[len(out)-1] = append(out[len(out)-1], s)
		}
	}
	if len(out) < 2 {
		return [][]string{block}
	}
	return out
}

// entry makes a failure of the title in line i.
func (g *generic) entry(i int, title string) (Failure, bool) {
	name, at := g.entryName(title)
	if !named(title) || g.f.Root.IsFile(title) || name == "" {
		return Failure{}, false
	}
	x := Failure{Test: name, Kind: KindTest, Runner: g.f.runner(), File: at.File, Line: at.Line,
		Column: at.Column}
	if i > 0 && placeOnly(strings.TrimRight(strings.TrimSpace(g.d.Lines[i-1].S), ": ")) { // hspec
		x.Output = []string{g.d.Lines[i-1].S}
	}
	if strings.Contains(x.Test, `" hook`) { // mocha's
		x.Kind = KindHook
		g.f.NonTests++
	}
	return x, true
}

// entryHead reads the number of an entry.
func entryHead(s string) (n int, rest string, ok bool) {
	t := strings.TrimLeft(s, " ")
	k := text.LeadingDigits(t)
	if k == 0 || k > 4 || !strings.HasPrefix(t[k:], ") ") && !strings.HasPrefix(t[k:], ". ") {
		return 0, "", false
	}
	return text.Atoi(t[:k]), strings.TrimSpace(t[k+2:]), true
}

// title reads a title of several lines ("1) Suite" / "     name:"), or one whose first line
// only says that it failed. It returns the line after it.
func (g *generic) title(i int, name string) (string, int) {
	lines := g.d.Lines
	switch strings.ToLower(strings.Trim(name, ": ")) {
	case "failure", "error":
		if i+1 < len(lines) {
			return strings.TrimSpace(lines[i+1].S), i + 2
		}
	}
	parts, deep := []string{name}, text.IndentOf(lines[i].S)
	for k := i + 1; k < min(len(lines), i+8) && !strings.HasSuffix(name, ":"); k++ {
		s := lines[k].S
		if s == "" || text.IndentOf(s) <= deep || len(countsIn(s)) > 0 { // "Got 2 failures:"
			break
		}
		deep = text.IndentOf(s)
		parts = append(parts, strings.TrimSuffix(strings.TrimSpace(s), ":"))
		if strings.HasSuffix(s, ":") && (k+1 == len(lines) || text.IndentOf(lines[k+1].S) < deep) {
			return strings.Join(parts, " > "), k + 1
		}
	}
	return name, i + 1
}

// parted parts the title of entry n, of one line, where the tree of tests above has the number
// beside the test's own name: old versions of mocha join it to those of its suites.
func (g *generic) parted(i, n int, title string) string {
	whole := strings.TrimSuffix(title, ":")
	for _, l := range g.d.Lines[:i] {
		if k, name, ok := entryHead(l.S); ok && k == n && text.IndentOf(l.S) > text.IndentOf(g.d.Lines[i].S) {
			if suites, ok := strings.CutSuffix(whole, " "+name); ok {
				return suites + " > " + name
			}
		}
	}
	return title
}

// endsEntry reports whether line j is after entry n of a list.
func (g *generic) endsEntry(j, indent, n int) bool {
	s := g.d.Lines[j].S
	if s == "" {
		return false
	}
	if k, _, ok := entryHead(s); ok && text.IndentOf(s) == indent && (k == n+1 || k == 1) {
		return true
	}
	if indent > 0 && text.IndentOf(s) <= indent && g.d.Lines[j-1].S == "" && !g.resumes(j, indent) {
		return true
	}
	return g.sums[j] || s == "--" || sectionOf(s) != noSection || strings.HasPrefix(s, "Finished in ") ||
		rule(s) && len(s) > 40 && text.IndentOf(s) <= indent
}

// resumes reports whether an entry continues, deeper, after a value printed at the margin.
func (g *generic) resumes(j, indent int) bool {
	for _, l := range g.d.Lines[j+1 : min(len(g.d.Lines), j+6)] {
		if _, _, ok := entryHead(l.S); ok || sectionOf(l.S) != noSection {
			return false
		}
		if text.IndentOf(l.S) > indent {
			return true
		}
	}
	return false
}

// entryName removes what is not part of the test's name from a title.
func (g *generic) entryName(name string) (string, Frame) {
	name = strings.TrimRight(name, " :─")
	if head, _, ok := strings.Cut(name, `" (`); ok && strings.Contains(head, " data set ") { // its values
		name = head + `"`
	}
	name, at := cutPlaced(g.f.Root, name)
	return Qualified(name), at
}
