package term

import (
	"strings"
	"testing"
)

func TestWrap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, line    string
		width, indent int
		want          string
	}{
		{"a line that fits", "  a b", 30, 4, "  a b"},
		{"a pipe has no width", strings.Repeat("word ", 40), 0, 4, strings.Repeat("word ", 40)},
		{"at blanks alone", "  ! branch booty/say-hello-to-everyone is there", 30, 4,
			"  ! branch\n    booty/say-hello-to-everyone\n    is there"},
		{"colours take no room", "\x1b[2m" + strings.Repeat("a", 20) + " " + strings.Repeat("b", 9) + "\x1b[0m", 30, 0,
			"\x1b[2m" + strings.Repeat("a", 20) + " " + strings.Repeat("b", 9) + "\x1b[0m"},
		{"a word that is too long stays whole", strings.Repeat("x", 40) + " y", 30, 0, strings.Repeat("x", 40) + "\ny"},
		{"double blanks stay within a line", "ab  cd " + strings.Repeat("e", 26), 30, 2, "ab  cd\n  " + strings.Repeat("e", 26)},
	} {
		if got := Wrap(c.line, c.width, c.indent); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
