package weaken

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/lexer"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

// An edit of an old test is neutral if the tests say the same with it: comments,
// blank lines and indentation that means nothing, imports that grow, cases moved
// as a whole.

// sorter sorts the edits of one test file.
type sorter struct {
	*file
	old, new *source.Text
	sorted
}

// MeansNothing tells a change after which a file still says the same.
func MeansNothing(lang *lexer.Language, p, before, after string) bool {
	s := sortEdits(&file{lang: lang, path: p}, diff.Split(before), diff.Split(after))
	return len(s.Adds)+len(s.Changes) == 0
}

func sortEdits(f *file, old, new []string) sorted {
	s := sorter{file: f, old: f.keep(old), new: f.keep(new)}
	edits := diff.Edits(old, new)
	moved, edits := s.moves(edits)
	imports, edits := s.importsAtOnce(edits)
	s.neutral = slices.Concat(moved, imports)
	for _, e := range edits {
		if e.From == e.To {
			s.Adds = append(s.Adds, e)
			continue
		}
		s.place(e)
	}
	if f.lang.Indent && s.reindents() && !s.evenlyIndented(old) {
		s.Changes = diff.InOrder(slices.Concat(s.Changes, s.neutral))
		s.neutral = nil
	}
	return s.sorted
}

// place sorts an edit with old lines in it. Beside the new form of the old lines,
// before or after it, there may be lines that are only added.
func (s *sorter) place(e diff.Edit) {
	if s.isNeutral(e) {
		s.neutral = append(s.neutral, e)
		return
	}
	for _, n := range s.cuts(e) {
		head := diff.Edit{From: e.From, To: e.To, At: e.At, New: e.New[:n]}
		rest := diff.Edit{From: e.To, To: e.To, At: e.At + n, New: e.New[n:]}
		if s.isNeutral(head) {
			s.neutral, s.Adds = append(s.neutral, head), append(s.Adds, rest)
			return
		}
		n = len(e.New) - n
		rest = diff.Edit{From: e.From, To: e.From, At: e.At, New: e.New[:n]}
		tail := diff.Edit{From: e.From, To: e.To, At: e.At + n, New: e.New[n:]}
		if s.isNeutral(tail) {
			s.neutral, s.Adds = append(s.neutral, tail), append(s.Adds, rest)
			return
		}
	}
	s.placeChange(e)
}

// placeChange sets an edit of old lines apart from whole cases that were added
// below or above it.
func (s *sorter) placeChange(e diff.Edit) {
	tries := 0
	for k := 1; k < len(e.New) && len(e.New) > e.To-e.From && tries < mostTries; k++ {
		if first := strings.TrimSpace(e.New[k]); k != e.To-e.From && first != "" &&
			!source.Closing().MatchString(first) || !s.declares(e.At+k, e.At+len(e.New)) {
			continue
		}
		tries++
		if below := (diff.Edit{From: e.To, To: e.To, At: e.At + k, New: e.New[k:]}); s.addsCases(below) {
			s.Changes = append(s.Changes, diff.Edit{From: e.From, To: e.To, At: e.At, New: e.New[:k]})
			s.Adds = append(s.Adds, below)
			return
		}
	}
	for k := len(e.New) - 1; k > 0 && len(e.New) > e.To-e.From && tries < 2*mostTries; k-- {
		if last := strings.TrimSpace(e.New[k-1]); last != "" && !source.Closing().MatchString(last) ||
			!s.declares(e.At, e.At+k) {
			continue
		}
		tries++
		if above := (diff.Edit{From: e.From, To: e.From, At: e.At, New: e.New[:k]}); s.addsCases(above) {
			s.Adds = append(s.Adds, above)
			s.Changes = append(s.Changes, diff.Edit{From: e.From, To: e.To, At: e.At + k, New: e.New[k:]})
			return
		}
	}
	s.Changes = append(s.Changes, e)
}

// mostTries is how many places are tried at which to part an edit.
const mostTries = 4

// declares tells whether the first line with words in it, past what closes others,
// stands where declarations do.
func (s *sorter) declares(from, to int) bool {
	for i := from; i < to; i++ {
		if code := s.new.Code[i]; strings.TrimSpace(code) != "" && !source.Closing().MatchString(code) {
			return declaresAt(s.new.Outline.At[i])
		}
	}
	return false
}

