package core

import (
	"slices"
	"strconv"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// heads reads names that no mark stands beside: lines of one form, each with what went wrong
// below it, of which there are as many as a number says that stands right above the first
// or below the last, or as many as a line of signs has other ones than dots.
func (g *generic) heads() {
	forms := map[string][]event{}
	var order []string
	for i := range g.d.Lines {
		form, e := g.headAt(i)
		if form == "" {
			continue
		}
		if forms[form] == nil {
			order = append(order, form)
		}
		forms[form] = append(forms[form], e)
	}
	for _, form := range order {
		all, told := forms[form], 0
		for _, e := range all {
			told += g.telling(e.block)
		}
		sure := slices.DeleteFunc(slices.Clone(all), func(e event) bool { return g.telling(e.block) < 3 })
		for _, heads := range [][]event{all, sure} {
			if n := len(heads); n == 0 || n > 200 || told < 3*n || !g.numbersAgree(heads) {
				continue
			}
			for _, e := range heads {
				g.ledger.add(e)
			}
			g.tests = true
			return
		}
	}
}

// headAt takes line i for the head of a block that tells of an error.
func (g *generic) headAt(i int) (form string, e event) {
	s := g.d.Lines[i].S
	k, is := g.atLine[i]
	below := g.deeperBelow(i)
	if s == "" || len(s) > 160 || g.d.Lines[i].Used || g.rowAt[i] || g.sums[i] || below == 0 ||
		isFrame(g.d.Lines[below].S) ||
		is && g.marks[k].said != unknown || sectionOf(strings.ToLower(s)) != noSection || isFrame(s) {
		return "", e
	}
	m := marked{at: i, indent: text.IndentOf(s)}
	t := strings.TrimSpace(s)
	e = event{said: failed, mark: "\x02head", at: i, proof: proofMark}
	e.name, e.more = cutName(m.cutIndex(strings.TrimLeft(t, "-*•+> ")), "")
	for j := i + 1; j < min(i+200, len(g.d.Lines)); j++ {
		l := g.d.Lines[j].S
		if l != "" && text.IndentOf(l) <= m.indent {
			break
		}
		if _, is := g.atLine[j]; is { // a group of tests
			return "", e
		}
		e.block = append(e.block, l)
	}
	if !named(e.name) || slices.ContainsFunc(strings.Fields(e.name), g.f.Root.IsFile) ||
		g.f.Root.Placed(e.name) || g.telling(e.block) == 0 || g.onlyFindings(e.block) {
		return "", e
	}
	sign := t[:len(t)-len(strings.TrimLeft(t, "-*•+>0123456789.)# "))]
	return strings.Repeat(" ", m.indent) + ":" + strings.Trim(sign, "0123456789"), e
}

// numbersAgree tells whether something counts as many failures as there are heads.
func (g *generic) numbersAgree(all []event) bool {
	n := len(all)
	if g.failed == n {
		return true
	}
	first, end := all[0].at, all[n-1].at+len(all[n-1].block)
	for i := range g.d.Lines {
		s := g.d.Lines[i].S
		if len(s) > 100 || s == "" {
			continue
		}
		if bad, good := signs(s); bad == n && good+bad > 2 {
			g.sumUp(i, good, bad)
			return true
		}
		near := (i < first && i > first-3 || i > end && i < end+3) &&
			text.IndentOf(s) <= text.IndentOf(g.d.Lines[first].S)
		told := near && slices.ContainsFunc(tokens(s), func(t token) bool { return t.text == strconv.Itoa(n) })
		if n > 1 && told || resultWords().Match([]byte(s)) && slices.Contains(countsIn(s), count{countFailed, n}) {
			return true
		}
	}
	return false
}

// signs counts the signs of a line that has a dot for each test that passed and a letter
// for each other.
func signs(s string) (bad, good int) {
	for _, c := range s {
		switch c {
		case '.':
			good++
		case 'F', 'E', 'x', 'X', '!':
			bad++
		case 'S', 's', '-', '*':
		default:
			return 0, 0
		}
	}
	return bad, good
}
