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
	// maxPathsBeside bounds the paths and maxDocuments the places of documents beside code.
	maxPathsBeside, maxDocuments = 2, 2
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
	kind      int
	defines   bool
}

// find answers a FIND: matching places, definitions first, and the full text of the first
// definitions.
func (l *looker) find(a *Answer) {
	q := queryOf(a.Request)
	spots, whole := l.spots(q)
	lines := l.paths(q.what, len(spots) > 0)
	switch {
	case len(spots)+len(lines) == 0 && whole:
		a.Answer, a.Note = look.NotFound, "no file that may be shown holds it"
		return
	case len(spots)+len(lines) == 0:
		a.Answer, a.Note = look.NotFound, "not all files could be searched: name a folder or a file with SHOW"
		return
	}
	a.Answer = look.Shown
	in, plain := map[int32]int{}, 0
	left := 0
	for _, p := range spots {
		if p.kind == documents && spots[0].kind < documents {
			plain++
		}
		if in[p.i]++; in[p.i] > maxPlacesIn || len(lines) >= maxPlaces || plain > maxDocuments {
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

// paths returns the paths that contain the search text, if that is specific enough; fewer, and
// no documents, beside places.
func (l *looker) paths(what string, beside bool) []string {
	what = strings.ToLower(what)
	if len(what) < 3 {
		return nil
	}
	most := maxPlacesIn
	if beside {
		most = maxPathsBeside
	}
	var out []string
	for i := range l.ix.docs {
		d := &l.ix.docs[i]
		if d.left || beside && l.kindOf(int32(i)) == documents ||
			!strings.Contains(strings.ToLower(d.path), what) {
			continue
		}
		if out = append(out, d.path); len(out) == most {
			break
		}
	}
	return out
}

// query is what a FIND looks for: a text as it is, or words.
type query struct {
	what, lower string
	words       []string
	literal     bool
}

func queryOf(w look.Request) query {
	if text, ok := w.Literal(); ok {
		return query{what: text, literal: true}
	}
	lower := strings.ToLower(w.What)
	return query{what: w.What, lower: lower, words: strings.Fields(lower)}
}

// Kinds of files, in the order in which their places are listed.
const (
	product = iota
	tests
	other
	documents
)

func (l *looker) kindOf(i int32) int {
	switch d := &l.ix.docs[i]; {
	case d.left, d.unread, d.lang == prose, chronicle(d.path):
		return documents
	case d.test:
		return tests
	case d.lang.code() && !sample(d.path):
		return product
	}
	return other
}

// spots searches every text file that may be shown, whatever its size. It looks for the
// exact text, and if no code and no test has that, for lines and then functions that contain
// all words of the query. whole is false if not everything was searched.
func (l *looker) spots(q query) (all []spot, whole bool) {
	order := l.searchOrder(q.what)
	all, whole = l.search(order, q, true)
	if !q.literal && !slices.ContainsFunc(all, func(p spot) bool { return p.kind < other }) {
		var more []spot
		more, whole = l.search(order, q, false)
		all = append(all, more...)
	}
	slices.SortStableFunc(all, func(a, b spot) int {
		if a.defines != b.defines {
			if a.defines {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.kind/documents, b.kind/documents), cmp.Compare(a.closeness, b.closeness),
			cmp.Compare(a.kind, b.kind))
	})
	return all, whole
}

// search finds the lines that have the text of a query, or, unless exact, those that have not
// but have its words.
func (l *looker) search(order []int32, q query, exact bool) (all []spot, whole bool) {
	read := 0
	for _, i := range order {
		text, err := l.text(i)
		if err != nil {
			continue
		}
		if read += len(text); read > maxSearchedBytes || len(all) > maxSpots {
			return all, false
		}
		if exact && !strings.Contains(text, q.what) || !exact && !holdsAll(strings.ToLower(text), q.words) {
			continue
		}
		before, n := len(all), 0
		for line := range lines(text) {
			n++
			if how := q.closeness(line); how >= 0 && exact == (how == 0) {
				all = append(all, l.spot(i, n, line, how, q.what))
			}
		}
		if !exact && len(all) == before && l.ix.docs[i].lang.code() {
			all = append(all, l.units(i, text, q)...)
		}
	}
	return all, true
}

// spot is a matching line of a file.
func (l *looker) spot(i int32, n int, line string, how int, what string) spot {
	p := spot{i: i, line: n, text: short(line), closeness: how, kind: l.kindOf(i)}
	d, defines := define(l.ix.docs[i].lang, line)
	p.defines = defines && l.ix.docs[i].lang.code() && d.name != "" &&
		(d.name == what || strings.HasSuffix(what, "."+d.name) ||
			strings.HasSuffix(what, "::"+d.name) || how > 0 && strings.EqualFold(d.name, what))
	return p
}

// units are the first lines of the functions, types and tests of a file that contain all words;
// of a later part of a long one, the line with the longest word.
func (l *looker) units(i int32, text string, q query) (all []spot) {
	e := newExcerpt(text)
	longest := slices.MaxFunc(q.words, func(a, b string) int { return len(a) - len(b) })
	for _, b := range blocksOf(l.ix.docs[i].lang, e.lines) {
		if b.name == "" || !holdsAll(strings.ToLower(strings.Join(e.lines[b.from:b.to], "")), q.words) {
			continue
		}
		at := b.head(l.ix.docs[i].lang, e.lines)
		for k := b.from; at < 0; k++ {
			if strings.Contains(strings.ToLower(e.lines[k]), longest) {
				at = k
			}
		}
		all = append(all, l.spot(i, at+1, e.lines[at], 3, ""))
	}
	return all
}

func holdsAll(text string, words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}

// closeness returns 0 for an exact match, 1 if only the case differs, 2 if all words occur,
// and -1 for no match.
func (q query) closeness(line string) int {
	if strings.Contains(line, q.what) {
		return 0
	}
	if q.literal {
		return -1
	}
	line = strings.ToLower(line)
	switch {
	case strings.Contains(line, q.lower):
		return 1
	case holdsAll(line, q.words):
		return 2
	}
	return -1
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
