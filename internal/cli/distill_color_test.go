package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/booty-cli/booty/internal/term"
)

// TestASummaryOnATerminalDiffersInColorOnly runs distill with and without a terminal.
func TestASummaryOnATerminalDiffersInColorOnly(t *testing.T) {
	t.Parallel()
	const output = "--- FAIL: TestAdd (0.00s)\n    add_test.go:7: Add(2, 3) = -1, want 5\nFAIL\nFAIL\texample.com/calc\t0.002s\n" +
		"# example.com/b\nb/b.go:3:4: undefined: x\nFAIL\texample.com/b [build failed]\nFAIL\n"
	read := func(tty bool, env map[string]string) string {
		var out bytes.Buffer
		s := term.Streams{In: strings.NewReader(output), Out: &out, Err: &out, OutTTY: tty, Width: 80}
		if code := Main(t.Context(), []string{"-C", t.TempDir(), "distill"}, s, func(n string) string { return env[n] }, Build{}); code != 0 {
			t.Fatalf("exit code %d: %s", code, out.String())
		}
		return out.String()
	}
	plain, coloured := read(false, nil), read(true, map[string]string{"TERM": "xterm"})
	if strings.Contains(plain, "\x1b") || !strings.Contains(plain, "TestAdd") {
		t.Errorf("without a terminal: %q", plain)
	}
	if got := ansi.Strip(coloured); got != plain {
		t.Errorf("got\n%s\nwant\n%s", got, plain)
	}
	for _, want := range []string{"\x1b[1m2) example.com/calc.TestAdd\x1b[0m", "\x1b[36mb/b.go:3:4\x1b[0m: undefined: x"} {
		if !strings.Contains(coloured, want) {
			t.Errorf("no %q in %q", want, coloured)
		}
	}
	if s := read(true, map[string]string{"TERM": "xterm", "NO_COLOR": "1"}); s != plain {
		t.Errorf("with NO_COLOR: %q", s)
	}
}
