package guard

import (
	"slices"
	"strings"
)

// An edit of an old test is neutral if the tests say the same with it: comments,
// blank lines and indentation that means nothing, imports that grow, cases moved
// as a whole.

// sorter sorts the edits of one test file.
type sorter struct {
	lang     *language
	path     string
	old, new *text
	sorted
}

func sortEdits(lang *language, p string, old, new []string) sorted {
	s := sorter{lang: lang, path: p, old: readText(lang, old), new: readText(lang, new)}
	edits := lineEdits(old, new)
	moved, edits := s.moves(edits)
	s.neutral = moved
	for _, e := range edits {
		if e.from == e.to {
			s.adds = append(s.adds, e)
			continue
		}
		s.place(e)
	}
	if lang.indent && s.reindents() && !s.evenlyIndented(old) {
		s.changes = inOrder(slices.Concat(s.changes, s.neutral))
		s.neutral = nil
	}
	return s.sorted
}

// place sorts an edit with old lines in it. Beside the new form of the old lines,
// before or after it, there may be lines that are only added.
func (s *sorter) place(e lineEdit) {
	if s.isNeutral(e) {
		s.neutral = append(s.neutral, e)
		return
	}
	for _, n := range s.cuts(e) {
		head := lineEdit{e.from, e.to, e.at, e.new[:n]}
		rest := lineEdit{e.to, e.to, e.at + n, e.new[n:]}
		if s.isNeutral(head) {
			s.neutral, s.adds = append(s.neutral, head), append(s.adds, rest)
			return
		}
		n = len(e.new) - n
		rest = lineEdit{e.from, e.from, e.at, e.new[:n]}
		tail := lineEdit{e.from, e.to, e.at + n, e.new[n:]}
		if s.isNeutral(tail) {
			s.neutral, s.adds = append(s.neutral, tail), append(s.adds, rest)
			return
		}
	}
	s.placeChange(e)
}

// placeChange sets an edit of old lines apart from whole cases that were added
// below or above it.
func (s *sorter) placeChange(e lineEdit) {
	tries := 0
	for k := 1; k < len(e.new) && len(e.new) > e.to-e.from && tries < mostTries; k++ {
		if first := strings.TrimSpace(e.new[k]); k != e.to-e.from && first != "" && !closing().MatchString(first) || !s.declares(e.at+k, e.at+len(e.new)) {
			continue
		}
		tries++
		if below := (lineEdit{e.to, e.to, e.at + k, e.new[k:]}); s.addsCases(below) {
			s.changes = append(s.changes, lineEdit{e.from, e.to, e.at, e.new[:k]})
			s.adds = append(s.adds, below)
			return
		}
	}
	for k := len(e.new) - 1; k > 0 && len(e.new) > e.to-e.from && tries < 2*mostTries; k-- {
		if last := strings.TrimSpace(e.new[k-1]); last != "" && !closing().MatchString(last) || !s.declares(e.at, e.at+k) {
			continue
		}
		tries++
		if above := (lineEdit{e.from, e.from, e.at, e.new[:k]}); s.addsCases(above) {
			s.adds = append(s.adds, above)
			s.changes = append(s.changes, lineEdit{e.from, e.to, e.at + k, e.new[k:]})
			return
		}
	}
	s.changes = append(s.changes, e)
}

// mostTries is how many places are tried at which to part an edit.
const mostTries = 4

// declares tells whether the first line with words in it, past what closes others,
// stands where declarations do.
func (s *sorter) declares(from, to int) bool {
	for i := from; i < to; i++ {
		if code := s.new.code[i]; strings.TrimSpace(code) != "" && !closing().MatchString(code) {
			return declaresAt(s.new.outline.at[i])
		}
	}
	return false
}

// addsCases tells an edit that by itself adds nothing but whole declarations.
func (s *sorter) addsCases(e lineEdit) bool {
	if s.blankOnly(s.new, e.at, e.at+len(e.new)) {
		return false
	}
	r := newReading(s.lang, s.path, s.old.lines, composed(s.old.lines, []lineEdit{e}))
	o, hunks := r.judgeAll()
	if o.why != "" {
		return false
	}
	for _, h := range hunks {
		from, _ := s.trim(r.new, h.from, h.to)
		if from == h.to || !declaresAt(r.new.outline.at[from]) {
			return false
		}
	}
	return true
}

