package lexer

import "strings"

// afterKeyword tells whether a keyword that may stand before a literal ends at i.
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
				return i
			}
		}
	}
	class := false
	for at := i + 1; at < len(l.Text) && l.Text[at] != '\n'; at++ {
		switch c := l.Text[at]; {
		case c == '\\':
			at++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			return l.fill(i+1, at, InString) + 1
		}
	}
	return i
}
