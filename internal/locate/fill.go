package locate

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
)

const (
	// maxFile is the size above which a file is only shown in parts.
	maxFile = 48 << 10
	// weakFile is the same for files that matter less, wideFile for these
	// after failed attempts.
	weakFile, wideFile = 12 << 10, 24 << 10
	// maxOutline bounds the outline of a file that matters less.
	maxOutline = 4 << 10
	// The share of the budget that weak files may fill, in percent.
	weakShare, wideShare = 60, 85
)

// fill takes the ranked files into the budget.
func (r *ranking) fill(ctx context.Context) ([]File, error) {
	var out []File
	left := r.n.Budget
	share := weakShare
	if r.n.Wide {
		share = wideShare
	}
	room := r.n.Budget * share / 100 // for all but the strong
	spare := r.n.Budget / 6          // kept for the rest where the first are large
	for _, i := range r.order {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("choose files: %w", err)
		}
		may := left
		switch {
		case r.score[i] >= strong:
		case r.leads(i): // likely, not certain: leave room for the others
			may = min(left, r.n.Budget*3/5)
		default:
			may = min(left, max(room-(r.n.Budget-left), spare))
		}
		if may <= 0 {
			continue
		}
		f, ok := r.show(i, may)
		if !ok {
			continue
		}
		left -= len(f.Content)
		if !r.leads(i) {
			spare -= len(f.Content)
		}
		out = append(out, f)
	}
	return out, nil
}

// leads tells files that deserve to be shown in full.
func (r *ranking) leads(i int32) bool { return r.score[i] >= strong || slices.Contains(r.lead, i) }

// show gives as much of a file as its rank deserves and may bytes hold.
func (r *ranking) show(i int32, may int) (File, bool) {
	d := &r.ix.docs[i]
	f := File{Path: d.path, Part: "full"}
	if !plain(r.root, d.path) || !r.ix.allowed(d.path) {
		return f, false
	}
	data, info, err := readFile(r.root, d.path, maxShown)
	if err != nil || info.Size() > maxShown || binary(data) || r.score[i] < named/2 && generated(d.path, data) && !d.include {
		return f, false
	}
	f.Content = string(data)
	whole, part := maxFile, may
	if !r.leads(i) {
		whole, part = weakFile, min(may, maxOutline)
		if r.n.Wide {
			whole, part = wideFile, min(may, 2*maxOutline)
		}
	}
	if d.lang == prose && r.score[i] < named/2 {
		whole = maxOutline
	}
	if len(data) <= min(whole, may) {
		return f, true
	}
	if !r.leads(i) && len(data) <= part {
		return f, true
	}
	f.Part = "outline"
	f.Content = r.parts(i, f.Content, part)
	return f, f.Content != ""
}

// parts gives an excerpt of at most max bytes: windows around what is in
// question, where anything is, and the outline.
func (r *ranking) parts(i int32, text string, max int) string {
	d := &r.ix.docs[i]
	places := r.places(i, text)
	if !r.leads(i) {
		places = nil
	}
	for _, around := range []int{3 * reach, reach, reach / 2, 3} {
		e := newExcerpt(text)
		e.outline(d.path, text)
		for k, line := range places {
			if k >= 12 {
				break
			}
			e.window(line, around)
		}
		if s := e.fit(min(max, maxFile)); s != "" {
			return s
		}
		if len(places) == 0 {
			break
		}
	}
	return cutLines(text, max)
}

// cutLines keeps the first lines of a file, said to be such.
func cutLines(text string, max int) string {
	const room = 256
	if max < 2*room {
		return ""
	}
	e := newExcerpt(text)
	n := 0
	for i, line := range e.lines {
		if n += len(line); n > max-room {
			break
		}
		e.mark(i, i+1, topLine)
	}
	if s := e.text(topLine); len(s) <= max {
		return s
	}
	return ""
}

// places are the lines of a file in question, most telling first: those that
// the need gives, those that texts name, definitions of names that they speak
// of, at last the lines that have most of their words.
func (r *ranking) places(i int32, text string) []int {
	d := &r.ix.docs[i]
	out := slices.Clone(r.n.Lines[d.path])
	out = append(out, r.fail.lines[i]...)
	out = append(out, r.task.lines[i]...)
	type place struct {
		line  int
		worth float64
	}
	var more []place
	q := map[term]float64{}
	r.ix.query(r.n.Task+"\n"+r.n.Failure, 1, q)
	k := 0
	for line := range lines(text) {
		k++
		worth := 0.0
		if def, ok := define(d.lang, line); ok && def.name != "" {
			worth = 10 * max(r.task.names[def.name], r.fail.names[def.name])
		}
		if worth < 5 && len(out) == 0 && len(strings.TrimSpace(line)) > 0 && len(line) < 400 {
			eachTerm(line, 3, func(t term) { worth += min(q[t], 1) })
		}
		if worth >= 3 {
			more = append(more, place{k, worth})
		}
	}
	slices.SortStableFunc(more, func(a, b place) int { return cmp.Compare(b.worth, a.worth) })
	for _, p := range more[:min(len(more), 6)] {
		out = append(out, p.line)
	}
	seen := map[int]bool{}
	return slices.DeleteFunc(out, func(n int) bool {
		if seen[n] {
			return true
		}
		seen[n] = true
		return false
	})
}
