package runner

import (
	"testing"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/journal"
)

// TestUnfinishedRun: a run that ended before its first attempt has nothing to continue, unless it
// was interrupted.
func TestUnfinishedRun(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		outcome  string
		attempts int
		want     bool
	}{
		"no key":              {event.Errored, 0, false},
		"a wrong key":         {event.ModelFailed, 0, false},
		"a tool is missing":   {event.Environment, 0, false},
		"interrupted":         {event.Interrupted, 0, true},
		"the model went away": {event.ModelFailed, 1, true},
		"attempts used up":    {event.Exhausted, 3, true},
		"green":               {event.Green, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runs := []journal.Run{{Kind: "run", TaskText: "say hello", Outcome: c.outcome, AttemptsTotal: c.attempts}}
			if _, got := unfinished(runs, "say hello"); got != c.want {
				t.Errorf("got %t, want %t", got, c.want)
			}
		})
	}
}
