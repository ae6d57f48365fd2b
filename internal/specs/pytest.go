package specs

import (
	"bytes"
	"cmp"
	"strings"
)

var (
	pytestMark = once(`(@)?\b(pytest\.|unittest\.|self\.)?(mark\.)?(skipTest|skip|xfail)\s*\(`)
	pythonTest = once(`\b(?:async\s+def|def|class)\s+(\w+)`)
	marksEqual = once(`,\s*marks\s*=\s*$`)
)

// findPytest finds the skip and xfail of pytest, and unittest's skip and skipTest, with a
// reason that begins with booty: as a decorator, a statement, a module's pytestmark, or a
// mark of a parameter.
func findPytest(s *source, _ string) []Spec {
	var out []Spec
	for _, m := range s.matches(pytestMark()) {
		end := s.closing(m[1] - 1)
		if end < 0 {
			continue
		}
		title, ok := s.reason(m[1], end)
		if !ok {
			continue
		}
		from, word, mark := s.text(m, 2), s.text(m, 4), m[6] >= 0
		if (from == "self.") != (word == "skipTest") {
			continue
		}
		name := cmp.Or(from, "pytest.") + s.text(m, 3) + word
		begin := s.lineStart(m[0])
		head := strings.TrimSpace(string(s.data[begin:m[0]]))
		switch {
		case m[2] >= 0: // a decorator
			out = append(out, s.spec(name, title, s.text(s.next(pythonTest(), end), 1), m[0],
				s.without(m[0], end)))
		case !mark && (head == "" || strings.HasSuffix(head, ":")):
			spec := s.spec(name, title, s.text(s.before(pythonTest(), m[0]), 1), m[0], s.without(m[0], end))
			if s.aloneInBlock(m[0], end) { // a block needs a statement
				spec.cut, spec.Bodyless = cut{m[0], end, "pass"}, true
			}
			out = append(out, spec)
		case mark && strings.HasPrefix(head, "pytestmark") && strings.HasSuffix(head, "="):
			out = append(out, s.spec(name, title, s.path, m[0], s.without(begin+s.indent(m[0]), end)))
		case mark:
			if c, ok := s.ofParameter(m[0], end); ok {
				test := s.text(s.next(pythonTest(), end), 1)
				out = append(out, s.spec(name, title, test, m[0], c))
			}
		}
	}
	return out
}

// aloneInBlock reports whether the statement is alone in its block.
func (s *source) aloneInBlock(from, to int) bool {
	after := s.skip(to)
	if after < len(s.data) && (s.data[after] == ';' || s.indent(after) >= s.indent(from) &&
		s.lineStart(after) != s.lineStart(from)) {
		return false
	}
	before := from - 1
	for before >= 0 && (s.kind[before] != inCode || strings.IndexByte(" \t\r\n", s.data[before]) >= 0) {
		before-- // comments and the docstring
	}
	return before >= 0 && s.data[before] == ':'
}

// ofParameter removes a mark from a parameter's marks: the whole argument if it is the only
// one, else its place in the list.
func (s *source) ofParameter(from, to int) (cut, bool) {
	if m := marksEqual().FindIndex(s.data[:from]); m != nil {
		return cut{from: m[0], to: to}, true
	}
	open := bytes.LastIndexByte(s.data[:from], '[')
	if open < 0 || s.kind[open] != inCode {
		return cut{}, false
	}
	close := s.closing(open)
	if close < to {
		return cut{}, false
	}
	m := marksEqual().FindIndex(s.data[:open])
	if m == nil {
		return cut{}, false
	}
	if next := s.skip(to); s.data[next] == ',' && s.skip(next+1) < close-1 {
		return cut{from: from, to: s.skip(next + 1)}, true
	} else if blank(s.data[open+1 : from]) {
		return cut{from: m[0], to: close}, true
	}
	comma := bytes.LastIndexByte(s.data[:from], ',')
	return cut{from: comma, to: to}, comma > open
}
