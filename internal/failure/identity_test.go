package failure

import (
	"slices"
	"testing"

	"github.com/booty-cli/booty/internal/testreport"
)

func TestATestIsMoreThanItsName(t *testing.T) {
	one, two := ID{Place: "one/a.test.js", Name: "goes up"}, ID{Place: "two/a.test.js", Name: "goes up"}
	for _, c := range []struct {
		what string
		a, b ID
		want bool
	}{
		{"the same", one, one, true},
		{"another file", one, two, false},
		{"a file that is not known", one, ID{Name: "goes up"}, true},
		{"another place in order", ID{Name: "x", Nth: 1}, ID{Name: "x", Nth: 2}, false},
		{"an order that is not known", ID{Name: "x", Nth: 1}, ID{Name: "x"}, true},
		{"another command", ID{Check: "unit", Name: "x"}, ID{Check: "e2e", Name: "x"}, false},
	} {
		if got := c.a.Same(c.b); got != c.want {
			t.Errorf("%s: got %t", c.what, got)
		}
	}
	if got := Names([]ID{one, two, {Name: "other"}}); !slices.Equal(got, []string{"goes up (one/a.test.js)", "goes up (two/a.test.js)", "other"}) {
		t.Errorf("got %q", got)
	}
	if got := Names([]ID{one}, two); !slices.Equal(got, []string{"goes up (one/a.test.js)"}) {
		t.Errorf("beside one of its name: got %q", got)
	}
	if got := Names([]ID{{Check: "unit", Place: "a.rb", Name: "up"}}, ID{Check: "e2e", Place: "b.rb", Name: "up"}); !slices.Equal(got, []string{"up (a.rb)"}) {
		t.Errorf("beside one of another command: got %q", got)
	}
	if got := (ID{Name: "m.TestA/row", Nth: 2}).Function(); got != (ID{Name: "m.TestA"}) {
		t.Errorf("the function of a row: got %+v", got)
	}
}

func TestFailuresAreGivenTheirTests(t *testing.T) {
	ran := testreport.Run{
		{Name: "goes up", File: "one/a.test.js", Outcome: testreport.Passed},
		{Name: "goes up", File: "two/a.test.js", Outcome: testreport.Failed},
		{Name: "twice", File: "two/a.test.js", Outcome: testreport.Passed},
		{Name: "twice", File: "two/a.test.js", Outcome: testreport.Failed},
		{Name: "silent", File: "two/a.test.js", Outcome: testreport.Failed},
	}
	failures := []Failure{{Test: "goes up", File: "lib/up.js"}, {Test: "twice", File: "two/a.test.js"}, {File: "no_test.go"}}
	untold := Identify(failures, ran)
	want := []ID{{Place: "two/a.test.js", Name: "goes up"}, {Place: "two/a.test.js", Name: "twice", Nth: 2}}
	if got := IDs(failures); !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if len(untold) != 1 || untold[0].Name != "silent" {
		t.Errorf("left: %+v", untold)
	}
}

// TestFailuresAreGivenTheirClasses: what is printed leaves out the package of a class, and
// methods of two classes have one name.
func TestFailuresAreGivenTheirClasses(t *testing.T) {
	class := func(name string, o testreport.Outcome) testreport.Test {
		return testreport.Test{Suite: name, Program: name, Name: name + "::up()", Outcome: o}
	}
	failures := []Failure{{Test: "BTest.up"}, {Test: "ATest.up"}}
	Identify(failures, testreport.Run{class("org.ATest", testreport.Failed), class("org.x.CTest", testreport.Failed), class("org.BTest", testreport.Failed)})
	if failures[0].Place != "org.BTest" || failures[1].Place != "org.ATest" {
		t.Errorf("got %+v", failures)
	}
}

func TestFunctionOfACase(t *testing.T) {
	for name, want := range map[string]string{
		"example.com/a.Test.io/b.TestA/x": "example.com/a.Test.io/b.TestA", "TestA/x/y": "TestA", "a/b.test.js > adds": "a/b.test.js > adds",
		"test_a.py::test_a[1-2]": "test_a.py::test_a", "test_a.A.test_a [x=1]": "test_a.A.test_a",
	} {
		if got := FunctionOf(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
