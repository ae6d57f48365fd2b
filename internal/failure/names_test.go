package failure

import "testing"

func TestATestIsFoundUnderAnotherFormOfItsName(t *testing.T) {
	for _, c := range []struct {
		name, listed string
		want         bool
	}{
		{"example.com/m.TestA/row", "example.com/m.TestA", true},
		{"example.com/m.TestA/row", "TestA", true},
		{"TestA/row", "TestA", true},
		{"TestA", "TestAB", false},
		{"tests/test_a.py::TestB::test_c[1-2]", "tests.test_a.TestB::test_c[1-2]", true},
		{"test_a.TestB.test_c", "test_a.TestB::test_c", true},
		{"test_a.TestB.test_c", "test_a.TestB::test_cd", false},
		{"sums > adds two", "calc.test.js::sums adds two", true},
		{"sums › adds", "calc.test.js::sums adds", true},
		{"adds two. And more", "x::adds two. And more", true},
		{"a::b::adds", "b::adds", true},
		{"ADD-001 adds two", "ADD-# adds two", true},
		{"ADD-001 adds two", "ADD-# adds three", false},
		{"BoxTest#test_adds", "BoxTest::test_adds", true},
	} {
		if got := NamedIn(c.name, []string{"other", c.listed}); got != c.want {
			t.Errorf("%q among %q: got %t", c.name, c.listed, got)
		}
	}
}
