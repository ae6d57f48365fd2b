package retrieval

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/booty-cli/booty/internal/diff"
)

// Shown is a file, or lines of it if there are any, that a request showed.
type Shown struct {
	Path  string
	Lines [][2]int
	Why   string
}

// View is what the requests of a run have shown, in order. It only grows, so that each
// request begins like the one before it. The zero View has shown nothing.
type View struct{ files []viewed }

// viewed is a file as it was shown; text is the whole of it at that time.
type viewed struct {
	File
	text string
}

// Add adds what of the given files the view does not show yet, as they are now, and returns
// that. A file that has changed since it was shown is left to Changed.
func (ix *Index) Add(ctx context.Context, v *View, files []Shown) (added []File, err error) {
	err = ix.reading(func(r *ranking) error {
		for _, s := range files {
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("show files: %w", err)
			}
			text, ok := r.current(s.Path)
			if !ok || v.stale(s.Path, text) {
				continue
			}
			if f, ok := v.rest(s, text); ok {
				v.files = append(v.files, viewed{f, text})
				added = append(added, f)
			}
		}
		return nil
	})
	return added, err
}

// AddParts adds what a model asked to see, whether or not the file has changed since it was
// shown.
func (ix *Index) AddParts(ctx context.Context, v *View, parts []Part) (added []File, err error) {
	err = ix.reading(func(r *ranking) error {
		for _, p := range parts {
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("show files: %w", err)
			}
			text, ok := r.current(p.Path)
			if !ok {
				continue
			}
			f, ok := p.of(text)
			if ok && !p.Outline && !v.stale(p.Path, text) {
				f, ok = v.rest(Shown{Path: p.Path, Lines: f.Lines, Why: f.Why}, text)
			}
			if ok {
				v.files = append(v.files, viewed{f, text})
				added = append(added, f)
			}
		}
		return nil
	})
	return added, err
}

// Changed returns what is not as the view shows it any more: of each file that has changed
// the functions and stretches that differ, and the given files or lines of it; gone are the
// files that are there no more.
func (ix *Index) Changed(ctx context.Context, v *View, also []Shown) (now []File, gone []string, err error) {
	err = ix.reading(func(r *ranking) error {
		for _, path := range v.pathsWith(also) {
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("show what changed: %w", err)
			}
			text, ok := r.current(path)
			if !ok {
				if v.Shows(path) {
					gone = append(gone, path)
				}
				continue
			}
			if f, ok := v.changed(path, text, also); ok {
				now = append(now, f)
			}
		}
		return nil
	})
	return now, gone, err
}

// reading does something with the files at hand.
func (ix *Index) reading(do func(*ranking) error) error {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	root, err := os.OpenRoot(ix.root)
	if err != nil {
		return fmt.Errorf("read files: %w", err)
	}
	defer func() { _ = root.Close() }()
	return do(&ranking{ix: ix, root: root})
}

// current reads a file as it is now.
func (r *ranking) current(path string) (string, bool) {
	i := r.ix.known(r.root, path)
	if i < 0 {
		return "", false
	}
	return r.loadAny(i)
}

// Shows reports whether anything of a file is in view.
func (v *View) Shows(path string) bool {
	return slices.ContainsFunc(v.files, func(f viewed) bool { return f.Path == path })
}

// stale reports whether a file differs from what was shown of it.
func (v *View) stale(path, text string) bool {
	return slices.ContainsFunc(v.files, func(f viewed) bool { return f.Path == path && f.text != text })
}

// pathsWith returns the paths in view and the given ones, each once.
func (v *View) pathsWith(also []Shown) []string {
	var out []string
	add := func(path string) {
		if !slices.Contains(out, path) {
			out = append(out, path)
		}
	}
	for _, f := range v.files {
		add(f.Path)
	}
	for _, s := range also {
		add(s.Path)
	}
	return out
}

// rest is what of a file, or of its lines, the view does not show yet.
func (v *View) rest(s Shown, text string) (File, bool) {
	e := newExcerpt(text)
	s.mark(e)
	seen := false
	for _, f := range v.files {
		if f.Path != s.Path {
			continue
		}
		seen = true
		if f.Part == "full" {
			return File{}, false
		}
		for _, l := range f.Lines {
			for i := l[0] - 1; i < l[1]; i++ {
				e.keep[i] = 0
			}
		}
	}
	if len(s.Lines) == 0 && !seen {
		return File{Path: s.Path, Why: s.Why, Part: "full", Content: text}, true
	}
	return e.file(s.Path, s.Why)
}

