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
	const text = "check(a, 5)\ncheck(b, 6)\ncheck(c, 7)\n"
	toothless := func(map[string]string) Result { return Result{Passed: true} }
	bites := func(files map[string]string) Result {
		if strings.Contains(files["t"], "b, 7") {
			return fail("test_b", "got 6, want 7")
		}
		return Result{Passed: true}
	}
	others := func(map[string]string) Result { return fail("test_other", "got 1") }
	at := func(test string) []failure.Failure { return []failure.Failure{{Test: test, File: "t", Line: 2}} }
	for _, c := range []struct {
		name  string
		alone bool
		suite time.Duration
		tests func(map[string]string) Result
		shown []failure.Failure
		state string
		ran   string
	}{
		{"it fails", true, time.Hour, bites, at("test_b"), event.StateProven, "alone test_b"},
		{"it never fails", true, 0, toothless, at("test_b"), event.StateDisproven, "alone test_b, alone test_b, alone test_b"},
		{"another one fails", true, 0, others, at("test_b"), event.StateUntried, "alone test_b, alone test_b, alone test_b"},
		{"among all others", false, time.Second, bites, at("test_b"), event.StateProven, "all"},
		{"all others take long", false, time.Hour, bites, at("test_b"), event.StateUntried, ""},
		{"without a name", true, 0, bites, at(""), event.StateProven, "all"},
		{"in the frame of a test", true, 0, bites, []failure.Failure{{Test: "test_b", File: "code", Line: 1, Frames: []failure.Frame{{File: "t", Line: 2}}}},
			event.StateProven, "alone test_b"},
		{"of no test", true, 0, bites, []failure.Failure{{Test: "test_b", File: "code", Line: 1}}, event.StateUntried, ""},
	} {
		tree := &textTree{files: map[string]string{"t": text}, tests: c.tests, alone: c.alone}
		got, err := Canary{Suite: c.suite, Read: func(_ context.Context, at failure.Frame) (*Expectation, error) {
			if at.File != "t" {
				return nil, nil
			}
			return &Expectation{Path: "t", Text: []byte(text), Line: at.Line}, nil
		}}.Ask(t.Context(), tree, c.shown)
		if err != nil || got.State != c.state || strings.Join(tree.runs, ", ") != c.ran {
			t.Errorf("%s: got %v, %v, ran %v", c.name, got, err, tree.runs)
		}
		if name := fmt.Sprint(got.Tests); got.State != event.StateUntried && name != "[test_b]" && name != "[t:2]" {
			t.Errorf("%s: tests %s", c.name, name)
		}
		if tree.files["t"] != text {
			t.Errorf("%s: the tree was left altered", c.name)
		}
	}
}
