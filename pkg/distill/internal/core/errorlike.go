package core

import (
	"sync"

	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

// errorWords occur in lines that report an error.
var errorWords = []struct {
	word   string
	points int
}{
	{"error", 4}, {"fail", 4}, {"fatal", 5}, {"panic", 5}, {"exception", 4}, {"traceback", 4},
	{"not found", 3}, {"cannot", 3}, {"undefined", 3},
	{"denied", 3}, {"refused", 3}, {"unexpected", 3}, {"expected", 3}, {"assert", 4}, {"abort", 4},
	{"segmentation", 5}, {"no such", 4},
	{"killed", 4}, {"timed out", 4}, {"invalid", 2}, {"missing", 2}, {"unable", 3}, {"could not", 3},
	{"not ok", 4}, {"\u2717", 4}, {"\u2716", 4}, {"\u2718", 4}, {"\u2715", 4},
}

// mildWords reduce the score of errorWords.
var mildWords = []string{"0 fail", "0 error", "warning", "deprecat"}

// compareWords occur in lines that compare two values.
var compareWords = []string{"expected", "received", "actual", "got", "want", "have", "left", "right",
	"which is", "but was", "differ", "mismatch",
	"instead", "missing", "extra", "first", "should", "not equal", "!=", "≠", "did not", "does not", "unlike"}

// tellingWords finds errorWords, one per row, then mildWords and compareWords.
var tellingWords = sync.OnceValue(func() *stream.Matcher {
	var rows [][]string
	for _, w := range errorWords {
		rows = append(rows, []string{w.word})
	}
	return stream.NewMatcher(true, append(rows, mildWords, compareWords)...)
})

// ErrorLike scores how much a line reads like an error.
func ErrorLike(s string) int {
	score, _ := errorScore(s)
	return score
}

// Telling scores how much a line explains, by words of errors and comparisons.
func Telling(s string) int {
	score, compares := errorScore(s)
	if compares {
		score += 4
	}
	return score
}

// Compares reports whether a line has words of a comparison.
func Compares(s string) bool {
	_, compares := errorScore(s)
	return compares
}

func errorScore(s string) (score int, compares bool) {
	hits, n := tellingWords().Find(s), len(errorWords)
	for k := hits.Next(0); k >= 0 && k < n; k = hits.Next(k + 1) {
		score += errorWords[k].points
	}
	if score > 0 && hits.Has(n) {
		score -= 3
	}
	return max(score, 0), hits.Has(n + 1)
}
