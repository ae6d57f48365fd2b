package proof

import (
	"slices"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/testreport"
)

// TestClaims is of what only runs by name can tell. A result is written by its tests, those
// that failed with a "!", cases of tests with a "/".
func TestClaims(t *testing.T) {
	ran := func(tests ...string) Result {
		r, n := Result{Passed: true, Passing: []string{}, Rows: []string{}, As: failure.OwnReport}, 0
		for _, name := range tests {
			name, bad := name[:len(name)-len(suffix(name))], suffix(name) == "!"
			switch row := failure.FunctionOf(name) != name; {
			case row:
				r.Rows = append(r.Rows, name)
			case bad:
				r.Failing, n = append(r.Failing, name), n+1
			default:
				r.Passing, n = append(r.Passing, name), n+1
			}
			if bad {
				r.Passed, r.Failures = false, append(r.Failures, failure.Failure{Test: name, Message: "wrong"})
			}
		}
		r.Counts = counted(n)
		return r
	}
	stood := func(tests ...string) *Result { r := ran(tests...); return &r }
	for _, c := range []struct {
		name             string
		r                Ran
		change, unharmed string
		tests            []string // of the claim that nothing is weakened
	}{
		{"a case that failed passes", Ran{Before: ran("m.TestA/x", "m.TestA/y!"), After: ran("m.TestA", "m.TestA/x", "m.TestA/y")},
			event.StateProven, event.StateProven, nil},
		{"a case that failed is gone", Ran{Before: ran("m.TestA/x", "m.TestA/y!"), After: ran("m.TestA", "m.TestA/x", "m.TestA/z")},
			event.StateNotShown, event.StateDisproven, []string{"m.TestA/y"}},
		{"a case that passed is gone", Ran{Before: ran("m.TestA", "m.TestA/x", "m.TestA/y"), After: ran("m.TestA", "m.TestA/x")},
			event.StateNotShown, event.StateNotShown, []string{"m.TestA/y"}},
		{"a case whose name holds a number that differs", Ran{Before: ran("m.TestA", "m.TestA/17s"), After: ran("m.TestA", "m.TestA/18s")},
			event.StateNotShown, event.StateProven, nil},
		{"a test that failed is deleted", Ran{Before: ran("m.TestA", "m.TestB!"), After: ran("m.TestA", "m.TestC"), Stood: stood("m.TestA", "m.TestB!")},
			event.StateNotShown, event.StateDisproven, []string{"m.TestB"}},
		{"a test that passed is deleted", Ran{Before: ran("m.TestA", "m.TestB"), After: ran("m.TestA", "m.TestC"), Stood: stood("m.TestA", "m.TestB")},
			event.StateNotShown, event.StateDisproven, []string{"m.TestB"}},
		{"a row of a test is written anew, and runs as it stood", Ran{Before: ran("a.py::test_a[1-2]"), After: ran("a.py::test_a[1-3]"), Stood: stood("a.py::test_a[1-2]")},
			event.StateNotShown, event.StateProven, nil},
		{"a test that failed is changed to pass", Ran{Before: ran("m.TestA", "m.TestB!"), After: ran("m.TestA", "m.TestB"), Stood: stood("m.TestA", "m.TestB!")},
			event.StateNotShown, event.StateDisproven, []string{"m.TestB"}},
		{"it fails as it did", Ran{Before: ran("m.TestA", "m.TestB!"), After: ran("m.TestA", "m.TestB!")},
			event.StateNotShown, event.StateProven, nil},
	} {
		claims := Judge(c.r)
		if claims[0].State != c.change || claims[1].State != c.unharmed || c.tests != nil && !slices.Equal(claims[1].Tests, c.tests) {
			t.Errorf("%s: got %+v", c.name, claims)
		}
	}
}

