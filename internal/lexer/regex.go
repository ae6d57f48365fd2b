package lexer

import (
	"strings"

	"github.com/booty-cli/booty/internal/pattern"
)

// afterKeyword reports whether a keyword that may stand before a literal ends at i.
func (l *lexer) afterKeyword(i int) bool {
	before := l.Text[:i]
	switch before[strings.LastIndexFunc(before, func(r rune) bool { return r > 127 || !IsWord(byte(r)) })+
		1:] {
	case "return", "typeof", "case", "in", "of", "import", "from", "default", "void", "await", "yield",
		"else":
		return true
	}
	return false
}

// regex tells a regular expression from a division by what stands before it.
func (l *lexer) regex(i int) int {
	before := strings.TrimRight(l.Text[:i], " \t")
	if before != "" {
		last := before[len(before)-1]
		if IsWord(last) || strings.IndexByte(`)]}"'`+"`", last) >= 0 {
			word := before[strings.LastIndexFunc(before, func(r rune) bool {
				return r > 127 ||
					!IsWord(byte(r))
			})+1:]
			switch word {
			case "return", "typeof", "case", "in", "of", "if", "when", "unless", "and", "or", "not",
				"split", "grep":
			default:
				if !l.handedOver(i) {
					return i
				}
			}
		}
	}
	class := false
	var holes []int
	for at := i + 1; at < len(l.Text) && l.Text[at] != '\n'; at++ {
		switch c := l.Text[at]; {
		case c == '\\':
			at++
		case c == '#' && holesInRegex[l.Lang.Name] && strings.HasPrefix(l.Text[at:], hashBrace.begin):
			holes = append(holes, at)
			at = l.holeEnd(at)
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			return l.withHoles(i+1, at, holes) + 1
		}
	}
	return i
}

// holesInRegex are languages in whose regular expressions code may stand.
var holesInRegex = map[string]bool{"ruby": true, "crystal": true}

// holeEnd is the bracket that ends the code in a regular expression, or the end of the text.
func (l *lexer) holeEnd(at int) int {
	depth := 0
	for ; at < len(l.Text) && l.Text[at] != '\n'; at++ {
		switch c := l.Text[at]; c {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return at
			}
		case '"', '\'':
			if end := strings.IndexByte(l.Text[at+1:], c); end >= 0 && !strings.Contains(l.Text[at:at+end+1], "\n") {
				at += end + 1
			}
		}
	}
	return at - 1
}

// withHoles fills a regular expression between two places, and reads the code in it.
func (l *lexer) withHoles(from, to int, holes []int) int {
	for _, at := range holes {
		l.fill(from, at, InString)
		from = l.run(at+len(hashBrace.begin), hashBrace)
	}
	return l.fill(from, to, InString)
}

// handedOver tells, in Ruby, a slash that begins what a method is given without brackets: it stands
// behind a blank and before none, and the name in front of that is no variable's.
func (l *lexer) handedOver(i int) bool {
	if l.Lang.Name != "ruby" || l.Text[i-1] != ' ' || i+1 == len(l.Text) ||
		strings.IndexByte(" \t\r\n=", l.Text[i+1]) >= 0 {
		return false
	}
	before := strings.TrimRight(l.Text[:i], " ")
	from := len(before)
	for from > 0 && IsWord(before[from-1]) {
		from--
	}
	name := before[from:]
	switch {
	case name == "" || name[0] < 'a' || name[0] > 'z' || rubyValue[name]:
		return false
	case strings.HasSuffix(before[:from], "."):
		return true
	}
	return (from == 0 || strings.IndexByte(" \t\n(;", before[from-1]) >= 0) && !l.mayBeVariable(name, from)
}

// rubyValue are words that are values, or end some.
var rubyValue = map[string]bool{"end": true, "self": true, "nil": true, "true": true, "false": true, "redo": true,
	"retry": true, "def": true, "alias": true, "undef": true, "it": true}

var (
	// isGiven is what stands behind the name of a method, bindsBefore what may behind one that is bound.
	isGiven     = pattern.Lazy(`^ (?:[/%][^=]|["':@$]|\w)`)
	bindsBefore = pattern.Lazy(`^ (?:in|if|unless|then|and|or|while|until|rescue)\b`)
)

// mayBeVariable tells a name that code above a place could bind: it stands there otherwise than as
// a method of something, or in front of what it is given.
func (l *lexer) mayBeVariable(name string, to int) bool {
	for at := 0; ; {
		n := strings.Index(l.Text[at:to], name)
		if n < 0 {
			return false
		}
		from := at + n
		at = from + len(name)
		rest := l.Text[at:]
		switch {
		case l.inWord(from) || rest != "" && IsWord(rest[0]): // a part of another
		case strings.HasSuffix(l.Text[:from], "(?<"):
			return true // a regular expression may bind what it finds
		case l.Kind[from] == InString && strings.Contains(l.Text[strings.LastIndexByte(l.Text[:from], '\n')+1:from], "#{"):
			return true // code in a text
		case l.Kind[from] != InCode, strings.HasSuffix(l.Text[:from], "."), strings.HasPrefix(rest, "("):
		case isGiven().MatchString(rest) && !bindsBefore().MatchString(rest):
		default:
			return true
		}
	}
}
