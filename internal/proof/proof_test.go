package proof

import (
	"context"
	"slices"
	"testing"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/pkg/edit"
)

// fakeTree gives one result after the other.
type fakeTree struct{ results []Result }

func (f *fakeTree) Apply([]edit.Change) error { return nil }

func (f *fakeTree) Test(context.Context) (Result, error) {
	r := f.results[0]
	f.results = f.results[1:]
	return r, nil
}

func (f *fakeTree) Files(context.Context, []string) (Result, bool, error) {
	return Result{}, false, nil
}

func (f *fakeTree) UntilFailure(context.Context, []string) (Result, bool, error) {
	return Result{}, false, nil
}

func (f *fakeTree) NewFile(context.Context, string) (Result, bool, error) {
	return Result{}, false, nil
}

func (f *fakeTree) NewFileCommand(string) (string, bool) { return "", false }

func (f *fakeTree) Alone(context.Context, []failure.Failure) (Result, bool, error) {
	return Result{}, false, nil
}

func TestWhatNewTestsProve(t *testing.T) {
	green := Result{Passed: true}
	fails := func(names ...string) Result {
		var r Result
		for _, n := range names {
			r.Failures = append(r.Failures, failure.Failure{Test: n})
		}
		return r
	}
	unbuilt := func(file string) Result {
		return Result{Failures: []failure.Failure{{File: file, Kind: "compile", Message: "undefined: Double"}}}
	}
	known := failure.Signatures([]failure.Failure{{Test: "old"}}, nil)
	for _, c := range []struct {
		name          string
		control, seen Result
		known         []failure.Signature
		passing       []string
		state         string
		tests         []string
	}{
		{name: "a named test fails there", control: green, seen: fails("new"), state: event.StateProven, tests: []string{"new"}},
		{name: "it passes there too", control: green, seen: green, state: event.StateNotShown},
		{name: "it is not among those that pass now", control: green, seen: fails("pkg.TestNew"),
			passing: []string{"pkg.TestOther"}, state: event.StateNotShown},
		{name: "it passes now, in another form of name", control: green, seen: fails("example.com/pkg.TestNew/row"),
			passing: []string{"pkg.TestNew"}, state: event.StateProven, tests: []string{"example.com/pkg.TestNew/row"}},
		{name: "a test that failed before", control: fails("old"), seen: fails("old"), known: known, state: event.StateNotShown},
		{name: "a new one beside a test that failed before", control: fails("old"), seen: fails("old", "new"), known: known,
			state: event.StateProven, tests: []string{"new"}},
		{name: "the new test's file does not build", control: green, seen: unbuilt("new_test.go"), state: event.StateProven},
		{name: "the new test's file does not load, and is named as a test", control: green,
			seen:    Result{Failures: []failure.Failure{{Test: "/tmp/x/new_test.go", File: "new_test.go", Kind: "test"}}},
			passing: []string{"other"}, state: event.StateProven},
		{name: "another file does not build", control: green, seen: unbuilt("other.go"), state: event.StateNotShown},
		{name: "no tests are found in that place", control: Result{NoTests: true}, state: event.StateUntried},
		{name: "the old tests fail in that place", control: fails("some"), state: event.StateUntried},
		{name: "they fail there without names", control: Result{}, state: event.StateUntried},
		{name: "they run out of time there", control: Result{Trouble: "no time"}, state: event.StateUntried},
		{name: "no tests with the new ones", control: green, seen: Result{NoTests: true}, state: event.StateUntried},
		{name: "the command fails, and names nothing", control: green, seen: Result{}, state: event.StateNotShown},
	} {
		tree := &fakeTree{[]Result{c.control, c.seen}}
		n := NewTests{Changes: []edit.Change{{Op: edit.Create, Path: "new_test.go"}}, Known: c.known, Passing: c.passing}
		got, err := OnOldCode(t.Context(), func(context.Context) (Tree, error) { return tree, nil }, n)
		if err != nil || got.State != c.state || !slices.Equal(got.Tests, append([]string{}, c.tests...)) {
			t.Errorf("%s: got %+v, %v", c.name, got, err)
		}
		if got.State != event.StateProven && got.Reason == "" {
			t.Errorf("%s: no reason", c.name)
		}
	}
}

func TestNoTestIsNoProof(t *testing.T) {
	got, err := OnOldCode(t.Context(), nil, NewTests{})
	if err != nil || got.State != event.StateNotShown || got.Reason == "" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func (t *fakeTree) Gates(context.Context) (failure.Verdict, error) {
	return failure.Verdict{Green: true}, nil
}
