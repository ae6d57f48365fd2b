package cli

import (
	"os"
	"strings"
	"testing"
)

// The hooks that init writes are those of the examples.
func TestHooksAreThoseOfTheExamples(t *testing.T) {
	commands := func(text []byte) string {
		var b strings.Builder
		for l := range strings.Lines(string(text)) {
			if !strings.HasPrefix(l, "#") {
				b.WriteString(l)
			}
		}
		return b.String()
	}
	for _, name := range hookNames() {
		example, err := os.ReadFile("../../examples/hooks/" + name)
		if err != nil {
			t.Fatal(err)
		}
		written, err := hookTexts.ReadFile("hooks/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := commands(written), commands(example); got != want || got == "" {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
	}
}
