package globs

import (
	"path"
	"testing"

	"github.com/bmatcuk/doublestar/v4"
)

var (
	someGlobs = []string{
		"a/**", "**/b/**", "a/*/c", "**", "*", "x?z", "[ab]c", `a\*b`, "**/c.{go,rs}", "{,src/,test/}{x,y}{.py,/*.py,/**/*.py}", "**/*.{test,spec}.{js,ts}",
		"**/{*Test,Test[A-Z]*}.java", "**/{x{1,2},y}/**", "vendor/{autoload.php,bin/**}", "**/.{a,b}*/{c,d}/**", "a/", "a**b", "**/a**", "[{a,b}]", "[a", "{a", "a}",
		"**/foo*", "**/{-,_}{test,tests}.js", "lib/test/unit/**", "**/[!a-c]x.go", "**/x]y", "a/**/", "/a", "**/*.d/**", "{a,b", "**/*.", "**/", "*/", "a/**/{,b}", "**/{,.}b",
	}
	somePaths = []string{
		"a", "a/b", "b", "b/c", "a/b/c", "a/x/c", "xyz", "ac", "a*b", "c.go", "d/c.rs", "src/x.py", "x/y/z.py", "test/y/q.py", "m.test.js", "a/m.spec.ts", "FooTest.java",
		"p/TestX.java", "p/Testx.java", "q/x1/r", "q/y", "vendor/bin/x", "vendor/autoload.php", ".ab/c/x", "z/.bz/d", "ab", "axxb", "s/ab", "s/a/x", "[a", "{a", "a}", "foo",
		"x/foobar", "_test.js", "-tests.js", "lib/test/unit/x.rb", "q/dx.go", "q/ax.go", "x]y", "s/x]y", "/a", "q.d/x", "q.d", "", "ä/b.go", "a.", "q/a.", "a//b", "b/", "s", "a/b/",
	}
)

func TestASetSaysWhatDoublestarSays(t *testing.T) {
	fitting := 0
	for _, g := range someGlobs {
		s := New(g)
		for _, p := range somePaths {
			want := doublestar.MatchUnvalidated(g, p)
			if got := s.Match(p); got != want {
				t.Errorf("%q of %q: got %v, want %v", g, p, got, want)
			}
			if want {
				fitting++
			}
		}
	}
	if fitting < 60 {
		t.Errorf("only %d pairs fit", fitting)
	}
	if !New("x", "**/*.go").Match("a/b.go") || New().Match("a") || New("x", "y").Match("z") {
		t.Error("of several globs one is enough, and none fits nothing")
	}
}

func FuzzSet(f *testing.F) {
	for i, g := range someGlobs {
		f.Add(g, somePaths[i%len(somePaths)])
	}
	f.Fuzz(func(t *testing.T, glob, p string) {
		if !doublestar.ValidatePattern(glob) || len(glob) > 60 || len(p) > 60 || path.Clean(p) != p || p[0] == '/' {
			t.Skip()
		}
		if got, want := New(glob).Match(p), doublestar.MatchUnvalidated(glob, p); got != want {
			t.Errorf("%q of %q: got %v, want %v", glob, p, got, want)
		}
	})
}
