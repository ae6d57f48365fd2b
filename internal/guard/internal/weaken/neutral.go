package weaken

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
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
	names map[*source.Text][][]string // what lines declare, as far as it was asked
}

// MeansNothing tells a change after which a file still says the same.
func MeansNothing(lang *lexer.Language, p, before, after string) bool {
	s := sortEdits(&file{lang: lang, path: p}, diff.Split(before), diff.Split(after))
	return len(s.Adds)+len(s.Changes) == 0
}

// SameStatements tells lines of documentation tests that are only laid out otherwise,
// in a language in which what they expect is code too, not what is printed.
func SameStatements(lang *lexer.Language, before, after []string) bool {
	plain := func(lines []string) string {
		t := source.Read(lang, lines)
		var b strings.Builder
		for i := range t.Lines {
			if t.Start[i] > 0 && t.Source.Kind[t.Start[i]-1] == lexer.InString {
				return "" // a text over several lines
			}
			b.WriteString(compact(t, i, 0) + " ")
		}
		text := strings.NewReplacer("( ", "(", "[ ", "[", "{ ", "{", " )", ")", " ]", "]", " }", "}", ", ", ",").
			Replace(b.String())
		return trailingComma().ReplaceAllString(text, "$1")
	}
	old := plain(before)
	return (lang.Name == "elixir" || lang.Name == "rust") && old != "" && old == plain(after)
}

func sortEdits(f *file, old, new []string) sorted {
	s := sorter{file: f, old: f.keep(old), new: f.keep(new)}
	edits := diff.Edits(old, new)
	moved, edits := s.moves(s.apart(edits))
	imports, edits := s.importsAtOnce(s.joinTexts(edits))
	s.neutral = slices.Concat(moved, imports)
	for _, e := range edits {
		if e.From == e.To {
			s.Adds = append(s.Adds, e)
			continue
		}
		s.place(e)
	}
	if !s.readsAlike(old) {
		s.Changes = diff.InOrder(slices.Concat(s.Changes, s.neutral))
		s.neutral = nil
	}
	if f.lang.Indent && s.reindents() && !s.evenlyIndented(old) {
		s.Changes = diff.InOrder(slices.Concat(s.Changes, s.neutral))
		s.neutral = nil
	}
	return s.sorted
}

// readsAlike tells whether, with the neutral edits alone, what they leave is read as it
// was: two remarks that change may make one of all between them.
func (s *sorter) readsAlike(old []string) bool {
	if len(s.neutral) == 0 {
		return true
	}
	edits := diff.InOrder(s.neutral)
	now := s.keep(diff.Apply(old, edits))
	at := 0
	for i := 0; i < len(old); i++ {
		for len(edits) > 0 && edits[0].From == i {
			at, i = at+len(edits[0].New), edits[0].To
			edits = edits[1:]
		}
		if i >= len(old) {
			break
		}
		if string(s.old.Kinds(i)) != string(now.Kinds(at)) {
			return false
		}
		at++
	}
	return true
}

// place sorts an edit with old lines in it. Beside the new form of the old lines,
// before or after it, there may be lines that are only added.
func (s *sorter) place(e diff.Edit) {
	if s.isNeutral(e) {
		s.neutral = append(s.neutral, e)
		return
	}
	if s.onlyRemarks(e) {
		s.neutral = append(s.neutral, diff.Edit{From: e.From, To: e.To, At: e.At})
		s.Adds = append(s.Adds, diff.Edit{From: e.To, To: e.To, At: e.At, New: e.New})
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
	if s.laidOutAmid(e) {
		return
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
	if above, below, ok := s.shareMarks(e); ok {
		s.Adds, s.Changes = append(s.Adds, above), append(s.Changes, below)
		return
	}
	s.Changes = append(s.Changes, e)
}

// shareMarks parts whole cases from the change of an old head below them, where what marks that as a
// case was taken for the mark of the first of them.
func (s *sorter) shareMarks(e diff.Edit) (above, below diff.Edit, ok bool) {
	tries := 0
	for marks := 1; marks <= 3 && marks <= e.From && marks <= e.At; marks++ {
		if !annotation().MatchString(strings.TrimRight(s.old.Code[e.From-marks], "\r\n")) {
			break
		}
		for k := len(e.New) - 1; k >= marks && tries < mostTries; k-- {
			at := e.At + k - marks // the marks of the old case, in the new file
			if !slices.Equal(s.new.Lines[at:e.At+k], s.old.Lines[e.From-marks:e.From]) || !s.declares(e.At-marks, at) {
				continue
			}
			tries++
			above = diff.Edit{From: e.From - marks, To: e.From - marks, At: e.At - marks, New: s.new.Lines[e.At-marks : at]}
			if s.addsCases(above) {
				return above, diff.Edit{From: e.From, To: e.To, At: e.At + k, New: e.New[k:]}, true
			}
		}
	}
	return above, below, false
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

// onlyRemarks tells an edit whose old lines say nothing to anybody but people: what
// stands in their place was added.
func (s *sorter) onlyRemarks(e diff.Edit) bool {
	for i := e.From; i < e.To; i++ {
		if !s.old.Blank(i) || s.lang.Name == "go" && inExample(s.old, i) ||
			slices.Contains(s.old.Kinds(i), lexer.InString) {
			return false
		}
	}
	return len(e.New) > 0 && len(commandsIn(s.old, e.From, e.To)) == 0
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
	if slices.Equal(before, after) || s.plansMore(e) ||
		forCompilerAlone(s.old, e.From, e.To) && (len(after) == 0 || forCompilerAlone(s.new, e.At, to)) ||
		derivesMore(before, after) {
		return true
	}
	return s.growsImports(s.old.Statements(e.From, e.To), s.new.Statements(e.At, to), true)
}

// goRemark is a remark on a line of its own. One blank begins it or none; without it, a word
// and a colon would be an order to a tool.
var goRemark = pattern.Lazy(`^//(?: (.*)|([^\s\w].*|[A-Z].*|\w+(?:[^\w:].*)?|))$`)

// amidRemarks tells a remark, and a blank line that parts two.
func amidRemarks(t *source.Text, i int) bool {
	if t.Comment(i) != "" || strings.TrimSpace(t.Lines[i]) != "" {
		return t.Comment(i) != ""
	}
	above, below := i, i
	for above > 0 && strings.TrimSpace(t.Lines[above]) == "" {
		above--
	}
	for below < len(t.Lines)-1 && strings.TrimSpace(t.Lines[below]) == "" {
		below++
	}
	return t.Comment(above) != "" && t.Comment(below) != ""
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
		if c := t.Comment(i); c != "" && commandsTool(c) && !(strings.Contains(c, "+build") && constrains(t)) {
			out = append(out, strings.TrimSpace(c))
		}
	}
	return out
}

// constrains tells a file of Go whose constraint stands in the newer form: then the older
// one, "+build", says nothing.
func constrains(t *source.Text) bool {
	return slices.ContainsFunc(t.Lines, func(line string) bool { return strings.HasPrefix(line, "//go:build ") })
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
