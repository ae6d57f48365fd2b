package specs

import (
	"bytes"
	"slices"
)

// What a byte of a source belongs to.
const (
	inCode byte = iota
	inComment
	inString
)

// quote is a form of string literal.
type quote struct {
	open, close string
	// multi strings span lines, raw ones have no escapes.
	multi, raw bool
}

// language describes how to tell code from comments and strings. Longer quotes come before
// shorter ones.
type language struct {
	line   []string
	block  [2]string
	nested bool
	quotes []quote
	// regexps are literals between slashes; heredocs are strings as in Ruby, hashes raw
	// strings as in Rust.
	regexps, heredocs, hashes bool
	// lifetimes begin like characters.
	lifetimes bool
}

// mask returns for every byte of data what it belongs to.
func (l *language) mask(data []byte) []byte {
	out := make([]byte, len(data))
	for i := 0; i < len(data); {
		n, kind := l.token(data, i)
		for k := i; k < i+n; k++ {
			out[k] = kind
		}
		i += n
	}
	return out
}

// token returns the length and kind of what begins at i.
func (l *language) token(data []byte, i int) (int, byte) {
	rest := data[i:]
	for _, c := range l.line {
		if bytes.HasPrefix(rest, []byte(c)) {
			return lineEnd(rest), inComment
		}
	}
	if l.block[0] != "" && bytes.HasPrefix(rest, []byte(l.block[0])) {
		return l.blockEnd(rest), inComment
	}
	if l.hashes && rest[0] == 'r' {
		if n := rawHashes(rest); n > 0 {
			return n, inString
		}
	}
	if l.heredocs && rest[0] == '<' {
		if n := heredoc(rest); n > 0 {
			return n, inString
		}
	}
	if l.regexps && rest[0] == '/' && regexpMay(data[:i]) {
		if n := regexpEnd(rest); n > 0 {
			return n, inString
		}
	}
	for _, q := range l.quotes {
		if bytes.HasPrefix(rest, []byte(q.open)) {
			if l.lifetimes && q.open == "'" && !isCharacter(rest) {
				return 1, inCode
			}
			return q.end(rest), inString
		}
	}
	return 1, inCode
}

func lineEnd(rest []byte) int {
	if n := bytes.IndexByte(rest, '\n'); n >= 0 {
		return n
	}
	return len(rest)
}

func (l *language) blockEnd(rest []byte) int {
	depth, i := 0, 0
	for i < len(rest) {
		switch {
		case (depth == 0 || l.nested) && bytes.HasPrefix(rest[i:], []byte(l.block[0])):
			depth, i = depth+1, i+len(l.block[0])
		case bytes.HasPrefix(rest[i:], []byte(l.block[1])):
			if depth, i = depth-1, i+len(l.block[1]); depth == 0 {
				return i
			}
		default:
			i++
		}
	}
	return i
}

// end returns the length of the literal that rest begins with. An unclosed one extends to
// the end of its line, or of the text.
func (q quote) end(rest []byte) int {
	for i := len(q.open); i < len(rest); i++ {
		switch {
		case rest[i] == '\\' && !q.raw:
			i++
		case rest[i] == '\n' && !q.multi:
			return i
		case bytes.HasPrefix(rest[i:], []byte(q.close)):
			return i + len(q.close)
		case q.open == "`" && !q.raw && bytes.HasPrefix(rest[i:], []byte("${")):
			i += placeEnd(rest[i:]) - 1
		}
	}
	return len(rest)
}

// placeEnd returns the length of a ${...} in a template literal, which may contain literals
// itself.
func placeEnd(rest []byte) int {
	depth := 0
	for i := 1; i < len(rest); i++ {
		switch rest[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		case '`', '"', '\'':
			q := quote{open: string(rest[i]), close: string(rest[i]), multi: rest[i] == '`'}
			i += max(q.end(rest[i:]), 1) - 1
		}
	}
	return len(rest)
}

// rawHashes returns the length of r"..." and r#"..."#, or 0.
func rawHashes(rest []byte) int {
	n := 1
	for n < len(rest) && rest[n] == '#' {
		n++
	}
	if n >= len(rest) || rest[n] != '"' {
		return 0
	}
	closing := append([]byte{'"'}, bytes.Repeat([]byte{'#'}, n-1)...)
	if end := bytes.Index(rest[n+1:], closing); end >= 0 {
		return n + 1 + end + len(closing)
	}
	return len(rest)
}

// isCharacter distinguishes 'a' from the lifetime 'a.
func isCharacter(rest []byte) bool {
	if len(rest) < 3 {
		return false
	}
	return rest[1] == '\\' || slices.Contains(rest[2:min(len(rest), 6)], '\'')
}

// heredoc returns the length of the rest of the line and the lines up to the closing word,
// or 0.
func heredoc(rest []byte) int {
	if !bytes.HasPrefix(rest, []byte("<<~")) && !bytes.HasPrefix(rest, []byte("<<-")) {
		return 0
	}
	i := 3
	if i < len(rest) && (rest[i] == '\'' || rest[i] == '"') {
		i++
	}
	from := i
	for i < len(rest) && (rest[i] >= 'A' && rest[i] <= 'Z' || rest[i] == '_') {
		i++
	}
	if i == from {
		return 0
	}
	word := rest[from:i]
	for at := lineEnd(rest); at < len(rest); {
		at++
		end := at + lineEnd(rest[at:])
		if bytes.Equal(bytes.TrimSpace(rest[at:end]), word) {
			return end
		}
		at = end
	}
	return len(rest)
}

// regexpMay reports whether a slash after this text begins a regular expression: after a
// value it is a division.
func regexpMay(before []byte) bool {
	b := bytes.TrimRight(before, " \t")
	if len(b) == 0 {
		return true
	}
	if bytes.IndexByte([]byte("(,=:[!&|?{};\n"), b[len(b)-1]) >= 0 {
		return true
	}
	return bytes.HasSuffix(b, []byte("return")) || bytes.HasSuffix(b, []byte("typeof"))
}

func regexpEnd(rest []byte) int {
	class := false
	for i := 1; i < len(rest); i++ {
		switch rest[i] {
		case '\\':
			i++
		case '\n':
			return 0
		case '[':
			class = true
		case ']':
			class = false
		case '/':
			if !class {
				return i + 1
			}
		}
	}
	return 0
}
