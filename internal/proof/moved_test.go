package proof

import (
	"slices"
	"testing"

	"github.com/booty-cli/booty/pkg/edit"
)

func TestTestsAreFollowedByContent(t *testing.T) {
	const test = "class T(TestCase):\n    def test_a(self):\n        self.assertEqual(f(), 1)\n\n    def test_b(self):\n        self.assertEqual(f(), 2)\n"
	const other = "class T(TestCase):\n    def test_b(self):\n        self.assertEqual(f(), 3)\n"
	moves := func(old, now string) []edit.Change {
		return []edit.Change{{Op: edit.Modify, Path: "test_one.py", Old: nil, New: []byte(old)}, {Op: edit.Delete, Path: "test_two.py", Old: []byte(now)}}
	}
	for _, c := range []struct {
		name          string
		renames       map[string]string
		tests         []edit.Change
		before, after []string
		want          []string
	}{
		{"a module renamed", map[string]string{"test_fare.py": "test_fares.py"}, nil, []string{"test_fare.T::test_a"}, []string{"test_fares.T::test_a"}, []string{"test_fare.T::test_a"}},
		{"a path", map[string]string{"tests/test_fare.py": "tests/unit/test_fare.py"}, nil,
			[]string{"tests/test_fare.py::test_a"}, []string{"tests/unit/test_fare.py::test_a"}, []string{"tests/test_fare.py::test_a"}},
		{"a package of Go", map[string]string{"fare/fare_test.go": "fares/fare_test.go"}, nil, []string{"example.org/fare.TestA"}, []string{"example.org/fares.TestA"}, []string{"example.org/fare.TestA"}},
		{"renamed, and one test is gone", map[string]string{"test_fare.py": "test_fares.py"}, nil, []string{"test_fare.T::test_a", "test_fare.T::test_b"}, []string{"test_fares.T::test_a"},
			[]string{"test_fare.T::test_a"}},
		{"moved to another file", nil, moves(test, test), []string{"test_one.T::test_b"}, []string{"test_two.T::test_b"}, []string{"test_one.T::test_b"}},
		{"another one of its name in another file", nil, moves(test, other), []string{"test_one.T::test_b"}, []string{"test_two.T::test_b"}, nil},
		{"gone", nil, nil, []string{"test_one.T::test_b"}, []string{"test_one.T::test_a"}, nil},
	} {
		s, before, after := Subject{Renames: c.renames, Old: Swap{Tests: c.tests}}, Result{Passing: c.before}, Result{Passing: c.after}
		got := s.moved(before, after, s.renamesOf(before, after))
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestCasesThatAreAddedChangeNone(t *testing.T) {
	const old = "import unittest\nfrom fare import fare\n\nclass T:\n    def test_a(self):\n        self.assertEqual(fare(1), 2)\n"
	for _, c := range []struct {
		name, now string
		want      bool
	}{
		{"one added", old + "\n    def test_b(self):\n        self.assertEqual(fare(2), 4)\n", true},
		{"an import with it", "import unittest\nfrom fare import fare, half\n\nclass T:\n    def test_a(self):\n        self.assertEqual(fare(1), 2)\n\n    def test_b(self):\n        pass\n", true},
		{"an expectation", "import unittest\nfrom fare import fare\n\nclass T:\n    def test_a(self):\n        self.assertEqual(fare(1), 3)\n", false},
		{"one taken out", "import unittest\nfrom fare import fare\n\nclass T:\n    pass\n", false},
	} {
		if got := OnlyAdds([]byte(old), []byte(c.now)); got != c.want {
			t.Errorf("%s: got %v", c.name, got)
		}
	}
}

func TestRenamedTestsAreFollowedByContent(t *testing.T) {
	const py = "class T(TestCase):\n    def test_a(self):\n        x = f(1)\n        self.assertEqual(x, 1)\n        self.assertEqual(x + 1, 2)\n"
	const js = "const f = require('./f');\n\ntest('adds up', () => {\n  const x = f(1);\n  assert.equal(x, 1);\n  assert.equal(x + 1, 2);\n});\n"
	for _, c := range []struct {
		name, old, now, was, is string
		kept, likely            bool
	}{
		{"extended", py, "class T(TestCase):\n    def test_all(self):\n        x = f(1)\n        self.assertEqual(x, 1)\n        self.assertEqual(x + 1, 2)\n        self.assertEqual(f(2), 4)\n",
			"m.T::test_a", "m.T::test_all", true, true},
		{"an assertion is gone", py, "class T(TestCase):\n    def test_all(self):\n        x = f(1)\n        self.assertEqual(x, 1)\n        self.assertEqual(f(2), 4)\n",
			"m.T::test_a", "m.T::test_all", false, true},
		{"another test", py, "class T(TestCase):\n    def test_b(self):\n        self.assertEqual(f(2), 4)\n", "m.T::test_a", "m.T::test_b", false, false},
		{"a test with a title", js, "const f = require('./f');\n\ntest('adds up twice', () => {\n  const x = f(1);\n  assert.equal(x, 1);\n  assert.equal(x + 1, 2);\n  assert.equal(f(f(1)), 1);\n});\n",
			"f.test.js::sums > adds up", "f.test.js::sums > adds up twice", true, true},
		{"one that expects something else", js, "const f = require('./f');\n\ntest('adds', () => {\n  const x = f(1);\n  assert.equal(x, 2);\n  assert.equal(x + 1, 2);\n});\n",
			"f.test.js::sums > adds up", "f.test.js::sums > adds", false, true},
	} {
		s := Subject{Old: Swap{Tests: []edit.Change{{Op: edit.Modify, Path: "t", Old: []byte(c.now), New: []byte(c.old)}}}}
		r := s.renamesOf(Result{Passing: []string{c.was}}, Result{Passing: []string{c.is}})
		_, likely := r.likely()[caseOf(c.was)]
		if r.kept(c.was) != c.kept || likely != c.likely {
			t.Errorf("%s: kept %v, likely %v", c.name, r.kept(c.was), likely)
		}
	}
}
