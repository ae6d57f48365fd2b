package distill

import (
	"path/filepath"
	"testing"
)

// TestScoreOfStrangers scores outputs of tools that have no row: what counts there is the
// text and the suspects. A name may be missing, but hardly one may be wrong.
func TestScoreOfStrangers(t *testing.T) {
	dirs := loadCases(t, filepath.Join("internal", "core", "testdata", "strangers"))
	_, sum := scoreCases(t, dirs, asIs, asShipped(), exitKnown)
	t.Log("\n" + table(nil, sum))
	_, piped := scoreCases(t, dirs, asIs, asShipped(), fromPipe)
	t.Log("\nfrom a pipe, where the exit code is not known:\n" + table(nil, piped))
	atLeast(t, "must keep", ratio(sum.kept, sum.keepTrue), 0.985)
	atLeast(t, "culprit in the first three", ratio(sum.culprit[1], sum.culpritTrue), 0.975)
	atLeast(t, "names not wrong", ratio(sum.namedRight, sum.namedAll), 0.69)
	atLeast(t, "places", ratio(sum.places, sum.placesTrue), 0.76)
	if sum.falseAlarm > 0 {
		t.Errorf("%d false alarms", sum.falseAlarm)
	}
	piped.compareWith(t, sum, 0.01)
}

func atLeast(t *testing.T, what string, got, want float64) {
	t.Helper()
	if got < want {
		t.Errorf("%s: %.3f, want at least %.3f", what, got, want)
	}
}
