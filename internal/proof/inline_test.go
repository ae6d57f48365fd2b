package proof

import "testing"

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
		{"two modules of tests", "a.rs", old + tests + tests, now + weak, now + weak, false},
		{"code behind the tests", "a.rs", old + tests + "fn more() {}\n", now + weak, now + weak, false},
		{"a case outside of a module that goes", "a.rs", "#[test]\nfn a() {}\n", "fn b() {}\n", "fn b() {}\n", false},
		{"a doctest that changes", "a.py", "def f():\n    \"\"\"\n    >>> f()\n    1\n    \"\"\"\n", "def f():\n    pass\n", "def f():\n    pass\n", false},
		{"a doctest that is new", "a.py", "def f():\n    pass\n", "def f():\n    \"\"\"\n    >>> f()\n    \"\"\"\n", "def f():\n    \"\"\"\n    >>> f()\n    \"\"\"\n", true},
		{"Zig's tests that stay", "a.zig", "test \"a\" {\n}\n", "const b = 1;\ntest \"a\" {\n}\n", "const b = 1;\ntest \"a\" {\n}\n", true},
		{"other languages", "a.go", "package a\n", "package b\n", "package b\n", true},
	} {
		got, whole := WithOldTests(c.path, []byte(c.old), []byte(c.now))
		if string(got) != c.want || whole != c.whole {
			t.Errorf("%s: got %q, %t", c.name, got, whole)
		}
	}
}
