package engine

import (
	"testing"

	"github.com/booty-cli/booty/internal/event"
)

func TestWhatTheNewTestsProve(t *testing.T) {
	state := func(s string) []event.Claim {
		return []event.Claim{{Claim: event.ClaimChange, State: s, Tests: []string{}}}
	}
	for name, c := range map[string]struct {
		seen    Proof
		verdict string
	}{
		"no test of its own":     {Proof{None: true, Claims: state(event.StateNotShown)}, event.NoTests},
		"a new test fails there": {Proof{Claims: state(event.StateProven)}, event.Proven},
		"nothing shows it":       {Proof{Claims: state(event.StateNotShown)}, event.Vacuous},
		"it could not be tried":  {Proof{Claims: state(event.StateUntried)}, event.Untried},
	} {
		if got := c.seen.evidence(); got.Verdict != c.verdict || got.Tests == nil {
			t.Errorf("%s: got %+v, want %s", name, got, c.verdict)
		}
	}
}
