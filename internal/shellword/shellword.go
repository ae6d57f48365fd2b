// Package shellword puts texts into commands for the shell: a text comes in that may be in
// anybody's hands, such as a test's name out of an output, and one word of the shell goes out,
// or a refusal. It never runs anything.
package shellword

import (
	"runtime"
	"strings"

	"github.com/booty-cli/booty/internal/placeholder"
)

// harmless are the characters that mean nothing to any shell, in or out of quotes.
func harmless(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
		strings.ContainsRune("_./:=@+,-", r)
}

// Plain reports whether s is a word to any shell as it is.
func Plain(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return !harmless(r) }) < 0
}

// Quote makes s one word of the shell that steps run in. It refuses what cannot be one: control
// characters, and on Windows, whose shell has no sure quoting, anything that is not harmless.
func Quote(s string) (string, bool) { return quoteFor(runtime.GOOS, s) }

func quoteFor(goos, s string) (string, bool) {
	if Plain(s) {
		return s, true
	}
	if goos == "windows" || s == "" || strings.IndexFunc(s,
		func(r rune) bool { return r < ' ' || r == 0x7f || r == '\uFFFD' }) >= 0 {
		return "", false
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'", true
}

// Split splits a command that is nothing but words of harmless characters, as
// most test commands are. Anything that the shell would read (quotes, pipes,
// variables, globs) makes it refuse.
func Split(command string) ([]string, bool) {
	list := strings.Fields(command)
	for _, w := range list {
		if !Plain(w) {
			return nil, false
		}
	}
	return list, len(list) > 0
}

// Fill fills values into a command's placeholders, inside or outside of quotes, if each can be put
// where it is to stand.
func Fill(parts []placeholder.Part, values map[string][]string) (string, bool) {
	var b strings.Builder
	quote := byte(0)
	for _, p := range parts {
		if p.Name == "" {
			quote = quoteAfter(quote, p.Text)
			b.WriteString(p.Text)
			continue
		}
		text, ok := place(runtime.GOOS, values[p.Name], quote)
		if !ok {
			return "", false
		}
		b.WriteString(text)
	}
	return b.String(), true
}

// quoteAfter is the quote that is open at the end of s, where q was at its start.
func quoteAfter(q byte, s string) byte {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && q != '\'':
			i++
		case q == 0 && (c == '\'' || c == '"' || c == '`'):
			q = c
		case c == q:
			q = 0
		}
	}
	return q
}

// place makes values fit: words of their own, or text inside quotes that are
// open already. For Windows' shell ' is a character like any other.
func place(goos string, values []string, quote byte) (string, bool) {
	if len(values) == 0 || values[0] == "" {
		return "", false
	}
	placed := make([]string, len(values))
	for i, v := range values {
		var ok bool
		switch {
		case quote == 0:
			placed[i], ok = quoteFor(goos, v)
		case quote == '\'' && goos == "windows":
			placed[i], ok = v, Plain(v)
		case quote == '\'' || quote == '"':
			placed[i], ok = v, strings.IndexFunc(v, func(r rune) bool { return !harmless(r) && !strings.ContainsRune(" |*", r) }) < 0
		}
		if !ok {
			return "", false
		}
	}
	return strings.Join(placed, " "), true
}
