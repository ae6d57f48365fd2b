package core

import "strings"

// ErrorLike says how much a line reads like the report of an error.
func ErrorLike(s string) int {
	low := strings.ToLower(s)
	score := 0
	for _, w := range []struct {
		word   string
		points int
	}{
		{"error", 4}, {"fail", 4}, {"fatal", 5}, {"panic", 5}, {"exception", 4}, {"traceback", 4},
		{"not found", 3}, {"cannot", 3}, {"undefined", 3},
		{"denied", 3}, {"refused", 3}, {"unexpected", 3}, {"expected", 3}, {"assert", 4}, {"abort", 4},
		{"segmentation", 5}, {"no such", 4},
		{"killed", 4}, {"timed out", 4}, {"invalid", 2}, {"missing", 2}, {"unable", 3}, {"could not", 3},
		{"not ok", 4}, {"\u2717", 4}, {"\u2716", 4}, {"\u2718", 4}, {"\u2715", 4},
	} {
		if strings.Contains(low, w.word) {
			score += w.points
		}
	}
	if score > 0 && (strings.Contains(low, "0 fail") || strings.Contains(low, "0 error") ||
		strings.Contains(low, "warning") || strings.Contains(low, "deprecat")) {
		score -= 3
	}
	return max(score, 0)
}

// compareWords stand in lines that tell what differs from what.
var compareWords = []string{"expected", "received", "actual", "got", "want", "have", "left", "right",
	"which is", "but was", "differ", "mismatch",
	"instead", "missing", "extra", "first", "should", "not equal", "!=", "≠", "did not", "does not", "unlike"}

// Telling says how much a line explains: by words of errors and of comparison.
func Telling(s string) int {
	score := ErrorLike(s)
	low := strings.ToLower(s)
	for _, w := range compareWords {
		if strings.Contains(low, w) {
			return score + 4
		}
	}
	return score
}
