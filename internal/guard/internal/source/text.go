// Package source reads a source file by lines, without its grammar: which blocks a
// line stands in, which names it binds and uses, where functions begin and end.
package source

import (
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/lexer"
	"github.com/booty-cli/booty/internal/pattern"
)

// Text is a source file read by lines.
type Text struct {
	Lines      []string // as they are
	Code, Live []string // without comments and strings; without comments
	Start      []int    // offset of each line
	Source     lexer.Source
	Outline    outline
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
