package diff

import (
	"strings"

	udiff "github.com/aymanbagabas/go-udiff"
)

// Hunk is a run of added lines: new[from:to], standing before old line at.
type Hunk struct{ From, To, At int }

// Additions aligns two versions of a file in the ways that are worth a look, the
// likeliest first: the same text can come about by adding different lines. There
// is none where an old line is missing or changed, lost being the first such.
func Additions(before, after []string) (ways [][]Hunk, lost string) {
	greedy, lost := Greedy(before, after)
	if lost != "" {
		return nil, lost
	}
	if hunks, ok := anchored(before, after, 0, 0, 0); ok {
		ways = append(ways, hunks)
	}
	if hunks, ok := diffAdditions(before, after); ok {
		ways = append(ways, hunks)
	}
	ways = append(ways, greedy)
	for _, way := range ways {
		if joined := merged(after, way); len(joined) < len(way) {
			ways = append(ways, joined)
		}
	}
	return ways, ""
}

// merged takes hunks together where one can be seen right behind the other, as those
// of a case and of the attribute above it, which stands above other cases too.
func merged(after []string, way []Hunk) []Hunk {
	var out []Hunk
	for _, h := range way {
		if k := len(out) - 1; k >= 0 {
			up := h
			for up.From > out[k].To && after[up.From-1] == after[up.To-1] {
				up = Hunk{up.From - 1, up.To - 1, up.At - 1}
			}
			if up.From == out[k].To {
				out[k].To = up.To
				continue
			}
		}
		out = append(out, h)
	}
	return out
}

// Greedy takes every old line at its first occurrence; it finds a way
// where there is one.
func Greedy(before, after []string) (hunks []Hunk, lost string) {
	o := 0
	for n, line := range after {
		if o < len(before) && before[o] == line {
			o++
			continue
		}
		if k := len(hunks) - 1; k >= 0 && hunks[k].To == n {
			hunks[k].To++
			continue
		}
		hunks = append(hunks, Hunk{n, n + 1, o})
	}
	if o < len(before) {
		return nil, before[o]
	}
	return hunks, ""
}

// anchored keeps added lines together: it takes off what both versions begin and
// end with, and parts the rest at lines that occur once in each.
func anchored(before, after []string, o, n, depth int) ([]Hunk, bool) {
	for len(before) > 0 && len(after) > 0 && before[0] == after[0] {
		before, after, o, n = before[1:], after[1:], o+1, n+1
	}
	for len(before) > 0 && len(after) > 0 && before[len(before)-1] == after[len(after)-1] {
		before, after = before[:len(before)-1], after[:len(after)-1]
	}
	switch {
	case len(after) == 0:
		return nil, len(before) == 0
	case len(before) == 0:
		return []Hunk{{n, n + len(after), o}}, true
	case depth > 200:
		return nil, false
	}
	at := map[string]int{} // lines of after: position, or -1 where there are several
	for i, line := range after {
		if _, twice := at[line]; twice {
			at[line] = -1
			continue
		}
		at[line] = i
	}
	count := map[string]int{}
	for _, line := range before {
		count[line]++
	}
	// The anchor nearest the middle keeps the recursion shallow.
	best := -1
	for i, line := range before {
		if k, is := at[line]; is && k >= 0 && count[line] == 1 &&
			(best < 0 || abs(i-len(before)/2) < abs(best-len(before)/2)) {
			best = i
		}
	}
	if best < 0 {
		return nil, false
	}
	k := at[before[best]]
	left, okLeft := anchored(before[:best], after[:k], o, n, depth+1)
	right, okRight := anchored(before[best+1:], after[k+1:], o+best+1, n+k+1, depth+1)
	return append(left, right...), okLeft && okRight
}

func abs(n int) int { return max(n, -n) }

func diffAdditions(before, after []string) ([]Hunk, bool) {
	a, b := strings.Join(before, ""), strings.Join(after, "")
	var hunks []Hunk
	shift := 0
	lineAt := map[int]int{0: 0}
	for i, off := 0, 0; i < len(before); i++ {
		off += len(before[i])
		lineAt[off] = i + 1
	}
	for _, e := range udiff.Lines(a, b) {
		at, whole := lineAt[e.Start]
		if e.Start != e.End || !whole {
			return nil, false
		}
		n := strings.Count(e.New, "\n")
		hunks = append(hunks, Hunk{at + shift, at + shift + n, at})
		shift += n
	}
	return hunks, true
}

// Slides gives the positions a hunk may take without changing the text: an added
// block between two that begin or end alike can be seen in several places, and
// only one of them is how its author thought of it.
func Slides(after []string, h Hunk, low, high int) []Hunk {
	out := []Hunk{h}
	for s := h; s.From > low && len(out) < 60 && after[s.From-1] == after[s.To-1]; {
		s = Hunk{s.From - 1, s.To - 1, s.At - 1}
		out = append(out, s)
	}
	for s := h; s.To < high && len(out) < 60 && after[s.From] == after[s.To]; {
		s = Hunk{s.From + 1, s.To + 1, s.At + 1}
		out = append(out, s)
	}
	return out
}
