package core

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// marked is a line with a mark beside something that may be the name of a test.
type marked struct {
	at     int    // the line
	head   int    // the line of the mark, where the name stands below it
	indent int    // of the line
	lead   string // the mark in front, with numbers as N; may be empty
	tail   string // the mark behind
	name   string
	more   string // what follows the name, often the message
	said   verdict
	number int   // of "3) name", 0 without
	sure   bool  // the line says that it speaks of a test
	listed bool  // it stands in a list of failures, each with its text below
	place  Frame // the place beside the name
}

// key is the template of the line: equal for lines that differ in the name.
func (m *marked) key() string { return m.lead + "\x00" + m.tail }

// splitMark takes a line apart. It fails if nothing in it can be a mark.
func splitMark(s string) (marked, bool) {
	m := marked{indent: text.IndentOf(s)}
	if t := strings.TrimLeft(s, " \t"); t == "" || len(t) > 3 && rule(t[:3]) && t[3] == t[0] {
		return m, false
	}
	if m.spoken(s) {
		return m, true
	}
	rest := strings.TrimLeft(s, " \t│├└┌─┃┣┗|`╰╭")
	if rest == "" || len(s) > 400 {
		return m, false
	}
	if len(s)-len(rest) > m.indent {
		m.indent = utf8.RuneCountInString(s[:len(s)-len(rest)])
	}
	rest = m.cutLead(rest)
	lead := verdictOf(m.lead)
	if lead == unknown && m.cutColumns(rest) {
		return m, true
	}
	rest = cutTook(rest)
	if lead == unknown || lead == begun {
		rest = m.cutTail(rest)
		if strings.Contains(s, " ... ") {
			rest = strings.TrimPrefix(rest, "test ")
		}
	}
	if m.said = verdictOf(m.tail); strings.HasPrefix(m.tail, "\x03") {
		m.said = failed
	}
	if m.said == unknown {
		m.said = lead
	}
	if m.lead == "" && m.tail == "" && m.number == 0 {
		if !strings.Contains(rest, "  ") {
		} else if r := reColumn().FindStringSubmatch(rest); r != nil && named(r[1]) &&
			(r[3] == "" || !rule(r[3])) && !strings.Contains(r[1], "|") {
			m.name, m.tail, m.more = r[1], r[2], r[3] // what it says is to be learned
			return m, true
		}
		word, after, ok := strings.Cut(rest, " ")
		if !ok || len(word) < 2 || len(word) > 8 || word != strings.ToUpper(word) || !markWord(word) {
			return m, false
		}
		m.lead, rest = word, after // what it says is to be learned
	}
	if m.tail == "" && m.number == 0 && strings.Count(rest, " ") > 3 && reSentence().MatchString(rest) ||
		strings.Contains(rest, "**") {
		return m, false // a sentence
	}
	m.name, m.more = cutName(rest, m.more)
	return m, m.name != ""
}

// nameBelow tells a mark that stands beside a place alone: the name is in the
// line below.
func (m *marked) nameBelow() bool {
	return m.said == failed && m.tail == "" && placeOnly(m.name)
}

// cutLead takes the mark off the front: an index, a decoration, a word or a
// glyph.
func (m *marked) cutLead(s string) string {
	s = m.cutIndex(s)
	for _, w := range []string{"not ok", "ok"} { // TAP
		if t, is := strings.CutPrefix(s, w); is && (t == "" || t[0] == ' ' || t[0] == ':') {
			colon := t != "" && t[0] == ':'
			t = strings.TrimLeft(t, ": ")
			n := text.LeadingDigits(t)
			if n > 0 || colon || strings.HasPrefix(t, "- ") {
				m.lead = w
				return strings.TrimPrefix(strings.TrimLeft(t[n:], " "), "- ")
			}
		}
	}
	deco := len(s) - len(strings.TrimLeft(s, "-=*>#+~;%"))
	if deco > 0 && (deco > 3 || deco < len(s) && s[deco] != ' ') {
		deco = 0
	}
	t := strings.TrimLeft(s[deco:], " ")
	mark, after := leadingMark(t)
	if mark == "" && len(s) > 3 && s[1] == ' ' && strings.IndexByte("+!-*?@oO", s[0]) >= 0 {
		m.lead = s[:1] // what it says is to be learned
		return strings.TrimLeft(s[2:], " ")
	}
	if mark == "" {
		return s
	}
	if n := (marked{}); strings.HasPrefix(after, "not ok ") || strings.HasPrefix(after, "ok ") {
		if rest := n.cutLead(after); n.lead != "" {
			m.lead = n.lead
			return rest
		}
	}
	m.lead = s[:deco] + mark
	if again, more := leadingMark(after); again != "" && verdictOf(again) != unknown { // "✘ [fail]: name"
		m.lead, after = m.lead+" "+again, more
	}
	return m.cutIndex(after)
}

