package text

import (
	"maps"
	"regexp"
	"testing"
)

func TestGroupsOfAlternatives(t *testing.T) {
	t.Parallel()
	re := regexp.MustCompile(`^(?:(?P<got>\w+) != (?P<want>\w+)|want (?P<want>\w+), got (?P<got>\w+)(?P<note>!)?)$`)
	for s, want := range map[string]map[string]string{
		"a != b":        {"got": "a", "want": "b", "note": ""},
		"want b, got a": {"got": "a", "want": "b", "note": ""},
		"neither":       nil,
	} {
		if got := Groups(re, s); !maps.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", s, got, want)
		}
	}
}
