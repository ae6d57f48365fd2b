package term

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestAPageFitsTheTerminal(t *testing.T) {
	var text strings.Builder
	text.WriteString("head\nof it\n\n")
	for i := range 40 {
		fmt.Fprintf(&text, "line %d %s\n", i, strings.Repeat("x", 60))
	}
	got := Page(text.String(), 30, 12)
	lines := strings.Split(strings.TrimSuffix(strings.TrimPrefix(got, "\x1b[H"), "\x1b[J"), "\n")
	if n := len(lines) - 1; n != 11 { // the cursor stands on the twelfth
		t.Errorf("%d lines in a terminal of 12:\n%s", n, got)
	}
	for _, l := range lines {
		if w := ansi.StringWidth(l); w > 30 {
			t.Errorf("a line of %d columns: %q", w, l)
		}
	}
	plain := ansi.Strip(got)
	for _, want := range []string{"head\nof it\n… 33 lines …\nline 32", "line 39"} {
		if !strings.Contains(plain, want) {
			t.Errorf("lacks %q:\n%s", want, plain)
		}
	}
	if whole := ansi.Strip(Page("a\nb\n", 30, 12)); whole != "a\nb\n" {
		t.Errorf("got %q", whole)
	}
}
