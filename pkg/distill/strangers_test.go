package distill

import (
	"path/filepath"
	"testing"

	"github.com/booty-cli/booty/pkg/distill/internal/format"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

// TestScoreOfStrangers scores outputs of runners that have no reader. The rules
// were made better by the first half; the second was put away until they were
// done.
func TestScoreOfStrangers(t *testing.T) {
	for half, want := range map[string][5]float64{"first": {0.89, 0.94, 0.85, 1, 0.93}, "second": {0.49, 0.88, 0.66, 0.99, 0.73}} {
		root := filepath.Join("internal", "core", "testdata", "strangers", half)
		rows, sum := scoreAll(t, root, asIs, settings{stream.DefaultLimits, format.Formats()})
		t.Log(half + "\n" + table(rows, sum))
		atLeast(t, half+": recall", ratio(sum.testsFound, sum.testsTrue), want[0])
		atLeast(t, half+": precision", ratio(sum.namedRight, sum.namedAll), want[1])
		atLeast(t, half+": places", ratio(sum.places, sum.placesTrue), want[2])
		atLeast(t, half+": must keep", ratio(sum.kept, sum.keepTrue), want[3])
		atLeast(t, half+": culprit in the first three", ratio(sum.culprit[1], sum.culpritTrue), want[4])
	}
}
