package edit

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// matcher holds a file while the blocks of one edit are applied to it.
type matcher struct {
	name    string
	ordered bool // the blocks come in the order of the file
	single  bool // there is only one block, so no order shows its place
	lines   []line
	end     string // the line end that most lines use
	cursor  int    // after the last block
	shift   int    // lines that earlier blocks added, minus those removed
}

// sameness is how strictly a search compares lines.
type sameness int

const (
	exactly sameness = iota
	butTrailing
	butIndent
	asPlain
)

func (s sameness) of(text string) string {
	switch s {
	case butTrailing:
		return strings.TrimRight(text, " \t\r")
	case butIndent:
		return strings.Trim(text, " \t\r\f\v")
	case asPlain:
		return plainText(text)
	}
	return text
}

// reading is one way to read a block, and how strictly to search for it.
type reading struct {
	search, replace []string
	ways            []sameness
	problem         error // why it is refused if it is found
}

// readings returns the readings of a block to try until one is found: as written; without
// empty lines at the edges, which are often accidental; without line numbers; and by what
// its characters stand for.
func readings(b Block) []reading {
	search, replace := texts(b.Search), texts(b.Replace)
	strict := []sameness{exactly, butTrailing, butIndent}
	out := []reading{{search: search, replace: replace, ways: strict}}
	if s, r, trimmed := trimEdges(search, replace); trimmed {
		out = append(out, reading{search: s, replace: r, ways: strict})
	}
	out = append(out, withoutNumbers(search, replace)...)
	return append(out, reading{search: search, replace: replace, ways: []sameness{asPlain}})
}

// block finds one block and replaces it.
func (m *matcher) block(b Block) error {
	if b.Search == "" {
		return m.insert(b, texts(b.Replace))
	}
	all := readings(b)
	for _, r := range all {
		for _, s := range r.ways {
			at := m.find(r.search, s)
			if len(at) == 0 {
				continue
			}
			if r.problem != nil {
				return r.problem
			}
			i, err := m.pick(at, b, len(r.search))
			if err == nil {
				err = leftNumbers(m.name, m.lines, r.replace, i+1)
			}
			if err != nil {
				return err
			}
			return m.put(i, r.search, r.replace, s, b)
		}
	}
	err := m.unmatched(all[0].search, all[0].replace)
	if _, _, _, ok := unnumbered(all[0].search, false); ok {
		err = fmt.Errorf("%w\nLeave line numbers out: they are no part of the file", err)
	}
	return err
}

// trimEdges drops empty lines around the search text, and as many around the replacement.
func trimEdges(search, replace []string) (s, r []string, changed bool) {
	blank := func(ls []string, i int) bool { return len(ls) > 0 && strings.TrimSpace(ls[i]) == "" }
	s, r = search, replace
	for blank(s, 0) {
		if s = s[1:]; blank(r, 0) {
			r = r[1:]
		}
	}
	for blank(s, len(s)-1) {
		if s = s[:len(s)-1]; blank(r, len(r)-1) {
			r = r[:len(r)-1]
		}
	}
	return s, r, len(s) > 0 && len(s) < len(search)
}

// find returns every place of the search lines, in linear time (Knuth, Morris and Pratt).
func (m *matcher) find(search []string, s sameness) []int {
	want := make([]string, len(search))
	for i, t := range search {
		want[i] = s.of(t)
	}
	back := make([]int, len(want)+1)
	back[0] = -1
	for i, k := 0, -1; i < len(want); {
		for k >= 0 && want[i] != want[k] {
			k = back[k]
		}
		i, k = i+1, k+1
		back[i] = k
	}
	var at []int
	k := 0
	for i := range m.lines {
		text := s.of(m.lines[i].text)
		for k >= 0 && (k == len(want) || text != want[k]) {
			k = back[k]
		}
		k++
		if k == len(want) {
			at = append(at, i+1-k)
		}
	}
	return at
}

// pick decides between several places, by what the reply says about the place of the block.
func (m *matcher) pick(at []int, b Block, n int) (int, error) {
	all := at
	if b.AtEnd || b.FinalNewline != "" {
		at = prefer(at, func(i int) bool { return i+n == len(m.lines) })
	}
	if i, ok := m.behind(at, b); ok {
		return i, nil
	}
	told, ok := m.byLineNumber(at, b)
	if m.ordered && !(ok && told < m.cursor) {
		at = prefer(at, func(i int) bool { return i >= m.cursor })
	}
	switch {
	case ok && slices.Contains(at, told):
		return told, nil
	case len(at) == 1:
		return at[0], nil
	}
	var places []string
	for _, p := range all[:min(len(all), 5)] {
		places = append(places, fmt.Sprint(p+1))
	}
	return 0, fmt.Errorf("is ambiguous: its search text stands in %d places (lines %s); give more of the "+
		"lines around the one "+
		"that is meant", len(all), strings.Join(places, ", "))
}

func prefer(at []int, ok func(int) bool) []int {
	if out := slices.DeleteFunc(slices.Clone(at), func(i int) bool { return !ok(i) }); len(out) > 0 {
		return out
	}
	return at
}

