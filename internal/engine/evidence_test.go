package engine

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/booty-cli/booty/internal/event"
)

func TestWhatTheNewTestsProve(t *testing.T) {
	fails := func(name string) []event.Failure { return []event.Failure{{Test: name}, {Test: name}} }
	for _, c := range []struct {
		name     string
		seen     Shown
		required bool
		verdict  string
		tests    []string
		enough   bool
	}{
		{"no test of its own", Shown{None: true}, false, event.NoTests, nil, true},
		{"no test where proof is required", Shown{None: true}, true, event.NoTests, nil, false},
		{"documents need no proof", Shown{None: true, Docs: true}, true, event.NoTests, nil, true},
		{"a new test fails there", Shown{Proven: true, Tests: []string{"a"}, Failures: fails("a")}, true, event.Proven, []string{"a"}, true},
		{"it does not build there", Shown{Proven: true, Reason: "a_test.go"}, true, event.Proven, nil, true},
		{"nothing shows it", Shown{Reason: "they pass there"}, false, event.Vacuous, nil, true},
		{"nothing shows it where proof is required", Shown{Reason: "they pass there"}, true, event.Vacuous, nil, false},
		{"it could not be tried", Shown{Untried: true, Reason: "no time"}, true, event.Untried, nil, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := weigh(c.seen, c.required)
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
