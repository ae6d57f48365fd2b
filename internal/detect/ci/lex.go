package ci

import "strings"

// token is a word as it stands in a script, or what stands between commands.
type token struct {
	text string
	word bool
}

// lex cuts a script into words and separators; redirections, comments and
// here documents are left out.
func lex(script string) []token {
	l := lexer{s: strings.ReplaceAll(script, "\\\n", " ")}
	for l.i < len(l.s) {
		l.step()
	}
	l.end()
	return append(l.out, token{text: "\n"})
}

type lexer struct {
	s      string
	i      int
	word   strings.Builder
	inWord bool
	heredo []string
	out    []token
}

func (l *lexer) end() {
	if l.inWord {
		l.out = append(l.out, token{l.word.String(), true})
		l.word.Reset()
		l.inWord = false
	}
}

func (l *lexer) separator(n int) {
	l.end()
	l.out = append(l.out, token{text: l.s[l.i : l.i+n]})
	l.i += n
}

func (l *lexer) take(n int) {
	n = min(n, len(l.s)-l.i)
	l.word.WriteString(l.s[l.i : l.i+n])
	l.inWord = true
	l.i += n
}

func (l *lexer) step() {
	c := l.s[l.i]
	two := l.s[l.i:min(l.i+2, len(l.s))]
	switch {
	case c == ' ' || c == '\t':
		l.end()
		l.i++
	case c == '#' && !l.inWord:
		for l.i < len(l.s) && l.s[l.i] != '\n' {
			l.i++
		}
	case c == '\n':
		l.separator(1)
		l.skipDocuments()
	case two == "&&" || two == "||":
		l.separator(2)
	case two == "&>" || two == ">&" || c == '<' || c == '>':
		l.redirection()
	case strings.IndexByte(";&|()", c) >= 0:
		l.separator(1)
	case c == '\\':
		l.take(2)
	case c == '\'' || c == '"' || c == '`':
		l.quoted(c)
	case two == "$(":
		l.take(1 + parens(l.s[l.i+1:]))
	case two == "${":
		if end := strings.IndexByte(l.s[l.i:], '}'); end > 0 {
			l.take(end + 1)
			return
		}
		l.take(1)
	default:
		l.take(1)
	}
}

func (l *lexer) quoted(quote byte) {
	n := 1
	for l.i+n < len(l.s) && l.s[l.i+n] != quote {
		if l.s[l.i+n] == '\\' && quote != '\'' {
			n++
		}
		n++
	}
	l.take(n + 1)
}

// redirection drops where the output goes, and remembers a here document.
func (l *lexer) redirection() {
	if w := l.word.String(); w != "" && strings.Trim(w, "0123456789") == "" {
		l.word.Reset() // the number of what is redirected
		l.inWord = false
	}
	l.end()
	start := l.i
	for l.i < len(l.s) && strings.IndexByte("<>&-|", l.s[l.i]) >= 0 {
		l.i++
	}
	op := l.s[start:l.i]
	for l.i < len(l.s) && (l.s[l.i] == ' ' || l.s[l.i] == '\t') {
		l.i++
	}
	if l.i < len(l.s) && l.s[l.i] == '(' {
		l.i += parens(l.s[l.i:])
		return
	}
	start = l.i
	for l.i < len(l.s) && strings.IndexByte(" \t\n;&|()<>", l.s[l.i]) < 0 {
		if q := l.s[l.i]; q == '"' || q == '\'' {
			for l.i++; l.i < len(l.s) && l.s[l.i] != q; l.i++ {
			}
		}
		l.i = min(l.i+1, len(l.s))
	}
	if strings.HasPrefix(op, "<<") && op != "<<<" {
		l.heredo = append(l.heredo, strings.Trim(l.s[start:l.i], `"'\`))
	}
}

func (l *lexer) skipDocuments() {
	for _, mark := range l.heredo {
		for l.i < len(l.s) {
			line, _, _ := strings.Cut(l.s[l.i:], "\n")
			l.i = min(l.i+len(line)+1, len(l.s))
			if strings.TrimSpace(line) == mark {
				break
			}
		}
	}
	l.heredo = nil
}
