package proof

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
)

// TestKeptInEachPlace: a sample of the changed lines says nothing of a branch that no test runs.
func TestKeptInEachPlace(t *testing.T) {
	const old = "def pages(n, deep):\n    return n\n"
	const now = "def pages(n, deep):\n    n = n + 10\n\n    if deep:\n        extra.append(n)\n\n    n = n - 10\n    return n\n"
	passing := Result{Passed: true, Passing: []string{"a"}, As: "names", Counts: counted(1)}
	for _, c := range []struct {
		name    string
		unseen  string
		mutants int
		verdict string
		reason  string
	}{
		{"tests notice each place", "", 3, event.VerdictKept,
			"as far as 1 test sees: none tells the old code from the new, and 4 of 4 small changes to the changed lines made a test fail"},
		{"tests do not run a branch", "extra.append(n)", 3, event.VerdictNotShown, "the change adds no test, and no existing test fails without it"},
		{"not each place had its turn", "", 1, event.VerdictNotShown, "the change adds no test, and no existing test fails without it"},
	} {
		run := func(files map[string]string) Result {
			if text := files["pages.py"]; text == old || text == now || c.unseen != "" && !strings.Contains(text, c.unseen) {
				return passing
			}
			return fail("a", "got 1, want 2")
		}
		p := Prover{
			Subject: Subject{Sources: []Source{{Path: "pages.py", Old: []byte(old), New: []byte(now)}}},
			Mutants: c.mutants, Workers: 1, Now: time.Now, Read: func(context.Context, failure.Frame, bool) (*Expectation, error) { return nil, nil },
			Sides: sides{&textTree{files: map[string]string{"pages.py": old}, tests: run}, &textTree{files: map[string]string{"pages.py": now}, tests: run}},
		}
		got, err := p.Prove(t.Context())
		if err != nil || got.Verdict != c.verdict || got.Reason != c.reason {
			t.Errorf("%s: got %s: %s, %v", c.name, got.Verdict, got.Reason, err)
		}
	}
}
