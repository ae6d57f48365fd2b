package proof

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
)

// expects are the tests that fail as they stood on the new code, where each fails as it is on
// the old code and can fail: they expect something else now, and are not weaker for it.
func (r Ran) expects() []failure.Failure {
	if r.Stood == nil || r.New == nil || r.New.State != event.StateProven || r.CanFail == nil || r.CanFail.How == "" {
		return nil
	}
	broken, _ := StoodFails(r.Before, r.After, *r.Stood)
	if len(r.successors(broken)) == 0 {
		return nil
	}
	gone := func(name string) bool { // by its name alone, if another test is there for it
		return !slices.ContainsFunc(broken, func(f failure.Failure) bool { return caseOf(f.Test).of == caseOf(name).of })
	}
	if lost := r.lost(*r.Stood); lost.N > len(lost.Names) || slices.ContainsFunc(lost.Names, gone) {
		return nil
	}
	return broken
}

// sameTest reports whether a failure of a test as it stood and one of a test as it is are of one
// test, cases aside.
func (r Ran) sameTest(stood, is failure.Failure) bool {
	if stood.Test == "" || is.Test == "" {
		return false
	}
	now, renamed := r.Renamed[testCase{of: caseOf(stood.Test).of}]
	return stood.ID().Function().Same(is.ID().Function()) || renamed && now.of == caseOf(is.Test).of
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
	broken := p.ran.expects()
	if len(broken) == 0 {
		return nil
	}
	now := p.ran.successors(broken)
	for i, f := range broken {
		g := now[i]
		e := event.Expectation{Test: failure.FunctionOf(f.Test), File: g.File, Line: g.Line}
		old, text := p.texts(f.File, g.File)
		if e.Was, e.Now = lineOf(old, f.Line), lineOf(text, g.Line); e.Was == e.Now {
			e.Was, e.Now = changedLines(old, text)
		}
		if (e.Was != "" || e.Now != "") && !slices.ContainsFunc(out, func(o event.Expectation) bool { return o.Was == e.Was && o.Now == e.Now }) {
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

func lineOf(text string, n int) string {
	all := strings.Split(text, "\n")
	if n < 1 || n > len(all) {
		return ""
	}
	return strings.TrimSpace(all[n-1])
}

// changedLines are the first lines of a text that are others now.
func changedLines(old, now string) (was, is string) {
	before := diff.Split(old)
	for _, e := range diff.Edits(before, diff.Split(now)) {
		if e.To > e.From && len(e.New) > 0 {
			return strings.TrimSpace(before[e.From]), strings.TrimSpace(e.New[0])
		}
	}
	return "", ""
}
