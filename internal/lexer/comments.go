package lexer

import (
	"strings"

	"github.com/booty-cli/booty/internal/pattern"
)

// comment lexes a comment at i, and gives i where there is none.
func (l *lexer) comment(i int) int {
	rest := l.Text[i:]
	for _, tail := range l.Lang.tail {
		if strings.HasPrefix(rest, tail) && l.atLineStart(i) {
			return l.fill(i, len(l.Text), InComment)
		}
	}
	for _, b := range l.Lang.block {
		open, ownLine := strings.CutPrefix(b[0], "\n")
		if !strings.HasPrefix(rest, open) || ownLine && !l.atLineStart(i) ||
			b[0] == "\n=" && (len(rest) < 2 || !isLetter(rest[1])) ||
			open == "{-" && strings.HasPrefix(rest, "{-#") { // it commands the compiler
			continue
		}
		return l.fill(i, l.endOfBlock(i+len(open), open, b[1]), InComment)
	}
	for _, mark := range l.Lang.line {
		if strings.HasPrefix(rest, mark) && l.commentAt(i, mark) {
			return l.fill(i, l.endOfLine(i), InComment)
		}
	}
	return i
}

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
