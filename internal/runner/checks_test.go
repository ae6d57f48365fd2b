package runner

import (
	"testing"

	"github.com/booty-cli/booty/internal/check"
)

func TestNoteTellsAllThereIs(t *testing.T) {
	for _, c := range []struct {
		name string
		in   check.Result
		want string
	}{
		{"nothing", check.Result{}, ""},
		{"a full disk", check.Result{End: check.FilledDisk}, "it was stopped: it had nearly filled the disk"},
		{"files put back", check.Result{Notes: []string{"a.txt was put back", "2 processes were left behind"}}, "a.txt was put back; 2 processes were left behind"},
		{"no tests, and more", check.Result{End: check.NoTests, Notes: []string{"b"}}, "no tests were run; b"},
		{"the environment before its consequences", check.Result{Environment: "no network", End: check.NoTests}, "no network"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Note(c.in); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
