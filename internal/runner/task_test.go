package runner

import (
	"strings"
	"testing"
)

func TestSlug(t *testing.T) {
	cases := map[string]string{
		"Add a --json flag":          "add-a-json-flag",
		"  ...  ":                    "task",
		"Ünïcode only: äöü":          "unicode-only-aou",
		strings.Repeat("word ", 30):  "word-word-word-word-word-word-word-word",
		"../../etc/passwd":           "etc-passwd",
		"feat(x): do 2 things, now!": "feat-x-do-2-things-now",
	}
	for in, want := range cases {
		if got := Slug(in); got != want {
			t.Errorf("Slug(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestTitleOf(t *testing.T) {
	cases := map[string]string{
		"# A heading\n\nmore":    "A heading",
		"one line":               "one line",
		strings.Repeat("é", 100): strings.Repeat("é", 71) + "…",
	}
	for in, want := range cases {
		if got := Title(in); got != want {
			t.Errorf("Title(%q) = %q, want %q", in, got, want)
		}
	}
}
