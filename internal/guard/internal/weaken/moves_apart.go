package weaken

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
)

// apart parts the edits of members that were sorted: one run of lines that is gone may
// hold several, which stand in several places now. It parts only what is found again
// as a whole, and the places where it is found.
func (s *sorter) apart(edits []diff.Edit) []diff.Edit {
	into := make([][]diff.Edit, len(edits))
	for i, e := range edits {
		into[i] = []diff.Edit{e}
	}
	for i, e := range edits {
		if e.From == e.To || len(e.New) > 0 {
			continue
		}
		for _, v := range s.slid(edits, i) {
			members := s.members(v)
			if len(members) < 2 {
				continue
			}
			now, found := s.placesOf(members, edits, into)
			if !found {
				continue
			}
			now[i] = members
			if s.makesNew(slices.Concat(now...)) {
				into = now
				break
			}
		}
	}
	return slices.Concat(into...)
}

// makesNew tells edits that follow each other and make the new file.
func (s *sorter) makesNew(edits []diff.Edit) bool {
	for i := 1; i < len(edits); i++ {
		if edits[i].From < edits[i-1].To {
			return false // one was slid into another
		}
	}
	return slices.Equal(diff.Apply(s.old.Lines, edits), s.new.Lines)
}

// members parts a removal at blank lines between declarations.
func (s *sorter) members(e diff.Edit) []diff.Edit {
	var out []diff.Edit
	from, around := e.From, s.old.Outline.At[e.From]
	for i := e.From + 1; i <= e.To; i++ {
		if i < e.To && (strings.TrimSpace(s.old.Lines[i]) == "" || strings.TrimSpace(s.old.Lines[i-1]) != "" ||
			s.old.Outline.At[i] != around) {
			continue
		}
		first, last := s.trim(s.old, from, i)
		if first >= last || !s.movable(s.old, first, last) {
			return nil
		}
		out, from = append(out, diff.Edit{From: from, To: i, At: e.At}), i
	}
	return out
}

// placesOf parts the additions in which the members stand now, each once.
func (s *sorter) placesOf(members, edits []diff.Edit, into [][]diff.Edit) ([][]diff.Edit, bool) {
	into = slices.Clone(into)
	taken := map[int]bool{} // lines of the new file
	for _, m := range members {
		from, to := s.trim(s.old, m.From, m.To)
		found := false
		for k := range into {
			ways := [][]diff.Edit{into[k]}
			if edits[k].From == edits[k].To && len(into[k]) == 1 { // it may be thought to stand elsewhere
				for _, v := range s.slid(edits, k) {
					ways = append(ways, []diff.Edit{v})
				}
			}
			if found = slices.ContainsFunc(ways, func(way []diff.Edit) bool {
				pieces := s.partedBy(from, to, way, taken)
				if pieces != nil {
					into[k] = pieces
				}
				return pieces != nil
			}); found {
				break
			}
		}
		if !found {
			return nil, false
		}
	}
	return into, true
}

// partedBy parts additions by the lines old[from:to], if they stand among them.
func (s *sorter) partedBy(from, to int, pieces []diff.Edit, taken map[int]bool) []diff.Edit {
	for p, piece := range pieces {
		at := indexOf(piece.New, s.old.Lines[from:to])
		if piece.From != piece.To || at < 0 || taken[piece.At+at] ||
			!s.movable(s.new, piece.At+at, piece.At+at+to-from) ||
			s.placeOf(s.old, from) != s.placeOf(s.new, piece.At+at) {
			continue
		}
		n := at + to - from
		cut := func(a, b int) diff.Edit {
			return diff.Edit{From: piece.From, To: piece.From, At: piece.At + a, New: piece.New[a:b]}
		}
		parts := []diff.Edit{cut(0, at), cut(at, n), cut(n, len(piece.New))}
		parts = slices.DeleteFunc(parts, func(e diff.Edit) bool { return len(e.New) == 0 })
		taken[piece.At+at] = true
		return slices.Concat(pieces[:p], parts, pieces[p+1:])
	}
	return nil
}
