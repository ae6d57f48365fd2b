package runner

import (
	"maps"
	"testing"

	"github.com/booty-cli/booty/internal/event"
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
