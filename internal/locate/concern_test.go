package locate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestATestConcernsWhatItUses(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	files := map[string]string{
		"go.mod":                     "module example.com/m\n\ngo 1.21\n",
		"a/a.go":                     "package a\n\nfunc A() int { return 1 }\n",
		"a/b.go":                     "package a\n\ntype B struct{}\n\nfunc (B) Size() int { return 2 }\n",
		"a/a_test.go":                "package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { if A() != 1 { t.Fatal() } }\n\nfunc TestB(t *testing.T) { if new(B).Size() != 2 { t.Fatal() } }\n",
		"c/c.go":                     "package c\n\nimport \"example.com/m/a\"\n\nfunc C() int { return a.A() }\n",
		"c/c_test.go":                "package c\n\nimport (\n\t\"testing\"\n\n\t\"example.com/m/a\"\n)\n\nfunc TestC(t *testing.T) { if C() != a.A() { t.Fatal() } }\n",
		"py/shop.py":                 "def total(): return 1\n",
		"py/other.py":                "def other(): return 1\n",
		"py/test_shop.py":            "from shop import total\n\ndef test_total(): assert total() == 1\n",
		"src/cart.js":                "export const n = 1\n",
		"src/user.js":                "export const u = 1\n",
		"src/__tests__/cart.test.js": "import { n } from '../cart'\ntest('n', () => n)\n",
		"py/till.py":                 "from drawer import coins\n\ndef till(): return coins()\n",
		"py/drawer.py":               "def coins(): return 1\n",
		"py/test_till.py":            "from till import till\n\ndef test_till(): assert till() == 1\n",
		"a/calls.go":                 "package a\n\nfunc Calls() int { return deep() }\n",
		"a/deep.go":                  "package a\n\nfunc deep() int { return 3 }\n",
		"a/calls_test.go":            "package a\n\nimport \"testing\"\n\nfunc TestCalls(t *testing.T) { if Calls() != 3 { t.Fatal() } }\n",
		"greet.sh":                   "echo hello\n",
		"tests/greet_test.sh":        "sh greet.sh\n",
	}
	var names []string
	for name, text := range files {
		p := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	ix := New(root, names, Options{IsTest: func(p string) bool {
		return strings.Contains(p, "_test.") || strings.Contains(p, ".test.") || strings.HasPrefix(filepath.Base(p), "test_")
	}})
	for _, c := range []struct {
		name            string
		test            Test
		changed         string
		concerns, known bool
	}{
		{"a function of the file, in Go", Test{"example.com/m/a.TestA", "a/a_test.go"}, "a/a.go", true, true},
		{"another file of the package, in Go", Test{"example.com/m/a.TestA", "a/a_test.go"}, "a/b.go", false, true},
		{"a method, in Go", Test{"example.com/m/a.TestB", "a/a_test.go"}, "a/b.go", true, true},
		{"a function of an imported package, in Go", Test{"example.com/m/c.TestC", "c/c_test.go"}, "a/a.go", true, true},
		{"another file of an imported package, in Go", Test{"example.com/m/c.TestC", "c/c_test.go"}, "a/b.go", false, true},
		{"the runner tells no file", Test{"example.com/m/a.TestB/row", ""}, "a/b.go", true, true},
		{"the runner tells the file of a panic", Test{"example.com/m/a.TestA", "a/a.go"}, "a/b.go", false, true},
		{"an imported module, in Python", Test{"py/test_shop.py::test_total", ""}, "py/shop.py", true, true},
		{"a module not imported, in Python", Test{"py/test_shop.py::test_total", ""}, "py/other.py", false, true},
		{"an imported module, in JavaScript", Test{"src/__tests__/cart.test.js > n", ""}, "src/cart.js", true, true},
		{"a module not imported, in JavaScript", Test{"n", "src/__tests__/cart.test.js"}, "src/user.js", false, true},
		{"what an imported module imports, in Python", Test{"py/test_till.py::test_till", ""}, "py/drawer.py", true, true},
		{"what a called function calls, in Go", Test{"example.com/m/a.TestCalls", "a/calls_test.go"}, "a/deep.go", true, true},
		{"a script that a test starts", Test{"hello", "tests/greet_test.sh"}, "greet.sh", true, true},
		{"a test of which no file is known", Test{"hello", ""}, "greet.sh", false, false},
	} {
		concerns, known, err := ix.Concerns(t.Context(), c.test, []string{c.changed})
		if err != nil {
			t.Fatal(err)
		}
		if concerns != c.concerns || known != c.known {
			t.Errorf("%s: concerns %v, known %v; want %v, %v", c.name, concerns, known, c.concerns, c.known)
		}
	}
}
