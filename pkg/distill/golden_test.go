package distill

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the texts that the golden files hold")

// TestTextOfEachCase compares the text of each output with the one next to it,
// each case alone: the text is what a model gets to see.
func TestTextOfEachCase(t *testing.T) {
	for _, dir := range loadCases(t, "testdata") {
		m := loadTruth(t, dir)
		r := readWith(t, dir, m.ExitCode)
		golden := filepath.Join(dir, "text.golden")
		if *update {
			if err := os.WriteFile(golden, []byte(r.Text), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Errorf("%s: %v; write it with -update and read it", dir, err)
		} else if r.Text != string(want) {
			t.Errorf("%s: the text is not that of text.golden; got\n%s", dir, r.Text)
		}
	}
}
