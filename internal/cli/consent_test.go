package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/term"
	"github.com/booty-cli/booty/internal/testkit"
)

// TestTheConsentPromptShowsWhatItAsksFor: a repository's file cannot hide a value, nor
// put words of its own into booty's mouth.
func TestTheConsentPromptShowsWhatItAsksFor(t *testing.T) {
	home := testkit.Hermetic(t)
	root := testkit.Repo(t, map[string]string{".booty.yml": `test_command: "true"
sandbox:
  write: ["/tmp/a\e[8m\e[1A\e[2K", "/tmp/b\u202e\u2066\u009b2J", "/tmp/c\n\nNothing of note.\r"]
`})
	var out, errs bytes.Buffer
	streams := term.Streams{In: strings.NewReader("n\n"), Out: &out, Err: &errs, InTTY: true, ErrTTY: true, OutTTY: true, Width: 80}
	getenv := func(name string) string {
		switch name {
		case "HOME":
			return home
		case "TERM":
			return "xterm"
		}
		return os.Getenv(name)
	}
	code := Main(t.Context(), []string{"run", "--task", "x", "-C", root}, streams, getenv, Build{})
	text := errs.String()
	if code == 0 || !strings.Contains(text, "Use these settings from now on? [y/N]") {
		t.Fatalf("got %d %q", code, text)
	}
	for _, bad := range []string{"\x1b[8m", "\x1b[1A", "\x1b[2K", "\u202e", "\u2066", "\u009b", "\nNothing of note", "\r"} {
		if strings.Contains(text, bad) {
			t.Errorf("%q reaches the terminal:\n%q", bad, text)
		}
	}
	if !strings.Contains(text, `/tmp/a\u001b[8m`) || !strings.Contains(text, "/tmp/b<U+202E><U+2066>") {
		t.Errorf("it is not made visible: %q", text)
	}
}
