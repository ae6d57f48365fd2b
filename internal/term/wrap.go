package term

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Wrap breaks a line at its blanks, so that names, paths and branches stay whole; further
// lines are indented. A width that leaves no room wraps nothing.
func Wrap(line string, width, indent int) string {
	if width < indent+20 || ansi.StringWidth(line) <= width {
		return line
	}
	var b strings.Builder
	at := 0
	for rest := line; rest != ""; {
		blanks := len(rest) - len(strings.TrimLeft(rest, " "))
		word, _, _ := strings.Cut(rest[blanks:], " ")
		rest = rest[blanks+len(word):]
		if n := ansi.StringWidth(word); at > indent && at+blanks+n > width && n > 0 {
			b.WriteString("\n" + strings.Repeat(" ", indent))
			at = indent + n
		} else {
			b.WriteString(strings.Repeat(" ", blanks))
			at += blanks + n
		}
		b.WriteString(word)
	}
	return b.String()
}
