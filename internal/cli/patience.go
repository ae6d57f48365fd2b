package cli

import (
	"strings"
	"time"

	"github.com/booty-cli/booty/internal/fault"
)

// patienceSteps are the waits of --patient: an outage of half an hour does not
// end a night's work.
var patienceSteps = [...]time.Duration{time.Minute, 3 * time.Minute, 7 * time.Minute, 15 * time.Minute}

// patience gives the waits of a run, none without --patient. BOOTY_PATIENCE sets
// them, for who knows an outage's length better, and for tests.
func (a *app) patience(o loopFlags) ([]time.Duration, error) {
	text := a.getenv("BOOTY_PATIENCE")
	switch {
	case !o.patient:
		return nil, nil
	case text == "":
		return patienceSteps[:], nil
	}
	var steps []time.Duration
	for word := range strings.SplitSeq(text, ",") {
		d, err := time.ParseDuration(strings.TrimSpace(word))
		if err != nil || d < 0 {
			return nil, fault.New(fault.Usage, "for example BOOTY_PATIENCE=30s,5m", "BOOTY_PATIENCE: %q is no time to wait", word)
		}
		steps = append(steps, d)
	}
	return steps, nil
}
