package diff

import (
	"fmt"
	"slices"
	"strings"
	"testing"
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

// TestEdits: put in their places they make the one text of the other, and take away no more
// lines than differ.
func TestEdits(t *testing.T) {
	var before, after []string
	for i := range 4000 {
		before = append(before, fmt.Sprintf("a %d\n", i), "}\n")
		line := before[len(before)-2]
		if i%20 == 0 {
			line = fmt.Sprintf("b %d\n", i)
		}
		after = append(after, line, "}\n")
	}
	for name, c := range map[string]struct {
		before, after []string
		gone          int
	}{
		"many places":      {before, after, 200},
		"more at the end":  {[]string{"}\n", "}"}, []string{"}\n", "}\n", "}"}, 0},
		"lines that occur": {[]string{"}\n", "}\n", "x\n", "}"}, []string{"}\n", "}\n", "}\n", "y\n", "}\n"}, 2},
		"from nothing":     {nil, []string{"a\n"}, 0},
		"to nothing":       {[]string{"a\n", "b"}, nil, 2},
	} {
		var got []string
		at, gone := 0, 0
		for _, e := range Edits(c.before, c.after) {
			got = append(append(got, c.before[at:e.From]...), e.New...)
			at, gone = e.To, gone+e.To-e.From
		}
		if got = append(got, c.before[at:]...); !slices.Equal(got, c.after) || gone != c.gone {
			t.Errorf("%s: %d lines go, %d wanted, same %v", name, gone, c.gone, slices.Equal(got, c.after))
		}
	}
}
