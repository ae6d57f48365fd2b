package distill

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/booty-cli/booty/pkg/distill/internal/format"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

// Real outputs, changed in ways whose effect is known: what is true of the output
// is true of the changed one.

// A log in front of a run, and the same run once more, take nothing away.
func TestRealOutputsKeepTheirFailuresBehindALogAndTwice(t *testing.T) {
	all := settings{stream.DefaultLimits, format.Formats()}
	var log bytes.Buffer
	for i := range 200 {
		fmt.Fprintf(&log, "TEMPERATURE: pot %d is warm\n2026-11-21 10:00:%02d INFO kiln - request %d served\n", i, i%60, i)
	}
	for seed, c := range []struct {
		name   string
		change func([]byte) []byte
		how    settings
		loss   float64
	}{
		{"a log in front", func(b []byte) []byte { return append(bytes.Clone(log.Bytes()), b...) }, all, 0.04},
		{"failures doubled", func(b []byte) []byte { return append(append(bytes.Clone(b), '\n'), b...) }, all, 0.04},
		{"glyphs exchanged", otherGlyphs, all, 0.04},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dirs := sample(t, 80, uint64(seed+20), "")
			dirs = slices.DeleteFunc(dirs, func(d string) bool { // a report in JSON or XML cannot follow another line
				in := bytes.TrimSpace(loadOutput(t, d))
				// Nor does a label show itself in a stream that is mostly without.
				return len(in) == 0 || strings.Contains(d, "interleaved") || strings.Contains(d, "workspaces") || bytes.IndexByte([]byte("{[<"), in[0]) >= 0 || bytes.HasPrefix(in, []byte("TAP version"))
			})
			_, plain := scoreCases(quiet{t}, dirs, asIs, c.how, exitKnown)
			_, got := scoreCases(quiet{t}, dirs, c.change, c.how, exitKnown)
			for what, n := range map[string][3]int{
				"tests found": {plain.testsFound, got.testsFound, plain.testsTrue},
				"names right": {plain.namedRight, got.namedRight, plain.namedAll},
				"places":      {plain.places, got.places, plain.placesTrue},
			} {
				if lost := ratio(n[0]-n[1], n[2]); lost > c.loss {
					t.Errorf("%s: %d of %d, %d as it was", what, n[1], n[2], n[0])
				}
			}
			if got.falseAlarm > plain.falseAlarm {
				t.Errorf("%d false alarms", got.falseAlarm)
			}
		})
	}
}

// otherGlyphs writes the marks of passes and failures with others of their class.
func otherGlyphs(b []byte) []byte {
	return []byte(strings.NewReplacer("✗", "⨯", "✕", "✘", "×", "✗", "✖", "❌", "✓", "✅", "✔", "☑", "√", "✓").Replace(string(b)))
}

// A second tool behind a run is read as well.
func TestASecondRunBehindARealOutputIsRead(t *testing.T) {
	t.Parallel()
	const second = "\nOven check\n  ✓ oven is there\n  ✗ celadon pot stays whole\n      wanted 900 degrees, have 12\n\n 1 failed, 1 passed\n"
	missed, first := []string{}, 0
	dirs := sample(t, 80, 31, "corpus", "fresh")
	for _, dir := range dirs {
		one := 1
		in := append(loadOutput(t, dir), second...)
		r, err := Read(context.Background(), bytes.NewReader(in), Options{Dir: filepath.Join(dir, "tree"), ExitCode: &one})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(r.Failures, func(f Failure) bool { return strings.HasSuffix(f.Test, "celadon pot stays whole") }) &&
			!strings.Contains(r.Text, "celadon pot stays whole") {
			missed = append(missed, dir)
		}
		if len(r.Failures) > 0 {
			first++
		}
	}
	if len(missed) > len(dirs)/20 {
		t.Errorf("the second run is not read in %d of %d: %s", len(missed), len(dirs), strings.Join(missed, "\n"))
	}
}

// Of an output that is cut off at any line, hardly a name is told that is not one
// of the whole: what ran when it ended may be added.
func TestARealOutputThatIsCutOffNamesNothingWrong(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 6))
	var sum scored
	for _, dir := range sample(t, 120, 41, "corpus", "fresh") {
		m, in := loadTruth(t, dir), loadOutput(t, dir)
		lines := bytes.SplitAfter(in, []byte("\n"))
		cut := bytes.Join(lines[:random.IntN(len(lines)+1)], nil)
		r, err := Read(context.Background(), bytes.NewReader(cut), Options{Dir: filepath.Join(dir, "tree")})
		if err != nil {
			t.Fatal(err)
		}
		checkReport(t, cut, r, DefaultBudget)
		sum.add(score(m, r, DefaultBudget))
	}
	if r := ratio(sum.namedRight, sum.namedAll); r < 0.9 {
		t.Errorf("%d of %d names are right", sum.namedRight, sum.namedAll)
	}
}
