package engine

import (
	"fmt"
	"slices"
	"strings"
)

// list names at most five of many.
func list(names []string) string {
	if len(names) <= 5 {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:5], ", "), len(names)-5)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

// tests counts them in words.
func tests(n int) string {
	if n == 1 {
		return "1 test"
	}
	return fmt.Sprintf("%d tests", n)
}

// maxSaid bounds what is shown of a reply that led to nothing, in characters.
const maxSaid = 300

// inOneLine returns the beginning of a text as one line.
func inOneLine(s string, most int) string {
	words := []rune(strings.Join(strings.Fields(s), " "))
	if len(words) > most {
		return string(words[:most-1]) + "…"
	}
	return string(words)
}

// union adds to a list what it does not hold.
func union(a, b []string) []string {
	for _, s := range b {
		if !slices.Contains(a, s) {
			a = append(a, s)
		}
	}
	return a
}
