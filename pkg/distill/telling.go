package distill

import (
	"cmp"
	"sort"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

// telling picks the lines of an output that nothing has made sense of: the most
// error-like ones and the last, in the order of the output.
func telling(streams []*stream.Stream, n int) []string {
	type scored struct{ doc, at, score int }
	var all []scored
	total := 0
	for _, d := range streams {
		total += len(d.Lines)
	}
	for di, d := range streams {
		for i := range d.Lines {
			s := d.Lines[i].S
			if strings.TrimSpace(s) == "" {
				continue
			}
			score := core.ErrorLike(s)
			if fromEnd := len(d.Lines) - i; fromEnd <= n/2 {
				score += 2
			} else if score == 0 {
				continue
			}
			all = append(all, scored{di, i, score})
		}
	}
	sort.SliceStable(all, func(i, j int) bool { // later lines are nearer to the end of the run
		a, b := all[i], all[j]
		return cmp.Or(b.score-a.score, a.doc-b.doc, b.at-a.at) < 0
	})
	var pick []scored
	shapes := map[uint64]int{}
	for _, x := range all {
		if len(pick) == n {
			break
		}
		h := stream.ShapeOf([]byte(streams[x.doc].Lines[x.at].S))
		if shapes[h]++; shapes[h] > 2 {
			continue
		}
		pick = append(pick, x)
	}
	sort.SliceStable(pick, func(i, j int) bool {
		a, b := pick[i], pick[j]
		return cmp.Or(a.doc-b.doc, a.at-b.at) < 0
	})
	var out []string
	for i, x := range pick {
		if i > 0 && (pick[i-1].doc != x.doc || pick[i-1].at+1 < x.at) {
			out = append(out, "…")
		}
		out = append(out, streams[x.doc].Lines[x.at].S)
	}
	return out
}
