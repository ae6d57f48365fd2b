package proof

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/testkit"
	"github.com/booty-cli/booty/pkg/edit"
)

// endingTree ends its context in the run of which the number is last.
type endingTree struct {
	*textTree
	runs *int
	last int
	end  func()
}

func (t endingTree) Test(ctx context.Context) (Result, error) { return t.run(ctx, t.textTree.Test) }

func (t endingTree) run(ctx context.Context, test func(context.Context) (Result, error)) (Result, error) {
	if *t.runs++; *t.runs >= t.last {
		t.end()
		return Result{}, context.Cause(ctx)
	}
	return test(ctx)
}

func (t endingTree) Alone(ctx context.Context, failures []failure.Failure) (Result, bool, error) {
	r, err := t.run(ctx, func(ctx context.Context) (Result, error) { return t.textTree.Test(ctx) })
	return r, true, err
}

type endingSides struct{ old, new Tree }

func (s endingSides) Old(context.Context) (Tree, error) { return s.old, nil }
func (s endingSides) New(context.Context) (Tree, error) { return s.new, nil }

// TestWhatIsKnownIsSaidAtTheEnd stops one proof in each of its runs: nothing is claimed of
// what did not run, and what is left is named.
func TestWhatIsKnownIsSaidAtTheEnd(t *testing.T) {
	const before, after = "package a\n\nfunc Big(n int) bool {\n\treturn false\n}\n", "package a\n\nfunc Big(n int) bool {\n\treturn n > 10\n}\n"
	tests := func(files map[string]string) Result {
		if files["a_test.go"] == "new" && files["a.go"] != after {
			return Result{Failures: []failure.Failure{{Test: "b", Message: "got false"}}, Counts: counted(2)}
		}
		return Result{Passed: true, Counts: counted(2)}
	}
	for last, want := range map[int][]string{ // the state of each claim, and how what is left begins
		1:  {event.VerdictUntried, "untried untried", "the tests before the change; the tests after it; the old tests"},
		2:  {event.VerdictUntried, "untried untried", "the tests after it; the old tests"},
		3:  {event.VerdictUntried, "untried untried", "the old tests on the new code; the new tests"},
		4:  {event.VerdictUntried, "untried proven", "the new tests on the old code; what shows"},
		5:  {event.VerdictUntried, "untried proven", "what shows the change, a second time; whether"},
		9:  {event.VerdictUntried, "untried proven", "what shows the change, a second time; whether"},
		13: {event.VerdictProven, "proven proven", "whether the proving test can fail; small changes"},
		14: {event.VerdictProven, "proven proven proven untried", "3 of 3 small changes were not tried: "},
		15: {event.VerdictProven, "proven proven proven proven", "2 of 3 small changes were not tried: "},
	} {
		for _, cause := range []error{ErrTimeUp, context.Canceled} {
			ctx, end := context.WithCancelCause(t.Context())
			runs := 0
			tree := func(code, test string) Tree {
				return endingTree{&textTree{files: map[string]string{"a.go": code, "a_test.go": test}, tests: tests}, &runs, last, func() { end(cause) }}
			}
			p := Prover{
				Subject: Subject{Sources: []Source{{Path: "a.go", Old: []byte(before), New: []byte(after)}},
					NewTests: []edit.Change{{Op: edit.Modify, Path: "a_test.go", Old: []byte("old"), New: []byte("new")}},
					Old:      Swap{Tests: []edit.Change{{Op: edit.Modify, Path: "a_test.go", Old: []byte("new"), New: []byte("old")}}}},
				Sides: endingSides{tree(before, "old"), tree(after, "new")}, Now: time.Now, Mutants: 3, Workers: 1,
				Read: func(context.Context, failure.Frame, bool) (*Expectation, error) { return nil, nil },
			}
			got, err := p.Prove(ctx)
			var states []string
			for _, c := range got.Claims {
				states = append(states, c.State)
			}
			left := strings.Join(got.LeftOut, "\n")
			if got.Verdict != want[0] || strings.Join(states, " ") != want[1] || !strings.Contains(left, want[2]) {
				t.Errorf("stopped in run %d: got %s (%s), %v, left out %q; want %q of change, unharmed, can_fail, mutants",
					last, got.Verdict, got.Reason, states, left, want)
			}
			timeUp := errors.Is(cause, ErrTimeUp)
			if why := map[bool]string{true: "the time was up", false: "it was stopped"}[timeUp]; !strings.Contains(left, why) || (err == nil) != timeUp {
				t.Errorf("run %d, %v: got %q, %v", last, cause, left, err)
			}
		}
	}
}

// TestNothingIsWeakenedForWantOfTime: tests that fail as they stood may expect something else, which
// is seen only later.
func TestNothingIsWeakenedForWantOfTime(t *testing.T) {
	const before, after = "package a\n\nfunc Big(n int) bool {\n\treturn n > 5\n}\n", "package a\n\nfunc Big(n int) bool {\n\treturn n > 10\n}\n"
	for _, weaker := range []bool{false, true} {
		tests := func(files map[string]string) Result {
			passes := files["a_test.go"] == "old" && files["a.go"] == before || files["a_test.go"] == "new" && (files["a.go"] == after || weaker)
			if passes {
				return Result{Passed: true, Passing: []string{"b"}, As: "names", Counts: counted(1)}
			}
			return Result{Failures: []failure.Failure{{Test: "b", Message: "got false"}}, As: "names", Counts: counted(1)}
		}
		decided := map[bool]string{true: event.VerdictWeakened, false: event.VerdictChanged}[weaker]
		for last, want := range map[int]string{4: event.VerdictUntried, 100: decided} {
			ctx, end := context.WithCancelCause(t.Context())
			runs := 0
			tree := func(code, test string) Tree {
				return endingTree{&textTree{files: map[string]string{"a.go": code, "a_test.go": test}, tests: tests}, &runs, last, func() { end(ErrTimeUp) }}
			}
			p := Prover{
				Subject: Subject{Sources: []Source{{Path: "a.go", Old: []byte(before), New: []byte(after)}},
					NewTests: []edit.Change{{Op: edit.Modify, Path: "a_test.go", Old: []byte("old"), New: []byte("new")}},
					Old:      Swap{Tests: []edit.Change{{Op: edit.Modify, Path: "a_test.go", Old: []byte("new"), New: []byte("old")}}}},
				Sides: endingSides{tree(before, "old"), tree(after, "new")}, Now: time.Now, Workers: 1,
				Read: func(context.Context, failure.Frame, bool) (*Expectation, error) { return nil, nil },
			}
			got, err := p.Prove(ctx)
			if err != nil || got.Verdict != want {
				t.Errorf("weaker %v, %d runs: got %s: %s, %v", weaker, last, got.Verdict, got.Reason, err)
			}
			if want == event.VerdictUntried && !strings.Contains(got.Reason, "which fail on the new code, expect something else now: b") {
				t.Errorf("got %s", got.Reason)
			}
		}
	}
}

// TestStepsAreInOrder: one that is not listed is never said to be left out.
func TestStepsAreInOrder(t *testing.T) {
	for _, step := range testkit.Constants(t, "../event/event.go", "Step") {
		if !slices.ContainsFunc(steps, func(s struct{ name, words string }) bool { return s.name == step && s.words != "" }) {
			t.Errorf("stop.go has no row for the step %s", step)
		}
	}
}
