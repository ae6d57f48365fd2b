package core

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// ReadGeneric reads what runners without a row of their own share: sums, numbered lists of
// failures, and known marks beside names. It names a test only where that is certain: a
// list says so, or the sum counts as many, or passes with a mark of the same kind stand
// beside it. All else is left to the text.
func ReadGeneric(d *stream.Stream, f *Result) {
	g := &generic{d: d, f: f, runs: runsOf(d), sums: map[int]bool{}}
	for _, r := range g.runs {
		g.counted, g.failed = true, g.failed+max(r.total.Failed, 0)
		for i := r.to; i < r.end; i++ {
			g.sums[i] = true
		}
	}
	told := f.Totals[f.totalsFrom:]
	for _, t := range slices.Concat(told, f.Reports) {
		g.counted, g.failed = true, g.failed+max(t.Failed, 0)
	}
	f.partFailed = f.partFailed || partsFailed(d)
	var out []Failure
	if !f.namedFound && (!g.counted || g.failed > 0 || f.partFailed) {
		if out = g.numbered(); len(out) == 0 {
			out = g.marked()
		}
	}
	if len(told)+len(f.Reports) == 0 {
		g.totals(len(out) > 0)
	}
	for _, x := range out {
		f.finish(&x)
		f.Fail(x)
	}
}

type generic struct {
	d       *stream.Stream
	f       *Result
	runs    []run
	sums    map[int]bool // the lines of sums
	counted bool         // a sum was read
	failed  int          // what the sums say
}

// namedTests reports whether failing tests are known already.
func namedTests(all []Failure) bool {
	return slices.ContainsFunc(all, func(x Failure) bool { return x.Test != "" })
}

