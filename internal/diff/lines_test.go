package diff

import (
	"fmt"
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
