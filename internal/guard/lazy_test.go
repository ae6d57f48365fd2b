package guard

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWordsSpareNoMatch holds the words of every rule to the lines of all cases:
// where the expression matches, one of its words stands.
func TestWordsSpareNoMatch(t *testing.T) {
	var patterns []*pattern
	for _, s := range signs {
		patterns = append(patterns, compilePattern(s.re))
	}
	for _, w := range weaknesses {
		patterns = append(patterns, compilePattern(w.re))
	}
	for _, re := range []func() *pattern{declared, command, annotation, frames, ownName, readsFile, starter, method, rubyOpen} {
		patterns = append(patterns, re())
	}
	files, _ := filepath.Glob("testdata/review/*.txtar")
	lines := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			lines[strings.TrimRight(line, "\n")] = true
		}
	}
	with, matches := 0, 0
	for _, p := range patterns {
		if p.words != nil {
			with++
		}
		for line := range lines {
			if p.Regexp.MatchString(line) {
				if matches++; !p.may(line) {
					t.Errorf("%q matches %s, but holds none of %q", line, p, p.words)
				}
			}
		}
	}
	if with < len(patterns)/2 || matches < 500 {
		t.Errorf("%d of %d expressions have words, %d matches", with, len(patterns), matches)
	}
}