// addsCases tells an edit that by itself adds nothing but whole declarations.
func (s *sorter) addsCases(e diff.Edit) bool {
	if s.blankOnly(s.new, e.At, e.At+len(e.New)) {
		return false
	}
	r := newReading(s.file, s.old.Lines, diff.Apply(s.old.Lines, []diff.Edit{e}))
	o, hunks := r.judgeAll()
	if o.Why != "" {
		return false
	}
	for _, h := range hunks {
		from, _ := s.trim(r.new, h.From, h.To)
		if from == h.To || !declaresAt(r.new.Outline.At[from]) {
			return false
		}
	}
	return true
}

// declaresAt tells a place of declarations: no function but a group of cases.
func declaresAt(b *source.Block) bool {
	for ; b != nil; b = b.Parent {
		if b.Sort() != source.Container && !source.Group().MatchString(b.Header) {
			return false
		}
	}
	return true
}

// cuts are the numbers of lines that the new form of the old ones may have.
func (s *sorter) cuts(e diff.Edit) []int {
	n := e.To - e.From
	var out []int
	for _, k := range []int{n, n + 1, n + 2, n - 1} {
		if k > 0 && k < len(e.New) {
			out = append(out, k)
		}
	}
	return out
}

func (s *sorter) isNeutral(e diff.Edit) bool {
	to := e.At + len(e.New)
	before, okBefore := s.statements(s.old, e.From, e.To)
	after, okAfter := s.statements(s.new, e.At, to)
	if !okBefore || !okAfter ||
		!slices.Equal(commandsIn(s.old, e.From, e.To), commandsIn(s.new, e.At, to)) {
		return false
	}
	if slices.Equal(before, after) {
		return true
	}
	return s.growsImports(s.old.Statements(e.From, e.To), s.new.Statements(e.At, to))
}

// statements gives the code of lines without what means nothing: comments,
// indentation and breaks outside of strings, a comma behind the last element. It is
// not ok where even comments mean something.
func (s *sorter) statements(t *source.Text, from, to int) (out []string, ok bool) {
	var line strings.Builder
	for i := from; i < to; i++ {
		if s.lang.Name == "go" && inExample(t, i) {
			return nil, false
		}
		if s.lang.Name == "python" && t.InDocstring(i) {
			continue
		}
		line.WriteString(compact(t, i))
		if b := t.Outline.At[i+1]; b != nil && (b.Mark == "(" || b.Mark == "[" ||
			b.Mark == "{" && b.Sort() == source.Container) && i+1 < to || t.EndsInString(i) && i+1 < to {
			continue // the statement goes on
		}
		if code := strings.TrimSuffix(line.String(), ","); code != "" {
			out = append(out, trailingComma().ReplaceAllString(code, "$1"))
		}
		line.Reset()
	}
	return out, true
}

var trailingComma = pattern.Lazy(`,([)\]}])`)

// compact is the code of a line with blanks only between words, and strings as they
// are.
func compact(t *source.Text, i int) string {
	var out []byte
	line, kinds := t.Lines[i], t.Kinds(i)
	blank := false
	for k := range len(line) {
		c := line[k]
		switch {
		case kinds[k] == lexer.InComment:
		case kinds[k] == lexer.InCode && (c == ' ' || c == '\t' || c == '\r' || c == '\n'):
			blank = true
		default:
			if blank && len(out) > 0 && lexer.IsWord(out[len(out)-1]) && lexer.IsWord(c) {
				out = append(out, ' ')
			}
			out, blank = append(out, c), false
		}
	}
	return string(out)
}

func inExample(t *source.Text, i int) bool {
	for b := t.Outline.At[i]; b != nil; b = b.Parent {
		if goExample().MatchString(b.Header) {
			return true
		}
	}
	return false
}

// commandsIn gives the comments that command a tool.
func commandsIn(t *source.Text, from, to int) []string {
	var out []string
	for i := from; i < to; i++ {
		if c := t.Comment(i); c != "" && commandsTool(c) {
			out = append(out, strings.TrimSpace(c))
		}
	}
	return out
}

