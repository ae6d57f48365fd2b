package proof

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/pkg/edit"
)

// TestNothingIsShownByChance is of tests that end one way or the other on the same code. ends
// are how the test "b" ends, run by run, on each side: "-" fails, "+" passes, the last one for good.
func TestNothingIsShownByChance(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		brought        bool // the change brings the test
		verdict        string
		flaky          []string
	}{
		{"it fails before the change each time, and passes with it", "-", "+", false, event.VerdictProven, nil},
		{"it fails before the change only at first", "--+", "+", false, event.VerdictNotShown, []string{"b"}},
		{"it passes with the change only at first", "-", "+++-", false, event.VerdictNotShown, []string{"b"}},
		{"a new test fails before the change each time", "-", "+", true, event.VerdictProven, nil},
		{"a new test fails before the change only at first", "--+", "+", true, event.VerdictNotShown, []string{"b"}},
		{"a new test passes with the change only at first", "-", "++-", true, event.VerdictNotShown, []string{"b"}},
		{"it fails with the change only at first", "+", "--+", false, event.VerdictNotShown, []string{"b"}},
		{"it fails with the change each time", "+", "-", false, event.VerdictFailing, nil},
		{"it fails with the change each time, and before it only sometimes", "~", "-", false, event.VerdictNotShown, []string{"b"}},
	} {
		runs := map[string]int{}
		run := func(files map[string]string) Result {
			ends, r := c.old, Result{Passed: true, Passing: []string{"a"}, As: "names", Counts: counted(1)}
			if files["code"] == "new" {
				ends = c.new
			}
			if c.brought && files["test"] == "old" {
				return r
			}
			if ends == "~" { // its runner saw it fail and pass
				r.Flaky, r.Passing = []string{"b"}, append(r.Passing, "b")
				return r
			}
			at := min(runs[files["code"]], len(ends)-1)
			runs[files["code"]]++
			if r.Counts = counted(r.Counts.Ran() + 1); ends[at] == '+' {
				r.Passing = append(r.Passing, "b")
				return r
			}
			r.Failing = []string{"b"}
			r.Passed, r.Failures = false, []failure.Failure{{Test: "b", Message: "wrong"}}
			return r
		}
		p := Prover{
			Subject: Subject{Sources: []Source{{Path: "code", Old: []byte("old"), New: []byte("new")}}}, Now: time.Now,
			Read: func(context.Context, failure.Frame, bool) (*Expectation, error) { return nil, nil },
		}
		tests := "old"
		if c.brought {
			tests = "new"
			p.NewTests = []edit.Change{{Op: edit.Modify, Path: "test", Old: []byte("old"), New: []byte("new")}}
		}
		p.Sides = sides{&textTree{files: map[string]string{"code": "old", "test": "old"}, tests: run, alone: true},
			&textTree{files: map[string]string{"code": "new", "test": tests}, tests: run, alone: true}}
		got, err := p.Prove(t.Context())
		if err != nil || got.Verdict != c.verdict || !slices.Equal(got.Flaky, c.flaky) {
			t.Errorf("%s: got %s: %s, %v, %v", c.name, got.Verdict, got.Reason, got.Flaky, err)
		}
	}
}

// TestOldFailuresAreNamed: beside them the old tests are not said to pass, and they notice nothing.
func TestOldFailuresAreNamed(t *testing.T) {
	const before, after = "package a\n\nfunc Big(n int) bool {\n\treturn false\n}\n", "package a\n\nfunc Big(n int) bool {\n\treturn n > 10\n}\n"
	run := func(files map[string]string) Result {
		r := Result{Counts: counted(2), Failures: []failure.Failure{{Test: "b", Message: "wrong"}}}
		if text := files["a.go"]; text != before && text != after {
			r.Failures[0].Message = "otherwise"
		}
		if strings.Contains(files["a_test.go"], "new") {
			r.Counts = counted(r.Counts.Ran() + 1)
			if !strings.Contains(files["a.go"], "n > 1") { // it does not notice what is done to the number
				r.Failures = append(r.Failures, failure.Failure{Test: "c", Message: "got false"})
			}
		}
		return r
	}
	p := Prover{
		Subject: Subject{Sources: []Source{{Path: "a.go", Old: []byte(before), New: []byte(after)}},
			NewTests: []edit.Change{{Op: edit.Modify, Path: "a_test.go", Old: []byte("old"), New: []byte("new")}},
			Old:      Swap{Tests: []edit.Change{{Op: edit.Modify, Path: "a_test.go", Old: []byte("new"), New: []byte("old")}}}},
		Sides: sides{&textTree{files: map[string]string{"a.go": before, "a_test.go": "old"}, tests: run, alone: true},
			&textTree{files: map[string]string{"a.go": after, "a_test.go": "new"}, tests: run, alone: true}},
		Now: time.Now, Mutants: 4, Workers: 1,
		Read: func(context.Context, failure.Frame, bool) (*Expectation, error) { return nil, nil },
	}
	got, err := p.Prove(t.Context())
	if err != nil || !slices.Equal(got.OldFailures, []string{"b"}) {
		t.Fatalf("got %+v, %v", got, err)
	}
	for _, c := range got.Claims {
		if strings.Contains(c.Reason, "old tests pass") || slices.Contains(c.Tests, "b") {
			t.Errorf("got %+v", c)
		}
	}
}