var reWorker = text.Lazy(`^(?:\[(?:[a-z]{1,3}\d+| *\d+%)\] )+`)

// cutIndex takes off "3) ", "3/7 ", "[3/7] ", "#3 ", "Test #3: ".
func (m *marked) cutIndex(s string) string {
	s = s[len(reWorker().FindString(s)):]
	t := strings.TrimPrefix(strings.TrimPrefix(s, "Test "), "#")
	t = strings.TrimLeft(t, "[(")
	n := text.LeadingDigits(t)
	if n == 0 || n > 6 || n >= len(t) {
		return s
	}
	rest := t[n:]
	if rest[0] == '/' {
		k := text.LeadingDigits(rest[1:])
		if k == 0 {
			return s
		}
		rest = strings.TrimLeft(rest[1+k:], "]):")
		if rest == "" || rest[0] != ' ' {
			return s
		}
		return m.cutIndex(strings.TrimLeft(rest, " "))
	}
	for _, end := range []string{") ", ": ", "] ", ". "} {
		if after, is := strings.CutPrefix(rest, end); is {
			if end == ") " || end == ". " {
				m.number = text.Atoi(t[:n])
			}
			return strings.TrimLeft(after, " ")
		}
	}
	return s
}

// leadingMark reads a glyph, a word in brackets, or a word in capitals or one
// that is known, at the beginning of s.
func leadingMark(s string) (mark, rest string) {
	r, n := utf8.DecodeRuneInString(s)
	switch {
	case isGlyph(r):
		for n < len(s) && (strings.HasPrefix(s[n:], "\uFE0F") || strings.HasPrefix(s[n:], "\uFE0E")) {
			n += len("\uFE0F")
		}
		return s[:n], strings.TrimLeft(s[n:], " ")
	case r == '[' || r == '(' || r == '<':
		end := strings.IndexAny(s, "])>")
		if end < 2 || end > 16 {
			return "", s
		}
		sign := end < 5 && strings.Trim(s[1:end], "!?+-*#~") == "" // "(!!) name"
		if !sign && !markWord(strings.Trim(s[1:end], " -=!*")) {
			return "", s
		}
		return s[:end+1], strings.TrimLeft(s[end+1:], " :")
	}
	end := strings.IndexAny(s, " :\t")
	if end <= 0 || end+1 >= len(s) {
		return "", s
	}
	word := strings.Trim(s[:end], "*!")
	known := verdictOf(word) != unknown && !strings.HasPrefix(strings.ToLower(word), "panic")
	after := strings.TrimLeft(s[end:], " \t")
	switch {
	case (word == "x" || word == "X") && s[end] == ' ':
		return "✗", after
	case known && (s[end] == ':' || word != strings.ToLower(word)), known && strings.HasPrefix(s[end:], "  "):
	case word == strings.ToUpper(word) && markWord(word) && len(word) > 1 &&
		(s[end] == ':' || strings.HasPrefix(s[end:], "  ") || s[end] == '\t'):
	default:
		return "", s
	}
	after = strings.TrimLeft(strings.TrimPrefix(after, ":"), " \t")
	return s[:end], after
}

// markWord tells a short word of letters.
func markWord(w string) bool {
	if w == "" || len(w) > 12 && utf8.RuneCountInString(w) > 12 && verdictOf(w) == unknown {
		return false
	}
	for _, c := range w {
		if !unicode.IsLetter(c) && !isGlyph(c) && c != ' ' && c != '_' {
			return false
		}
	}
	return strings.Count(w, " ") < 2
}

// tailSeparators stand between a name and the mark behind it, the surest first.
var tailSeparators = []string{"...", " .. ", " => ", " -> ", "<<< ", " | ", "\t", "  ", ": ", " - ", " [",
	" (", " "}

