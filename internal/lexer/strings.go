package lexer

import (
	"regexp"
	"strings"

	"github.com/booty-cli/booty/internal/pattern"
)

// quote is a kind of string literal.
type quote struct {
	open, close string
	escape      bool  // a backslash hides the next character
	lines       bool  // may span lines
	doubled     bool  // a sign that ends it stands in it twice
	hole        *hole // what inside is code
}

// hole is how code begins in a string, and the brackets that end it.
type hole struct {
	begin       string
	open, close byte
}

// str lexes a string literal. One that may not span lines ends with its line: an
// apostrophe in the text of a JSX element must not swallow the file.
func (l *lexer) str(i int, q quote) int {
	at := l.fill(i, i+len(q.open), InCode)
	for at < len(l.Text) {
		rest := l.Text[at:]
		switch {
		case q.doubled && strings.HasPrefix(rest, q.close+q.close):
			at = l.fill(at, at+2*len(q.close), InString)
		case strings.HasPrefix(rest, q.close):
			return at + len(q.close)
		case q.hole != nil && strings.HasPrefix(rest, q.hole.begin):
			at = l.run(at+len(q.hole.begin), q.hole)
		case q.escape && rest[0] == '\\':
			at = l.fill(at, at+2, InString)
		case rest[0] == '\n' && !q.lines:
			return at
		default:
			at = l.fill(at, at+1, InString)
		}
	}
	return at
}

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
	if l.inWord(i) {
		return i
	}
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
	if !strings.HasPrefix(l.Text[i:], `R"`) {
		return i
	}
	n := strings.IndexByte(l.Text[i:], '(')
	if n < 0 || n > 18 {
		return i
	}
	return l.str(i, quote{open: l.Text[i : i+n+1], close: ")" + l.Text[i+2:i+n] + `"`, lines: true})
}

// longBracket is a string of Lua between [==[ and ]==].
func (l *lexer) longBracket(i int) int {
	at := i + 1
	for at < len(l.Text) && l.Text[at] == '=' {
		at++
	}
	if at == i+1 || at >= len(l.Text) || l.Text[at] != '[' {
		return i
	}
	return l.str(i, quote{open: l.Text[i : at+1], close: "]" + l.Text[i+1:at] + "]", lines: true})
}

// rawLetter is a string behind an r, in which no character hides another.
func (l *lexer) rawLetter(i int) int {
	if l.inWord(i) {
		return i
	}
	for _, mark := range []string{`"""`, `'''`, `"`, `'`} {
		if strings.HasPrefix(l.Text[i+1:], mark) {
			return l.str(i, quote{open: "r" + mark, close: mark, lines: len(mark) > 1})
		}
	}
	return i
}

var pairs = map[byte]string{'(': ")", '[': "]", '{': "}", '<': ">", '|': "|", '!': "!", '/': "/",
	'"': `"`, '\'': `'`}

// percent lexes %q(...) and its kin.
func (l *lexer) percent(i int) int {
	at := i + 1
	if at < len(l.Text) && strings.IndexByte("qQwWiIrsx", l.Text[at]) >= 0 {
		at++
	}
	if at >= len(l.Text) || l.inWord(i) || at == i+1 && !l.wantsValue(i) && !l.isArgument(i) {
		return i
	}
	end, ok := pairs[l.Text[at]]
	if !ok || at == i+1 && brackets[l.Text[at]] == 0 {
		return i
	}
	if l.Text[at] != end[0] {
		return l.bracketed(i, at+1, l.Text[at], end[0])
	}
	return l.str(i, quote{open: l.Text[i : at+1], close: end, escape: true, lines: true})
}

// bracketed lexes a string between brackets, in which others of their kind may stand. One
// whose brackets do not match ends with the first that closes.
func (l *lexer) bracketed(i, at int, open, end byte) int {
	depth := 1
	for k := at; k < len(l.Text); k++ {
		switch l.Text[k] {
		case '\\':
			k++
		case open:
			depth++
		case end:
			if depth--; depth == 0 {
				l.fill(i, at, InCode)
				l.fill(at, k, InString)
				return l.fill(k, k+1, InCode)
			}
		}
	}
	return l.str(i, quote{open: l.Text[i:at], close: string(end), escape: true, lines: true})
}

// isArgument tells a place behind the name of a method, of something or at the beginning of a
// line, and a blank, where what touches the sign behind it makes a text of it, and no remainder.
func (l *lexer) isArgument(i int) bool {
	if i == 0 || l.Text[i-1] != ' ' || l.Lang.Name != "ruby" {
		return false
	}
	if calledOn().MatchString(l.Text[max(0, i-80):i]) {
		return true
	}
	m := callsAlone().FindStringSubmatch(l.Text[max(0, i-80):i])
	return m != nil && !regexp.MustCompile(`\b`+m[1]+`\s*([-+*/%|&^]*=[^=~>]|[,)|])`).MatchString(l.Text[:i])
}

