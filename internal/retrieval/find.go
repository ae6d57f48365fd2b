package retrieval

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/look"
)

const (
	// maxSearchedBytes bounds what one search reads, maxSpots the lines that it collects.
	maxSearchedBytes, maxSpots = 1 << 30, 400
	// maxPlaces bounds the places in an answer, maxPlacesIn those of one file.
	maxPlaces, maxPlacesIn = 10, 4
	// maxPlace bounds a listed line, in bytes.
	maxPlace = 160
	// maxBodies is how many matching definitions are shown whole.
	maxBodies = 2
)

// spot is a matching line.
type spot struct {
	i    int32
	line int // from 1
	text string
	// closeness is how well the line matches; less is better.
	closeness int
	defines   bool
}

// find answers a FIND: matching places, definitions first, and the full text of the first
// definitions.
func (l *looker) find(a *Answer) {
	spots, whole := l.spots(a.What)
	lines := l.paths(a.What)
	switch {
	case len(spots)+len(lines) == 0 && whole:
		a.Answer, a.Note = look.NotFound, "no file that may be shown holds it"
		return
	case len(spots)+len(lines) == 0:
		a.Answer, a.Note = look.NotFound, "not all files could be searched: name a folder or a file with SHOW"
		return
	}
	a.Answer = look.Shown
	in := map[int32]int{}
	left := 0
	for _, p := range spots {
		if in[p.i]++; in[p.i] > maxPlacesIn || len(lines) >= maxPlaces {
			left++
			continue
		}
		lines = append(lines, fmt.Sprintf("%s:%d: %s", l.ix.docs[p.i].path, p.line, p.text))
	}
	switch {
	case !whole:
		a.Note = "there are more places"
	case left == 1:
		a.Note = "1 more place holds it"
	case left > 0:
		a.Note = fmt.Sprintf("%d more places hold it", left)
	}
	a.Found = l.list(lines)
	bodies := 0
	for _, p := range spots {
		if p.defines && p.closeness == 0 && bodies < maxBodies && !l.ix.docs[p.i].test {
			bodies++
			l.body(a, p)
		}
	}
}

// body shows the whole declaration that a spot begins.
func (l *looker) body(a *Answer, p spot) {
	text, err := l.text(p.i)
	if err != nil {
		return
	}
	lines := newExcerpt(text).lines
	from, to := extent(lines, p.line-1)
	size, last := 0, from
	for ; last < to && size+len(lines[last]) <= min(l.room, l.most); last++ {
		size += len(lines[last])
	}
	if last < to {
		a.Note = strings.TrimPrefix(a.Note+"; ", "; ") +
			fmt.Sprintf("of lines %d to %d as many are shown as there is room for",
				from+1, to)
	}
	if last > from {
		l.add(Part{Path: l.ix.docs[p.i].path, From: from + 1, To: last}, size)
	}
}

// extent returns the lines of a declaration, from 0, end exclusive: the comment above its
// first line, and all deeper lines below up to the closing one.
func extent(lines []string, at int) (from, to int) {
	for from = at; from > 0; from-- {
		above := strings.TrimSpace(lines[from-1])
		if above == "" || !commentStart(above) && !strings.HasPrefix(above, "@") &&
			!strings.HasPrefix(above, "#[") {
			break
		}
	}
	indent := indentOf(lines[at])
	to = at + 1
	for k := to; k < len(lines); k++ {
		text := strings.TrimSpace(lines[k])
		switch {
		case text == "":
			continue
		case indentOf(lines[k]) > indent:
		case indentOf(lines[k]) == indent && (strings.IndexByte("{})]", text[0]) >= 0 || text == "end"):
		default:
			return from, to
		}
		to = k + 1
	}
	return from, to
}

// indentOf counts the columns before the text of a line; a tab counts four.
func indentOf(line string) int {
	n := 0
	for _, c := range line {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 4
		default:
			return n
		}
	}
	return n
}

// paths returns the paths that contain the search text, if that is specific enough.
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

// spots searches every text file that may be shown, whatever its size. It looks for the
// exact text, and if no line has that, for lines that match in any case or contain all of
// its words; product code comes before tests. whole is false if not everything was searched.
func (l *looker) spots(what string) (all []spot, whole bool) {
	order := l.searchOrder(what)
	for _, exact := range []bool{true, false} {
		if all, whole = l.search(order, what, exact); len(all) > 0 {
			break
		}
	}
	slices.SortStableFunc(all, func(a, b spot) int {
		if a.defines != b.defines {
			if a.defines {
				return -1
			}
			return 1
		}
		test := func(p spot) int {
			if l.ix.docs[p.i].test {
				return 1
			}
			return 0
		}
		return cmp.Or(cmp.Compare(a.closeness, b.closeness), cmp.Compare(test(a), test(b)))
	})
	return all, whole
}

func (l *looker) search(order []int32, what string, exact bool) (all []spot, whole bool) {
	lower := strings.ToLower(what)
	words := strings.Fields(lower)
	read := 0
	for _, i := range order {
		text, err := l.text(i)
		if err != nil {
			continue
		}
		if read += len(text); read > maxSearchedBytes || len(all) > maxSpots {
			return all, false
		}
		if exact && !strings.Contains(text, what) {
			continue
		}
		n := 0
		for line := range lines(text) {
			n++
			how := closeness(line, what, lower, words)
			if how < 0 || exact && how > 0 {
				continue
			}
			d, defines := define(l.ix.docs[i].lang, line)
			p := spot{i: i, line: n, text: short(line), closeness: how}
			p.defines = defines && l.ix.docs[i].lang.code() && d.name != "" &&
				(d.name == what || strings.HasSuffix(what, "."+d.name) ||
					strings.HasSuffix(what, "::"+d.name) || how > 0 && strings.EqualFold(d.name, what))
			all = append(all, p)
		}
	}
	if !exact && len(words) > 1 && slices.ContainsFunc(all, func(p spot) bool { return p.closeness == 1 }) {
		all = slices.DeleteFunc(all, func(p spot) bool { return p.closeness > 1 })
	}
	return all, true
}

// closeness returns 0 for an exact match, 1 if only the case differs, 2 if all words occur,
// and -1 for no match.
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

// searchOrder returns all files, likeliest first: those that define the name, those ranked
// high for its words, other sources, and last vendored or generated files.
func (l *looker) searchOrder(what string) []int32 {
	worth := make([]float64, len(l.ix.docs))
	q := map[term]float64{}
	eachTerm(what, 3, func(t term) { q[t] = 1 })
	if len(q) > 0 {
		copy(worth, l.ix.bm25(q))
	}
	for _, i := range l.ix.definers(what[strings.LastIndexAny(what, ".:#>")+1:]) {
		worth[i] += 2
	}
	var order []int32
	for i := range l.ix.docs {
		d := &l.ix.docs[i]
		if dot := strings.LastIndexByte(d.path, '.'); dot >= 0 &&
			binaryExtension(strings.ToLower(d.path[dot:])) {
			continue
		}
		switch {
		case d.left || d.unread:
			worth[i]--
		case d.lang.code():
			worth[i] += 0.001
		}
		order = append(order, int32(i))
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(worth[b], worth[a]) })
	return order
}