// growsImports tells imports of which none is lost, and none that is new takes the
// place of a name that old lines use.
func (s *sorter) growsImports(before, after []string) bool {
	was, okBefore := importsOf(s.lang.Name, before)
	now, okAfter := importsOf(s.lang.Name, after)
	if !okBefore || !okAfter || len(was) == 0 {
		return false
	}
	for fact := range was {
		if !now[fact] {
			return false
		}
	}
	used := source.UsesOf(s.old.Code).Alone
	for fact := range now {
		if !was[fact] && (fact.name == "*" || used[fact.name] && s.lang.Name != "go") {
			return false
		}
	}
	return true
}

// importsAtOnce takes the edits of nothing but imports of the whole file together:
// an import may be moved, and grow in another place. It gives the edits without them.
func (s *sorter) importsAtOnce(edits []diff.Edit) (neutral, rest []diff.Edit) {
	var before, after []string
	for _, e := range edits {
		was, now := s.old.Statements(e.From, e.To), s.new.Statements(e.At, e.At+len(e.New))
		if !s.importsOnly(s.old, e.From, e.To) || !s.importsOnly(s.new, e.At, e.At+len(e.New)) ||
			len(was)+len(now) == 0 {
			rest = append(rest, e)
			continue
		}
		neutral, before, after = append(neutral, e), append(before, was...), append(after, now...)
	}
	if len(neutral) < 2 || !s.growsImports(before, after) {
		return nil, edits
	}
	return neutral, rest
}

// importsOnly tells lines outside of blocks that hold imports, or nothing that runs.
func (s *sorter) importsOnly(t *source.Text, from, to int) bool {
	for i := from; i < to; i++ {
		if b := t.Outline.At[i]; b != nil && b.Sort() != source.Container ||
			len(commandsIn(t, i, i+1)) > 0 {
			return false
		}
	}
	lines := t.Statements(from, to)
	_, ok := importsOf(s.lang.Name, lines)
	return ok || len(lines) == 0
}

