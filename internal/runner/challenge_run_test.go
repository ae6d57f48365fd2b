package runner

import (
	"maps"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/proof"
)

func TestOnlyWhatIsQuotedStands(t *testing.T) {
	tests := []event.ChallengeTest{{Name: "TestA"}, {Name: "test_b"}, {Name: "adds: two"}}
	said := "Add must never overflow.\n// It keeps zero as it is.\n"
	for reply, want := range map[string]map[string]string{
		"STANDS TestA: \"Add must never overflow\"\nFALLS test_b: no": {"TestA": "Add must never overflow"},
		"- STANDS `test_b`: “It keeps zero as it is.”":                {"test_b": "It keeps zero as it is."},
		"STANDS adds: two: \"Add must never overflow\"":               {"adds: two": "Add must never overflow"},
		"STANDS TestA: \"Add panics\"":                                {},
		"STANDS TestC: \"Add must never overflow\"":                   {},
		"I think they are right.":                                     {},
	} {
		if got := upheld(reply, said, tests); !maps.Equal(got, want) {
			t.Errorf("%q: got %v, want %v", reply, got, want)
		}
	}
}

func TestMostTelling(t *testing.T) {
	lines := strings.Repeat("a line\n", 9)
	got := mostTelling([]proof.Source{
		{Path: "CHANGELOG.rst", Old: []byte(lines)}, {Path: "a.py", Old: []byte("x = 1\n"), New: []byte("x = 2\n")},
		{Path: "b.py", Old: []byte("x = 1\ny = 1\n"), New: []byte("x = 2\ny = 2\n")},
	})
	var order []string
	for _, f := range got {
		order = append(order, f.Path)
	}
	if want := "b.py a.py CHANGELOG.rst"; strings.Join(order, " ") != want {
		t.Errorf("got %s, want %s", order, want)
	}
}
