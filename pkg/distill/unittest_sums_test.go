package distill

import (
	"context"
	"strings"
	"testing"
)

// TestUnittestCountsWhatItSkips: the sum of a green run of Python's unittest stands
// on two lines, the second of which tells what did not count.
func TestUnittestCountsWhatItSkips(t *testing.T) {
	for _, c := range []struct {
		verdict                 string
		passed, failed, skipped int
	}{
		{"OK", 3, 0, 0},
		{"OK (skipped=1)", 2, 0, 1},
		{"OK (skipped=3)", 0, 0, 3},
		{"OK (expected failures=1)", 3, 0, 0},
		{"OK (skipped=1, expected failures=1)", 2, 0, 1},
		{"FAILED (failures=1, skipped=1)", 1, 1, 1},
	} {
		out := "...\n" + strings.Repeat("-", 70) + "\nRan 3 tests in 0.002s\n\n" + c.verdict + "\n"
		r, err := Read(context.Background(), strings.NewReader(out), Options{Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		if r.Passed == nil || r.Failed == nil || *r.Passed != c.passed || *r.Failed != c.failed ||
			c.skipped > 0 && (r.Skipped == nil || *r.Skipped != c.skipped) {
			t.Errorf("%s: %s", c.verdict, r.Text)
		}
	}
}
