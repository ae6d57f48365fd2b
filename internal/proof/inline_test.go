package proof

import (
	"fmt"
	"testing"
)

func TestOldTestsUnderNewCode(t *testing.T) {
	const tests = "#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() { assert_eq!(super::add(1, 2), 3); }\n}\n"
	const weak = "#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() { assert!(true); }\n}\n"
	const old, now = "pub fn add(a: i32, b: i32) -> i32 { a + b }\n\n", "pub fn add(a: i32, b: i32) -> i32 { a - b }\n\n"
	for _, c := range []struct {
		name, path, old, now, want string
		whole                      bool
	}{
		{"Rust's tests at the end", "a.rs", old + tests, now + weak, now + tests, true},
		{"tests that went", "a.rs", old + tests, now, now + tests, true},
		{"tests that are new", "a.rs", old, now + weak, now, true},
		{"no tests", "a.rs", old, now, now, true},
		{"two modules of tests", "a.rs", old + tests + tests, now + weak + weak, now + tests + tests, true},
		{"code behind the tests", "a.rs", old + tests + "fn more() {}\n", now + weak + "fn more() {}\n", now + "fn more() {}\n" + tests, true},
		{"an import for tests", "a.rs", "#[cfg(test)]\nuse a::b;\n" + old, "#[cfg(test)]\nuse a::c;\n" + now, now + "#[cfg(test)]\nuse a::b;\n", true},
		{"a case outside of a module that goes", "a.rs", "#[test]\nfn a() {}\n", "fn b() {}\n", "fn b() {}\n#[test]\nfn a() {}\n", true},
		{"a case within a module of code", "a.rs", "mod a {\n    #[test]\n    fn a() {}\n}\n", "mod a {\n}\n", "mod a {\n}\n", false},
		{"a module that does not end", "a.rs", old + tests, now + "#[cfg(test)]\nmod tests {\n", now + "#[cfg(test)]\nmod tests {\n", false},
		{"Rust's documentation", "a.rs", "/// ```\n/// assert_eq!(a(), 1);\n/// ```\nfn a() {}\n", "/// More.\n/// ```\n/// a();\n/// ```\nfn a() { b() }\n", "/// More.\n/// ```\n/// assert_eq!(a(), 1);\n/// ```\nfn a() { b() }\n", true},
		{"a doctest that goes", "a.py", "def f():\n    \"\"\"\n    >>> f()\n    1\n    \"\"\"\n", "def f():\n    pass\n", "def f():\n    pass\n", false},
		{"a doctest that changes", "a.py", "def f():\n    \"\"\"\n    >>> f()\n    1\n    \"\"\"\n", "def f():\n    \"\"\"F.\n\n    >>> f()\n    2\n    \"\"\"\n    return 2\n", "def f():\n    \"\"\"F.\n\n    >>> f()\n    1\n    \"\"\"\n    return 2\n", true},
		{"a doctest that is new", "a.py", "def f():\n    pass\n", "def f():\n    \"\"\"\n    >>> f()\n    \"\"\"\n", "def f():\n    \"\"\"\n    >>> f()\n    \"\"\"\n", true},
		{"Elixir's documentation", "a.ex", "  @doc \"\"\"\n      iex> A.f()\n      1\n  \"\"\"\n", "  @doc \"\"\"\n      iex> A.f()\n      2\n  \"\"\"\n  x\n", "  @doc \"\"\"\n      iex> A.f()\n      1\n  \"\"\"\n  x\n", true},
		{"Zig's tests that stay", "a.zig", "test \"a\" {\n}\n", "const b = 1;\ntest \"a\" {\n}\n", "const b = 1;\ntest \"a\" {\n}\n", true},
		{"Zig's tests that change", "a.zig", "test \"a\" {\n    try f(1);\n}\nconst a = 1;\n", "test \"a\" {\n}\nconst a = 2;\n", "const a = 2;\ntest \"a\" {\n    try f(1);\n}\n", true},
		{"D's tests", "a.d", "int f;\n@safe unittest\n{\n    assert(f == 1);\n}\n", "int g;\n@safe unittest\n{\n}\n", "int g;\n@safe unittest\n{\n    assert(f == 1);\n}\n", true},
		{"D's tests in a class", "a.d", "class A\n{\n    unittest\n    {\n    }\n}\n", "class A\n{\n}\n", "class A\n{\n}\n", false},
		{"vitest in a source", "a.ts", "export const a = 1\nif (import.meta.vitest) {\n  t(1)\n}\n", "export const a = 2\nif (import.meta.vitest) {\n  t(2)\n}\n", "export const a = 2\nif (import.meta.vitest) {\n  t(1)\n}\n", true},
		{"Nim's assertions", "a.nim", "doAssert f() == 1\n", "discard\n", "discard\n", false},
		{"other languages", "a.go", "package a\n", "package b\n", "package b\n", true},
	} {
		got, whole := WithOldTests(c.path, []byte(c.old), []byte(c.now))
		if string(got) != c.want || whole != c.whole {
			t.Errorf("%s: got %q, %t", c.name, got, whole)
		}
	}
}

func TestNewTestsUnderOldCode(t *testing.T) {
	const old, now = "pub fn f() -> i32 { 1 }\n", "pub fn f() -> i32 { 2 }\n"
	const oldTests, newTests = "#[cfg(test)]\nmod t { /* old */ }\n", "#[cfg(test)]\nmod t { /* new */ }\n"
	for name, c := range map[string]struct{ path, old, now, want string }{
		"new tests":       {"a.rs", old + oldTests, now + newTests, old + newTests},
		"the first tests": {"a.rs", old, now + newTests, old + newTests},
		"no tests":        {"a.rs", old, now, old},
		"the same tests":  {"a.rs", old + oldTests, now + oldTests, old + oldTests},
		"Zig":             {"a.zig", "const a = 1;\n", "const a = 2;\ntest \"a\" {\n}\n", "const a = 1;\ntest \"a\" {\n}\n"},
		"documentation":   {"a.py", "def f():\n    \"\"\"\n    >>> f()\n    1\n    \"\"\"\n", "def f():\n    \"\"\"\n    >>> f()\n    2\n    \"\"\"\n", ""},
	} {
		if c.want == "" {
			c.want = c.old
		}
		if got := WithNewTests(c.path, []byte(c.old), []byte(c.now)); string(got) != c.want {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

func TestLinesOfTests(t *testing.T) {
	text := "pub fn a() {}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() {}\n}\nfn b() {}\n"
	if got := TestLines("a.rs", []byte(text)); fmt.Sprint(got) != "map[3:true 4:true 5:true 6:true 7:true]" {
		t.Errorf("got %v", got)
	}
	if got := TestLines("a.go", []byte(text)); len(got) != 0 {
		t.Errorf("got %v", got)
	}
}