// totals files the sums. One that does not count failures needs a test that failed.
func (g *generic) totals(failing bool) {
	f := g.f
	for _, r := range g.runs {
		if r.total.Failed < 0 && r.total.Passed >= 0 && !failing {
			r.total.Failed, r.total.Skipped = 0, max(r.total.Skipped, 0)
		}
		for i := r.to; i < r.end; i++ { // the headline tells them
			l := &g.d.Lines[i]
			l.Used = l.Used || len(countsIn(l.S)) > min(1, max(0, r.to-i))
		}
		f.Format = f.runner()
		if len(f.streams) > 1 && f.stream.Label == "" { // what a task runner counts are tasks
			f.outer = append(f.outer, r.total)
			continue
		}
		f.Total(r.total.Passed, r.total.Failed, r.total.Skipped)
	}
}

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
		if _, _, ok := PassedName(s); ok || strings.HasPrefix(s, "> ") { // another run
			part = noSection
		}
		n, rest, ok := entryHead(s)
		if !ok || part != failures {
			continue
		}
		name, first := g.title(i, rest)
		end := first
		for end < len(lines) && end < i+1000 && !g.endsEntry(end, text.IndentOf(s), n) {
			end++
		}
		if !named(name) || g.f.Root.IsFile(name) {
			continue
		}
		x := Failure{Kind: KindTest, Runner: g.f.runner()}
		var at Frame
		if x.Test, at = g.entryName(name); x.Test == "" {
			continue
		}
		x.File, x.Line, x.Column = at.File, at.Line, at.Column
		if i > 0 && placeOnly(strings.TrimRight(strings.TrimSpace(lines[i-1].S), ": ")) { // hspec
			x.Output = []string{lines[i-1].S}
		}
		if strings.Contains(x.Test, `" hook`) { // mocha's
			x.Kind = KindHook
			g.f.NonTests++
		}
		Explain(&x, g.block(first, end))
		g.use(i, end)
		out = append(out, x)
		i = end - 1
	}
	return out
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
// says only that it failed. It gives the line behind it.
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
		if s == "" || text.IndentOf(s) <= deep {
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

// endsEntry reports whether line j is behind entry n of a list.
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

// resumes reports whether an entry goes on, deeper, behind a value that was printed at the margin.
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

// entryName takes off a title what is no part of the test's name.
func (g *generic) entryName(name string) (string, Frame) {
	name = strings.TrimRight(name, " :─")
	if strings.HasPrefix(name, "[") { // playwright's project
		if _, rest, ok := strings.Cut(name, "] › "); ok {
			name = rest
		}
	}
	if head, rest, ok := strings.Cut(name, " › "); ok && placeOnly(head) {
		at, _ := CutPlace(head, g.f.Root)
		return Qualified(trimName(rest)), Frame{File: at.File, Line: at.Line, Column: at.Col}
	}
	if head, _, ok := strings.Cut(name, `" (`); ok && strings.Contains(head, " data set ") { // its values
		name = head + `"`
	}
	name, at := cutPlaced(g.f.Root, name)
	return Qualified(name), at
}

// marked reads tests beside known marks. Their groups are the lines above with less
// indentation.
func (g *generic) marked() []Failure {
	var all []mark
	var at []int
	var groups []mark
	ticks, again := false, map[string]int{} // a name that passed behind its failure is none
	lines := g.d.Lines
	for i := range lines {
		s := lines[i].S
		if lines[i].Used || len(s) < 3 || len(s) > 400 || g.sums[i] || isFrame(s) {
			continue
		}
		m, ok := markOf(s)
		if !ok || !nameLike(m.name) && !(m.sure && named(m.name)) {
			if i+1 < len(lines) && text.IndentOf(lines[i+1].S) > text.IndentOf(s) && len(s) < 100 && nameLike(s) {
				groups = append(above(groups, text.IndentOf(s)), mark{name: trimName(strings.TrimLeft(s, " ›>✢◌▶▸•#+-=*")), indent: text.IndentOf(s)})
			}
			continue
		}
		groups = above(groups, m.indent)
		switch m.said {
		case passed:
			ticks, again[m.name] = ticks || m.sure, i
		case failed:
			m.full = m.name
			for _, p := range slices.Backward(groups) {
				m.full = p.name + " > " + m.full
			}
			all, at = append(all, m), append(at, i)
		}
	}
	return g.certain(all, at, ticks, again)
}

// above leaves the groups that a line of this indentation may belong to.
func above(groups []mark, indent int) []mark {
	return slices.DeleteFunc(groups, func(p mark) bool { return p.indent >= indent })
}

// certain makes failures of marks, once for each name, if their number is what the sum
// counts, or passes stand beside them.
func (g *generic) certain(all []mark, at []int, ticks bool, again map[string]int) []Failure {
	byName := map[string]int{}
	var out []Failure
	var used [][2]int
	sure := true
	for k, m := range all {
		i := at[k]
		if again[m.name] > i {
			continue
		}
		name, place := cutPlaced(g.f.Root, m.full)
		name, message := cutMessage(name)
		if g.f.Root.IsFile(name) || !nameLike(name) && !m.sure || !g.counted && !(ticks && m.sure) {
			continue
		}
		end := g.blockEnd(i, m.indent)
		block := g.block(i+1, end)
		if slices.ContainsFunc(block, g.isFinding) { // a tool that ran others: they say more
			continue
		}
		x := Failure{Test: Qualified(name), Kind: KindTest, Runner: g.f.runner(), File: place.File, Line: place.Line,
			Column: place.Column, Message: message}
		Explain(&x, block)
		sure = sure && m.sure
		used = append(used, [2]int{i, end})
		key := NameKey(name)
		if old, known := byName[key]; known {
			join(&out[old], &x)
			continue
		}
		byName[key] = len(out)
		out = append(out, x)
	}
	out = dropParents(dropDoubles(out))
	if g.counted && (len(out) > g.failed || !sure && len(out) < g.failed) {
		return nil
	}
	for _, u := range used {
		g.use(u[0], u[1])
	}
	return out
}

// isFinding reports whether a line is a finding of a compiler or linter.
func (g *generic) isFinding(s string) bool {
	p, ok := ParseDiag(s, g.f.Root)
	return ok && (p.Severity != "" || p.Code != "" || p.Col > 0)
}

func (g *generic) block(first, end int) []string {
	var out []string
	for _, l := range g.d.Lines[first:end] {
		out = append(out, l.S)
	}
	return out
}

// use marks lines as read.
func (g *generic) use(from, end int) {
	for k := from; k < end; k++ {
		g.d.Lines[k].Used, g.d.Lines[k].Guessed = true, true
	}
}

// blockEnd gives the line behind what belongs to the mark in line i: deeper lines, or, where
// there are none, all up to the next mark.
func (g *generic) blockEnd(i, indent int) int {
	lines := g.d.Lines
	next := func(j int) int { // the next line that is not blank
		for j < len(lines) && lines[j].S == "" {
			j++
		}
		return j
	}
	j := next(i + 1)
	if j == len(lines) {
		return i + 1
	}
	deeper, most := text.IndentOf(lines[j].S) > indent, 200
	if !deeper {
		most = 40
	}
	end := i + 1
	for ; j < min(len(lines), i+most); j = next(j + 1) {
		s := lines[j].S
		if lines[j].Used || g.sums[j] || sectionOf(s) != noSection || deeper && text.IndentOf(s) <= indent ||
			!deeper && rule(s) {
			break
		}
		if m, ok := markOf(s); ok && nameLike(m.name) && (m.indent <= indent || m.said == passed) {
			break
		}
		end = j + 1
	}
	return end
}

// section is a part of an output that lists results.
type section int

const (
	noSection section = iota
	failures
	asides // skipped tests, warnings, passes
)

// sectionWords are the words of titles of such parts, by what the part lists.
var sectionWords = func() map[string]section {
	words := map[string]section{}
	for part, list := range map[section]string{
		failures: "failures failure failed failing errors error broken unsuccessful",
		asides: "skipped pending warnings warning passed deprecations ignored todo flaky incomplete risky slow slowest " +
			"notices reruns omitted",
		noSection: "tests test specs examples scenarios cases the following there were was all list of summary details " +
			"short info in with suites results that run build total",
	} {
		for w := range strings.FieldsSeq(list) {
			words[w] = part
		}
	}
	return words
}()

// sectionOf says what a line that is a title lists: "Failures:", "3 failing", "There was 1 error:".
func sectionOf(s string) section {
	if len(s) > 90 || len(s) < 5 {
		return noSection
	}
	t := strings.Trim(s, rules+" \t!.:")
	if t == "" || t[len(t)-1] == ';' || strings.ContainsAny(t, "/=,'\"") {
		return noSection
	}
	part, told, words := noSection, false, 0
	for w := range strings.FieldsSeq(strings.ToLower(t)) {
		w = strings.Trim(w, ":()!")
		said, known := sectionWords[w]
		if words++; words > 8 || !known && !stream.OnlyDigits(w) {
			return noSection
		}
		told = told || stream.OnlyDigits(w)
		part = max(part, said)
	}
	titled := told || strings.HasSuffix(strings.TrimSpace(s), ":") || strings.Trim(s, " \t") != t || t == strings.ToUpper(t)
	if !titled {
		return noSection
	}
	return part
}
