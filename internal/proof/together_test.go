package proof

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/pkg/edit"
)

// sharingTree is a tree whose tests use what those of other trees use too, such as a port.
type sharingTree struct {
	*textTree
	users    *atomic.Int32
	disturbs bool
	met      *atomic.Bool
}

func (t sharingTree) Test(ctx context.Context) (Result, error) {
	n := t.users.Add(1)
	defer t.users.Add(-1)
	for until := time.Now().Add(300 * time.Millisecond); n < 2 && t.users.Load() < 2 && time.Now().Before(until); {
		time.Sleep(time.Millisecond)
	}
	if t.users.Load() > 1 {
		t.met.Store(true)
		time.Sleep(20 * time.Millisecond)
		if t.disturbs && t.files["a.go"] != "" && strings.Contains(t.files["a.go"], "n > 10") {
			return fail("a", "address already in use"), nil
		}
	}
	return t.textTree.Test(ctx)
}

// Tests of two trees run at once; where they disturb each other, the verdict is the same, no test
// is called flaky, and nothing else runs at once.
func TestTwoTreesAtOnce(t *testing.T) {
	const before, after = "package a\n\nfunc Big(n int) bool {\n\treturn false\n}\n", "package a\n\nfunc Big(n int) bool {\n\treturn n > 10\n}\n"
	tests := func(files map[string]string) Result {
		if files["a_test.go"] == "new" && files["a.go"] != after {
			r := fail("b", "got false")
			r.Counts = counted(2)
			return r
		}
		return Result{Passed: true, Passing: []string{"a", "b"}, As: "names", Counts: counted(2)}
	}
	for _, disturbs := range []bool{false, true} {
		var users, seconds atomic.Int32
		// Each look at the clock adds more than patience, however the sides interleave.
		slow := func() time.Time { return time.Unix(int64(seconds.Add(10)), 0) }
		var met atomic.Bool
		var steps []string
		opened := 0
		tree := func(code, test string) Tree {
			return sharingTree{&textTree{files: map[string]string{"a.go": code, "a_test.go": test}, tests: tests, alone: true, narrow: true}, &users, disturbs, &met}
		}
		p := Prover{
			Subject: Subject{Sources: []Source{{Path: "a.go", Old: []byte(before), New: []byte(after)}},
				NewTests: []edit.Change{{Op: edit.Modify, Path: "a_test.go", Old: []byte("old"), New: []byte("new")}},
				Old:      Swap{Tests: []edit.Change{{Op: edit.Modify, Path: "a_test.go", Old: []byte("new"), New: []byte("old")}}}},
			Sides: manyTrees{old: tree(before, "old"), new: func() Tree { opened++; return tree(after, "new") }},
			Now:   slow, Mutants: 4, Workers: 2,
			Read: func(context.Context, failure.Frame, bool) (*Expectation, error) { return nil, nil },
			Step: func(e event.ProofStep) { steps = append(steps, e.Step) },
		}
		got, err := p.Prove(t.Context())
		if err != nil || got.Verdict != event.VerdictProven || len(got.Flaky) > 0 || !met.Load() {
			t.Errorf("disturbed %v: got %s: %s, %v, %v; at once: %v", disturbs, got.Verdict, got.Reason, got.Flaky, err, met.Load())
		}
		if trees := map[bool]int{false: 2, true: 1}[disturbs]; opened != trees {
			t.Errorf("disturbed %v: %d trees of the new code were opened", disturbs, opened)
		}
		if !slices.Equal(steps[:3], []string{event.StepBase, event.StepHead, event.StepStood}) {
			t.Errorf("steps %v", steps)
		}
	}
}
