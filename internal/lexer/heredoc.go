package lexer

import (
	"strings"

	"github.com/booty-cli/booty/internal/pattern"
)

type heredoc struct {
	end    string
	indent bool
}

// HeredocStart is where a here-document begins: <<WORD, <<-WORD, <<~WORD, quoted or not.
var HeredocStart = pattern.Lazy("<<(<?)([-~]?)[ \t]*" +
	"(?:([A-Za-z_]\\w*|!+)|\"([^\"\n]+)\"|'([^'\n]+)'|\\\\(\\w+))")

func (l *lexer) heredoc(i int) int {
	if !strings.HasPrefix(l.Text[i:], "<<") {
		return i
	}
	m := HeredocStart().FindStringSubmatch(l.Text[i:min(len(l.Text), i+200)])
	if m == nil || !strings.HasPrefix(l.Text[i:], m[0]) || (m[1] == "<") != (l.Lang.heredocs == "php") {
		if strings.HasPrefix(l.Text[i:], "<<<") {
			return i + 3
		}
		return i + 2
	}
	if strings.HasPrefix(m[3], "!") && l.Lang.heredocs != "shell" {
		return i + 2 // of what is not so
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
