package testfile

import (
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"
)

var roles = map[string]Role{"product": Product, "case": Case, "data": Data, "runner": Runner}

func TestRoles(t *testing.T) {
	table, err := os.ReadFile("testdata/paths.txt")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(table)) {
		word, p, is := strings.Cut(strings.TrimSpace(line), " ")
		if !is || word == "#" {
			continue
		}
		want, known := roles[word]
		if !known {
			t.Errorf("unknown role in %q", line)
		}
		if got := Of(p); got != want {
			t.Errorf("%s: got %v, want %s", p, got, word)
		}
		if Is(p) != (want != Product) {
			t.Errorf("%s: Is and Of disagree", p)
		}
		rows++
	}
	if rows < 100 {
		t.Errorf("only %d rows were read", rows)
	}
}

// What the plain letters of a glob rule out, the glob does not match.
func TestPlainLettersRuleOutNoMatch(t *testing.T) {
	table, err := os.ReadFile("testdata/paths.txt")
	if err != nil {
		t.Fatal(err)
	}
	globs := slices.Concat(cases, sourceSets, data, documents, builds, runnersAnywhere, runners,
		[]string{"a/**", "**/b/**", "a/*/c", "**", "x?z", "[ab]c", `a\*b`, "**/c.{go,rs}"})
	matched := 0
	for line := range strings.Lines(string(table)) {
		_, p, _ := strings.Cut(strings.TrimSpace(line), " ")
		for _, p := range []string{p, "a", "a/b/c", "b", "xyz", "ac", "a*b", "c.go", "a/" + p, path.Base(p), ".bazelrc", "dart_test.yaml", ".bundle/config"} {
			for _, g := range globs {
				if doublestar.MatchUnvalidated(g, p) {
					if matched++; !lettersOf(g).allow(p) {
						t.Errorf("%s matches %s and is ruled out", g, p)
					}
				}
			}
		}
	}
	if matched < 500 {
		t.Errorf("only %d matches were tried", matched)
	}
}
