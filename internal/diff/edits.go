// Package diff tells by lines how a file became another, as edits that people would see.
package diff

import (
	"slices"
	"sort"
	"strings"

	udiff "github.com/aymanbagabas/go-udiff"
)

// Edit puts lines in the place of old[from:to]; in the new text they begin at
// line at.
type Edit struct {
	From, To, At int
	New          []string
}

// Edits tells what makes after of before, as people would: lines that occur
// once in both hold the rest apart. Lines have their ends.
func Edits(before, after []string) []Edit {
	d := differ{after: after}
	d.diff(before, after, 0, 0)
	return d.edits
}

type differ struct {
	after []string
	edits []Edit
}

func (d *differ) add(from, to, at, n int) {
	if from == to && n == 0 {
		return
	}
	if k := len(d.edits) - 1; k >= 0 && d.edits[k].To == from && d.edits[k].At+len(d.edits[k].New) == at {
		last := &d.edits[k]
		last.To, last.New = to, d.after[last.At:at+n]
		return
	}
	d.edits = append(d.edits, Edit{from, to, at, d.after[at : at+n]})
}

func (d *differ) diff(a, b []string, o, n int) {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b, o, n = a[1:], b[1:], o+1, n+1
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) == 0 || len(b) == 0 {
		d.add(o, o+len(a), n, len(b))
		return
	}
	anchors := uniqueInBoth(a, b)
	if len(anchors) == 0 {
		d.shortest(a, b, o, n)
		return
	}
	x, y := 0, 0
	for _, p := range anchors {
		d.diff(a[x:p[0]], b[y:p[1]], o+x, n+y)
		x, y = p[0]+1, p[1]+1
	}
	d.diff(a[x:], b[y:], o+x, n+y)
}

// uniqueInBoth gives the longest rising run of lines that occur once in each.
func uniqueInBoth(a, b []string) [][2]int {
	type seen struct{ inA, inB, at int }
	count := map[string]*seen{}
	for _, line := range a {
		if count[line] == nil {
			count[line] = &seen{}
		}
		count[line].inA++
	}
	for i, line := range b {
		if s := count[line]; s != nil {
			s.inB++
			s.at = i
		}
	}
	var tails []int // indexes into found: ends of rising runs, by length
	var found [][2]int
	var previous []int
	for i, line := range a {
		s := count[line]
		if s.inA != 1 || s.inB != 1 || strings.TrimSpace(line) == "" {
			continue
		}
		k := sort.Search(len(tails), func(k int) bool { return found[tails[k]][1] >= s.at })
		before := -1
		if k > 0 {
			before = tails[k-1]
		}
		found, previous = append(found, [2]int{i, s.at}), append(previous, before)
		if k == len(tails) {
			tails = append(tails, 0)
		}
		tails[k] = len(found) - 1
	}
	if len(tails) == 0 {
		return nil
	}
	var run [][2]int
	for i := tails[len(tails)-1]; i >= 0; i = previous[i] {
		run = append(run, found[i])
	}
	slices.Reverse(run)
	return run
}

// shortest is the plain difference, for lines that all repeat.
func (d *differ) shortest(a, b []string, o, n int) {
	text := strings.Join(a, "")
	lineAt := map[int]int{len(text): len(a)}
	for i, off := 0, 0; i < len(a); i++ {
		lineAt[off] = i
		off += len(a[i])
	}
	shift := 0
	for _, e := range udiff.Lines(text, strings.Join(b, "")) {
		from, okFrom := lineAt[e.Start]
		to, okTo := lineAt[e.End]
		if !okFrom || !okTo {
			d.add(o, o+len(a), n, len(b))
			return
		}
		added := strings.Count(e.New, "\n")
		if e.New != "" && !strings.HasSuffix(e.New, "\n") {
			added++ // the last line of a file without an end
		}
		d.add(o+from, o+to, n+from+shift, added)
		shift += added - (to - from)
	}
}
