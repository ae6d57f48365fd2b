package core

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// countedList reads a line that counts and names: "2 of 4 went wrong: adds, melts", or with
// the names below it. That there are as many as it says, and that each was told before,
// proves both, whatever the words. It gives the line behind the list.
func (g *generic) countedList(i int) int {
	s := strings.TrimSpace(g.d.Lines[i].S)
	if digit := strings.IndexAny(s, "123456789"); digit < 0 || digit > 60 || strings.IndexByte(s, ':') < digit {
		return i
	}
	head, rest, ok := strings.Cut(s, ": ")
	if !ok {
		head, ok = strings.CutSuffix(s, ":")
	}
	n, of := listCount(head)
	if !ok || n <= 0 {
		return i
	}
	names, end := strings.Split(strings.TrimSuffix(rest, "."), ", "), i+1
	if rest == "" {
		names, end = g.items(i)
	}
	if len(names) != n {
		return i
	}
	var events []event
	for k, name := range names {
		if mark, is := g.atLine[end-1-k]; is && rest == "" && g.marks[mark].said != unknown {
			return i // the lines of the list tell results
		}
		if m, is := splitMark(name); is && m.said == failed {
			name = m.name
		}
		at := g.toldBefore(i, name)
		if at < 0 || !nameLike(name) {
			return i
		}
		m := marked{at: at, indent: text.IndentOf(g.d.Lines[at].S)}
		e := event{said: failed, name: Qualified(name), mark: "\x01counted", at: at, proof: proofMark}
		if e.block, _ = g.below(&m); len(e.block) > 12 || at+len(e.block) >= i {
			e.block = nil
		}
		events = append(events, e)
	}
	for _, e := range events {
		g.ledger.add(e)
	}
	if g.tests = true; of >= n && !g.counted {
		g.sumUp(i, of-n, n)
	}
	return end
}

// listCount gives what a line counts before a list of names, and the whole if it tells it;
// 0 where it counts what passed or was skipped, or other things.
func listCount(head string) (n, of int) {
	toks := tokens(head)
	for i := range toks {
		if !toks[i].num || len(toks[i].text) > 5 {
			continue
		}
		if n == 0 {
			n = text.Atoi(toks[i].text)
		} else if toks[i-1].text == "of" || strings.TrimSpace(toks[i-1].sep) == "/" {
			of = text.Atoi(toks[i].text)
		}
	}
	bad := of > 0
	for _, c := range countsIn(head) {
		switch c.kind {
		case countFailed, countErrors:
			bad = true
		case countPassed, countSkipped, countOther:
			return 0, 0
		}
	}
	if !bad || len(head) > 80 {
		return 0, 0
	}
	return n, of
}

// items gives the entries of the list below a line.
func (g *generic) items(i int) (names []string, end int) {
	j := i + 1
	for j < len(g.d.Lines) && j < i+3 && g.d.Lines[j].S == "" {
		j++
	}
	for from := j; j < len(g.d.Lines) && len(names) < 100; j++ {
		s := g.d.Lines[j].S
		if s == "" || text.IndentOf(s) != text.IndentOf(g.d.Lines[from].S) {
			break
		}
		names = append(names, strings.TrimSpace(strings.TrimLeft(s, "-*•· \t")))
	}
	return names, j
}

// toldBefore gives the first line before i that holds the name.
func (g *generic) toldBefore(i int, name string) int {
	if name == "" {
		return -1
	}
	return slices.IndexFunc(g.d.Lines[:i], func(l stream.Line) bool { return strings.Contains(l.S, name) })
}

// learnedSum finds the line behind the results that tells how many passed and how many
// failed in words that nobody knows: its numbers are those of the ledger.
func (g *generic) learnedSum() {
	good, bad, last := max(0, g.ledger.passing()), len(g.ledger.failing()), 0
	for i := range g.marks {
		last = max(last, g.marks[i].at)
	}
	if good == 0 || bad == 0 {
		return
	}
	for i := len(g.d.Lines) - 1; i > max(last, len(g.d.Lines)-200); i-- {
		if c := countsIn(g.d.Lines[i].S); len(c) == 1 && c[0] == (count{countFailed, bad}) {
			g.sumUp(i, good, bad)
			return
		}
		var nums []int
		for _, l := range g.d.Lines[i:min(i+2, len(g.d.Lines))] {
			for _, t := range tokens(l.S) {
				if !t.num && kindOfWord(t.text) == countOther {
					nums = append(nums, 0, 0, 0, 0, 0, 0) // it counts other things
				}
				if t.num && !strings.Contains(t.text, ".") {
					nums = append(nums, text.Atoi(t.text))
				}
			}
		}
		told := 0
		for _, n := range []int{good, bad, good + bad} {
			if slices.Contains(nums, n) {
				told++
			}
		}
		if len(nums) < 6 && (told > 2 || told == 2 && (good != bad || len(nums) == 2)) {
			g.sumUp(i, good, bad)
			return
		}
	}
}

// sumUp files line i as the sum of the run.
func (g *generic) sumUp(i, passed, failed int) {
	g.runs = append(g.runs, run{from: i, to: i, end: i + 1, total: Total{passed, failed, -1}, summed: true})
	g.counted, g.passed, g.failed = true, passed, failed
}