// behind returns the first place after the anchors of a hunk, unless the last anchor occurs
// again and leads to another place.
func (m *matcher) behind(at []int, b Block) (int, bool) {
	after, ok := m.anchored(b.Anchors)
	// the anchor may be repeated as context
	k := slices.IndexFunc(at, func(i int) bool { return i >= after-1 })
	if !ok || !m.ordered || len(at) < 2 || k < 0 {
		return 0, false
	}
	last := strings.TrimSpace(b.Anchors[len(b.Anchors)-1])
	for i := at[k] + 1; k+1 < len(at) && i <= at[len(at)-1] && b.Near == 0 && m.single; i++ {
		if strings.TrimSpace(m.lines[i].text) == last {
			return 0, false
		}
	}
	return at[k], true
}

// anchored returns the place right after the last anchor, if all are found in order. Git
// cuts long ones.
func (m *matcher) anchored(anchors []string) (int, bool) {
	for _, same := range []func(text, anchor string) bool{func(t, a string) bool { return t == a },
		strings.HasPrefix} {
		i, found := m.cursor, 0
		for ; i < len(m.lines) && found < len(anchors); i++ {
			if same(strings.TrimSpace(m.lines[i].text), strings.TrimSpace(anchors[found])) {
				found++
			}
		}
		if found > 0 && found == len(anchors) {
			return i, true
		}
	}
	return 0, false
}

// byLineNumber returns the place that the line number of a block means. It must be in the
// file and clearly nearer to one place than to any other.
func (m *matcher) byLineNumber(at []int, b Block) (int, bool) {
	want := b.Near - 1 + m.shift
	if len(at) < 2 || b.Near <= 0 || want < 0 || want >= len(m.lines) {
		return 0, false
	}
	far := func(i int) int { return max(i-want, want-i) }
	best := slices.MinFunc(at, func(a, b int) int { return far(a) - far(b) })
	next := slices.MinFunc(slices.DeleteFunc(slices.Clone(at), func(i int) bool { return i == best }),
		func(a, b int) int { return far(a) - far(b) })
	return best, far(best) == 0 || far(next) > 3*far(best)+1
}

// insert places a block without a search text.
func (m *matcher) insert(b Block, add []string) error {
	i, ok := m.anchored(b.Anchors)
	switch {
	case len(add) == 0:
		return errors.New("neither searches for lines nor gives any")
	case !m.ordered:
		return errors.New("has an empty search text, which is for new files, but the file has content: " +
			"search for the lines next to the place where the new ones belong")
	case len(b.Anchors) == 0 && b.AtEnd:
		i = len(m.lines)
	case len(b.Anchors) == 0:
		return errors.New("has no context lines, so its place is not known: give lines around it")
	case !ok:
		return fmt.Errorf("names a line after @@ that is not in the file: %s", b.Anchors[len(b.Anchors)-1])
	}
	m.splice(i, 0, added(add, m.endAt(i)), b)
	return nil
}

func added(ts []string, end string) []line {
	out := make([]line, len(ts))
	for i, t := range ts {
		out[i] = line{t, end}
	}
	return out
}

// endAt returns the line end for a new line before line i.
func (m *matcher) endAt(i int) string {
	for _, j := range []int{i, i - 1} {
		if j >= 0 && j < len(m.lines) && m.lines[j].end != "" {
			return m.lines[j].end
		}
	}
	return m.end
}

// put replaces the lines from i on. Lines that both texts share stay as in the file, to the
// byte.
func (m *matcher) put(i int, search, replace []string, s sameness, b Block) error {
	indent := func(t string) (string, error) { return t, nil }
	switch s {
	case butIndent:
		indent = reindenter(search, m.lines[i:i+len(search)])
	case asPlain:
		var err error
		if replace, err = retyped(replace, m.lines[i:i+len(search)]); err != nil {
			return err
		}
		search = bare(m.lines[i : i+len(search)])
	}
	var out []line
	at, j := i, 0
	gone := i // the first dropped line that no new line has followed
	for _, op := range align(search, replace) {
		switch op {
		case keep:
			out = append(out, m.lines[at])
			at, j = at+1, j+1
			gone = at
		case drop:
			at++
		case add:
			t, err := indent(replace[j])
			if err != nil {
				return err
			}
			// A new line ends like the one that it replaces, or like a neighbor.
			out = append(out, line{t, m.endAt(min(gone, i+len(search)-1))})
			if gone < at-1 {
				gone++
			}
			j++
		}
	}
	m.splice(i, len(search), out, b)
	return nil
}

// splice replaces n lines by others and handles the end of the file.
func (m *matcher) splice(i, n int, put []line, b Block) {
	atEnd := i+n == len(m.lines)
	bare := len(m.lines) > 0 && m.lines[len(m.lines)-1].end == ""
	if atEnd && b.FinalNewline != "" {
		bare = b.FinalNewline == WithoutNewline
	}
	lines := make([]line, 0, len(m.lines)-n+len(put))
	lines = append(lines, m.lines[:i]...)
	lines = append(lines, put...)
	lines = append(lines, m.lines[i+n:]...)
	if atEnd && len(put) > 0 {
		for k := max(i-1, 0); k < len(lines); k++ {
			if lines[k].end == "" {
				lines[k].end = m.end
			}
		}
		if bare {
			lines[len(lines)-1].end = ""
		}
	}
	m.lines = lines
	m.cursor = i + len(put)
	m.shift += len(put) - n
}
