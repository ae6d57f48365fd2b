// Package lexer tells comments and strings apart from code, in many languages, by
// their marks alone.
package lexer

import (
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/pattern"
)

// The classes of bytes in a source file.
const (
	InCode = iota
	InComment
	InString
)

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
	l := lexer{Source: s}
	l.run(0, "")
	if lang.Conditions {
		l.maskNever()
	}
	return l.Source
}

// Code is the text with comments and the insides of strings blanked.
func (s Source) Code() string { return s.mask(InComment, InString) }

// Live is the text with comments blanked.
func (s Source) Live() string { return s.mask(InComment, InComment) }

func (s Source) mask(a, b byte) string {
	out := []byte(s.Text)
	for i, k := range s.Kind {
		if (k == a || k == b) && out[i] != '\n' && k != InCode {
			out[i] = ' '
		}
	}
	return string(out)
}

type lexer struct {
	Source
	pending []heredoc
}

type heredoc struct {
	end    string
	indent bool
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

// run lexes from i until the closing text, which ends a hole in a string, or the
// end of the file. It gives the position after it.
func (l *lexer) run(i int, closing string) int {
	depth := 0
	for i < len(l.Text) {
		if closing != "" {
			switch l.Text[i] {
			case '{':
				depth++
			case '}':
				if depth == 0 {
					return i + 1
				}
				depth--
			}
		}
		if l.Text[i] == '\n' && len(l.pending) > 0 {
			i = l.skipHeredocs(i + 1)
			continue
		}
		i = l.token(i)
	}
	return i
}

func (l *lexer) token(i int) int {
	rest := l.Text[i:]
	for _, tail := range l.Lang.tail {
		if strings.HasPrefix(rest, tail) && l.atLineStart(i) {
			l.fill(i, len(l.Text), InComment)
			return len(l.Text)
		}
	}
	for _, b := range l.Lang.block {
		open := b[0]
		if strings.HasPrefix(open, "\n") { // only at the beginning of a line
			if !l.atLineStart(i) || !strings.HasPrefix(rest, open[1:]) ||
				open == "\n=" && (len(rest) < 2 || !isLetter(rest[1])) {
				continue
			}
			open = open[1:]
		} else if !strings.HasPrefix(rest, open) {
			continue
		}
		return l.fill(i, l.endOfBlock(i+len(open), open, b[1]), InComment)
	}
	for _, c := range l.Lang.line {
		if strings.HasPrefix(rest, c) && l.commentAt(i, c) {
			return l.fill(i, l.endOfLine(i), InComment)
		}
	}
	if end := l.special(i); end > i {
		return end
	}
	for _, q := range l.Lang.quotes {
		if strings.HasPrefix(rest, q.open) {
			return l.str(i, q)
		}
	}
	return i + 1
}

func (l *lexer) atLineStart(i int) bool { return i == 0 || l.Text[i-1] == '\n' }

func (l *lexer) commentAt(i int, mark string) bool {
	if mark != "#" || i == 0 {
		return true
	}
	prev := l.Text[i-1]
	switch {
	case l.Lang.wordHash:
		return strings.IndexByte(" \t\n;&|()", prev) >= 0
	case l.Lang.Name == "php":
		return !strings.HasPrefix(l.Text[i:], "#[")
	case l.Lang.Ends: // ?# and #{ are no comments
		return prev != '?' && prev != '\\'
	}
	return true
}

// endOfLine is the end of a line comment, past joined lines where the language
// joins them even in comments.
func (l *lexer) endOfLine(i int) int {
	for {
		n := strings.IndexByte(l.Text[i:], '\n')
		if n < 0 {
			return len(l.Text)
		}
		line := strings.TrimRight(l.Text[i:i+n], "\r")
		if !l.Lang.splice || !strings.HasSuffix(line, `\`) && !strings.HasSuffix(line, "??/") {
			if l.Lang.Name == "php" {
				if tag := strings.Index(line, "?>"); tag >= 0 {
					return i + tag
				}
			}
			return i + n
		}
		i += n + 1
	}
}

func (l *lexer) endOfBlock(i int, open, end string) int {
	for depth := 1; i < len(l.Text); {
		rest := l.Text[i:]
		switch {
		case strings.HasPrefix(rest, end):
			i += len(end)
			if depth--; depth == 0 {
				if strings.HasPrefix(end, "\n") {
					return l.endOfLine(i)
				}
				return i
			}
		case l.Lang.nested && strings.HasPrefix(rest, open):
			depth++
			i += len(open)
		default:
			i++
		}
	}
	return i
}

// str lexes a string literal. One that may not span lines ends with its line: an
// apostrophe in the text of a JSX element must not swallow the file.
func (l *lexer) str(i int, q quote) int {
	at := l.fill(i, i+len(q.open), InCode)
	for at < len(l.Text) {
		rest := l.Text[at:]
		switch {
		case strings.HasPrefix(rest, q.close):
			return at + len(q.close)
		case q.escape && rest[0] == '\\':
			at = l.fill(at, at+2, InString)
		case rest[0] == '\n' && !q.lines:
			return at
		case q.holes && strings.HasPrefix(rest, "${"):
			at = l.run(at+2, "}")
		default:
			at = l.fill(at, at+1, InString)
		}
	}
	return at
}

// special handles the literals that only some languages have; it gives i where
// there is none.
func (l *lexer) special(i int) int {
	t := l.Lang.traits
	c := l.Text[i]
	switch {
	case t.lifetimes && c == '\'':
		return l.rustChar(i)
	case t.rawHash && (c == 'r' || c == 'b' || c == '#') && !l.inWord(i):
		return l.rawHash(i)
	case t.rawParen && c == 'R' && strings.HasPrefix(l.Text[i:], `R"`):
		return l.rawParen(i)
	case t.rawParen && c == '\'' && i > 0 && isDigit(l.Text[i-1]):
		return i + 1 // 1'000
	case t.heredocs != "" && strings.HasPrefix(l.Text[i:], "<<"):
		return l.heredoc(i)
	case l.Lang.Name == "perl" && isLetter(c) && !l.inWord(i):
		return l.perlQuote(i)
	case t.percent && c == '%':
		return l.percent(i)
	case l.Lang.Name == "js" && c == '\'' && i > 0 && isLetter(l.Text[i-1]) && i+1 < len(l.Text) &&
		isLetter(l.Text[i+1]) && !l.afterKeyword(i):
		return i + 1 // an apostrophe in the text of an element
	case t.regexes && c == '/':
		return l.regex(i)
	case t.heredocs == "shell" && (c == '\\' || c == '$' && strings.HasPrefix(l.Text[i:], "$#")):
		return min(i+2, len(l.Text))
	case l.Lang.Name == "elixir" && c == '~':
		return l.sigil(i)
	case (t.percent || l.Lang.Name == "elixir") && c == '?' && i+1 < len(l.Text) && !l.inWord(i) &&
		strings.IndexByte(`"'#`+"`", l.Text[i+1]) >= 0:
		return i + 2
	}
	return i
}

func (l *lexer) inWord(i int) bool { return i > 0 && IsWord(l.Text[i-1]) }

func (l *lexer) rustChar(i int) int {
	rest := l.Text[i+1:]
	if strings.HasPrefix(rest, `\`) {
		if n := strings.IndexByte(rest[min(2, len(rest)):], '\''); n >= 0 && n < 12 {
			return l.fill(i+1, i+3+n, InString) + 1
		}
	}
	for n := 1; n <= 4 && n < len(rest); n++ {
		if rest[n] == '\'' && rest[0] != '\'' {
			if n > 1 && rest[0] < 0x80 {
				break
			}
			return l.fill(i+1, i+1+n, InString) + 1
		}
	}
	return i + 1 // a lifetime
}

func (l *lexer) rawHash(i int) int {
	at := i
	for at < len(l.Text) && (l.Text[at] == 'r' || l.Text[at] == 'b') && at-i < 2 {
		at++
	}
	if l.Lang.Name == "rust" && (at == i || l.Text[at-1] != 'r') {
		return i
	}
	n := 0
	for at+n < len(l.Text) && l.Text[at+n] == '#' {
		n++
	}
	if at+n >= len(l.Text) || l.Text[at+n] != '"' || n == 0 && l.Lang.Name != "rust" {
		return i
	}
	q := quote{open: l.Text[i : at+n+1], close: `"` + strings.Repeat("#", n), lines: true}
	return l.str(i, q)
}

func (l *lexer) rawParen(i int) int {
	n := strings.IndexByte(l.Text[i:], '(')
	if n < 0 || n > 18 {
		return i
	}
	return l.str(i, quote{open: l.Text[i : i+n+1], close: ")" + l.Text[i+2:i+n] + `"`, lines: true})
}

var HeredocStart = pattern.Lazy("<<(<?)([-~]?)[ \t]*" +
	"(?:([A-Za-z_]\\w*)|\"([^\"\n]+)\"|'([^'\n]+)'|\\\\(\\w+))")

func (l *lexer) heredoc(i int) int {
	m := HeredocStart().FindStringSubmatch(l.Text[i:min(len(l.Text), i+200)])
	if m == nil || !strings.HasPrefix(l.Text[i:], m[0]) || (m[1] == "<") != (l.Lang.heredocs == "php") {
		if strings.HasPrefix(l.Text[i:], "<<<") {
			return i + 3
		}
		return i + 2
	}
	if l.Lang.heredocs == "ruby" && strings.ContainsAny(m[0][:3], " \t") {
		return i + 2 // list << "text"
	}
	// In Ruby a << b is a shift or an append; a here document is upper-case or quoted.
	if l.Lang.heredocs == "ruby" && m[3] != "" && (m[3] != strings.ToUpper(m[3]) ||
		m[2] == "" && i > 0 && l.Text[i-1] != ' ' && l.Text[i-1] != '(') {
		return i + 2
	}
	end := m[3] + m[4] + m[5] + m[6]
	l.pending = append(l.pending, heredoc{end, m[2] != "" || l.Lang.heredocs == "php"})
	return i + len(m[0])
}

// skipHeredocs marks the bodies of the here documents announced in a line.
func (l *lexer) skipHeredocs(i int) int {
	for _, h := range l.pending {
		for i < len(l.Text) {
			n := strings.IndexByte(l.Text[i:], '\n')
			next := i + n + 1
			if n < 0 {
				next = len(l.Text)
			}
			line := strings.TrimRight(l.Text[i:next], "\r\n")
			if h.indent {
				line = strings.TrimLeft(line, " \t")
			}
			if line == h.end || l.Lang.heredocs == "php" && strings.HasPrefix(line, h.end) &&
				(len(line) == len(h.end) || !IsWord(line[len(h.end)])) {
				i = next
				break
			}
			i = l.fill(i, next, InString)
		}
	}
	l.pending = nil
	return i
}

var pairs = map[byte]string{'(': ")", '[': "]", '{': "}", '<': ">", '|': "|", '!': "!", '/': "/",
	'"': `"`, '\'': `'`}

func (l *lexer) percent(i int) int {
	at := i + 1
	if at < len(l.Text) && strings.IndexByte("qQwWiIrsx", l.Text[at]) >= 0 {
		at++
	}
	if at >= len(l.Text) || l.inWord(i) || at == i+1 {
		return i
	}
	end, ok := pairs[l.Text[at]]
	if !ok {
		return i
	}
	return l.str(i, quote{open: l.Text[i : at+1], close: end, escape: true, lines: true})
}

var perlQuoteWord = pattern.Lazy(`^(q|qq|qw|qr|qx|m|s|tr|y)([ \t]*)([^\w\s,;=)])`)

// perlQuote lexes q{...}, qr/.../, s/.../.../ and their kin, whose marks are free.
func (l *lexer) perlQuote(i int) int {
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

func (l *lexer) sigil(i int) int {
	at := i + 1
	for at < len(l.Text) && isLetter(l.Text[at]) && at < i+4 {
		at++
	}
	if at == i+1 || at >= len(l.Text) {
		return i
	}
	for _, t := range []string{`"""`, `'''`} {
		if strings.HasPrefix(l.Text[at:], t) {
			return l.str(i, quote{open: l.Text[i:at] + t, close: t, lines: true})
		}
	}
	end, ok := pairs[l.Text[at]]
	if !ok {
		return i
	}
	return l.str(i, quote{open: l.Text[i : at+1], close: end, escape: true, lines: true})
}

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

var neverBlock = pattern.Lazy(`^\s*#\s*if\s+\(?\s*(?:0|false|FALSE)\s*\)?\s*$`)

// maskNever makes comments of what stands in #if 0.
func (l *lexer) maskNever() {
	depth, start := 0, 0
	code := l.Code()
	for from := 0; from < len(code); {
		to := len(code)
		if n := strings.IndexByte(code[from:], '\n'); n >= 0 {
			to = from + n + 1
		}
		line := strings.TrimSpace(code[from:to])
		word := Directive(line)
		switch {
		case depth == 0 && neverBlock().MatchString(strings.TrimRight(line, "\r\n")):
			depth, start = 1, to
		case depth > 0 && strings.HasPrefix(word, "if"):
			depth++
		case depth == 1 && (word == "else" || word == "elif" || word == "endif"):
			l.fill(start, from, InComment)
			depth = 0
		case depth > 0 && word == "endif":
			depth--
		}
		from = to
	}
	if depth > 0 {
		l.fill(start, len(l.Text), InComment)
	}
}

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

func IsWord(c byte) bool { return isLetter(c) || isDigit(c) || c == '_' || c >= 0x80 }
