package weaken

import (
	"slices"
	"strconv"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

// moves finds cases and helpers that were moved as a whole, among declarations of
// the same place, and gives the edits without them.
func (s *sorter) moves(edits []diff.Edit) (moved, rest []diff.Edit) {
	taken := map[int]bool{}
	for i := range edits {
		if taken[i] || !s.blankOnly(s.new, edits[i].At, edits[i].At+len(edits[i].New)) {
			continue
		}
		for _, e := range s.slid(edits, i) {
			from, to := s.trim(s.old, e.From, e.To)
			if from >= to || !s.movable(s.old, from, to) {
				continue
			}
			if k, parts := s.findMoved(edits, i, taken, from, to); k >= 0 {
				moved = append(moved, e, parts[1])
				rest = append(rest, parts[0], parts[2])
				taken[i], taken[k] = true, true
				break
			}
		}
	}
	for i, e := range edits {
		if !taken[i] {
			rest = append(rest, e)
		}
	}
	rest = slices.DeleteFunc(rest, func(e diff.Edit) bool { return e.From == e.To && len(e.New) == 0 })
	return moved, diff.InOrder(rest)
}

// findMoved finds the edit that adds old[from:to], and parts it into what stands
// before that, that, and what stands behind.
func (s *sorter) findMoved(edits []diff.Edit, i int, taken map[int]bool, from, to int) (int,
	[3]diff.Edit) {
	for k := range edits {
		if k == i || taken[k] || edits[k].From != edits[k].To {
			continue
		}
		for _, into := range s.slid(edits, k) {
			at := indexOf(into.New, s.old.Lines[from:to])
			if at < 0 || !s.movable(s.new, into.At+at, into.At+at+to-from) ||
				s.placeOf(s.old, from) != s.placeOf(s.new, into.At+at) {
				continue
			}
			n := at + to - from
			return k, [3]diff.Edit{{From: into.From, To: into.From, At: into.At, New: into.New[:at]},
				{From: into.From, To: into.From, At: into.At + at, New: into.New[at:n]},
				{From: into.From, To: into.From, At: into.At + n, New: into.New[n:]}}
		}
	}
	return -1, [3]diff.Edit{}
}

// slid gives the places at which an edit that only adds or only removes may be
// thought to stand.
func (s *sorter) slid(edits []diff.Edit, i int) []diff.Edit {
	e := edits[i]
	low, high := 0, len(s.old.Lines)
	if i > 0 {
		low = edits[i-1].To
	}
	if i+1 < len(edits) {
		high = edits[i+1].From
	}
	var out []diff.Edit
	switch {
	case e.From == e.To:
		for _, h := range diff.Slides(s.new.Lines, diff.Hunk{From: e.At, To: e.At + len(e.New),
			At: e.From}, e.At-(e.From-low), e.At+len(e.New)+high-e.From) {
			out = append(out, diff.Edit{From: h.At, To: h.At, At: h.From, New: s.new.Lines[h.From:h.To]})
		}
	case len(e.New) == 0:
		for _, h := range diff.Slides(s.old.Lines, diff.Hunk{From: e.From, To: e.To, At: e.At}, low,
			high) {
			out = append(out, diff.Edit{From: h.From, To: h.To, At: h.At, New: nil})
		}
	default:
		out = append(out, e)
	}
	return out
}

func indexOf(lines, block []string) int {
	for i := 0; i+len(block) <= len(lines); i++ {
		if slices.Equal(lines[i:i+len(block)], block) {
			return i
		}
	}
	return -1
}

// placeOf names the blocks around a line, and the how-manieth of their head each is.
func (s *sorter) placeOf(t *source.Text, i int) string {
	var out []string
	for b := t.Outline.At[i]; b != nil; b = b.Parent {
		nth := 0
		for k := range b.Line {
			if o := t.Outline.At[k+1]; o != nil && o.Line == k && o.Header == b.Header {
				nth++
			}
		}
		out = append(out, b.Header, strconv.Itoa(nth))
	}
	return strings.Join(out, "\n")
}
