package prompt

import (
	"strings"
	"testing"
)

// TestHiddenSignsAreMarked: what a person cannot see in an issue the model is not
// told in secret.
func TestHiddenSignsAreMarked(t *testing.T) {
	t.Parallel()
	p, err := Assemble(Input{
		Role: "implement", Nonce: "n", Task: "greet\u202e politely\U000E0069\U000E0067", Failure: "x\u2066y",
		Files: []File{{Path: "a.txt", Content: "kept \u202e as it is\n"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"greet[U+202E] politely[U+E0069][U+E0067]", "x[U+2066]y", "kept \u202e as it is"} {
		if !strings.Contains(p.User, want) {
			t.Errorf("%q is not in the request:\n%s", want, p.User)
		}
	}
}
