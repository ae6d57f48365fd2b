package core

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// PassedName gives the name beside a mark that says that a test passed, and the
// template of the mark: equal for lines of the same kind.
func PassedName(line string) (name, mark string, ok bool) {
	cut := line
	if strings.HasSuffix(cut, "%]") {
		cut = rePercent().ReplaceAllString(cut, "")
	}
	m, ok := splitMark(cut)
	if !ok || m.said != passed || m.name == "" || reDirective().MatchString(line) {
		return "", "", false
	}
	return m.name, strings.TrimSpace(m.key()), true
}

var (
	reDirective = text.Lazy(`(?i) # (?:skip|todo)\b`)
	rePercent   = text.Lazy(`\s+\[ *\d+%\]$`) // pytest's
)

// passWords stand in lines that tell that a test passed.
var passWords = sync.OnceValue(func() *stream.Matcher {
	return stream.NewMatcher(true, []string{"ok", "pass", "succe", "\u2713", "\u2714", "\u2705", "\u221a"})
})

// dropPassed takes back the failing tests of a stream that have passed in the end, whoever
// has read them: the last result of a name counts. Where something fails behind the last pass
// (a package whose tests ran three times) a name must be left for it.
func (f *Found) dropPassed(d *stream.Doc) {
	tails, odd := map[string]bool{}, false // odd: a key is not as lines have it
	for i := range f.Failures[f.from:] {
		name := f.Failures[f.from+i].Test
		tails[lastWord(NameKey(name))] = true
		odd = odd || strings.ContainsFunc(name, func(c rune) bool { return c > 0x7e || c == '"' || c == '\'' || c == '`' })
	}
	if delete(tails, ""); len(tails) == 0 {
		return
	}
	names := passWords()
	if len(tails) <= 100 && !odd { // most lines that pass are of other tests
		names = stream.NewMatcher(true, slices.Collect(maps.Keys(tails)))
	}
	if !slices.ContainsFunc(d.Lines, func(l stream.Line) bool {
		if len(l.S) > 400 || !names.Match([]byte(l.S)) || !passWords().Match([]byte(l.S)) {
			return false
		}
		name, _, ok := PassedName(l.S)
		return ok && tails[lastWord(NameKey(Qualified(name)))]
	}) {
		return
	}
	all := &stream.Doc{Label: d.Label, Lines: slices.Clone(d.Lines)}
	for i := range all.Lines {
		all.Lines[i].Used = false
	}
	g := readLedger(all, f)
	var left []Failure
	end := -1 // the last pass
	for _, x := range f.Failures[f.from:] {
		at := g.passedAgain(x.Test)
		if at < 0 {
			left = append(left, x)
		}
		end = max(end, at)
	}
	if namedTests(left) || !g.failsBehind(end) {
		f.Failures = append(f.Failures[:f.from], left...)
	}
}

// failsBehind tells whether a line behind this one says that something failed, or counts it.
func (g *generic) failsBehind(line int) bool {
	return slices.ContainsFunc(g.marks, func(m marked) bool { return m.said == failed && m.at > line }) ||
		slices.ContainsFunc(g.runs, func(r run) bool { return r.summed && r.to > line && r.total.Failed > 0 })
}

// passedAgain gives the line in which a test has passed after it had failed, or -1.
func (g *generic) passedAgain(test string) int {
	key := NameKey(test)
	x := g.ledger.find(key)
	if x == nil || x.last() == nil || x.last().said != passed {
		return -1
	}
	r := x.last()
	name := NameKey(r.name)
	if slices.ContainsFunc(x.events, func(e event) bool { return e.said == failed && e.at < r.at }) ||
		slices.ContainsFunc(g.marks, func(m marked) bool {
			return m.said == failed && m.at < r.at && strings.HasPrefix(NameKey(m.name)+" ", name+" ")
		}) {
		return r.at
	}
	return -1
}
