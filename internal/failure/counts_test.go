package failure

import (
	"strconv"
	"testing"

	"github.com/booty-cli/booty/internal/testreport"
)

func TestTestsAreCountedOnce(t *testing.T) {
	num := func(n int) *int { return &n }
	rows := testreport.Run{
		{Name: "TestA/x", Of: "TestA", Outcome: testreport.Passed}, {Name: "TestA/y", Of: "TestA", Outcome: testreport.Failed},
		{Name: "TestA", Outcome: testreport.Failed}, {Name: "TestB", Outcome: testreport.Passed}, {Name: "TestC", Outcome: testreport.Skipped},
		{Name: "fixture", Outcome: testreport.Failed, Kind: testreport.Hook},
	}
	parent := []Failure{{Test: "TestA", Message: "stopped at y"}, {Test: "TestA/y", Kind: "test"}, {Test: "TestA/y", Message: "more"}}
	for _, c := range []struct {
		name     string
		ran      testreport.Run
		printed  testreport.Counts
		failures []Failure
		words    string
		tests    int
	}{
		{"a report has the last word", rows, testreport.Counts{Passed: num(1), Failed: num(9)}, parent, "1 failed, 2 passed, 1 skipped", 3},
		{"what was printed", nil, testreport.Counts{Passed: num(4), Failed: num(2), Skipped: num(0)}, parent, "2 failed, 4 passed", 6},
		{"fewer were printed than named", nil, testreport.Counts{Passed: num(4), Failed: num(0)}, parent, "1 failed, 4 passed", 5},
		{"a hook is no test", nil, testreport.Counts{Passed: num(4), Failed: num(0)}, []Failure{{Test: "s", Kind: testreport.Hook}}, "4 passed", 4},
		{"only those that passed", nil, testreport.Counts{Passed: num(4)}, nil, "4 passed", 4},
		{"nothing", nil, testreport.Counts{}, parent, "", -1},
		{"none", testreport.Run{}, testreport.Counts{}, nil, "0 passed", 0},
	} {
		got := Count(c.ran, c.printed, c.failures)
		if got.Words() != c.words || got.Ran() != c.tests {
			t.Errorf("%s: got %q, %d; want %q, %d", c.name, got.Words(), got.Ran(), c.words, c.tests)
		}
	}
	if got := testreport.Sum(testreport.Counts{Passed: num(1), Failed: num(2)}, testreport.Counts{Passed: num(3)}); got.Words() != "4 passed" {
		t.Errorf("two commands: got %q", got.Words())
	}
	if !(testreport.Counts{Passed: num(1)}).Same(testreport.Counts{Passed: num(1)}) || (testreport.Counts{}).Same(testreport.Counts{Passed: num(0)}) {
		t.Error("the same numbers are not the same, or others are")
	}
}

func TestATestIsNotCountedBesideItsCase(t *testing.T) {
	for _, c := range []struct {
		name     string
		failures []Failure
		want     int
	}{
		{"a Go test and its rows", []Failure{{Test: "m.TestA"}, {Test: "m.TestA/x"}, {Test: "m.TestA/y"}}, 2},
		{"a row of a row", []Failure{{Test: "TestA"}, {Test: "TestA/x"}, {Test: "TestA/x/1"}}, 1},
		{"node's subtests", []Failure{{Test: "outer > in"}, {Test: "outer"}}, 1},
		{"a longer name", []Failure{{Test: "TestA"}, {Test: "TestAB"}}, 2},
		{"another file's", []Failure{{Test: "outer", Place: "a.test.js"}, {Test: "outer > in", Place: "b.test.js"}}, 2},
		{"another command's", []Failure{{Test: "TestA", Check: "unit"}, {Test: "TestA/x", Check: "e2e"}}, 2},
		{"several messages", []Failure{{Test: "TestA"}, {Test: "TestA"}, {File: "x.go"}}, 1},
	} {
		if got := CountTests(c.failures); got != c.want {
			t.Errorf("%s: got %d, want %d", c.name, got, c.want)
		}
	}
}

// TestManyFailuresAreCountedInTime takes minutes where each failure is compared with all others.
func TestManyFailuresAreCountedInTime(t *testing.T) {
	const n = 50_000
	failures := make([]Failure, 0, 2*n)
	for i := range n {
		name := "Test" + strconv.Itoa(i)
		failures = append(failures, Failure{Test: name}, Failure{Test: name + "/row", Place: "a_test.go"})
	}
	if got := CountTests(failures); got != n {
		t.Errorf("got %d tests, want %d", got, n)
	}
	if got := len(Tests(failures)); got != 2*n {
		t.Errorf("got %d names, want %d", got, 2*n)
	}
}
