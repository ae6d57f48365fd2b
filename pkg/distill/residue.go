package distill

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

// The residue is what no reader has used and the text does not have yet. No reader knows
// every tool, so the residue may be what is needed.

// restLine is a line of the residue.
type restLine struct {
	doc, at, score int
	s              string
}

// residue returns the lines that are worth the room: all of them if they fit, else the most
// informative ones with their surroundings, and how many are left out. A line with a unique shape
// counts more than one repeated a thousand times.
func residue(streams []*stream.Stream, shown string, room int) (lines []string, left int) {
	return leftLines(streams, shown, room, 0)
}

// newLines returns what is left of a failed run that the last good one does not have, each part with
// the line above it, which may be the name of what failed.
func newLines(streams []*stream.Stream, room int) (lines []string, left int) {
	shapes := map[uint64]int{}
	for _, d := range streams {
		above := -1
		for i := range d.Lines {
			l := &d.Lines[i]
			shape := stream.ShapeOf([]byte(l.S))
			switch {
			case strings.TrimSpace(l.S) == "" || core.Rule(l.S):
				continue
			case l.Old && !(l.Changed && core.Compares(l.S)): // "got 4, want 3" is news
				above = i
				continue
			case shapes[shape] == 3 || room <= 0:
				left++
				continue
			}
			shapes[shape]++
			if above >= 0 {
				lines, room = append(lines, d.Lines[above].S), room-len(d.Lines[above].S)-1
				above = -1
			}
			lines, room = append(lines, l.S), room-min(len(l.S), maxLine)-1
		}
	}
	return lines, left
}

// leftLines is residue in which the last lines of each stream count as much as error-like
// lines.
func leftLines(streams []*stream.Stream, shown string, room, last int) (lines []string, left int) {
	seen := map[string]bool{}
	for s := range strings.SplitSeq(shown, "\n") {
		seen[bare(s)] = true
	}
	var all []restLine
	size := 0
	taken := map[uint64]int{}
	for n, d := range streams {
		for i := range d.Lines {
			l := &d.Lines[i]
			key, shape := bare(l.S), stream.ShapeOf([]byte(l.S))
			switch {
			case l.Used && !l.Guessed || len(key) < 3 && !stream.OnlyDigits(key) || seen[key]:
				continue
			case taken[shape] == 3:
				left++
				continue
			case core.IsNoise(l.S) || alreadyShown(shown, key) || core.NameShown(l.S, shown) ||
				l.Old && core.Telling(l.S) == 0:
				continue
			}
			taken[shape]++
			seen[key] = true
			x := restLine{n, i, 3 * core.Telling(l.S), l.S}
			if len(d.Lines)-i <= last {
				x.score += 3
			}
			all = append(all, x)
			size += min(len(l.S), maxLine) + 1
		}
	}
	if size > room {
		had := len(all)
		all = mostTelling(all, room)
		left += had - len(all)
	}
	for i, x := range all {
		if i > 0 && (all[i-1].doc != x.doc || all[i-1].at+1 < x.at) && size > room {
			lines = append(lines, "…")
		}
		lines = append(lines, x.s)
	}
	return lines, left
}

// mostTelling picks lines by score, each with one line before it and three after, until the
// room is filled.
func mostTelling(all []restLine, room int) []restLine {
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return all[b].score - all[a].score })
	pick := make([]bool, len(all))
	for _, i := range order {
		if all[i].score <= 2 {
			break
		}
		for k := max(0, i-1); k <= min(len(all)-1, i+3); k++ {
			near := all[k].doc == all[i].doc && all[k].at-all[i].at <= 3 && all[i].at-all[k].at <= 1
			cost := min(len(all[k].s), maxLine) + 5
			if !pick[k] && near && cost <= room {
				pick[k] = true
				room -= cost
			}
		}
		if room < 40 {
			break
		}
	}
	var out []restLine
	for i := range all {
		if pick[i] {
			out = append(out, all[i])
		}
	}
	return out
}

// bare returns a line without the decoration that tools add.
func bare(s string) string { return strings.Trim(s, " \t│|>#*-=.:") }

// alreadyShown reports whether the text already has a line, perhaps without the place before it.
func alreadyShown(shown, line string) bool {
	if strings.Contains(shown, line) {
		return true
	}
	place, rest, ok := strings.Cut(line, ": ")
	return ok && len(rest) > 5 && !strings.Contains(place, " ") && strings.Contains(shown, rest)
}
