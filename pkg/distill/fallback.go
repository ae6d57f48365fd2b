package distill

import (
	"slices"
	"strings"
)

// telling picks the lines of an output that nothing has made sense of: the most
// error-like ones and the last, in the order of the output.
func telling(docs []*doc, n int) []string {
	type scored struct{ doc, at, score int }
	var all []scored
	total := 0
	for _, d := range docs {
		total += len(d.lines)
	}
	for di, d := range docs {
		for i := range d.lines {
			s := d.lines[i].s
			if strings.TrimSpace(s) == "" {
				continue
			}
			score := errorLike(s)
			if fromEnd := len(d.lines) - i; fromEnd <= n/2 {
				score += 2
			} else if score == 0 {
				continue
			}
			all = append(all, scored{di, i, score})
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int {
		if a.score != b.score {
			return b.score - a.score
		}
		if a.doc != b.doc {
			return a.doc - b.doc
		}
		return b.at - a.at // later lines are nearer to the end of the run
	})
	var pick []scored
	shapes := map[uint64]int{}
	for _, x := range all {
		if len(pick) == n {
			break
		}
		h := shapeOf([]byte(docs[x.doc].lines[x.at].s))
		if shapes[h]++; shapes[h] > 2 {
			continue
		}
		pick = append(pick, x)
	}
	slices.SortFunc(pick, func(a, b scored) int {
		if a.doc != b.doc {
			return a.doc - b.doc
		}
		return a.at - b.at
	})
	var out []string
	for i, x := range pick {
		if i > 0 && (pick[i-1].doc != x.doc || pick[i-1].at+1 < x.at) {
			out = append(out, "…")
		}
		out = append(out, docs[x.doc].lines[x.at].s)
	}
	return out
}

// errorLike says how much a line reads like the report of an error.
func errorLike(s string) int {
	low := strings.ToLower(s)
	score := 0
	for _, w := range []struct {
		word   string
		points int
	}{
		{"error", 4}, {"fail", 4}, {"fatal", 5}, {"panic", 5}, {"exception", 4}, {"traceback", 4}, {"not found", 3}, {"cannot", 3}, {"undefined", 3},
		{"denied", 3}, {"refused", 3}, {"unexpected", 3}, {"expected", 3}, {"assert", 4}, {"abort", 4}, {"segmentation", 5}, {"no such", 4},
		{"killed", 4}, {"timed out", 4}, {"invalid", 2}, {"missing", 2}, {"unable", 3}, {"could not", 3}, {"not ok", 4}, {"\u2717", 4}, {"\u2716", 4}, {"\u2718", 4}, {"\u2715", 4},
	} {
		if strings.Contains(low, w.word) {
			score += w.points
		}
	}
	if score > 0 && (strings.Contains(low, "0 fail") || strings.Contains(low, "0 error") || strings.Contains(low, "warning") || strings.Contains(low, "deprecat")) {
		score -= 3
	}
	return max(score, 0)
}
