package report

import (
	"fmt"
	"strings"
)

// mostNames is how many names a list gives.
const mostNames = 5

// Some names the first few of a list, and counts the rest.
func Some(names []string) string {
	if len(names) > mostNames {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:mostNames], ", "), len(names)-mostNames)
	}
	return strings.Join(names, ", ")
}

// FirstLine is the first line of a text that has anything on it.
func FirstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}