// TestCasesThatExpectSomethingElse: where the values of a case changed its name may be another. It
// expects something else if what takes its place fails on the old code; else the test is weaker.
func TestCasesThatExpectSomethingElse(t *testing.T) {
	ran := func(rows ...string) Result {
		var names []string // pytest's report names the module, its output the file
		for _, row := range rows {
			names = append(names, strings.Replace(row, ".py::", "::", 1))
		}
		return Result{Passed: true, Passing: names, As: failure.OwnReport, Counts: counted(len(rows))}
	}
	failing := func(r Result, rows ...string) Result {
		for _, row := range rows {
			r.Passed, r.Failures = false, append(r.Failures, failure.Failure{Test: row, Message: "wrong"})
		}
		return r
	}
	const a, b, c, d, e = "t.py::test_a[1-2]", "t.py::test_a[3-4]", "t.py::test_a[5-6]", "t.py::test_a[x-7]", "t.py::test_a[y-8]"
	const other = "t.py::test_b[x-7]"
	for _, x := range []struct {
		name          string
		before, after []string
		broken, shown []string // as they stood on the new code, as they are on the old
		want          string
	}{
		{"its values changed", []string{a, b, c}, []string{a, d, c}, []string{b}, []string{d}, event.VerdictChanged},
		{"and one was put before it", []string{a, b, c}, []string{a, e, d, c}, []string{b}, []string{d}, event.VerdictChanged},
		{"and the cases run in no order", []string{a, b, c}, []string{d, c, a}, []string{b}, []string{d}, event.VerdictChanged},
		{"nothing in its place, and nothing shows the change", []string{a, b, c}, []string{a, c}, []string{b}, nil, event.VerdictNotShown},
		{"nothing in its place, and another test shows the change", []string{a, b, c}, []string{a, c, other}, []string{b}, []string{other}, event.VerdictChanged},
		{"nothing in its place, and it would pass", []string{a, b, c}, []string{a, c, other}, nil, []string{other}, event.VerdictWeakened},
		{"one in its place for two", []string{a, b, c}, []string{a, d}, []string{b, c}, []string{d}, event.VerdictChanged},
		{"one in its place for two, which passes on the old code", []string{a, b, c}, []string{a, d}, []string{b, c}, nil, event.VerdictWeakened},
		{"two are gone, of which one would pass", []string{a, b, c}, []string{a, other}, []string{b}, []string{other}, event.VerdictWeakened},
		{"the whole test is gone", []string{a, b, other}, []string{other}, []string{a, b}, []string{other}, event.VerdictChanged},
		{"the whole test is gone, and a case of it would pass", []string{a, b, other}, []string{other}, []string{a}, []string{other}, event.VerdictChanged},
		{"two of the same failure for two", []string{a, b, c}, []string{a, d, e}, []string{b, c}, []string{d}, event.VerdictWeakened},
		{"two for two", []string{a, b, c}, []string{a, d, e}, []string{b, c}, []string{d, e}, event.VerdictChanged},
		{"what is in its place passes on the old code", []string{a, b, c}, []string{a, d, c}, []string{b}, nil, event.VerdictWeakened},
		{"one of another test fails there", []string{a, b, c}, []string{a, d, c, other}, []string{b}, []string{other}, event.VerdictWeakened},
		{"it went, and another came elsewhere", []string{a, b, c}, []string{a, c, d}, []string{b}, []string{d}, event.VerdictChanged},
		{"it is there, and fails on the old code", []string{a, b, c}, []string{a, b, c}, []string{b}, []string{b}, event.VerdictChanged},
		{"it is there with other inputs, and a new one fails there", []string{a, b, c}, []string{a, b, c, d}, []string{b}, []string{d}, event.VerdictChanged},
	} {
		stood := failing(ran(x.before...), x.broken...)
		on := failing(Result{Counts: counted(1)}, x.shown...)
		r := Ran{Before: ran(x.before...), After: ran(x.after...), Stood: &stood, CanFail: &CanFail{How: "1 changed to 2"},
			New: &Claim{Claim: event.Claim{State: event.StateNotShown, Reason: "they pass"}, Failures: on.Failures}}
		if len(x.shown) > 0 {
			r.New.State, r.New.Tests = event.StateProven, x.shown
		}
		if verdict, reason := verdictOf(r, Judge(r)); verdict != x.want {
			t.Errorf("%s: got %s: %s", x.name, verdict, reason)
		}
	}
}

