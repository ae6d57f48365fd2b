package distill

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/format"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

// coreAlone are the readers that know no tool.
func coreAlone() settings {
	rows := slices.DeleteFunc(format.Formats(), func(x core.Format) bool { return !x.Core })
	return settings{stream.DefaultLimits, rows}
}

// TestScoreOfTheCoreAlone scores all outputs with the reader of every tool
// switched off: the honest figure for tools that nobody has written one for.
// SCORE_DIR names another folder of the same form.
func TestScoreOfTheCoreAlone(t *testing.T) {
	root := "testdata"
	if d := os.Getenv("SCORE_DIR"); d != "" {
		root = d
	}
	rows, sum := scoreAll(t, filepath.FromSlash(root), asIs, coreAlone())
	t.Log("\n" + table(rows, sum))
	if os.Getenv("SCORE_DIR") == "" {
		atLeast(t, "recall of failing tests", ratio(sum.testsFound, sum.testsTrue), 0.92)
		atLeast(t, "precision of failing tests", ratio(sum.namedRight, sum.namedAll), 0.94)
		atLeast(t, "places", ratio(sum.places, sum.placesTrue), 0.93)
		atLeast(t, "must keep", ratio(sum.kept, sum.keepTrue), 0.98)
		atLeast(t, "culprit in the first three", ratio(sum.culprit[1], sum.culpritTrue), 0.98)
	}
	t.Logf("recall %.3f, precision %.3f, places %.3f, must keep %.3f, culprit in three %.3f, counts %.3f, false alarms %d",
		ratio(sum.testsFound, sum.testsTrue), ratio(sum.namedRight, sum.namedAll), ratio(sum.places, sum.placesTrue),
		ratio(sum.kept, sum.keepTrue), ratio(sum.culprit[1], sum.culpritTrue), ratio(sum.counts, sum.countsTrue), sum.falseAlarm)
}

func atLeast(t *testing.T, what string, got, want float64) {
	t.Helper()
	if got < want {
		t.Errorf("%s: %.3f, want at least %.2f", what, got, want)
	}
}
