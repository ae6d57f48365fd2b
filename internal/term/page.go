package term

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Page is text in place of what the terminal showed, without flicker: each line
// is written over, and cut at the width. What is taller than the terminal keeps
// its first block and its end, since news come there; rows 0 is no bound.
func Page(text string, width, rows int) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if over := len(lines) + 1 - rows; rows > 4 && over > 0 {
		head := 0
		for head < len(lines) && lines[head] != "" {
			head++
		}
		head = min(head, rows/2)
		gap := fmt.Sprintf("… %d lines …", over+1)
		lines = append(append(append([]string{}, lines[:head]...), gap), lines[head+over+1:]...)
	}
	var b strings.Builder
	b.WriteString("\x1b[H")
	for _, l := range lines {
		if width > 0 {
			l = ansi.Truncate(l, width, "…")
		}
		b.WriteString(Escape(l) + "\x1b[0m\x1b[K\n")
	}
	return b.String() + "\x1b[J"
}