// TestCasesNamedByTheTime: the name of a case may differ from run to run; another test's may not.
// A report names the file of a test, the output of its failure may not.
func TestRenamedTestsOfAReportThatNamesFiles(t *testing.T) {
	t.Parallel()
	fails := func(name string) failure.Failure {
		return failure.Failure{Test: "s > " + name, Place: "a.test.js", Kind: "test", Message: "1 is not 2"}
	}
	ran := func(name string) Result {
		return Result{Passed: true, Passing: []string{"a.test.js::s::" + name}, As: failure.OwnReport, Counts: counted(1)}
	}
	stood := Result{Failures: []failure.Failure{fails("stays")}, Failing: []string{"a.test.js::s::stays"}, As: failure.OwnReport, Counts: counted(1)}
	r := Ran{
		Before: ran("stays"), After: ran("does NOT stay"), Stood: &stood, CanFail: &CanFail{How: "false changed to true"},
		Renamed: map[testCase]testCase{caseOf("a.test.js::s::stays"): caseOf("a.test.js::s::does NOT stay")},
		New: &Claim{Claim: event.Claim{State: event.StateProven, Tests: []string{"s > does NOT stay"}},
			Failures: []failure.Failure{fails("does NOT stay")}},
	}
	if verdict, reason := verdictOf(r, Judge(r)); verdict != event.VerdictChanged {
		t.Errorf("got %s: %s", verdict, reason)
	}

	r.After, r.Renamed = ran("stays"), nil // it is still there, and weaker
	if verdict, reason := verdictOf(r, Judge(r)); verdict != event.VerdictWeakened {
		t.Errorf("still there: got %s: %s", verdict, reason)
	}
}

func TestCasesNamedByTheTime(t *testing.T) {
	ran := func(names ...string) Result {
		return Result{Passed: true, Passing: names, As: failure.OwnReport, Counts: counted(len(names))}
	}
	before, after := ran("t::test_a[04:20:27]", "t::test_b2"), ran("t::test_a[04:20:31]", "t::test_b3")
	if lost := Missing(before, after); !slices.Equal(lost.Names, []string{"t::test_b2"}) {
		t.Errorf("got %q", lost.Names)
	}
}

// TestVerdictByCanFail: whether the proving test can fail is part of the verdict, and what
// could not be tried is not held against it.
func TestVerdictByCanFail(t *testing.T) {
	before := Result{Failures: []failure.Failure{{Test: "b", Message: "wrong"}}, Passing: []string{"a"}, As: "names", Counts: counted(2)}
	after := Result{Passed: true, Passing: []string{"a", "b"}, As: "names", Counts: counted(2)}
	killed := event.Claim{Claim: event.ClaimMutants, State: event.StateProven}
	survived := event.Claim{Claim: event.ClaimMutants, State: event.StateNotShown, Reason: "1 of 2"}
	const unseen = "the proving test was not seen to fail on the new code: "
	for _, c := range []struct {
		name            string
		seen            CanFail
		mutants         event.Claim
		verdict, reason string
	}{
		{"seen", CanFail{Tests: []string{"b"}, How: "1 changed to 2"}, killed, event.VerdictProven, "1 test fails without the change and passes with it"},
		{"nothing could be tried", CanFail{}, killed, event.VerdictProven, "1 test fails without the change and passes with it"},
		{"literals in vain", CanFail{Altered: 2}, killed, event.VerdictPartly, unseen + "it passes with each of 2 changed literals"},
		{"small changes in vain", CanFail{Mutants: 3}, killed, event.VerdictPartly,
			unseen + "none of 3 small changes to the new code makes an assertion of its own fail"},
		{"both, and a survivor", CanFail{Altered: 2, Mutants: 3}, survived, event.VerdictPartly,
			unseen + "it passes with each of 2 changed literals; none of 3 small changes to the new code makes an assertion of its own fail"},
		{"seen, and a survivor", CanFail{Tests: []string{"b"}, How: "1 changed to 2"}, survived, event.VerdictPartly, "1 of 2"},
	} {
		r := Ran{Before: before, After: after, CanFail: &c.seen, Mutants: &c.mutants}
		if verdict, reason := verdictOf(r, Judge(r)); verdict != c.verdict || reason != c.reason {
			t.Errorf("%s: got %s: %s", c.name, verdict, reason)
		}
	}
}

// suffix is the mark behind a name.
func suffix(name string) string {
	if name[len(name)-1] == '!' {
		return "!"
	}
	return ""
}

// counted are the counts of a run of so many tests.
func counted(n int) testreport.Counts { return testreport.Counts{Passed: &n} }