// moves finds cases and helpers that were moved as a whole, among declarations of
// the same place, and gives the edits without them.
func (s *sorter) moves(edits []diff.Edit) (moved, rest []diff.Edit) {
	taken := map[int]bool{}
	for i := range edits {
		if taken[i] || !s.blankOnly(s.new, edits[i].At, edits[i].At+len(edits[i].New)) {
			continue
		}
		for _, e := range s.slid(edits, i) {
			from, to := s.trim(s.old, e.From, e.To)
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
	rest = slices.DeleteFunc(rest, func(e diff.Edit) bool { return e.From == e.To && len(e.New) == 0 })
	return moved, diff.InOrder(rest)
}

// findMoved finds the edit that adds old[from:to], and parts it into what stands
// before that, that, and what stands behind.
func (s *sorter) findMoved(edits []diff.Edit, i int, taken map[int]bool, from, to int) (int,
	[3]diff.Edit) {
	for k := range edits {
		if k == i || taken[k] || edits[k].From != edits[k].To {
			continue
		}
		for _, into := range s.slid(edits, k) {
			at := indexOf(into.New, s.old.Lines[from:to])
			if at < 0 || !s.movable(s.new, into.At+at, into.At+at+to-from) ||
				s.placeOf(s.old, from) != s.placeOf(s.new, into.At+at) {
				continue
			}
			n := at + to - from
			return k, [3]diff.Edit{{From: into.From, To: into.From, At: into.At, New: into.New[:at]},
				{From: into.From, To: into.From, At: into.At + at, New: into.New[at:n]},
				{From: into.From, To: into.From, At: into.At + n, New: into.New[n:]}}
		}
	}
	return -1, [3]diff.Edit{}
}

// slid gives the places at which an edit that only adds or only removes may be
// thought to stand.
func (s *sorter) slid(edits []diff.Edit, i int) []diff.Edit {
	e := edits[i]
	low, high := 0, len(s.old.Lines)
	if i > 0 {
		low = edits[i-1].To
	}
	if i+1 < len(edits) {
		high = edits[i+1].From
	}
	var out []diff.Edit
	switch {
	case e.From == e.To:
		for _, h := range diff.Slides(s.new.Lines, diff.Hunk{From: e.At, To: e.At + len(e.New),
			At: e.From}, e.At-(e.From-low), e.At+len(e.New)+high-e.From) {
			out = append(out, diff.Edit{From: h.At, To: h.At, At: h.From, New: s.new.Lines[h.From:h.To]})
		}
	case len(e.New) == 0:
		for _, h := range diff.Slides(s.old.Lines, diff.Hunk{From: e.From, To: e.To, At: e.At}, low,
			high) {
			out = append(out, diff.Edit{From: h.From, To: h.To, At: h.At, New: nil})
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

func (s *sorter) blankOnly(t *source.Text, from, to int) bool {
	for i := from; i < to; i++ {
		if strings.TrimSpace(t.Lines[i]) != "" {
			return false
		}
	}
	return true
}

func (s *sorter) trim(t *source.Text, from, to int) (int, int) {
	for from < to && strings.TrimSpace(t.Lines[from]) == "" {
		from++
	}
	for to > from && strings.TrimSpace(t.Lines[to-1]) == "" {
		to--
	}
	return from, to
}

// movable tells whole declarations beside which nothing belongs to them.
func (s *sorter) movable(t *source.Text, from, to int) bool {
	b := t.Outline.At[from]
	if !s.lang.Indent && t.Outline.At[to] != b || to-from < 2 {
		return false
	}
	if s.lang.Indent && !source.Within(b, t.Outline.At[to]) {
		return false
	}
	if !declaresAt(b) {
		return false
	}
	before, _ := t.Around(from, from)
	return before < 0 || !annotation().MatchString(strings.TrimRight(t.Code[before], "\r\n"))
}

// placeOf names the blocks around a line.
func (s *sorter) placeOf(t *source.Text, i int) string {
	var out []string
	for b := t.Outline.At[i]; b != nil; b = b.Parent {
		out = append(out, b.Header)
	}
	return strings.Join(out, "\n")
}

// reindents tells whether a neutral edit moves statements to another column.
func (s *sorter) reindents() bool {
	for _, e := range s.neutral {
		if !slices.Equal(columns(s.old, e.From, e.To), columns(s.new, e.At, e.At+len(e.New))) {
			return true
		}
	}
	return false
}

func columns(t *source.Text, from, to int) []int {
	var out []int
	for i := from; i < to; i++ {
		if b := t.Outline.At[i]; !t.Blank(i) && (b == nil || b.Mark == ":") && !t.InDocstring(i) {
			out = append(out, source.IndentOf(t.Code[i]))
		}
	}
	return slices.Compact(out)
}

// evenlyIndented tells whether, with the neutral edits alone, every block of an
// indented language stands as it did: an indentation may belong to a condition
// that is not applied.
func (s *sorter) evenlyIndented(old []string) bool {
	was, now := s.old, source.Read(s.lang, diff.Apply(old, diff.InOrder(s.neutral)))
	return slices.Equal(shape(was), shape(now))
}

// shape is the code of a file with the depth of each line, and a mark where lines
// of one block do not stand alike.
func shape(t *source.Text) []string {
	var out []string
	column := map[*source.Block]int{}
	for i := range t.Lines {
		if t.Blank(i) || t.InDocstring(i) {
			continue
		}
		b := t.Outline.At[i]
		if b != nil && b.Mark != ":" || t.Start[i] > 0 && t.Source.Kind[t.Start[i]] == lexer.InString {
			continue
		}
		depth := 0
		for in := b; in != nil; in = in.Parent {
			depth++
		}
		col, known := column[b]
		if !known {
			column[b] = source.IndentOf(t.Code[i])
			col = column[b]
		}
		word := strings.TrimSpace(t.Code[i])
		if source.Imported().MatchString(word) {
			continue
		}
		if col != source.IndentOf(t.Code[i]) {
			word = "\t" + word
		}
		out = append(out, strings.Repeat(" ", depth)+word)
	}
	slices.Sort(out) // what was moved stands elsewhere
	return out
}
