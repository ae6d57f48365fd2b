package locate

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/booty-cli/booty/internal/look"
)

const (
	// maxSearched bounds the files that one search reads, maxSearchedBytes their size.
	maxSearched, maxSearchedBytes = 200, 16 << 20
	// maxPlaces bounds the places that are told, maxPlacesIn those of one file.
	maxPlaces, maxPlacesIn = 40, 8
	// maxPlace bounds a line that is told, in bytes.
	maxPlace = 160
	// maxBodies is how many definitions of what is sought are shown whole.
	maxBodies = 2
)

// spot is a line that holds what is sought.
type spot struct {
	i    int32
	line int // from 1
	text string
	// closeness is how well the line holds it, less is better.
	closeness int
	defines   bool
	order     int
}

// find answers a FIND: the places that hold the words, definitions first, and
// the whole of the first definitions.
func (l *looker) find(a *Answer) {
	spots := l.spots(a.What)
	paths := l.paths(a.What)
	if len(spots)+len(paths) == 0 {
		a.Answer, a.Note = look.NotFound, "nothing holds it"
		return
	}
	a.Answer = look.Shown
	lines := paths
	in := map[int32]int{}
	left := 0
	for _, p := range spots {
		if in[p.i]++; in[p.i] > maxPlacesIn || len(lines) >= maxPlaces {
			left++
			continue
		}
		lines = append(lines, fmt.Sprintf("%s:%d: %s", l.ix.docs[p.i].path, p.line, p.text))
	}
	if left > 0 {
		a.Note = fmt.Sprintf("%d more places hold it", left)
	}
	a.Found = l.list(lines)
	bodies := 0
	for _, p := range spots {
		if p.defines && p.closeness == 0 && bodies < maxBodies && !l.ix.docs[p.i].test {
			bodies++
			l.body(p)
		}
	}
}

// body shows the declaration that a spot begins.
func (l *looker) body(p spot) {
	text, err := l.text(p.i)
	if err != nil {
		return
	}
	lines := newExcerpt(text).lines
	for _, b := range blocksOf(l.ix.docs[p.i].lang, lines) {
		if p.line > b.from && p.line <= b.to && b.bytes <= min(l.room, l.most)/2 {
			l.add(Part{Path: l.ix.docs[p.i].path, From: b.from + 1, To: b.to}, b.bytes)
		}
	}
}

// paths are those that hold what is sought, where that says something.
func (l *looker) paths(what string) []string {
	what = strings.ToLower(what)
	if len(what) < 3 {
		return nil
	}
	var out []string
	for i := range l.ix.docs {
		if d := &l.ix.docs[i]; !d.left && strings.Contains(strings.ToLower(d.path), what) {
			if out = append(out, d.path); len(out) > maxPlacesIn {
				return out[:maxPlacesIn]
			}
		}
	}
	return out
}

// spots reads the files that may hold what is sought.
func (l *looker) spots(what string) []spot {
	lower := strings.ToLower(what)
	words := strings.Fields(lower)
	var all []spot
	read := 0
	for order, i := range l.holders(what) {
		text, err := l.text(i)
		if err != nil {
			continue
		}
		if read += len(text); read > maxSearchedBytes {
			break
		}
		n := 0
		for line := range lines(text) {
			n++
			how := closeness(line, what, lower, words)
			if how < 0 {
				continue
			}
			d, defines := define(l.ix.docs[i].lang, line)
			p := spot{i: i, line: n, text: short(line), closeness: how, order: order}
			p.defines = defines && l.ix.docs[i].lang.code() && d.name != "" &&
				(d.name == what || strings.HasSuffix(what, "."+d.name) ||
					strings.HasSuffix(what, "::"+d.name) || how > 0 && strings.EqualFold(d.name, what))
			all = append(all, p)
		}
	}
	sort.SliceStable(all, func(i, j int) bool {
		a, b := &all[i], &all[j]
		if a.defines != b.defines {
			return a.defines
		}
		return cmp.Or(cmp.Compare(a.closeness, b.closeness), cmp.Compare(a.order, b.order)) < 0
	})
	if len(all) > 0 { // what is only alike is told where nothing is the same
		best := slices.MinFunc(all, func(a, b spot) int { return cmp.Compare(a.closeness, b.closeness) }).closeness
		all = slices.DeleteFunc(all, func(p spot) bool { return p.closeness > max(best, 1) || best == 0 && p.closeness > 0 && !p.defines })
	}
	return all
}

// closeness says how well a line holds what is sought: 0 as it is written, 1 in
// any case, 2 all of its words; -1 not at all.
func closeness(line, what, lower string, words []string) int {
	if strings.Contains(line, what) {
		return 0
	}
	line = strings.ToLower(line)
	if strings.Contains(line, lower) {
		return 1
	}
	if len(words) < 2 {
		return -1
	}
	for _, w := range words {
		if !strings.Contains(line, w) {
			return -1
		}
	}
	return 2
}

func short(line string) string {
	line = strings.TrimSpace(line)
	if len(line) > maxPlace {
		line = strings.ToValidUTF8(line[:maxPlace], "") + "…"
	}
	return line
}

// holders are the files that may hold what is sought, the likeliest first: those
// that define it, then by its words; where it has no words, all sources.
func (l *looker) holders(what string) []int32 {
	var out []int32
	seen := map[int32]bool{}
	add := func(i int32) {
		if !seen[i] && len(out) < maxSearched && !l.ix.docs[i].left && !l.ix.docs[i].unread {
			seen[i] = true
			out = append(out, i)
		}
	}
	name := what[strings.LastIndexAny(what, ".:#>")+1:]
	for _, i := range l.ix.definers(name) {
		add(i)
	}
	q := map[term]float64{}
	eachTerm(what, 3, func(t term) { q[t] = 1 })
	if len(q) == 0 {
		for i := range l.ix.docs {
			if l.ix.docs[i].lang.code() {
				add(int32(i))
			}
		}
		return out
	}
	score := l.ix.bm25(q)
	var order []int32
	for i, v := range score {
		if v > 0 {
			order = append(order, int32(i))
		}
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(score[b], score[a]) })
	for _, i := range order {
		add(i)
	}
	return out
}