// cutTail takes the mark off the end.
func (m *marked) cutTail(s string) string {
	if strings.HasSuffix(s, "]") {
		if r := reSaidBehind().FindStringSubmatch(s); r != nil && verdictOf(r[2]) == failed {
			m.tail, m.more = r[2], r[3]
			return r[1]
		}
	}
	body := strings.TrimRight(s, " |!*│")
	for n, sep := range tailSeparators {
		if !strings.Contains(body, sep) { // faster than from the end
			continue
		}
		i := strings.LastIndex(body, sep)
		if i == 0 {
			continue
		}
		mark := strings.TrimLeft(strings.TrimLeft(sep, " ")+body[i+len(sep):], ". *<:=>|-\t")
		word := strings.Trim(mark, "[]()!. ")
		if n == 0 && word != "" && !markWord(word) && m.words(word) {
			return cutTook(strings.TrimRight(body[:i], " .:-|*"))
		}
		if word == "" || !markWord(word) {
			if more, ok := m.markWithin(s, i, sep); ok {
				return more
			}
			continue
		}
		v := verdictOf(mark)
		r, _ := utf8.DecodeRuneInString(word)
		upper := word == strings.ToUpper(word)
		switch {
		case v == unknown && n > 3, v == begun:
			continue // an unknown word counts only behind a line of dots or an arrow
		case n >= 8 && !upper && !isGlyph(r) && strings.Trim(mark, "[]()") == mark &&
			!(v != unknown && (sep == ": " || identifier(body[:i]))):
			continue // "could not be done", but "name FAILED"
		case sep == " " && v == unknown:
			continue
		}
		m.tail = strings.Trim(mark, " ")
		return cutTook(strings.TrimRight(body[:i], " .:-|*"))
	}
	return s
}

// words reads a mark of several words behind dots: "Subprocess aborted***Exception".
func (m *marked) words(s string) bool {
	words := strings.FieldsFunc(s, func(c rune) bool { return !unicode.IsLetter(c) })
	if len(words) > 4 || !slices.ContainsFunc(words, func(w string) bool { return verdictOf(w) == failed }) {
		return false
	}
	m.tail, m.more = "\x03failed", s
	m.said = failed
	return true
}

// cutColumns reads a row of a table in which one column is a word in capitals
// that says a result: "totals   FAIL   0.03s   killed by signal 6".
func (m *marked) cutColumns(s string) bool {
	if !strings.Contains(s, "  ") {
		return false
	}
	for _, w := range []string{" FAIL ", " FAILED ", " OK ", " PASS ", " PASSED ", " SKIP ", " TIMEOUT "} {
		i := strings.Index(s, w)
		if i <= 0 || !strings.HasPrefix(s[i+len(w):], " ") || s[i-1] == ':' || !nameLike(s[:i]) {
			continue
		}
		m.tail, m.said = strings.TrimSpace(w), verdictOf(w)
		m.name, m.more = trimName(s[:i]), strings.TrimSpace(s[i+len(w):])
		m.more = strings.TrimSpace(m.more[len(reTookAny().FindString(m.more)):])
		return true
	}
	return false
}

// reSaidBehind reads "name [ERROR: why]".
var reSaidBehind = text.Lazy(`^(\S.*?) \[([A-Z]+): ([^\[\]]+)\]$`)

// reColumn reads a row of a table whose second column is a short word or a sign.
var reColumn = text.Lazy(`^(\S.*?) {2,}([^\s\d.,()/\\+-][^\s\d.,()/\\]{0,7}|[+-])(?: {2,}(\S.*))?$`)

var reTookAny = text.Lazy(`^\d+(?:\.\d+)? ?m?s\b`)

// markWithin reads "name: FAILED (exit status 3)" and "name FAILED: why".
func (m *marked) markWithin(s string, i int, sep string) (string, bool) {
	if sep != ": " && sep != " (" && sep != "..." {
		return "", false
	}
	from := 0
	for {
		k := strings.IndexAny(s[from:], " :")
		if k < 0 {
			return "", false
		}
		at := from + k + 1
		end := at
		for end < len(s) && s[end] >= 'A' && s[end] <= 'Z' {
			end++
		}
		if end-at > 3 && end < len(s) && (s[end] == ':' || strings.HasPrefix(s[end:], " (")) &&
			verdictOf(s[at:end]) == failed && at > 2 {
			m.tail, m.more = s[at:end], strings.Trim(s[end:], ": ")
			return strings.TrimRight(s[:at-1], " :.-"), true
		}
		from = at
	}
}

// Dull tells a line that says nothing of a failure: a rule, a test that passed
// or was skipped, a frame, a heading of results.
func Dull(s string) bool {
	if rule(s) {
		return true
	}
	if _, ok := ParseFrame(s); ok || isForeignFrame(s) || reSourceLine().MatchString(s) ||
		reCaret().MatchString(s) {
		return true
	}
	m, ok := splitMark(s)
	return ok && (m.said == passed || m.said == skipped || m.said == begun) && ErrorLike(m.name+m.more) == 0
}
