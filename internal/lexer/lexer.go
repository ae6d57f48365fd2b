// Package lexer tells comments and strings apart from code, in many languages, by
// their marks alone.
package lexer

import (
	"strings"
)

// The classes of bytes in a source file.
const (
	InCode = iota
	InComment
	InString
)

// byteOrder is the mark of UTF-8 with which some editors begin a file. It says nothing.
const byteOrder = "\ufeff"

// Source is a file with its comments and strings told apart from code.
type Source struct {
	Lang *Language
	Text string
	Kind []byte
}

// Lex reads a file lightly. It knows no grammar, so it can be wrong about exotic
// code; it is used to compare two readings of nearly the same text, in which the
// same mistake stands twice, and to look for words in code alone.
func Lex(lang *Language, text string) Source {
	s := Source{Lang: lang, Text: text, Kind: make([]byte, len(text))}
	if lang == nil {
		return s
	}
	l := lexer{Source: s, starts: lang.starts()}
	begin := 0
	if strings.HasPrefix(text, byteOrder) {
		begin = l.fill(0, len(byteOrder), InComment)
	}
	l.run(begin, nil)
	if lang.Conditions {
		l.maskNever()
	}
	return l.Source
}

// Code is the text with comments and the insides of strings blanked.
func (s Source) Code() string { return s.mask(InComment, InString) }

// Live is the text with comments blanked.
func (s Source) Live() string { return s.mask(InComment, InComment) }

// Said is the text with code blanked: comments and the insides of strings.
func (s Source) Said() string { return s.mask(InCode, InCode) }

func (s Source) mask(a, b byte) string {
	var out []byte
	for i, k := range s.Kind {
		if k != a && k != b || s.Text[i] == '\n' {
			continue
		}
		if out == nil {
			out = []byte(s.Text)
		}
		out[i] = ' '
	}
	if out == nil {
		return s.Text
	}
	return string(out)
}

type lexer struct {
	Source
	starts  *[256]bool // which bytes may begin a comment or a literal
	pending []heredoc
}

func (l *lexer) fill(from, to int, kind byte) int {
	if to > len(l.Text) {
		to = len(l.Text)
	}
	for i := from; i < to; i++ {
		l.Kind[i] = kind
	}
	return to
}

// run lexes from i until the end of a hole in a string, or the end of the file. It
// gives the position after it.
func (l *lexer) run(i int, in *hole) int {
	depth := 0
	for i < len(l.Text) {
		c := l.Text[i]
		switch {
		case in != nil && c == in.open:
			depth++
		case in != nil && c == in.close:
			if depth == 0 {
				return i + 1
			}
			depth--
		case c == '\n' && len(l.pending) > 0:
			i = l.skipHeredocs(i + 1)
			continue
		}
		if l.starts[c] {
			i = l.token(i)
		} else {
			i++
		}
	}
	return i
}

// token lexes the comment or literal at i, if there is one.
func (l *lexer) token(i int) int {
	if end := l.comment(i); end > i {
		return end
	}
	for _, read := range l.Lang.literals {
		if strings.IndexByte(read.first, l.Text[i]) < 0 {
			continue
		}
		if end := read.at(l, i); end > i {
			return end
		}
	}
	for _, q := range l.Lang.quotes {
		if strings.HasPrefix(l.Text[i:], q.open) {
			return l.str(i, q)
		}
	}
	return i + 1
}

func (l *lexer) atLineStart(i int) bool { return i == 0 || l.Text[i-1] == '\n' }

func (l *lexer) inWord(i int) bool { return i > 0 && IsWord(l.Text[i-1]) }

// Directive is the word of a preprocessor line, else empty.
func Directive(line string) string {
	rest, ok := strings.CutPrefix(strings.TrimSpace(line), "#")
	if !ok {
		return ""
	}
	rest = strings.TrimLeft(rest, " \t")
	for i := range len(rest) {
		if !isLetter(rest[i]) {
			return rest[:i]
		}
	}
	return rest
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// IsWord tells a byte of a word.
func IsWord(c byte) bool { return isLetter(c) || isDigit(c) || c == '_' || c >= 0x80 }
