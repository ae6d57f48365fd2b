package proof

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
)

// expects returns the tests that fail as they stood on the new code, with their replacements, if
// none is weaker: each new version fails on the old code and can fail, so it expects something else
// now; or the test is gone.
func (r Ran) expects() []replacement {
	if r.Stood == nil {
		return nil
	}
	broken, _ := StoodFails(r.Before, r.After, *r.Stood)
	list, ok := r.replacements(broken)
	replaced := slices.ContainsFunc(list, func(f replacement) bool { return f.is != nil })
	if !ok || replaced && (r.New.State != event.StateProven || r.CanFail == nil || r.CanFail.How == "") {
		return nil
	}
	unexplained := func(name string) bool { // it is lost, and no test that fails as it stood says why
		c := caseOf(name)
		return !slices.ContainsFunc(broken, func(f failure.Failure) bool {
			return slices.ContainsFunc(casesOf(f), func(d testCase) bool {
				return d == c || d.of == c.of && (c.row == "" || len(r.After.rowsOf(c)) == 0)
			})
		})
	}
	if lost := r.lost(*r.Stood); lost.N > len(lost.Names) || slices.ContainsFunc(lost.Names, unexplained) {
		return nil
	}
	return list
}

// expectWords say it of such tests, and what a person should look at.
func expectWords(list []replacement) (claim, look string) {
	is := func(gone bool) bool {
		return slices.ContainsFunc(list, func(f replacement) bool { return (f.is == nil) == gone })
	}
	switch {
	case !is(true):
		return "these tests expect something else now", "a person should look at what these tests expect now"
	case !is(false):
		return "these tests fail on the new code as they stood, and are gone",
			"a person should look at these tests, which fail on the new code and are gone"
	}
	return "these tests fail on the new code as they stood, and expect something else now or are gone",
		"a person should look at these tests, which expect something else now or are gone"
}

// sameTest reports whether a failure of a test as it stood and one of a test as it is are of one
// test, cases aside.
func (r Ran) sameTest(stood, is failure.Failure) bool {
	if stood.Test == "" || is.Test == "" {
		return false
	}
	if stood.ID().Function().Same(is.ID().Function()) {
		return true
	}
	now, renamed := r.renamedTo(stood)
	return renamed && slices.ContainsFunc(casesOf(is), func(d testCase) bool { return d.of == now.of })
}

// renamedTo returns the test that holds most of what a failing test held that is gone.
func (r Ran) renamedTo(f failure.Failure) (testCase, bool) {
	for _, c := range casesOf(f) {
		if now, ok := r.Renamed[testCase{of: c.of}]; ok {
			return now, true
		}
	}
	return testCase{}, false
}

// broken are the tests that fail as they stood.
func (r Ran) broken() []failure.Failure {
	if r.Stood == nil {
		return nil
	}
	broken, _ := StoodFails(r.Before, r.After, *r.Stood)
	return broken
}

// expectations show what tests expected beside what they expect.
func (p *Prover) expectations() (out []event.Expectation) {
	for _, x := range p.ran.expects() {
		if x.is == nil {
			continue
		}
		f, g := *x.was, *x.is
		e := event.Expectation{Test: failure.FunctionOf(f.Test), File: g.File, Line: g.Line}
		old, text := p.texts(f.File, g.File)
		e.Was, e.Now = sideBySide(old, text, f, g)
		if (e.Was != "" || e.Now != "") &&
			!slices.ContainsFunc(out,
				func(o event.Expectation) bool { return o.Was == e.Was && o.Now == e.Now }) {
			out = append(out, e)
		}
	}
	return out
}

// texts are a file of tests as it stood and another as it is.
func (p *Prover) texts(was, is string) (old, now string) {
	for _, c := range p.Old.Tests {
		if c.Path == was {
			old = string(c.New)
		}
		if c.Path == is {
			now = string(c.Old)
		}
	}
	return old, now
}

// sideBySide returns what a test expected and what it expects now: the lines that compare
// something, or those with the values that the failures name as expected, or the names of cases
// with these values; nothing if there are none.
func sideBySide(old, now string, f, g failure.Failure) (was, is string) {
	if was, is = comparison(old, f.Line), comparison(now, g.Line); was != is && was != "" && is != "" {
		return was, is
	}
	before := diff.Split(old)
	for _, e := range diff.Edits(before, diff.Split(now)) {
		for i, line := range before[e.From:e.To] {
			if i < len(e.New) && namesExpected(line, f) && namesExpected(e.New[i], g) {
				return strings.TrimSpace(line), strings.TrimSpace(e.New[i])
			}
		}
	}
	if c, d := caseOf(f.Test), caseOf(g.Test); c.row != d.row {
		return c.row, d.row
	}
	return "", ""
}

// reports is a line that fails a test by what lines above it compare.
var reports = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\.(Error|Fatal|Fail|Log)\w*\(`) })

// comparison returns the comparison with which a test failed at a line; "" if none is found.
func comparison(text string, n int) string {
	line := lineOf(text, n)
	if !reports().MatchString(line) {
		if compares().MatchString(line) {
			return line
		}
		return ""
	}
	for above := n - 1; above >= max(n-maxAbove, 1); above-- {
		if line = lineOf(text, above); strings.HasPrefix(strings.TrimPrefix(line, "} else "), "if ") {
			return line
		}
	}
	return ""
}

// maxAbove is how far above what reports it a comparison is looked for.
const maxAbove = 3

// namesExpected reports whether a line holds a literal that a failure names as expected.
func namesExpected(line string, f failure.Failure) bool {
	return slices.ContainsFunc(literal().FindAllString(line, -1), func(l string) bool {
		return f.Expected != "" && bare(l) == bare(f.Expected) || saysWanted(f.Message, l)
	})
}

func lineOf(text string, n int) string {
	all := strings.Split(text, "\n")
	if n < 1 || n > len(all) {
		return ""
	}
	return strings.TrimSpace(all[n-1])
}
