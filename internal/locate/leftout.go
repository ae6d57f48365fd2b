package locate

import (
	"cmp"
	"fmt"
	"slices"
)

// maxLeftOut bounds the files that are named though they are not shown.
const maxLeftOut = 10

// Choice is what a request shows, and what it might have shown.
type Choice struct {
	Files []File
	// LeftOut are the likeliest of the others, the likeliest first, without
	// contents; Why says what speaks for them and why they are not shown.
	LeftOut []File
}

// leftOut finds the likeliest files that are not among the shown.
func (r *ranking) leftOut(cs []*candidate, shown []File) []File {
	var order []int32
	for i, v := range r.score {
		if v > 0 && !slices.ContainsFunc(shown, func(f File) bool { return f.Path == r.ix.docs[i].path }) {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(r.score[b], r.score[a]), cmp.Compare(r.ix.docs[a].path, r.ix.docs[b].path))
	})
	var out []File
	for _, i := range order[:min(len(order), maxLeftOut)] {
		f := File{Path: r.ix.docs[i].path, Part: "none", Size: int(max(r.ix.docs[i].size, 0))}
		f.Why = r.why(&candidate{i: i}) + "; " + r.whyNot(i, cs)
		out = append(out, f)
	}
	return out
}

// whyNot says why a file that something speaks for is not shown.
func (r *ranking) whyNot(i int32, cs []*candidate) string {
	d := &r.ix.docs[i]
	switch {
	case d.size > maxShown:
		return "too large to be shown"
	case d.left:
		return "not the project's own work"
	case d.unread:
		return "no text, or made by a tool"
	case r.score[i] < relevant:
		return "too little speaks for it"
	}
	if !slices.ContainsFunc(cs, func(c *candidate) bool { return c.i == i }) {
		return fmt.Sprintf("behind the first %d", maxCandidates)
	}
	return "likelier or smaller ones took the room"
}
