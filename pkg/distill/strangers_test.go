package distill

import (
	"path/filepath"
	"testing"

	"github.com/booty-cli/booty/pkg/distill/internal/format"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

// TestScoreOfStrangers scores outputs of runners that have no reader. The rules
// were made better by the first part, later by the second, the third, the fifth and the seventh;
// each has a part that was put away until they were done.
func TestScoreOfStrangers(t *testing.T) {
	for half, want := range map[string][5]float64{
		"first":   {0.89, 0.94, 0.85, 1, 0.93},
		"second":  {0.93, 0.93, 0.90, 0.99, 0.90},
		"third":   {0.87, 0.89, 0.92, 0.98, 0.97},
		"fourth":  {0.80, 0.83, 0.76, 0.98, 0.97},
		"fifth":   {0.68, 0.82, 0.75, 0.98, 0.93},
		"sixth":   {0.93, 0.91, 0.80, 0.98, 0.87},
		"seventh": {0.93, 0.99, 0.99, 0.99, 0.95},
		"eighth":  {0.55, 0.84, 0.88, 0.89, 0.90},
	} {
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
