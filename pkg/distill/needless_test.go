package distill

import (
	"os"
	"slices"
	"testing"

	"github.com/booty-cli/booty/pkg/distill/internal/format"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

// TestEachReaderIsNeeded switches the reader of each tool off in turn, with all
// others on, and prints what its outputs lose. SCORE_TURN asks for it.
func TestEachReaderIsNeeded(t *testing.T) {
	if os.Getenv("SCORE_TURN") == "" {
		t.Skip("SCORE_TURN is not set")
	}
	_, all := scoreAll(quiet{t}, "testdata", asIs, settings{stream.DefaultLimits, format.Formats()})
	for i, x := range format.Formats() {
		if x.Core || x.Read == nil {
			continue
		}
		rows := slices.Delete(format.Formats(), i, i+1)
		_, sum := scoreAll(quiet{t}, "testdata", asIs, settings{stream.DefaultLimits, rows})
		t.Logf("%-20s tests -%d, wrong +%d, places -%d, kept -%d, culprits -%d, counts -%d, alarms +%d", x.Name, all.testsFound-sum.testsFound,
			sum.namedAll-sum.namedRight-all.namedAll+all.namedRight, all.places-sum.places, all.kept-sum.kept,
			all.culprit[1]-sum.culprit[1], all.counts-sum.counts, sum.falseAlarm-all.falseAlarm)
	}
}
