package runner

import (
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/redact"
)

func TestRestoreMarks(t *testing.T) {
	token := "ghp_" + "Zt5uVw8xYa1bCd4eFg7hIj0kLm3nOp6qRs9T"
	other := "ghp_" + "Aa5uVw8xYa1bCd4eFg7hIj0kLm3nOp6qRs9T"
	key := "-----BEGIN " + "PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nBKcwggSjAgEAAoIBAQC7\n-----END " + "PRIVATE KEY-----"
	r := redact.New(redact.Options{})
	for _, c := range []struct{ name, old, change, with, want string }{
		{"a line left alone", "a = \"" + token + "\"\nb = 1\n", "b = 1", "b = 2", "a = \"" + token + "\"\nb = 2\n"},
		{"another indentation", "if x\n  a = \"" + token + "\"\n", "  a", "\ta", "if x\n\ta = \"" + token + "\"\n"},
		{"two secrets keep their places", "a = \"" + token + "\"\nb = \"" + other + "\"\nc\n", "c", "d", "a = \"" + token + "\"\nb = \"" + other + "\"\nd\n"},
		{"two on one line", "x(\"" + token + "\", \"" + other + "\")\nc\n", "c", "d", "x(\"" + token + "\", \"" + other + "\")\nd\n"},
		{"a changed line with the only one", "old = \"" + token + "\"\n", "old", "renamed", "renamed = \"" + token + "\"\n"},
		{"a key of several lines", "k = `" + key + "`\nc\n", "c", "d", "k = `" + key + "`\nd\n"},
		{"the line is gone", "a = \"" + token + "\"\nc\n", "c", "d", "a = \"" + token + "\"\nd\n"},
		{"a mark that the file itself holds", "say [REDACTED:value]\nc\n", "c", "d", "say [REDACTED:value]\nd\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			shown := r.String(c.old)
			if strings.Contains(shown, token) {
				t.Fatalf("shown: %s", shown)
			}
			got, ok := restoreMarks(c.old, shown, strings.Replace(shown, c.change, c.with, 1))
			if !ok || got != c.want {
				t.Errorf("got %v %q, want %q", ok, got, c.want)
			}
		})
	}
	if _, ok := restoreMarks("a\n", "a\n", "a\n[REDACTED:github-token]\n"); ok {
		t.Error("a mark out of nowhere was taken")
	}
	two := "a = \"" + token + "\"\nb = \"" + other + "\"\n"
	if _, ok := restoreMarks(two, r.String(two), strings.Replace(r.String(two), "a =", "aa =", 1)); ok {
		t.Error("an ambiguous mark was taken")
	}
}

func FuzzRestoreMarks(f *testing.F) {
	f.Add("a = 1\n", "[REDACTED:x]")
	f.Add("pw = \"ghp_"+"Zt5uVw8xYa1bCd4eFg7hIj0kLm3nOp6qRs9T\"\n", "b")
	r := redact.New(redact.Options{})
	f.Fuzz(func(t *testing.T, old, more string) {
		shown := r.String(old)
		if got, ok := restoreMarks(old, shown, shown); ok && got != old {
			t.Errorf("an unchanged file came back as %q, was %q", got, old)
		}
		_, _ = restoreMarks(old, shown, shown+more)
	})
}
