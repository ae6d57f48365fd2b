package core

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// ReadGeneric reads what runners without a row have in common: sums, numbered lists of
// failures, and known marks next to names. It names a test only if that is certain: a list
// says so, the sum counts as many, or passes with a mark of the same kind are present. The
// rest goes to the text.
func ReadGeneric(d *stream.Stream, f *Result) {
	g := &generic{d: d, f: f, sums: map[int]bool{}, begins: map[int]bool{}}
	told := slices.Clone(f.Totals[f.totalsFrom:])
	for _, r := range f.reports {
		told = append(told, r.Total)
	}
	if len(told) == 0 {
		g.runs = runsOf(d)
	}
	for _, r := range g.runs {
		g.counted, g.failed = true, g.failed+max(r.total.Failed, 0)
		for i := r.to; i < r.end; i++ {
			g.sums[i] = true
		}
	}
	for _, t := range told {
		g.counted, g.failed = true, g.failed+max(t.Failed, 0)
	}
	f.partFailed = f.partFailed || partsFailed(d)
	var out []Failure
	if !f.namedFound && (!g.counted || g.failed > 0 || f.partFailed) {
		if out = g.numbered(); len(out) == 0 {
			out = g.marked()
		}
	}
	g.totals(len(out) > 0)
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
	heads   map[string]int
	begins  map[int]bool // the lines at which the blocks that explain marks begin
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
		f.CountedAt(g.d.Lines[r.end-1].No)
		if len(f.streams) > 1 && f.stream.Label == "" { // what a task runner counts are tasks
			f.outer = append(f.outer, r.total)
			continue
		}
		f.Total(r.total.Passed, r.total.Failed, r.total.Skipped)
	}
}

// marked reads names next to known signs: glyphs, words in brackets, TAP's. Their groups
// are the less indented lines above.
func (g *generic) marked() []Failure {
	var all, groups []mark
	ticks, again := false, map[string]int{} // a name that passed behind its failure is none
	lines := g.d.Lines
	for i := range lines {
		s := lines[i].S
		if lines[i].Used || len(s) < 3 || len(s) > 400 || g.sums[i] {
			continue
		}
		m, ok := markOf(s)
		if ok = ok && named(m.name); ok && isFrame(s) {
			continue
		}
		if !ok {
			if i+1 < len(lines) && text.IndentOf(lines[i+1].S) > text.IndentOf(s) && len(s) < 100 &&
				nameLike(s) && !isFrame(s) {
				group := mark{name: trimName(strings.TrimLeft(s, " ›>✢◌▶▸•#+-=*")), indent: text.IndentOf(s)}
				groups = append(above(groups, group.indent), group)
			}
			continue
		}
		groups = above(groups, m.indent)
		switch {
		case m.said == passed:
			ticks, again[m.name] = ticks || m.sure, i
		case m.said == failed && (m.sure || g.counted && nameLike(m.name) && !namesFile(m.name)):
			m.at, m.full = i, m.name
			for _, p := range slices.Backward(groups) {
				m.full = p.name + " > " + m.full
			}
			all = append(all, m)
		}
	}
	all = slices.DeleteFunc(all, func(m mark) bool { return again[m.name] > m.at })
	if !g.counted && !ticks {
		return nil
	}
	return g.certain(all)
}

// above returns the groups that a line with this indentation may belong to.
func above(groups []mark, indent int) []mark {
	return slices.DeleteFunc(groups, func(p mark) bool { return p.indent >= indent })
}

// certain makes failures of marks, once per name, if the sum counts as many.
func (g *generic) certain(all []mark) []Failure {
	byName := map[string]int{}
	var out []Failure
	var used [][2]int
	again := 0 // marks of blocks that explain a test once more, as a second run of it does
	for _, m := range all {
		if _, at, ok := g.detailed(m); ok {
			g.begins[at] = true
		}
	}
	for _, m := range all {
		from := m.at
		if name, at, ok := g.detailed(m); ok { // the list of names has the message too
			m.full, m.at = strings.TrimSuffix(m.full, m.name)+name, at
		}
		name, place := cutPlaced(g.f.Root, m.full)
		if g.f.Root.IsFile(name) {
			continue
		}
		end := g.blockEnd(m.at, m.indent)
		if m.at > from {
			used = append(used, [2]int{from, from + 1})
		}
		x := Failure{Test: Qualified(name), Kind: KindTest, Runner: g.f.runner(), File: place.File,
			Line:   place.Line,
			Column: place.Column}
		Explain(&x, g.block(m.at+1, end))
		used = append(used, [2]int{m.at, end})
		key := NameKey(name)
		if old, known := byName[key]; known {
			join(&out[old], &x)
			if g.begins[m.at] {
				again++
			}
			continue
		}
		byName[key] = len(out)
		out = append(out, x)
	}
	out = dropParents(dropDoubles(out))
	if g.counted && (len(out) > g.failed || len(out)+again < g.failed && !g.f.cut()) {
		return nil
	}
	for _, u := range used {
		g.use(u[0], u[1])
	}
	return out
}

// detailed finds the block further down that explains a mark, below a line of its own with the beginning
// of its name: ava lists "name message", and explains "name".
func (g *generic) detailed(m mark) (name string, at int, ok bool) {
	if g.heads == nil {
		g.heads = loneHeads(g.d)
	}
	for k := 2; k <= len(m.name); k++ {
		if k < len(m.name) && m.name[k] != ' ' {
			continue
		}
		if at, known := g.heads[m.name[:k]]; known && at > m.at {
			return m.name[:k], at, true
		}
	}
	return "", 0, false
}

// loneHeads returns the last of each of the lines that stand between empty ones, and of those below
// which one has a place and nothing else.
func loneHeads(d *stream.Stream) map[string]int {
	heads := map[string]int{}
	empty := func(i int) bool { return i < 0 || i >= len(d.Lines) || d.Lines[i].S == "" }
	for i := range d.Lines {
		s := strings.TrimSpace(d.Lines[i].S)
		if !placeOnly(s) {
			if s != "" && text.IndentOf(d.Lines[i].S) > 0 && empty(i-1) && empty(i+1) {
				heads[s] = i
			}
			continue
		}
		for k := i - 1; k >= 0 && k > i-4; k-- {
			if s := strings.TrimSpace(d.Lines[k].S); s != "" {
				heads[s] = k
				break
			}
		}
	}
	return heads
}

// cut reports whether lines of the output were not kept.
func (f *Result) cut() bool {
	kept, last := 0, int64(0)
	for _, d := range f.streams {
		if kept += len(d.Lines); len(d.Lines) > 0 {
			last = max(last, d.Lines[len(d.Lines)-1].No)
		}
	}
	return last > int64(kept)
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

// blockEnd returns the line after what belongs to the mark in line i: deeper lines, or
// without any, everything up to the next mark.
func (g *generic) blockEnd(i, indent int) int {
	lines := g.d.Lines
	next := func(j int) int { // the next line that is not space
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
		if lines[j].Used || g.sums[j] || g.begins[j] || sectionOf(s) != noSection || deeper && text.IndentOf(s) <= indent ||
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