// mark keeps the lines that s names, all where it names none.
func (s Shown) mark(e *excerpt) {
	if len(s.Lines) == 0 {
		e.mark(0, len(e.lines), windowLine)
	}
	for _, l := range s.Lines {
		e.mark(l[0]-1, l[1], windowLine)
	}
}

// file is the kept part as a file to show; false for nothing.
func (e *excerpt) file(path, why string) (File, bool) {
	f := File{Path: path, Why: why, Part: "excerpt", Lines: e.spans(), Content: e.text(windowLine)}
	if len(f.Lines) == 1 && f.Lines[0] == [2]int{1, len(e.lines)} {
		f.Part, f.Lines = "full", nil
		f.Content = ""
		for _, line := range e.lines {
			f.Content += line
		}
	}
	return f, f.Content != ""
}

// mostlyChanged is how much of a file, in percent, may differ before all of it is shown.
const mostlyChanged = 60

// changed is what of a file's text differs from what is in view, and the lines of it that
// are also to be shown and are not in view; false for nothing.
func (v *View) changed(path, text string, also []Shown) (File, bool) {
	e, more := newExcerpt(text), newExcerpt(text)
	if !v.Shows(path) || v.stale(path, text) { // else they are in view, or were added
		for _, s := range also {
			if s.Path == path {
				s.mark(more)
			}
		}
	}
	for _, f := range v.files {
		if f.Path == path && f.text != text {
			was := newExcerpt(f.text).lines
			edits := diff.Edits(was, e.lines)
			e.markChanged(edits, languageOf(path))
			more.unmarkShown(f.File, len(was), edits)
		}
	}
	for i, k := range more.keep {
		e.mark(i, i+int(k), windowLine)
	}
	if len(e.spans()) == 0 {
		return File{}, false
	}
	e.close()
	kept := 0
	for _, k := range e.keep {
		if k != 0 {
			kept++
		}
	}
	if kept*100 > len(e.lines)*mostlyChanged {
		e.mark(0, len(e.lines), windowLine)
	}
	return e.file(path, "changed since it was shown")
}

// unmarkShown drops the lines that a file of n lines showed before some edits made this text
// of it, and that are the same.
func (e *excerpt) unmarkShown(f File, n int, edits []diff.Edit) {
	lines := f.Lines
	if f.Part == "full" {
		lines = [][2]int{{1, n}}
	}
	for _, l := range lines {
		for i := l[0] - 1; i < l[1]; i++ {
			if at, same := nowAt(i, edits); same && at < len(e.keep) {
				e.keep[at] = 0
			}
		}
	}
}

// nowAt is where a line is after some edits; false for one that they took away.
func nowAt(line int, edits []diff.Edit) (int, bool) {
	shift := 0
	for _, d := range edits {
		switch {
		case line < d.From:
			return line + shift, true
		case line < d.To:
			return 0, false
		}
		shift = d.At + len(d.New) - d.To
	}
	return line + shift, true
}

// around is how many lines are shown on both sides of a change, where it lies in no small
// function.
const around = 4

// markChanged keeps what some edits have made: whole functions where they are small, else
// the lines around.
func (e *excerpt) markChanged(edits []diff.Edit, l lang) {
	blocks := blocksOf(l, e.lines)
	for _, d := range edits {
		from, to := d.At, d.At+len(d.New)
		e.mark(from-around, to+around, windowLine)
		for _, b := range blocks {
			if b.from < max(to, from+1) && from < b.to && b.name != "" {
				e.mark(b.from, b.to, windowLine)
			}
		}
	}
}

// of returns the part of a file's text.
func (p Part) of(text string) (File, bool) {
	const why = "the model asked for it"
	e := newExcerpt(text)
	switch {
	case p.Outline:
		e.outline(p.Path, text)
		f := File{Path: p.Path, Part: "outline", Why: why, Asked: true}
		f.Content, f.Lines = e.fit(maxOutline)
		return f, f.Content != ""
	case p.From > 0:
		e.mark(p.From-1, p.To, windowLine)
	default:
		return File{Path: p.Path, Part: "full", Why: why, Content: text, Asked: true}, true
	}
	f, ok := e.file(p.Path, why)
	f.Asked = true
	return f, ok
}
