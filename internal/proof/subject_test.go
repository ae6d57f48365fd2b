package proof

import (
	"slices"
	"testing"

	"github.com/booty-cli/booty/pkg/edit"
)

// TestNewNames: a word of the language is no name that the change brought.
func TestNewNames(t *testing.T) {
	s := Subject{
		Sources:  []Source{{Path: "a.py", Old: []byte("x = 1\n"), New: []byte("def rate(n):\n    if n not in [1]:\n        return 2\n    return x\n")}},
		NewTests: []edit.Change{{Path: "test_a.py", New: []byte("from a import rate\n\ndef test_rate():\n    if True:\n        assert rate(3) == 2\n")}},
	}
	if got := s.newNames(); !slices.Equal(got, []string{"rate"}) {
		t.Errorf("got %q", got)
	}
}
