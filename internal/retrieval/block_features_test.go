package retrieval

import (
	"os"
	"testing"
)

// unitSource has blocks that each differ in one feature.
const unitSource = `package mail

type (
	few  int
	many int
)

// scattered has all the words, but none beside another: after the retry comes the
// wait, and a delay; then, at some time, the timeout.
func scattered(a int) int {
	b := a + 1
	return b
}

func patient(limit int) int {
	for retryDelay := range limit {
		limit -= retryDelay
	}
	return limit
}

func spelt(limit int) int {
	limit += queueSlots
	return limit
}

func unspelt(limit int) int {
	limit += queue * slots
	return limit
}

func backOff(limit int) int {
	limit--
	return limit
}

func lonely(limit int) int {
	limit -= 2
	return limit * limit
}

func quiet(limit int) int {
	// one
	// two
	// three
	return limit
}
`

func TestEachSignSpeaksForItsUnit(t *testing.T) {
	cases := []struct {
		name, task, unit string
		sign             blockFeature
	}{
		{"words that stand together", "use the retry delay after a timeout", "patient", featurePhrases},
		{"a name as it is spelt", "count `queueSlots`, not queue and slots", "spelt", featureSpelling},
		{"comments", "anything", "quiet", featureBlank},
		{"no name", "anything", "", featureUnnamed},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "mail.go", unitSource)
			write(t, dir, "other.go", "package mail\n\nfunc other(limit int) int { return limit }\n")
			ix := New(dir, []string{"mail.go", "other.go"}, Options{})
			if err := ix.Warm(t.Context()); err != nil {
				t.Fatal(err)
			}
			root, err := os.OpenRoot(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = root.Close() }()
			r := ix.rank(root, Need{Task: c.task, Budget: 60000})
			mail := &candidate{i: 0, text: unitSource}
			mail.cut(golang)
			r.scoreBlocks([]*candidate{mail})
			best, most, second := "none", 0.0, 0.0
			for u, b := range mail.blocks {
				switch v := mail.facts[u][c.sign]; {
				case v > most:
					best, most, second = b.name, v, most
				default:
					second = max(second, v)
				}
			}
			if best != c.unit || second >= most {
				t.Errorf("it speaks for %q (%.2f, the next has %.2f), want %q", best, most, second, c.unit)
			}
		})
	}
}
