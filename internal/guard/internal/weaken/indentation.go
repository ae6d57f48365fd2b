package weaken

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/lexer"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

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
