package engine

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/booty-cli/booty/internal/event"
)

func TestWhatTheNewTestsProve(t *testing.T) {
	for _, c := range []struct {
		name     string
		seen     OldTests
		before   []string
		required bool
		verdict  string
		tests    []string
		enough   bool
	}{
		{"no test of its own", OldTests{None: true}, nil, false, event.NoTests, nil, true},
		{"no test where proof is required", OldTests{None: true}, nil, true, event.NoTests, nil, false},
		{"documents need no proof", OldTests{None: true, Docs: true}, nil, true, event.NoTests, nil, true},
		{"a new test fails there", OldTests{Failing: []string{"a", "a", "b"}}, nil, true, event.Proven, []string{"a", "b"}, true},
		{"what failed there anyway proves nothing", OldTests{Failing: []string{"a"}}, []string{"a"}, true, event.Vacuous, nil, false},
		{"one of two failed anyway", OldTests{Failing: []string{"a", "b"}}, []string{"a"}, true, event.Proven, []string{"b"}, true},
		{"it does not even build", OldTests{Unnamed: true}, nil, true, event.Proven, nil, true},
		{"all pass there", OldTests{Green: true}, nil, false, event.Vacuous, nil, true},
		{"all pass where proof is required", OldTests{Green: true}, nil, true, event.Vacuous, nil, false},
		{"the old code ran out of time", OldTests{Trouble: "no time"}, nil, true, event.Untried, nil, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := weigh(c.seen, c.before, c.required)
			if c.tests == nil {
				c.tests = []string{}
			}
			if got.Verdict != c.verdict || got.enough != c.enough || !cmp.Equal(got.Tests, c.tests) {
				t.Errorf("got %s %v, enough %v; want %s %v, %v", got.Verdict, got.Tests, got.enough, c.verdict, c.tests, c.enough)
			}
			if got.enough == (got.text != "") {
				t.Errorf("enough %v, and the model is told %q", got.enough, got.text)
			}
		})
	}
}
