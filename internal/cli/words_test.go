package cli

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
		if got := slug(in); got != want {
			t.Errorf("slug(%q) = %q, want %q", in, got, want)
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
		if got := titleOf(in); got != want {
			t.Errorf("titleOf(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestVerdictOfAReview(t *testing.T) {
	cases := []struct{ name, text, verdict, notes string }{
		{"the plain form", "APPROVED", "APPROVED", ""},
		{"with notes", "BLOCKED\n- a.go:1: leaks", "BLOCKED", "- a.go:1: leaks"},
		{"in bold", "**APPROVED_WITH_SUGGESTIONS**\n\n- fine", "APPROVED_WITH_SUGGESTIONS", "- fine"},
		{"with a label and blanks", "Verdict: approved with suggestions\nx", "APPROVED_WITH_SUGGESTIONS", "x"},
		{"after chatter", "Let me see.\n`BLOCKED`\nwhy", "BLOCKED", "why"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := verdictOf(c.text)
			if err != nil {
				t.Fatal(err)
			}
			if got.Verdict != c.verdict || got.Notes != c.notes {
				t.Errorf("got %+v, want %s with %q", got, c.verdict, c.notes)
			}
		})
	}
	for _, text := range []string{"", "I like it", "NOT APPROVED", "It is not BLOCKED by anything"} {
		if got, err := verdictOf(text); err == nil {
			t.Errorf("verdictOf(%q) = %+v, want an error", text, got)
		}
	}
}

func TestNameFromURL(t *testing.T) {
	cases := map[string]string{
		"https://github.com/owner/name.git":   "owner/name",
		"git@github.com:owner/name.git":       "owner/name",
		"ssh://git@host:22/owner/name":        "owner/name",
		"https://github.com/owner/name/":      "owner/name",
		"/srv/git/name.git":                   "",
		"file:///srv/git/name.git":            "",
		"https://user:token@host/owner/n.git": "owner/n",
	}
	for in, want := range cases {
		if got := nameFromURL(in); got != want {
			t.Errorf("nameFromURL(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestSecretFilesAreNeverShown(t *testing.T) {
	for _, p := range []string{".env", "a/.env.local", "id_rsa", "x/Server.KEY", "cert.pem", ".npmrc", "conf/secrets.yaml", ".netrc", "k.p12"} {
		if !secretFile(p) {
			t.Errorf("%s would be shown", p)
		}
	}
	for _, p := range []string{".env.example", "env.go", "keys.go", "secretary.py", "monkey.js", "docs/environment.md"} {
		if secretFile(p) {
			t.Errorf("%s would be kept away", p)
		}
	}
}

func TestUnderOldCodePutsTheNewTestsOfARustSourceUnderTheOldCode(t *testing.T) {
	const oldCode, newCode = "pub fn f() -> i32 { 1 }\n", "pub fn f() -> i32 { 2 }\n"
	const oldTests, newTests = "#[cfg(test)]\nmod t { /* old */ }\n", "#[cfg(test)]\nmod t { /* new */ }\n"
	cases := []struct {
		name, old, now, want string
		ok                   bool
	}{
		{"new tests", oldCode + oldTests, newCode + newTests, oldCode + newTests, true},
		{"the first tests", oldCode, newCode + newTests, oldCode + newTests, true},
		{"no tests", oldCode, newCode, "", false},
		{"the same tests", oldCode + oldTests, newCode + oldTests, "", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, ok := underOldCode([]byte(c.old), []byte(c.now))
			if string(got) != c.want || ok != c.ok {
				t.Errorf("got %q, %v, want %q, %v", got, ok, c.want, c.ok)
			}
		})
	}
}
