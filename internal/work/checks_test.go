package work

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/booty-cli/booty/internal/check"
)

// TestKindOfFailureIsCarried: what the distiller found reaches the next attempt
// whole, since a rerun is made for tests and not for compile errors.
func TestKindOfFailureIsCarried(t *testing.T) {
	const output = "# example.com/a\n./a.go:3:5: undefined: x\nFAIL\texample.com/a [build failed]\nFAIL\n"
	s, err := Distiller(t.TempDir())(context.Background(), strings.NewReader(output), 1, nil)
	if err != nil || len(s.Failures) == 0 {
		t.Fatalf("got %v, %v", s, err)
	}
	if s.Failures[0].Kind != "compile" {
		t.Errorf("got kind %q, want compile", s.Failures[0].Kind)
	}
	if diff := cmp.Diff(s.Failures, previous(failures(s.Failures))); diff != "" {
		t.Errorf("through an event and back (-before +after):\n%s", diff)
	}
}

func TestNoteTellsAllThereIs(t *testing.T) {
	for _, c := range []struct {
		name string
		in   check.Result
		want string
	}{
		{"nothing", check.Result{}, ""},
		{"a full disk", check.Result{FilledDisk: true}, "it was stopped: it had nearly filled the disk"},
		{"files put back", check.Result{Notes: []string{"a.txt was put back", "2 processes were left behind"}}, "a.txt was put back; 2 processes were left behind"},
		{"no tests, and more", check.Result{NoTests: true, Notes: []string{"b"}}, "no tests were run; b"},
		{"the environment before its consequences", check.Result{Environment: "no network", NoTests: true}, "no network"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Note(c.in); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
