package distill_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/booty-cli/booty/pkg/distill"
)

// The tests that passed are named by what the runner prints, whatever it is, or
// not at all.
func TestPassedTests(t *testing.T) {
	lines := func(s ...string) string { return strings.Join(s, "\n") + "\n" }
	cases := []struct {
		name, out string
		n         int
		want      string
	}{
		{"TAP", lines("TAP version 13", "ok 1 - adds", "not ok 2 - parts", "ok 3 - waits # SKIP no clock", "ok 4 - takes 12ms", "1..4"), 2, "[adds takes]"},
		{"cargo test", lines("running 2 tests", "test tests::adds ... ok", "test src/lib.rs - add (line 12) ... ok", "",
			"test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s"), 2, "[tests::adds src/lib.rs - add (line #)]"},
		{"pytest -v", lines("tests/test_a.py::test_one PASSED      [ 50%]", "tests/test_a.py::test_two[1-x] PASSED [100%]", "== 2 passed in 0.01s =="), 2,
			"[tests/test_a.py::test_one tests/test_a.py::test_two[#-x]]"},
		{"pytest in dots", lines("tests/test_a.py ..  [100%]", "== 2 passed in 0.01s =="), 2, "[]"},
		{"unittest -v", lines("test_one (test_a.A.test_one) ... ok", "test_two (test_a.A.test_two) ... ok", "Ran 2 tests in 0.001s", "OK"), 2,
			"[test_one (test_a.A.test_one) test_two (test_a.A.test_two)]"},
		{"unittest -v with a docstring", lines("test_one (test_a.A.test_one) ... ok", "test_two (test_a.A.test_two)", "Two is two. ... ok", "Ran 2 tests in 0.001s", "OK"), 2,
			"[test_one (test_a.A.test_one) test_two (test_a.A.test_two)]"},
		{"jest --verbose", lines("PASS src/a.test.js", "PASS src/b.test.js", "  sum", "    \x1b[32m✓\x1b[39m adds (3 ms)", "    ✓ parts", "    ✓ adds", "Tests:       3 passed, 3 total"), 3,
			"[adds parts adds]"},
		{"jest", lines("PASS src/a.test.js", "Tests:       3 passed, 3 total"), 3, "[]"},
		{"mocha", lines("  Cart", "    ✔ is free when empty", "    ✔ adds (12ms)", "  2 passing (8ms)"), 2, "[is free when empty adds]"},
		{"googletest", lines("[ RUN      ] Cart.Empty", "[       OK ] Cart.Empty (0 ms)", "[ RUN      ] Cart.Full", "[       OK ] Cart.Full (2 ms)", "[  PASSED  ] 2 tests."), 2,
			"[Cart.Empty Cart.Full]"},
		{"node --test", lines("✔ adds (0.5ms)", "✔ parts (0.1ms)", "ℹ tests 2", "ℹ pass 2"), 2, "[adds parts]"},
		{"one line is hidden", lines("test a ... ok", "test b ... it prints", "ok"), 2, "[]"},
		{"an address in a name", lines("ok 1 - at 0x7ffe21ab", "ok 2 - of deadbeef1"), 2, "[at # of #]"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := distill.PassedTests(t.Context(), strings.NewReader(c.out), c.n)
			if s := fmt.Sprint(got.Names); err != nil || s != c.want {
				t.Errorf("got %s (%v), want %s", s, err, c.want)
			}
		})
	}
}

// Where names are given at all, they are as many as the runner counts: over all
// kept outputs of real tools.
func TestPassedTestsOfTheCorpora(t *testing.T) {
	named, counted := 0, 0
	var files []string
	for _, pattern := range []string{"testdata/corpus/*/*/output.txt", "testdata/documented/*/*/output.txt", "testdata/fresh/*/*/output.txt"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v, %d files", pattern, err, len(found))
		}
		files = append(files, found...)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r, err := distill.Read(t.Context(), strings.NewReader(string(data)), distill.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Passed == nil || *r.Passed == 0 {
			continue
		}
		counted++
		p, err := distill.PassedTests(t.Context(), strings.NewReader(string(data)), *r.Passed)
		if err != nil {
			t.Fatal(err)
		}
		if p.Names == nil {
			continue
		}
		if named++; len(p.Names) != *r.Passed {
			t.Errorf("%s: %d names of %d tests", file, len(p.Names), *r.Passed)
		}
	}
	t.Logf("%d outputs tell a number, %d of them all names", counted, named)
	if named < 80 {
		t.Errorf("the names of %d outputs were read, want 80 at least", named)
	}
}
