package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/booty-cli/booty/internal/term"
)

// TestHelpFitsTheTerminal: no line is wider, but for examples; a pipe gets lines whole.
func TestHelpFitsTheTerminal(t *testing.T) {
	t.Parallel()
	help := func(tty bool, args ...string) string {
		var out bytes.Buffer
		s := term.Streams{In: strings.NewReader(""), Out: &out, Err: &out, OutTTY: tty, Width: 80}
		if code := Main(t.Context(), append(args, "--help"), s, os.Getenv, Build{}); code != 0 {
			t.Fatalf("%q ends with %d: %s", args, code, &out)
		}
		return out.String()
	}
	for _, cmd := range Commands(Build{}).Commands() {
		text, examples, _ := strings.Cut(help(true, cmd.Name()), "\nExamples:\n")
		_, flags, _ := strings.Cut(examples, "\n\n")
		for line := range strings.Lines(text + "\n" + flags) {
			if n := ansi.StringWidth(strings.TrimRight(line, "\n")); n > 80 {
				t.Errorf("%s: %d columns: %s", cmd.Name(), n, line)
			}
		}
	}
	const whole = "allow edits to protected files and old tests that match GLOB (repeatable)\n"
	if !strings.Contains(help(false, "run"), whole) || strings.Contains(help(true, "run"), whole) {
		t.Errorf("a pipe should get %q in one line, a terminal of 80 columns in two", whole)
	}
}

// TestReadmeListsTheCommands: its table is where new users learn what there is.
func TestReadmeListsTheCommands(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range Commands(Build{}).Commands() {
		if name := "`booty " + c.Name() + "`"; !c.Hidden && c.Name() != "version" && c.Name() != "completion" &&
			!strings.Contains(string(text), name) {
			t.Errorf("README.md does not name %s", name)
		}
	}
}
