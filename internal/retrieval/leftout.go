package retrieval

import (
	"cmp"
	"context"
	"slices"
)

// maxLeftOut bounds the files that are named but not shown.
const maxLeftOut = 10

// Choice is what a request shows, and what it could have shown.
type Choice struct {
	Files []File
	// LeftOut are the likeliest other files, best first, without contents. Why gives the
	// reason for the file, and why it is not shown.
	LeftOut []File
}

// leftOut finds the likeliest files that are not shown.
func (r *ranking) leftOut(ctx context.Context, cs []*candidate, shown []File) []File {
	var order []int32
	for i, f := range r.files {
		if f.p > 0.01 && !slices.ContainsFunc(shown,
			func(s File) bool { return s.Path == r.ix.docs[i].path }) {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(r.files[b].p, r.files[a].p),
			cmp.Compare(r.ix.docs[a].path, r.ix.docs[b].path))
	})
	var out []File
	for _, i := range order[:min(len(order), maxLeftOut)] {
		r.ix.stat(ctx, []int32{i}) // a pass may have skipped it
		f := File{Path: r.ix.docs[i].path, Part: "none", Size: int(max(r.ix.docs[i].size, 0))}
		f.Why = r.files[i].why + "; " + r.whyNot(i, cs)
		out = append(out, f)
	}
	return out
}

// whyNot returns why a relevant file is not shown.
func (r *ranking) whyNot(i int32, cs []*candidate) string {
	d := &r.ix.docs[i]
	switch {
	case d.size > maxShown:
		return "too large to be shown"
	case d.left:
		return "not the project's own work"
	case d.unread:
		return "no text, or made by a tool"
	}
	if !slices.ContainsFunc(cs, func(c *candidate) bool { return c.i == i }) {
		return "too many are likelier"
	}
	return "no room"
}