// declaresAt tells a place of declarations: no function but a group of cases.
func declaresAt(b *block) bool {
	for ; b != nil; b = b.parent {
		if b.sort() != container && !group().MatchString(b.header) {
			return false
		}
	}
	return true
}

// cuts are the numbers of lines that the new form of the old ones may have.
func (s *sorter) cuts(e lineEdit) []int {
	n := e.to - e.from
	var out []int
	for _, k := range []int{n, n + 1, n + 2, n - 1} {
		if k > 0 && k < len(e.new) {
			out = append(out, k)
		}
	}
	return out
}

func (s *sorter) isNeutral(e lineEdit) bool {
	to := e.at + len(e.new)
	before, okBefore := s.statements(s.old, e.from, e.to)
	after, okAfter := s.statements(s.new, e.at, to)
	if !okBefore || !okAfter || !slices.Equal(commandsIn(s.old, e.from, e.to), commandsIn(s.new, e.at, to)) {
		return false
	}
	if slices.Equal(before, after) {
		return true
	}
	return s.growsImports(s.old.statements(e.from, e.to), s.new.statements(e.at, to))
}

// statements gives the lines with code, without comments and indentation.
func (t *text) statements(from, to int) []string {
	var out []string
	for _, line := range t.live[from:to] {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// statements gives the code of lines without what means nothing: comments,
// indentation and breaks outside of strings, a comma behind the last element. It is
// not ok where even comments mean something.
func (s *sorter) statements(t *text, from, to int) (out []string, ok bool) {
	var line strings.Builder
	for i := from; i < to; i++ {
		if s.lang.name == "go" && inExample(t, i) {
			return nil, false
		}
		if s.lang.name == "python" && t.inDocstring(i) {
			continue
		}
		line.WriteString(compact(t, i))
		if b := t.outline.at[i+1]; b != nil && (b.mark == "(" || b.mark == "[" || b.mark == "{" && b.sort() == container) && i+1 < to || t.endsInString(i) && i+1 < to {
			continue // the statement goes on
		}
		if code := strings.TrimSuffix(line.String(), ","); code != "" {
			out = append(out, trailingComma().ReplaceAllString(code, "$1"))
		}
		line.Reset()
	}
	return out, true
}

var trailingComma = lazy(`,([)\]}])`)

// endsInString tells whether a string goes on behind line i.
func (t *text) endsInString(i int) bool {
	at := t.start[i+1]
	return at > 0 && at < len(t.source.kind) && t.source.kind[at-1] == inString
}

// compact is the code of a line with blanks only between words, and strings as they
// are.
func compact(t *text, i int) string {
	var out []byte
	line, kinds := t.lines[i], t.kinds(i)
	blank := false
	for k := range len(line) {
		c := line[k]
		switch {
		case kinds[k] == inComment:
		case kinds[k] == inCode && (c == ' ' || c == '\t' || c == '\r' || c == '\n'):
			blank = true
		default:
			if blank && len(out) > 0 && isWord(out[len(out)-1]) && isWord(c) {
				out = append(out, ' ')
			}
			out, blank = append(out, c), false
		}
	}
	return string(out)
}

var docstring = lazy(`^\s*[rRuU]?("""|''')`)

// inDocstring tells a line of a text that stands where a statement would, below the
// head of a function, and holds no example that is run.
func (t *text) inDocstring(i int) bool {
	first := i
	for first > 0 && t.start[first] < len(t.source.kind) && t.source.kind[t.start[first]-1] == inString {
		first--
	}
	if !docstring().MatchString(t.lines[first]) || t.outline.at[first] == nil || t.outline.at[first].mark != ":" {
		return false
	}
	before, _ := t.around(first, first)
	if before < 0 || !strings.HasSuffix(strings.TrimSpace(t.code[before]), ":") {
		return false
	}
	for k := first; k < len(t.lines); k++ {
		if strings.Contains(t.lines[k], ">>>") {
			return false
		}
		if !t.endsInString(k) {
			// What stands behind the text would be code.
			return k >= i && strings.TrimSpace(strings.Trim(strings.TrimSpace(t.code[k]), `"'rRuU`)) == ""
		}
	}
	return false
}

func inExample(t *text, i int) bool {
	for b := t.outline.at[i]; b != nil; b = b.parent {
		if goExample().MatchString(b.header) {
			return true
		}
	}
	return false
}

// commandsIn gives the comments that command a tool.
func commandsIn(t *text, from, to int) []string {
	var out []string
	for i := from; i < to; i++ {
		if c := t.comment(i); c != "" && commandsTool(c) {
			out = append(out, strings.TrimSpace(c))
		}
	}
	return out
}

// comment is what of line i is a comment.
func (t *text) comment(i int) string {
	line, kinds := t.lines[i], t.kinds(i)
	from := slices.Index(kinds, byte(inComment))
	if from < 0 {
		return ""
	}
	return line[from:]
}

// growsImports tells imports of which none is lost, and none that is new takes the
// place of a name that old lines use.
func (s *sorter) growsImports(before, after []string) bool {
	was, okBefore := importsOf(s.lang.name, before)
	now, okAfter := importsOf(s.lang.name, after)
	if !okBefore || !okAfter || len(was) == 0 {
		return false
	}
	for fact := range was {
		if !now[fact] {
			return false
		}
	}
	used := usesOf(s.old.code).alone
	bound := map[string]bool{}
	for fact := range was {
		bound[fact.name] = true
	}
	for fact := range now {
		if !was[fact] && (fact.name == "*" || used[fact.name] && !bound[fact.name] && s.lang.name != "go") {
			return false
		}
	}
	return true
}

// moves finds cases and helpers that were moved as a whole, among declarations of
// the same place, and gives the edits without them.
func (s *sorter) moves(edits []lineEdit) (moved, rest []lineEdit) {
	taken := map[int]bool{}
	for i := range edits {
		if taken[i] || !s.blankOnly(s.new, edits[i].at, edits[i].at+len(edits[i].new)) {
			continue
		}
		for _, e := range s.slid(edits, i) {
			from, to := s.trim(s.old, e.from, e.to)
			if from >= to || !s.movable(s.old, from, to) {
				continue
			}
			if k, parts := s.findMoved(edits, i, taken, from, to); k >= 0 {
				moved = append(moved, e, parts[1])
				rest = append(rest, parts[0], parts[2])
				taken[i], taken[k] = true, true
				break
			}
		}
	}
	for i, e := range edits {
		if !taken[i] {
			rest = append(rest, e)
		}
	}
	rest = slices.DeleteFunc(rest, func(e lineEdit) bool { return e.from == e.to && len(e.new) == 0 })
	return moved, inOrder(rest)
}

// findMoved finds the edit that adds old[from:to], and parts it into what stands
// before that, that, and what stands behind.
func (s *sorter) findMoved(edits []lineEdit, i int, taken map[int]bool, from, to int) (int, [3]lineEdit) {
	for k := range edits {
		if k == i || taken[k] || edits[k].from != edits[k].to {
			continue
		}
		for _, into := range s.slid(edits, k) {
			at := indexOf(into.new, s.old.lines[from:to])
			if at < 0 || !s.movable(s.new, into.at+at, into.at+at+to-from) || s.placeOf(s.old, from) != s.placeOf(s.new, into.at+at) {
				continue
			}
			n := at + to - from
			return k, [3]lineEdit{{into.from, into.from, into.at, into.new[:at]}, {into.from, into.from, into.at + at, into.new[at:n]}, {into.from, into.from, into.at + n, into.new[n:]}}
		}
	}
	return -1, [3]lineEdit{}
}

// slid gives the places at which an edit that only adds or only removes may be
// thought to stand.
func (s *sorter) slid(edits []lineEdit, i int) []lineEdit {
	e := edits[i]
	low, high := 0, len(s.old.lines)
	if i > 0 {
		low = edits[i-1].to
	}
	if i+1 < len(edits) {
		high = edits[i+1].from
	}
	var out []lineEdit
	switch {
	case e.from == e.to:
		for _, h := range slides(s.new.lines, hunk{e.at, e.at + len(e.new), e.from}, e.at-(e.from-low), e.at+len(e.new)+high-e.from) {
			out = append(out, lineEdit{h.at, h.at, h.from, s.new.lines[h.from:h.to]})
		}
	case len(e.new) == 0:
		for _, h := range slides(s.old.lines, hunk{e.from, e.to, e.at}, low, high) {
			out = append(out, lineEdit{h.from, h.to, h.at, nil})
		}
	default:
		out = append(out, e)
	}
	return out
}

func indexOf(lines, block []string) int {
	for i := 0; i+len(block) <= len(lines); i++ {
		if slices.Equal(lines[i:i+len(block)], block) {
			return i
		}
	}
	return -1
}

func (s *sorter) blankOnly(t *text, from, to int) bool {
	for i := from; i < to; i++ {
		if strings.TrimSpace(t.lines[i]) != "" {
			return false
		}
	}
	return true
}

func (s *sorter) trim(t *text, from, to int) (int, int) {
	for from < to && strings.TrimSpace(t.lines[from]) == "" {
		from++
	}
	for to > from && strings.TrimSpace(t.lines[to-1]) == "" {
		to--
	}
	return from, to
}

// movable tells whole declarations beside which nothing belongs to them.
func (s *sorter) movable(t *text, from, to int) bool {
	b := t.outline.at[from]
	if !s.lang.indent && t.outline.at[to] != b || to-from < 2 {
		return false
	}
	if s.lang.indent && !within(b, t.outline.at[to]) {
		return false
	}
	if !declaresAt(b) {
		return false
	}
	before, _ := t.around(from, from)
	return before < 0 || !annotation().MatchString(strings.TrimRight(t.code[before], "\r\n"))
}

// placeOf names the blocks around a line.
func (s *sorter) placeOf(t *text, i int) string {
	var out []string
	for b := t.outline.at[i]; b != nil; b = b.parent {
		out = append(out, b.header)
	}
	return strings.Join(out, "\n")
}

// reindents tells whether a neutral edit moves statements to another column.
func (s *sorter) reindents() bool {
	for _, e := range s.neutral {
		if !slices.Equal(columns(s.old, e.from, e.to), columns(s.new, e.at, e.at+len(e.new))) {
			return true
		}
	}
	return false
}

func columns(t *text, from, to int) []int {
	var out []int
	for i := from; i < to; i++ {
		if b := t.outline.at[i]; !t.blank(i) && (b == nil || b.mark == ":") && !t.inDocstring(i) {
			out = append(out, indentOf(t.code[i]))
		}
	}
	return slices.Compact(out)
}

// evenlyIndented tells whether, with the neutral edits alone, every block of an
// indented language stands as it did: an indentation may belong to a condition
// that is not applied.
func (s *sorter) evenlyIndented(old []string) bool {
	was, now := s.old, readText(s.lang, composed(old, inOrder(s.neutral)))
	return slices.Equal(shape(was), shape(now))
}

// shape is the code of a file with the depth of each line, and a mark where lines
// of one block do not stand alike.
func shape(t *text) []string {
	var out []string
	column := map[*block]int{}
	for i := range t.lines {
		if t.blank(i) || t.inDocstring(i) {
			continue
		}
		b := t.outline.at[i]
		if b != nil && b.mark != ":" || t.start[i] > 0 && t.source.kind[t.start[i]] == inString {
			continue
		}
		depth := 0
		for in := b; in != nil; in = in.parent {
			depth++
		}
		col, known := column[b]
		if !known {
			column[b] = indentOf(t.code[i])
			col = column[b]
		}
		word := strings.TrimSpace(t.code[i])
		if imported().MatchString(word) {
			continue
		}
		if col != indentOf(t.code[i]) {
			word = "\t" + word
		}
		out = append(out, strings.Repeat(" ", depth)+word)
	}
	slices.Sort(out) // what was moved stands elsewhere
	return out
}
