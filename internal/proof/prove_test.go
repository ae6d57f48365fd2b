package proof

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/pkg/edit"
)

// sides is a Sides of two trees of texts.
type sides struct{ old, new *textTree }

func (s sides) Old(context.Context) (Tree, error) { return s.old, nil }
func (s sides) New(context.Context) (Tree, error) { return s.new, nil }

// TestVerdicts: "code" is the product, "test" its tests; what they say of each other is
// in says, "code/test".
func TestVerdicts(t *testing.T) {
	pass := func(names ...string) Result {
		return Result{Passed: true, Passing: names, As: "names", Counts: counted(len(names))}
	}
	failing := func(r Result, test, message string) Result {
		r.Passed = false
		r.Failures = append(r.Failures, failure.Failure{Test: test, Message: message})
		r.Counts = counted(r.Counts.Ran() + 1)
		return r
	}
	unbuilt := Result{Failures: []failure.Failure{{Kind: "compile", File: "old_test.go", Message: "undefined: Old"}}}
	for _, c := range []struct {
		name      string
		says      map[string]Result
		same      bool // no test was changed
		mustCount bool
		verdict   string
		reason    string
	}{
		{name: "a new test fails on the old code", says: map[string]Result{"old/old": pass("a"), "new/new": pass("a", "b"), "new/old": pass("a"),
			"old/new": failing(pass("a"), "b", "got 1")}, verdict: event.VerdictProven, reason: "1 test fails without the change and passes with it"},
		{name: "it passes there too", says: map[string]Result{"old/old": pass("a"), "new/new": pass("a", "b"), "new/old": pass("a"), "old/new": pass("a", "b")},
			verdict: event.VerdictNotShown, reason: "the new tests pass without the change too: they prove nothing"},
		{name: "none is new, and those that were changed pass there", says: map[string]Result{"old/old": pass("a"), "new/new": pass("a"), "new/old": pass("a"),
			"old/new": pass("a")}, verdict: event.VerdictNotShown, reason: "the changed tests pass without the change too: they prove nothing"},
		{name: "a test that failed before passes", same: true, says: map[string]Result{"old/old": failing(pass("a"), "b", "got 1"), "new/old": pass("a", "b")},
			verdict: event.VerdictProven, reason: "1 test fails without the change and passes with it"},
		{name: "an old test fails as it stood", says: map[string]Result{"old/old": pass("a"), "new/new": pass("a"), "new/old": failing(pass(), "a", "got 2"),
			"old/new": failing(pass(), "a", "got 1")}, verdict: event.VerdictWeakened, reason: "these old tests fail on the new code: a"},
		{name: "a test went", says: map[string]Result{"old/old": pass("a", "c"), "new/new": pass("a", "b"), "new/old": pass("a", "c"),
			"old/new": failing(pass("a"), "b", "got 1")}, verdict: event.VerdictWeakened, reason: "these tests ran before the change and do not now: c"},
		{name: "the old tests do not build with the new code", says: map[string]Result{"old/old": pass("a"), "new/new": pass("a", "b"), "new/old": unbuilt,
			"old/new": failing(pass("a"), "b", "got 1")}, verdict: event.VerdictPartly, reason: "the old tests cannot be run on the new code: undefined: Old"},
		{name: "nor load, and the runner names their file as a test", says: map[string]Result{"old/old": pass("a"), "new/new": pass("a", "b"),
			"new/old": {Failures: []failure.Failure{{Test: "test_old.py", Kind: "load", Message: "cannot import name Old"}}, Counts: counted(1)},
			"old/new": failing(pass("a"), "b", "got 1")}, verdict: event.VerdictPartly, reason: "the old tests cannot be run on the new code: cannot import name Old"},
		{name: "a test fails since the change", same: true, says: map[string]Result{"old/old": pass("a"), "new/old": failing(pass(), "a", "got 2")},
			verdict: event.VerdictFailing, reason: "these tests fail with the change, and did not before: a"},
		{name: "it fails as it did", same: true, says: map[string]Result{"old/old": failing(pass("a"), "b", "got 1"), "new/old": failing(pass("a"), "b", "got 1")},
			verdict: event.VerdictNotShown, reason: "the change adds no test, and no existing test fails without it"},
		{name: "it fails otherwise", same: true, says: map[string]Result{"old/old": failing(pass("a"), "b", "got 1"), "new/old": failing(pass("a"), "b", "got 7")},
			verdict: event.VerdictFailing, reason: "these tests fail with the change, and did not before: b"},
		{name: "some files of tests do not load, before and after", same: true, says: map[string]Result{
			"old/old": {Failures: []failure.Failure{{Test: "b", Message: "got 1"}, {Kind: "load", Message: "no such gem"}}, Counts: counted(1)},
			"new/old": {Failures: []failure.Failure{{Kind: "load", Message: "no such gem"}, {Test: "c", Message: "got 1"}}, Counts: counted(1)}},
			verdict: event.VerdictFailing, reason: "these tests fail with the change, and did not before: c"},
		{name: "and what can be run says nothing new", same: true, says: map[string]Result{
			"old/old": {Failures: []failure.Failure{{Test: "a", Message: "got 1"}, {Test: "b", Message: "got 1"}, {Kind: "load", Message: "no such gem"}}, Counts: counted(2)},
			"new/old": {Failures: []failure.Failure{{Test: "b", Message: "got 1"}, {Kind: "load", Message: "no such gem"}}, Counts: counted(2)}},
			verdict: event.VerdictPartly, reason: "not all tests can be run here, before the change and after it: no such gem"},
		{name: "no file of tests loads, before and after", same: true, says: map[string]Result{
			"old/old": {Failures: []failure.Failure{{Test: "test_a.py", Kind: "load", Message: "no module a"}}, Counts: counted(1)},
			"new/old": {Failures: []failure.Failure{{Test: "test_a.py", Kind: "load", Message: "no module a"}}, Counts: counted(1)}},
			verdict: event.VerdictUntried, reason: "the tests cannot be run, before the change and after it: no module a"},
		{name: "no tests", same: true, says: map[string]Result{"old/old": pass("a"), "new/old": {NoTests: true}},
			verdict: event.VerdictUntried, reason: "no tests were found on the new code"},
		{name: "a command that was guessed counts none", same: true, mustCount: true, says: map[string]Result{"old/old": {Passed: true}, "new/old": {Passed: true}},
			verdict: event.VerdictUntried, reason: "no tests were found on the new code"},
		{name: "and its tests do not build, before and after", same: true, mustCount: true, says: map[string]Result{
			"old/old": {Failures: []failure.Failure{{Kind: "compile", File: "a_test.go", Message: "ExampleA refers to unknown identifier: A"}}},
			"new/old": {Failures: []failure.Failure{{Kind: "compile", File: "a_test.go", Message: "ExampleA refers to unknown identifier: A"}}}},
			verdict: event.VerdictUntried, reason: "the tests cannot be run, before the change and after it: ExampleA refers to unknown identifier: A"},
		{name: "they run out of time", same: true, says: map[string]Result{"old/old": pass("a"), "new/old": {Trouble: "it ran out of time"}},
			verdict: event.VerdictUntried, reason: "the tests cannot be run on the new code: it ran out of time"},
	} {
		run := func(files map[string]string) Result {
			r, is := c.says[files["code"]+"/"+files["test"]]
			if !is {
				t.Errorf("%s: %v was run", c.name, files)
			}
			return r
		}
		tests := "new"
		p := Prover{
			Subject:   Subject{Sources: []Source{{Path: "code", Old: []byte("old"), New: []byte("new")}}},
			MustCount: c.mustCount, Now: time.Now, Read: func(context.Context, failure.Frame, bool) (*Expectation, error) { return nil, nil },
		}
		if c.same {
			tests = "old"
		} else {
			p.NewTests = []edit.Change{{Op: edit.Modify, Path: "test", Old: []byte("old"), New: []byte("new")}}
			p.Old.Tests = []edit.Change{{Op: edit.Modify, Path: "test", Old: []byte("new"), New: []byte("old")}}
		}
		p.Sides = sides{&textTree{files: map[string]string{"code": "old", "test": "old"}, tests: run},
			&textTree{files: map[string]string{"code": "new", "test": tests}, tests: run}}
		var steps []string
		p.Step = func(e event.ProofStep) { steps = append(steps, e.Step) }
		got, err := p.Prove(t.Context())
		if err != nil || got.Verdict != c.verdict || got.Reason != c.reason {
			t.Errorf("%s: got %s: %s, %v", c.name, got.Verdict, got.Reason, err)
		}
		if !strings.HasPrefix(strings.Join(steps, " "), event.StepBase+" "+event.StepHead) || len(got.Claims) == 0 {
			t.Errorf("%s: steps %v, claims %v", c.name, steps, got.Claims)
		}
	}
}
