package proof

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
)

func TestCanFail(t *testing.T) {
	const text = "check(a, 5)\ncheck(b, 6)\ncheck(c, 7)\n\n\n\ncheckLess(d, 9)\n"
	cannotFail := func(map[string]string) Result { return Result{Passed: true} }
	canFail := func(files map[string]string) Result {
		if strings.Contains(files["t"], "b, 7") {
			return fail("test_b", "got 6, want 7")
		}
		return Result{Passed: true}
	}
	elsewhere := func(files map[string]string) Result {
		if r := canFail(files); !r.Passed {
			r.Failures[0].File, r.Failures[0].Line = "code", 1
			return r
		}
		return Result{Passed: true}
	}
	row := func(files map[string]string) Result {
		if r := canFail(files); !r.Passed {
			r.Failures[0].Test, r.Failures[0].File, r.Failures[0].Line = "test_b[7]", "t", 2
			return r
		}
		return Result{Passed: true}
	}
	mutated := func(files map[string]string) Result {
		if strings.Contains(files["code.go"], "a + b") {
			return Result{Passed: true}
		}
		return fail("test_b", "got 1")
	}
	bound := func(files map[string]string) Result {
		if strings.Contains(files["t"], "checkLess(d, 0)") {
			return fail("test_b", "got 8")
		}
		return Result{Passed: true}
	}
	sum := Subject{Sources: []Source{{Path: "code.go", Old: []byte("package c\n\nfunc Sum(a, b int) int {\n\treturn a\n}\n"),
		New: []byte("package c\n\nfunc Sum(a, b int) int {\n\treturn a + b\n}\n")}}}
	others := func(map[string]string) Result { return fail("test_other", "got 1") }
	expecting := []failure.Failure{{Test: "test_b", File: "t", Line: 2, Expected: "6"}}
	bounded := []failure.Failure{{Test: "test_b", File: "t", Line: 7, Expected: "9"}}
	at := func(test string) []failure.Failure { return []failure.Failure{{Test: test, File: "t", Line: 2}} }
	for _, c := range []struct {
		name   string
		change Subject
		alone  bool
		suite  time.Duration
		tests  func(map[string]string) Result
		shown  []failure.Failure
		state  string
		ran    string
	}{
		{"it fails", Subject{}, true, time.Hour, canFail, at("test_b"), event.StateProven, "alone test_b"},
		{"it never fails", Subject{}, true, 0, cannotFail, at("test_b"), event.StateNotShown, "alone test_b, alone test_b"},
		{"an error elsewhere", Subject{}, true, 0, elsewhere, at("test_b"), event.StateNotShown, "alone test_b, alone test_b"},
		{"a row, whose name changes with it", Subject{}, true, 0, row, at("test_b[6]"), event.StateProven, "alone test_b"},
		{"on a small change to the change", sum, true, 0, mutated, at("test_b"), event.StateProven,
			"alone test_b, alone test_b, alone test_b"},
		{"nor does it fail whatever it expects", sum, true, 0, mutated, expecting, event.StateNotShown,
			"alone test_b, alone test_b, alone test_b"},
		{"it lets more values pass", sum, true, 0, bound, bounded, event.StateProven, "alone test_b, alone test_b, alone test_b"},
		{"another one fails", Subject{}, true, 0, others, at("test_b"), event.StateUntried, "alone test_b, alone test_b"},
		{"among all others", Subject{}, false, time.Second, canFail, at("test_b"), event.StateProven, "all"},
		{"all others take long", Subject{}, false, time.Hour, canFail, at("test_b"), event.StateUntried, ""},
		{"without a name", Subject{}, true, 0, canFail, at(""), event.StateProven, "all"},
		{"in the frame of a test", Subject{}, true, 0, canFail, []failure.Failure{{Test: "test_b", File: "code", Line: 1, Frames: []failure.Frame{{File: "t", Line: 2}}}},
			event.StateProven, "alone test_b"},
		{"of no test", Subject{}, true, 0, canFail, []failure.Failure{{Test: "test_b", File: "code", Line: 1}}, event.StateUntried, ""},
	} {
		tree := &textTree{files: map[string]string{"t": text, "code.go": "a + b"}, tests: c.tests, alone: c.alone}
		seen, err := AssertionCheck{Subject: c.change, Suite: c.suite, Read: func(_ context.Context, at failure.Frame) (*Expectation, error) {
			if at.File != "t" {
				return nil, nil
			}
			return &Expectation{Path: "t", Text: []byte(text), Line: at.Line}, nil
		}}.Ask(t.Context(), tree, c.shown)
		got := seen.Claim()
		if err != nil || got.State != c.state || strings.Join(tree.runs, ", ") != c.ran {
			t.Errorf("%s: got %v, %v, ran %v", c.name, got, err, tree.runs)
		}
		if name := fmt.Sprint(got.Tests); got.State == event.StateProven && name != "[test_b]" && name != "[t:2]" {
			t.Errorf("%s: tests %s", c.name, name)
		}
		if tree.files["t"] != text {
			t.Errorf("%s: the tree was left altered", c.name)
		}
	}
}
