package engine

import (
	"slices"
	"testing"
	"testing/synctest"
)

// A tree of the code from before is made while the model is asked, if it is asked at all.
func TestATreeOfTheUnchangedCodeIsPrepared(t *testing.T) {
	for _, c := range []struct {
		name, history string
		want          []string
	}{
		{"a task", "reply A", []string{"commit-start"}},
		{"several attempts", "check A failing=1\nreply A\nreply B", []string{"commit-start"}},
		{"earlier work is continued", "continued\ncheck start failing=1\ncheck old failing=1\nreply A", []string{"old"}},
		{"earlier work that passes", "continued\nproof start=proven", nil},
		{"a dry run", "dry-run", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h, err := parseHistory(c.history)
				if err != nil {
					t.Fatal(err)
				}
				w := newWorld(h)
				w.play()
				if !slices.Equal(w.early, c.want) {
					t.Errorf("got %q, not %q", w.early, c.want)
				}
			})
		})
	}
}
