package diff

import (
	"fmt"
	"strings"
	"testing"

	udiff "github.com/aymanbagabas/go-udiff"
)

// TestCountOfManyPlaces: a change in many places of a large file has the size that it has.
func TestCountOfManyPlaces(t *testing.T) {
	var before, after strings.Builder
	for i := range 9000 {
		line := fmt.Sprintf("  %d:\n    resolution: {}\n", i)
		before.WriteString(line)
		if i%30 == 0 {
			line = fmt.Sprintf("  %d-new:\n    resolution: {}\n", i)
		}
		after.WriteString(line)
	}
	if added, removed := Count([]byte(before.String()), []byte(after.String())); added != 300 || removed != 300 {
		t.Errorf("%d added, %d removed", added, removed)
	}
}

// TestReplacements: put in their places they make the one text of the other, in no more lines
// than differ, whether the last line has an end or not.
func TestReplacements(t *testing.T) {
	var before, after strings.Builder
	for i := range 4000 {
		line := fmt.Sprintf("a %d\n}\n", i)
		before.WriteString(line)
		if i%20 == 0 {
			line = fmt.Sprintf("b %d\n}\n", i)
		}
		after.WriteString(line)
	}
	for name, c := range map[string]struct {
		before, after string
		gone          int
	}{
		"many places":      {before.String(), after.String(), 200},
		"an end is added":  {"a\nb", "a\nb\n", 1},
		"an end goes":      {"a\nb\n", "a\nb", 1},
		"more at the end":  {"}\n}", "}\n}\n}", 0},
		"lines that occur": {"}\n}\nx\n}", "}\n}\n}\ny\n}\n", 2},
		"from nothing":     {"", "a", 0},
		"to nothing":       {"a\nb", "", 2},
	} {
		edits := Replacements(c.before, c.after)
		gone := 0
		for _, e := range edits {
			gone += len(splitAfter(c.before[e.Start:e.End]))
		}
		if got, err := udiff.Apply(c.before, edits); err != nil || got != c.after || gone != c.gone {
			t.Errorf("%s: %v, %d lines go, %d wanted, same %v", name, err, gone, c.gone, got == c.after)
		}
	}
}
