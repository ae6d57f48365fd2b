package retrieval

import (
	"context"
	"fmt"
	"os"
	"slices"
)

// Shown is what a request showed of a file: some of its lines, or all if there are none.
type Shown struct {
	Path  string
	Lines [][2]int
	Why   string
}

// Again returns what the last request showed, in its current state, and the parts that were
// asked for besides. A part of a file that is already shown is appended, so that everything
// before it stays the same.
func (ix *Index) Again(ctx context.Context, view []Shown, asked []Part) ([]File, error) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	root, err := os.OpenRoot(ix.root)
	if err != nil {
		return nil, fmt.Errorf("show files again: %w", err)
	}
	defer func() { _ = root.Close() }()
	r := &ranking{ix: ix, root: root}
	var out []File
	for _, p := range asked {
		if f, ok := r.askedPart(p); ok &&
			!slices.ContainsFunc(out, func(g File) bool { return g.covers(f) }) {
			out = append(out, f)
		}
	}
	for _, s := range view {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("show files again: %w", err)
		}
		f, ok := r.shownAgain(s)
		if ok && !slices.ContainsFunc(out, func(g File) bool { return g.covers(f) }) {
			out = append(out, f)
		}
	}
	return out, nil
}

// covers reports whether f shows all that g does.
func (f File) covers(g File) bool {
	if f.Path != g.Path {
		return false
	}
	return f.Part == "full" || g.Part != "full" && !slices.ContainsFunc(g.Lines, func(l [2]int) bool {
		return !slices.ContainsFunc(f.Lines, func(m [2]int) bool { return m[0] <= l[0] && l[1] <= m[1] })
	})
}

// shownAgain returns the lines of a file that were shown.
func (r *ranking) shownAgain(s Shown) (File, bool) {
	i := r.ix.known(r.root, s.Path)
	if i < 0 {
		return File{}, false
	}
	text, ok := r.loadAny(i)
	if !ok {
		return File{}, false
	}
	f := File{Path: s.Path, Why: s.Why, Content: text, Part: "full"}
	if len(s.Lines) == 0 {
		return f, true
	}
	e := newExcerpt(text)
	for _, l := range s.Lines {
		e.mark(l[0]-1, l[1], windowLine)
	}
	f.Part, f.Lines, f.Content = "excerpt", e.spans(), e.text(windowLine)
	return f, f.Content != ""
}

// askedPart returns the part that a model asked for.
func (r *ranking) askedPart(p Part) (File, bool) {
	s := Shown{Path: p.Path, Why: "the model asked for it"}
	switch {
	case p.Outline:
		i := r.ix.known(r.root, p.Path)
		text, ok := r.loadAny(max(i, 0))
		if i < 0 || !ok {
			return File{}, false
		}
		e := newExcerpt(text)
		e.outline(p.Path, text)
		f := File{Path: p.Path, Part: "outline", Why: s.Why, Asked: true}
		f.Content, f.Lines = e.fit(maxOutline)
		return f, f.Content != ""
	case p.From > 0:
		s.Lines = [][2]int{{p.From, p.To}}
	}
	f, ok := r.shownAgain(s)
	f.Asked = true
	return f, ok
}
