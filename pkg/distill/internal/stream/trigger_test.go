package stream

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestMatcherFindsWordsInALine compares one pass with a search for each word, for
// words that overlap, begin alike, and end in one another.
func TestMatcherFindsWordsInALine(t *testing.T) {
	rows := [][]string{{"ab"}, {"b"}, {}, {"abba", "bab"}, {"a: "}, {": "}, {"é"}, {"aba", "b"}}
	for range 70 { // more than one word of a set
		rows = append(rows, []string{"ba", "never"})
	}
	rows = append(rows, []string{"bb"})
	random := rand.New(rand.NewPCG(1, 2))
	for _, fold := range []bool{false, true} {
		m := NewMatcher(fold, rows...)
		for range 2000 {
			var b strings.Builder
			for range random.IntN(12) {
				b.WriteString([]string{"a", "b", "A", "B", ": ", "é", "x"}[random.IntN(7)])
			}
			line, low := b.String(), b.String()
			if fold {
				low = strings.ToLower(line)
			}
			hits, any := m.Find(line), false
			var next []int
			for k := hits.Next(0); k >= 0; k = hits.Next(k + 1) {
				next = append(next, k)
			}
			var want []int
			for k, words := range rows {
				if slices.ContainsFunc(words, func(w string) bool { return strings.Contains(low, w) }) {
					want, any = append(want, k), true
				}
				if hits.Has(k) != slices.Contains(want, k) {
					t.Fatalf("fold %v, line %q: row %d %v is in the set: %v", fold, line, k, words, hits.Has(k))
				}
			}
			if !slices.Equal(next, want) || m.Match([]byte(line)) != any {
				t.Fatalf("fold %v, line %q: found %v, want %v", fold, line, next, want)
			}
		}
	}
}