var (
	calledOn   = pattern.Lazy(`[\w)\]}]&?\.[a-z_]\w* +$`)
	callsAlone = pattern.Lazy(`\n[ \t]*([a-z_]\w*)[?!]? +$`)
)

// tickName passes over the name of a method that is a grave accent, which begins no command.
func (l *lexer) tickName(i int) int {
	before := l.Text[max(0, i-3):i]
	if strings.HasSuffix(before, "(:") || strings.HasSuffix(before, ", :") ||
		strings.HasSuffix(before, "[:") {
		return i + 1
	}
	return i
}

// nameInTicks passes over a name between grave accents, in which quotation marks may stand.
func (l *lexer) nameInTicks(i int) int {
	line, _, _ := strings.Cut(l.Text[i+1:], "\n")
	if n := strings.IndexByte(line, '`'); n >= 0 {
		return i + n + 2
	}
	return i
}

// wantsValue tells a place where an operator could not stand.
func (l *lexer) wantsValue(i int) bool {
	before := strings.TrimRight(l.Text[:i], " \t")
	return before == "" || strings.IndexByte("\n=(,[{|&!?:;<>+-*", before[len(before)-1]) >= 0
}

func (l *lexer) sigil(i int) int {
	at := i + 1
	for at < len(l.Text) && isLetter(l.Text[at]) && at < i+4 {
		at++
	}
	if at == i+1 || at >= len(l.Text) {
		return i
	}
	var code *hole // one by a capital letter has none
	if l.Text[i+1] >= 'a' {
		code = hashBrace
	}
	for _, t := range []string{`"""`, `'''`} {
		if strings.HasPrefix(l.Text[at:], t) {
			return l.str(i, quote{open: l.Text[i:at] + t, close: t, lines: true, hole: code})
		}
	}
	end, ok := pairs[l.Text[at]]
	if !ok {
		return i
	}
	return l.str(i, quote{open: l.Text[i : at+1], close: end, escape: true, lines: true, hole: code})
}

// number passes over one of C, in which an apostrophe parts digits, of whatever base: 0xFF'00.
// A digit in a word begins none: what stands behind u8 is a character.
func (l *lexer) number(i int) int {
	if l.inWord(i) {
		return i
	}
	at := i + 1
	for at < len(l.Text) && (IsWord(l.Text[at]) ||
		l.Text[at] == '\'' && at+1 < len(l.Text) && IsWord(l.Text[at+1])) {
		at++
	}
	return at
}

// apostrophe is one in the text of an element.
func (l *lexer) apostrophe(i int) int {
	if i > 0 && isLetter(l.Text[i-1]) && i+1 < len(l.Text) && isLetter(l.Text[i+1]) &&
		!l.afterKeyword(i) {
		return i + 1
	}
	return i
}

// questionMark is a character literal such as ?".
func (l *lexer) questionMark(i int) int {
	if l.Lang.Name == "elixir" && i+2 < len(l.Text) && !l.inWord(i) {
		if l.Text[i+1] == '\\' {
			return i + 3
		}
		if strings.IndexByte(`()[]{}<>`, l.Text[i+1]) >= 0 {
			return l.fill(i+1, i+2, InString)
		}
	}
	if i+1 < len(l.Text) && !l.inWord(i) && strings.IndexByte(`"'#`+"`", l.Text[i+1]) >= 0 {
		return i + 2
	}
	return i
}

// shellEscape passes over a hidden character, and over $#.
func (l *lexer) shellEscape(i int) int {
	if l.Text[i] == '\\' || strings.HasPrefix(l.Text[i:], "$#") {
		return min(i+2, len(l.Text))
	}
	return i
}

// bracedQuote is a quotation mark alone in a word in braces, as in {"open}.
func (l *lexer) bracedQuote(i int) int {
	line, _, _ := strings.Cut(l.Text[i+1:], "\n")
	if i > 0 && l.Text[i-1] == '{' && !strings.Contains(line, `"`) {
		return i + 1
	}
	return i
}

// tclEscape passes over a hidden character, which is no bracket.
func (l *lexer) tclEscape(i int) int { return l.fill(i+1, i+2, InString) }

// hiddenNext passes over a mark, and over the character behind it, which begins nothing.
func (l *lexer) hiddenNext(i int) int {
	if i+1 < len(l.Text) && l.Text[i+1] == '\n' {
		return i + 1
	}
	return l.fill(i+1, i+2, InString)
}

// nameInDoubleTicks passes over a name of any words.
func (l *lexer) nameInDoubleTicks(i int) int {
	line, _, _ := strings.Cut(l.Text[i:], "\n")
	if name, is := strings.CutPrefix(line, "``"); is {
		if n := strings.Index(name, "``"); n >= 0 {
			return i + n + 4
		}
	}
	return i
}
