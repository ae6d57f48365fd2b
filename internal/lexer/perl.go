package lexer

import (
	"strings"

	"github.com/booty-cli/booty/internal/pattern"
)

var perlQuoteWord = pattern.Lazy(`^(q|qq|qw|qr|qx|m|s|tr|y)([ \t]*)([^\w\s,;=)])`)

// perlQuote lexes q{...}, qr/.../, s/.../.../ and their kin, whose marks are free.
func (l *lexer) perlQuote(i int) int {
	if l.inWord(i) {
		return i
	}
	m := perlQuoteWord().FindStringSubmatch(l.Text[i:min(len(l.Text), i+40)])
	if m == nil || m[3] == "#" && m[2] != "" ||
		m[3] == "-" && strings.HasPrefix(l.Text[i+len(m[0]):], ">") ||
		i > 0 && strings.IndexByte("$@%&>{", l.Text[i-1]) >= 0 {
		return i
	}
	if m[3] == "=" || strings.HasPrefix(l.Text[i+len(m[1])+len(m[2]):], "=>") {
		return i
	}
	at := l.perlPart(i, i+len(m[0])-1)
	switch m[1] {
	case "s", "tr", "y":
	default:
		return at
	}
	if _, paired := brackets[m[3][0]]; !paired {
		return l.perlPart(at, at-1) // the mark between the parts stands once
	}
	for at < len(l.Text) && (l.Text[at] == ' ' || l.Text[at] == '\t') {
		at++
	}
	if at < len(l.Text) && brackets[l.Text[at]] != 0 {
		return l.perlPart(at, at)
	}
	return at
}

var brackets = map[byte]byte{'(': ')', '[': ']', '{': '}', '<': '>'}

// perlPart marks what stands between the mark at open and its partner, which nest.
func (l *lexer) perlPart(from, open int) int {
	mark := l.Text[open]
	end, paired := brackets[mark]
	if !paired {
		end = mark
	}
	l.fill(from, open+1, InCode)
	for at, depth := open+1, 1; at < len(l.Text); at++ {
		switch c := l.Text[at]; {
		case c == '\\':
			at++
		case c == end:
			if depth--; depth == 0 {
				return l.fill(open+1, at, InString) + 1
			}
		case paired && c == mark:
			depth++
		}
	}
	return l.fill(open+1, len(l.Text), InString)
}

// prototype is how the head of a function begins that says by signs alone what it is given.
var prototype = pattern.Lazy(`\bsub\s*\w*\s*\([\\$@%&*;+_]*$`)

// perlVariable passes over variables whose names are brackets or marks, as $].
func (l *lexer) perlVariable(i int) int {
	if i+1 < len(l.Text) && strings.IndexByte(`][()"';/`, l.Text[i+1]) >= 0 &&
		!prototype().MatchString(l.Text[max(0, i-80):i]) {
		return l.fill(i+1, i+2, InString)
	}
	return i
}
