package distill

import (
	"sort"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// squeeze picks the n most informative lines, in order, and marks the gaps: lines about
// errors or comparisons. Of equals the ends of the block come first, head and tail in turn.
func squeeze(lines []string, n int) []string {
	lines = text.TrimBlock(lines)
	if n <= 0 {
		return nil
	}
	if len(lines) <= n {
		return lines
	}
	type scored struct{ at, score int }
	all := make([]scored, len(lines))
	for i, s := range lines {
		t := strings.TrimSpace(s)
		score := 4 * core.Telling(t)
		switch {
		case t == "":
			score = -20
		case t[0] == '+' || t[0] == '-' || t[0] == '>' || t[0] == '^' || strings.HasPrefix(t, "E "):
			score += 16
		}
		edge := min(i, 2*(len(lines)-1-i)+1)
		all[i] = scored{i, score + max(0, 12-2*edge)}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].score > all[j].score })
	all = all[:n]
	sort.Slice(all, func(i, j int) bool { return all[i].at < all[j].at })
	var out []string
	last := -1
	for _, x := range all {
		if x.at > last+1 {
			out = append(out, folded(x.at-last-1))
		}
		out = append(out, lines[x.at])
		last = x.at
	}
	if last+1 < len(lines) {
		out = append(out, folded(len(lines)-last-1))
	}
	return out
}

// folded stands for lines that are left out.
func folded(n int) string { return "… " + plural(n, "more line") }
