//go:build slow

package mutant

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMutantsBuild has compilers, or what checks a source's syntax, read every mutant of a
// source in each language. One that never builds wastes a run of the tests.
func TestMutantsBuild(t *testing.T) {
	for _, c := range []struct{ tool, path, text, check string }{
		{"gofmt", "a.go", "package a\n\nfunc f(name string, n int) string {\n\tif n > 3 && name != \"\" || !ok() {\n\t\tn += 2\n\t\tuse(n)\n\t\treturn name + \" is \" + name\n\t}\n\treturn \"\"\n}\n", "gofmt -e a.go"},
		{"python3", "a.py", "def f(a, b=3):\n    if not a and b >= 2.5 or True:\n        g.x = a + b\n        h(a)\n        return 'a' + b\n    elif a is not None:\n        a += 1\n    for i in range(3):\n        k(i)\n    return a\n", "python3 -m py_compile a.py"},
		{"node", "a.js", "export const f = (a, b) => {\n  if (a === b || !a) {\n    this.x.push(a);\n    a += b * 2;\n    a++;\n    return `x` + a + 'y';\n  }\n  return g(() => a < b && true);\n};\n", "node --check --input-type=module -"},
		{"javac", "A.java", "class A {\n  int[] x;\n  int n = 3;\n  A() {\n    this(2);\n  }\n  A(int k) {\n    x = new int[k + 1];\n  }\n  String f(String a, int b) {\n    if (a == null || !a.isEmpty() && b >= 3) {\n      n += b - 1;\n      System.gc();\n      return \"a\";\n    }\n    return a + \" is \" + b;\n  }\n}\n", "javac -proc:none -d out A.java"},
		{"ruby", "a.rb", "class A < B\n  def f(a)\n    if a > 1 && !b\n      @seen = g(a).tap do |x|\n        x.h(a)\n      end\n    elsif a < 3\n      @n = if a == 1\n             2\n           end\n      return a unless a == 4\n    end\n    @m += a + 1\n    c.sort! if a and b\n    return a * 2\n  end\nend\n", "ruby -c a.rb"},
		{"rustc", "a.rs", "pub struct A<T: Clone + Send + 'static>(pub T);\npub fn f<T: Clone + Fn(u8) -> bool>(g: T, mut a: u32, v: &mut Vec<u32>) -> bool {\n    let h = move || a + 1;\n    if a >= 3 || v.is_empty() && !g(1) {\n        v.push(a);\n        a += 2;\n    }\n    k(|| true);\n    h() == a\n}\npub fn k<F>(f: F) where F: Fn() -> bool + Send {\n    f();\n}\n", "rustc --edition 2021 --crate-type lib --cap-lints allow --emit=metadata -o out.rmeta a.rs"},
		{"php", "a.php", "<?php declare(strict_types=1);\n\nfunction f($a) {\n  if ($a < 5 and !$b || $a === 2) {\n    $this->items[] = $a;\n    g($a);\n    return $a . 'x' . ($a % 2);\n  } elseif ($a >= 3) {\n    $a += 1;\n  }\n  return true;\n}\n", "php -l a.php"},
		{"gcc", "a.c", "#include <stddef.h>\n#if !defined(N) && \\\n  !defined(M)\n#define N 3\n#endif\nstruct s { int len; };\nint g(int);\nint f(int *a, struct s *b) {\n  while (a[0] < N && b != NULL) { a++; }\n  if (!g(1) || b->len == 2) {\n    b->len = 0;\n    g(b->len * 2);\n  }\n  b->len += 1;\n  return -1;\n}\n", "gcc -fsyntax-only a.c"},
		{"g++", "a.cpp", "#include <string>\n#include <utility>\ntemplate <typename T> bool g(T&& v) { return v.size() == 2 || false; }\nstruct E { explicit E(std::string s) : what(std::move(s)) {} std::string what; };\nE f(std::string name, int n) {\n  if (n > 3 && !g(name)) {\n    name.clear();\n    n = n - 1;\n  }\n  return E(name + \": too many\");\n}\n", "g++ -std=c++17 -fsyntax-only a.cpp"},
	} {
		t.Run(c.path, func(t *testing.T) {
			if _, err := exec.LookPath(c.tool); err != nil {
				t.Skip(c.tool + " is not installed")
			}
			t.Parallel()
			all := map[int]bool{}
			for i := range strings.Count(c.text, "\n") {
				all[i+1] = true
			}
			list := Of(c.path, []byte(c.text), all)
			if len(list) < 10 {
				t.Errorf("only %d mutants", len(list))
			}
			dir := t.TempDir()
			builds := func(text []byte) (string, bool) {
				if err := os.WriteFile(filepath.Join(dir, c.path), text, 0o600); err != nil {
					t.Fatal(err)
				}
				args := strings.Fields(c.check)
				cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
				cmd.Dir, cmd.Stdin = dir, strings.NewReader(string(text))
				out, err := cmd.CombinedOutput()
				return string(out), err == nil
			}
			if out, ok := builds([]byte(c.text)); !ok {
				if c.tool == "rustc" && exec.Command(c.tool, "--version").Run() != nil {
					t.Skip("rustup has no toolchain")
				}
				t.Fatalf("the source itself does not build: %s", out)
			}
			if c.tool == "javac" { // takes a second each
				list = list[:min(len(list), 8)]
			}
			for _, m := range list {
				if out, ok := builds(m.Text()); !ok {
					t.Errorf("line %d, %s: %s\nchanged to %s\n%s", m.Line, m.What, m.Was, m.Now, out)
				}
			}
		})
	}
}
