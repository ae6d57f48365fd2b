package specs

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// source is a file and, for each byte, what it belongs to.
type source struct {
	path string
	data []byte
	kind []byte
	// found caches matches.
	found map[*regexp.Regexp][][]int
}

func newSource(path string, data []byte, l *language) *source {
	return &source{path, data, l.mask(data), map[*regexp.Regexp][][]int{}}
}

// matches returns the matches of re in code, as positions of its groups.
func (s *source) matches(re *regexp.Regexp) [][]int {
	if known, ok := s.found[re]; ok {
		return known
	}
	var out [][]int
	for _, m := range re.FindAllSubmatchIndex(s.data, -1) {
		if s.kind[m[0]] == inCode {
			out = append(out, m)
		}
	}
	s.found[re] = out
	return out
}

// closing returns the position after the bracket that closes the one at open, or -1.
func (s *source) closing(open int) int {
	depth := 0
	for i := open; i < len(s.data); i++ {
		if s.kind[i] != inCode {
			continue
		}
		switch s.data[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// skip returns the next position at or after i that is neither space nor comment.
func (s *source) skip(i int) int {
	for i < len(s.data) && (s.kind[i] == inComment || strings.IndexByte(" \t\r\n", s.data[i]) >= 0) {
		i++
	}
	return i
}

// literal returns the content and end of the string literal at i, or false.
func (s *source) literal(i int) (text string, end int, ok bool) {
	from := i
	for i < len(s.data) && (s.data[i]|0x20 >= 'a' && s.data[i]|0x20 <= 'z') && s.kind[i] == inCode &&
		i-from < 3 {
		i++ // a prefix, as in r"..."
	}
	if i >= len(s.data) || s.kind[i] != inString {
		return "", 0, false
	}
	for end = i; end < len(s.data) && s.kind[end] == inString; end++ {
		// two adjacent literals are one
	}
	raw := string(s.data[i:end])
	quotes := "\"'`"
	raw = strings.TrimLeft(raw, "r#")
	raw = strings.TrimRight(strings.TrimLeft(raw, quotes), "#")
	raw = strings.TrimRight(raw, quotes)
	return unescaper.Replace(raw), end, true
}

var unescaper = strings.NewReplacer(`\"`, `"`, `\'`, `'`, "\\`", "`", `\\`, `\`, `\n`, " ", `\t`, " ")

// reason returns the title in the reason of a marker: the first string argument between
// from and to that begins with booty.
func (s *source) reason(from, to int) (title string, ok bool) {
	for i := from; i < to; i++ {
		if s.kind[i] != inString {
			continue
		}
		text, end, _ := s.literal(i)
		if title, ok := afterBooty(text); ok {
			return title, true
		}
		i = max(end-1, i)
	}
	return "", false
}

// afterBooty returns the title in a reason.
func afterBooty(reason string) (string, bool) {
	reason = strings.TrimSpace(reason)
	if len(reason) < 5 || !strings.EqualFold(reason[:5], "booty") {
		return "", false
	}
	rest := reason[5:]
	if rest != "" && isWord(rest[0]) {
		return "", false
	}
	return tidyTitle(strings.TrimLeft(rest, ":,- ")), true
}

func isWord(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z'
}

// without returns the cut that removes a statement, a decorator or an attribute: with its
// lines if it is alone on them, else with the spaces after it.
func (s *source) without(from, to int) cut {
	if to < len(s.data) && s.data[to] == ';' {
		to++
	}
	begin, end := s.lineStart(from), to+lineEnd(s.data[to:])
	if blank(s.data[begin:from]) && blank(s.data[to:end]) {
		return cut{from: begin, to: min(end+1, len(s.data))}
	}
	for to < end && (s.data[to] == ' ' || s.data[to] == '\t') {
		to++
	}
	return cut{from: from, to: to}
}

func (s *source) lineStart(i int) int { return bytes.LastIndexByte(s.data[:i], '\n') + 1 }

func blank(b []byte) bool { return len(bytes.TrimSpace(b)) == 0 }

// indent returns the indentation of the line of i.
func (s *source) indent(i int) int {
	begin := s.lineStart(i)
	n := 0
	for begin+n < len(s.data) && (s.data[begin+n] == ' ' || s.data[begin+n] == '\t') {
		n++
	}
	return n
}

// next returns the first match of re in code from i on.
func (s *source) next(re *regexp.Regexp, i int) []int {
	for i < len(s.data) {
		m := re.FindSubmatchIndex(s.data[i:])
		if m == nil {
			return nil
		}
		for k := range m {
			if m[k] >= 0 {
				m[k] += i
			}
		}
		if s.kind[m[0]] == inCode {
			return m
		}
		i = m[0] + 1
	}
	return nil
}

// before returns the last match of re in code that begins before i and whose line is
// indented less than that of i.
func (s *source) before(re *regexp.Regexp, i int) []int {
	all := s.matches(re)
	n, _ := slices.BinarySearchFunc(all, i, func(m []int, i int) int { return cmp.Compare(m[0], i) })
	for _, m := range slices.Backward(all[:n]) {
		if s.indent(m[0]) < s.indent(i) || s.lineStart(m[0]) == s.lineStart(i) {
			return m
		}
	}
	return nil
}

// spec makes a spec from a match.
func (s *source) spec(marker, title, test string, at int, c cut) Spec {
	if title = tidyTitle(title); title == "" {
		title = tidyTitle(test)
	}
	return Spec{
		Title: title, File: s.path, Line: lineAt(s.data, at), Marker: marker, Test: tidyTitle(test),
		Priority: defaultPriority, cut: c,
	}
}

func (s *source) text(m []int, group int) string {
	if 2*group+1 >= len(m) || m[2*group] < 0 {
		return ""
	}
	return string(s.data[m[2*group]:m[2*group+1]])
}
