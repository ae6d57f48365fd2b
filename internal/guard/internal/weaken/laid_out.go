package weaken

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

// laidOutAmid parts an edit in which each old line is there still, in its order, as far from the margin
// and at most laid out otherwise, from what was added between them: a formatter aligns old rows to new
// ones. Lines that come into a block of what was added are no such: both are one change.
func (s *sorter) laidOutAmid(e diff.Edit) bool {
	if len(e.New) <= e.To-e.From {
		return false
	}
	var same, adds []diff.Edit
	at := e.At
	for i := e.From; i < e.To; i++ {
		k := slices.IndexFunc(s.new.Lines[at:e.At+len(e.New)], func(line string) bool {
			return withoutBlanks(line) == withoutBlanks(s.old.Lines[i]) && indented(line) == indented(s.old.Lines[i])
		})
		if k < 0 {
			return false
		}
		if k > 0 {
			adds = append(adds, diff.Edit{From: i, To: i, At: at, New: s.new.Lines[at : at+k]})
		}
		at += k + 1
		one := diff.Edit{From: i, To: i + 1, At: at - 1, New: s.new.Lines[at-1 : at]}
		if one.New[0] == s.old.Lines[i] {
			continue
		}
		if !s.isNeutral(one) {
			return false
		}
		same = append(same, one)
	}
	if rest := e.At + len(e.New); at < rest {
		adds = append(adds, diff.Edit{From: e.To, To: e.To, At: at, New: s.new.Lines[at:rest]})
	}
	s.neutral, s.Adds = append(s.neutral, same...), append(s.Adds, adds...)
	return true
}

// withoutBlanks is what a line says, by and large: whether blanks mean something is asked apart.
func withoutBlanks(line string) string { return strings.Join(strings.Fields(line), "") }

// indented are the blanks that a line begins with.
func indented(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " \t"))] }

// rustAsserts begins a statement of Rust that has no value.
var rustAsserts = pattern.Lazy(`^\s*(?:debug_)?assert(?:_eq|_ne)?!\(`)

// endsWithoutValue tells, in Rust, the end of an assertion of the language's own: it has no value, so
// that it means the same with a semicolon and without.
func (s *sorter) endsWithoutValue(t *source.Text, i int) bool {
	if s.lang.Name != "rust" || !strings.HasSuffix(strings.TrimSpace(t.Code[i]), ");") || t.EndsInString(i) ||
		strings.Contains(t.Source.Text, "macro_rules! assert") {
		return false
	}
	from := i
	if b := t.Outline.At[i]; b != nil && b.Mark == "(" {
		from = b.Line
	}
	head := rustAsserts().FindString(t.Code[from])
	if head == "" {
		return false
	}
	code := strings.TrimSpace(strings.Join(t.Code[from:i+1], ""))
	return source.Closes(code, strings.IndexByte(code, '(')) == len(code)-2
}
