package proof

import (
	"testing"

	"github.com/booty-cli/booty/internal/failure"
)

func TestOnlyComparisonsAreShownAsExpectations(t *testing.T) {
	at := func(line int, test, message string) failure.Failure {
		return failure.Failure{Test: test, Line: line, Message: message}
	}
	const goOld = "func TestA(t *testing.T) {\n\tr.Get(\"/a\", old)\n\tif body := get(r); body != \"a\" {\n\t\tt.Fatalf(body)\n\t}\n}\n"
	for _, c := range []struct {
		name, old, now string
		f, g           failure.Failure
		was, is        string
	}{
		{"the comparison above what reports it", goOld, "func TestA(t *testing.T) {\n\tr.Get(\"/b\", new)\n\tif body := get(r); body != \"b\" {\n\t\tt.Fatalf(body)\n\t}\n}\n",
			at(4, "a.TestA", "a"), at(4, "a.TestA", "b"), `if body := get(r); body != "a" {`, `if body := get(r); body != "b" {`},
		{"a call alone is none", goOld, "func TestA(t *testing.T) {\n\tr.Get(\"/b\", new)\n\tif body := get(r); body != \"a\" {\n\t\tt.Fatalf(body)\n\t}\n}\n",
			at(4, "a.TestA", "a"), at(4, "a.TestA", "b"), "", ""},
		{"the line itself", "def test_a():\n    assert f(1) == 2\n", "def test_a():\n    assert f(1) == 3\n", at(2, "t.py::test_a", "2"), at(2, "t.py::test_a", "3"),
			"assert f(1) == 2", "assert f(1) == 3"},
		{"what stands in a table", "rows = [\n    (1, 2),\n    (5, 6),\n]\nassert f(n) == want\n", "rows = [\n    (1, 9),\n    (5, 7),\n]\nassert f(n) == want\n",
			at(5, "t.py::test_a", "assert 7 == 6"), at(5, "t.py::test_a", "assert 6 == 7"), "(5, 6),", "(5, 7),"},
		{"the name of a case", "assert f(n) == want\n", "assert f(n) == want\n", at(1, "t.py::test_a[x-y]", ""), at(1, "t.py::test_a[x-z]", ""), "[x-y]", "[x-z]"},
	} {
		if was, is := sideBySide(c.old, c.now, c.f, c.g); was != c.was || is != c.is {
			t.Errorf("%s: got %q, %q", c.name, was, is)
		}
	}
}

// TestEachFailureHasItsOwnBesideIt: one test may expect several things, and something else of each.
func TestEachFailureHasItsOwnBesideIt(t *testing.T) {
	at := func(line int) failure.Failure { return failure.Failure{Test: "a.TestA", Line: line, Message: "wrong"} }
	broken := []failure.Failure{at(3), at(6)}
	r := Ran{New: &Claim{Failures: []failure.Failure{at(13), at(16)}}}
	list, ok := r.replacements(broken)
	if !ok || len(list) != 2 || list[0].is.Line != 13 || list[1].is.Line != 16 {
		t.Errorf("got %v, %+v", ok, list)
	}
	cases := func(names ...string) (list []failure.Failure) {
		for _, name := range names {
			list = append(list, failure.Failure{Test: "t.T.test_valid [" + name + "]", Message: "wrong"})
		}
		return list
	}
	of := Ran{New: &Claim{Failures: cases("x", "y", "z")}}
	if list, ok := of.replacements(cases("z", "x")); !ok || list[0].is.Test != list[0].was.Test || list[1].is.Test != list[1].was.Test {
		t.Errorf("cases: got %v, %+v", ok, list)
	}
	r.New.Failures = r.New.Failures[:1]
	if list, ok = r.replacements(broken); !ok || len(list) != 2 || list[1].is.Line != 13 {
		t.Errorf("one of them: got %v, %+v", ok, list)
	}
}
