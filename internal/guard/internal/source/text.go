// Package source reads a source file by lines, without its grammar: which blocks a
// line stands in, which names it binds and uses, where functions begin and end.
package source

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/lexer"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
)

// Text is a source file read by lines.
type Text struct {
	Lines      []string // as they are
	Code, Live []string // without comments and strings; without comments
	Start      []int    // offset of each line
	Source     lexer.Source
	Outline    outline
	bodies     map[string][]string // see functions
}

// Read reads the lines of a file.
func Read(lang *lexer.Language, lines []string) *Text {
	t := &Text{Lines: lines, Source: lexer.Lex(lang, strings.Join(lines, ""))}
	t.Code, t.Live = diff.Split(t.Source.Code()), diff.Split(t.Source.Live())
	if lang.Name == "kotlin" || lang.Name == "swift" {
		for i, code := range t.Code {
			if strings.IndexByte(code, '`') < 0 {
				continue
			}
			t.Code[i] = inTicks().ReplaceAllStringFunc(code, asOneName)
		}
	}
	off := 0
	for _, line := range lines {
		t.Start = append(t.Start, off)
		off += len(line)
	}
	t.Start = append(t.Start, off)
	t.Outline = outlineOf(lang, t.Code)
	return t
}

// Blank tells a line without code.
// Inlined, its copies would make the program larger.
//
//go:noinline
func (t *Text) Blank(i int) bool { return strings.TrimSpace(t.Live[i]) == "" }

// Kinds are the classes of the bytes of line i.
// Inlined, its copies would make the program larger.
//
//go:noinline
func (t *Text) Kinds(i int) []byte { return t.Source.Kind[t.Start[i]:t.Start[i+1]] }

// Around gives the nearest lines with code before and after line positions, -1
// where there is none.
func (t *Text) Around(from, to int) (before, after int) {
	before, after = -1, -1
	for i := from - 1; i >= 0 && before < 0; i-- {
		if !t.Blank(i) {
			before = i
		}
	}
	for i := to; i < len(t.Lines) && after < 0; i++ {
		if !t.Blank(i) {
			after = i
		}
	}
	return before, after
}

// inTicks is a name of Kotlin that may hold any words.
var inTicks = pattern.Lazy("`[^`]+`")

// asOneName makes of the words in ticks one name of the same length, so that none of
// them is taken for a name itself.
func asOneName(name string) string {
	one := []byte(name)
	for i := 1; i < len(one)-1; i++ {
		if !lexer.IsWord(one[i]) {
			one[i] = '_'
		}
	}
	return string(one)
}

// Statements gives the lines with code, without comments and indentation.
func (t *Text) Statements(from, to int) []string {
	var out []string
	for _, line := range t.Live[from:to] {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// EndsInString tells whether a string goes on behind line i.
func (t *Text) EndsInString(i int) bool {
	at := t.Start[i+1]
	return at > 0 && at < len(t.Source.Kind) && t.Source.Kind[at-1] == lexer.InString
}

var docstring = pattern.Lazy(`^\s*[rRuU]?("""|''')`)

// InDocstring tells a line of a text that stands where a statement would, below the
// head of a function, and holds no example that is run.
func (t *Text) InDocstring(i int) bool {
	first := i
	for first > 0 && t.Start[first] < len(t.Source.Kind) &&
		t.Source.Kind[t.Start[first]-1] == lexer.InString {
		first--
	}
	if !docstring().MatchString(t.Lines[first]) || !t.describes(first) {
		return false
	}
	for k := first; k < len(t.Lines); k++ {
		if strings.Contains(t.Lines[k], ">>>") {
			return false
		}
		if !t.EndsInString(k) {
			// What stands behind the text would be code.
			return k >= i && strings.TrimSpace(strings.Trim(strings.TrimSpace(t.Code[k]), `"'rRuU`)) == ""
		}
	}
	return false
}

// describes tells a place right below the head of a function or a class, or at the top of
// a file that never reads what it says of itself.
func (t *Text) describes(i int) bool {
	before, _ := t.Around(i, i)
	if at := t.Outline.At[i]; at == nil {
		return before < 0 && !strings.Contains(t.Source.Text, "__doc__")
	} else if at.Mark != ":" {
		return false
	}
	return before >= 0 && strings.HasSuffix(strings.TrimSpace(t.Code[before]), ":")
}

// Comment is what of line i is a Comment.
func (t *Text) Comment(i int) string {
	line, kinds := t.Lines[i], t.Kinds(i)
	from := slices.Index(kinds, byte(lexer.InComment))
	if from < 0 {
		return ""
	}
	return line[from:]
}
