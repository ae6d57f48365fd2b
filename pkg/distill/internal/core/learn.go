package core

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

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
		if g.follows(m) || m.said == unknown && (m.place.File != "" || m.more != "" &&
			(telling(m.more) || g.f.Root.Placed(m.more))) {
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
	g.tests = g.counted || len(g.rows) > 0 || crosses > 0 && ticks > 0 || g.f.partFailed ||
		slices.ContainsFunc(g.marks, func(m marked) bool { return m.sure && m.said == failed }) ||
		slices.ContainsFunc(g.order, func(x *group) bool {
			return x.said == failed && !isLevel(x.marks[0].lead) && g.endsInTrace(x.marks[0])
		})
	g.textAbove = g.printsAbove()
	g.partition()
	for _, x := range g.order {
		if x.said == unknown && !strings.HasPrefix(x.key, "\x01") && x.marks[0].number == 0 {
			x.said = g.judge(x)
		}
	}
	g.cutReasons()
}

// cutReasons takes what went wrong off the names of failing tests: it stands behind a sign
// that all of them have and none of those that passed.
func (g *generic) cutReasons() {
	var good, bad []*marked
	for _, x := range g.order {
		for _, m := range x.marks {
			switch {
			case strings.HasPrefix(x.key, "\x01") || m.number > 0:
			case x.said == passed:
				good = append(good, m)
			case x.said == failed:
				bad = append(bad, m)
			}
		}
	}
	for _, sep := range []string{" !! ", " -- ", " => ", " -> ", " ~ ", " | ", " – ", " — ", " - ", ": "} {
		has := func(m *marked) bool { return strings.Contains(m.name, sep) }
		hasNot := func(m *marked) bool {
			name, why, ok := strings.Cut(m.name, sep)
			return !ok || (sep == ": " && !strings.Contains(name, " ") || sep == " - ") && !telling(why)
		}
		if len(bad) < 2 || len(good) == 0 || slices.ContainsFunc(bad, hasNot) || slices.ContainsFunc(good, has) {
			continue
		}
		for _, m := range bad {
			name, why, _ := strings.Cut(m.name, sep)
			m.name, m.more = strings.TrimSpace(name), strings.TrimSpace(why+" "+m.more)
		}
		return
	}
}

// partition learns unknown marks of one column together: one is found as often as the sums
// count passed tests, all others as often as they count failed ones.
func (g *generic) partition() {
	for _, good := range g.order {
		if g.passed == 0 || g.failed == 0 || len(good.marks) != g.passed || good.said != unknown {
			continue
		}
		n, all := 0, []*group(nil)
		for _, x := range g.order {
			if x != good && x.said == unknown && sameColumn(x, good) && x.marks[0].indent == good.marks[0].indent {
				n, all = n+len(x.marks), append(all, x)
			}
		}
		if n != g.failed || len(all) == 0 {
			continue
		}
		good.said = passed
		for _, x := range all {
			x.said = failed
		}
		return
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
	below = slices.DeleteFunc(below, rule)
	return g.telling(below) == 0 || len(below) == 1 && text.IndentOf(below[0]) < last.indent
}

// judge learns what an unknown mark says: from the sum that it agrees with, and
// from the mark that stands in the same column of lines otherwise alike.
func (g *generic) judge(x *group) verdict {
	var pair *group
	ticks := slices.ContainsFunc(g.order, func(y *group) bool { return y.said == passed })
	for _, y := range g.order {
		if y != x && (y.said == passed || y.said == unknown || y.said == skipped && !ticks) && sameColumn(x, y) &&
			(pair == nil || len(y.marks) > len(pair.marks)) {
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
		if !g.counted && n < 4 && !slices.ContainsFunc(x.marks,
			func(m *marked) bool { return !g.endsInTrace(m) }) {
			g.tests = true
			return failed
		}
		return unknown
	case agrees && (x.below > 0 || g.passed > 0 && len(pair.marks) == g.passed), pair.said >= passed &&
		x.below > 0 && x.below*2 >= n, pair.said == unknown && x.below*2 >= n &&
		pair.below*2 < len(pair.marks) && n <= len(pair.marks):
		if pair.said != passed && (x.below > 0 || agrees) {
			pair.said = passed
			g.tests = true
		}
		return failed
	}
	return unknown
}

// endsInTrace tells whether an error and its stack stand below a line, with nothing
// else between: a run that ended at its first failure.
func (g *generic) endsInTrace(m *marked) bool {
	told := false
	for j := m.at + 1; j < len(g.d.Lines) && j < m.at+12; j++ {
		s := g.d.Lines[j].S
		if _, is := g.atLine[j]; is {
			return false
		}
		if isFrame(s) {
			return told
		}
		told = told || ErrorLike(s) > 3
	}
	return false
}

// sameColumn tells whether two marks stand in the same place of their lines.
func sameColumn(x, y *group) bool {
	a, b := x.marks[0], y.marks[0]
	return (a.lead == "") == (b.lead == "") && (a.tail == "") == (b.tail == "") &&
		a.lead != b.lead == (a.tail == b.tail) && a.number == 0 && b.number == 0 &&
		!strings.HasPrefix(y.key, "\x01")
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
		if n, is := g.atLine[j]; is && (text.IndentOf(s) <= m.indent ||
			m.said == unknown && g.marks[n].said != unknown) || g.sums[j] || m.said != unknown && rule(s) {
			return false
		}
		if text.IndentOf(s) > m.indent {
			return true
		}
		_, frame := ParseFrame(s)
		_, _, value := valueOf(s)
		return frame || value || ErrorLike(s) > 3 && !gap && text.IndentOf(s) >= m.indent
	}
	return false
}
