package core

import (
	"strings"
	"unicode/utf8"

	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// verdict is what a mark says about a test.
type verdict int

const (
	unknown verdict = iota
	passed
	failed
	skipped
)

// mark is a line with the result of a test: a known mark next to a name.
type mark struct {
	said   verdict
	sign   string // the mark itself: the same for lines of one kind
	sure   bool   // it is a glyph, in brackets or TAP's: logs have words as well
	name   string
	full   string // with the groups around it
	indent int
	at     int // its line
}

// wordVerdict reads a lower-case word that runners write next to a name.
func wordVerdict(w string) verdict {
	switch w {
	case "pass", "passed", "ok", "success", "succeeded":
		return passed
	case "fail", "failed", "failure", "error", "errored", "not ok", "crashed", "timeout", "timedout",
		"broken":
		return failed
	case "skip", "skipped", "ignored", "pending", "todo", "disabled", "xfail":
		return skipped
	}
	return unknown
}

// glyphVerdict reads a sign that stands for a result.
func glyphVerdict(r rune) verdict {
	switch r {
	case '✓', '✔', '√', '✅', '☑':
		return passed
	case '✗', '✘', '✕', '✖', '×', '❌', '⨯', '☒':
		return failed
	case '↓', '○', '⏭', '⊘', '↩':
		return skipped
	}
	return unknown
}

// markOf parses a line. It runs for most lines, so it looks at bytes and uses no regular
// expression.
func markOf(s string) (m mark, ok bool) {
	t := strings.TrimLeft(s, " \t│├└┌─┃|`╰")
	if len(t) < 3 || len(s) > 400 {
		return m, false
	}
	m.indent = text.IndentOf(s)
	if rest, ok := m.leading(t); ok {
		m.name = trimName(rest)
		return m, m.name != ""
	}
	bare := strings.TrimRight(t, "]) ")
	if r, n := utf8.DecodeLastRuneInString(bare); glyphVerdict(r) != unknown { // "name [✔]"
		m.said, m.sign = glyphVerdict(r), string(r)
		m.name = trimName(strings.TrimRight(bare[:len(bare)-n], " [("))
		return m, m.name != ""
	}
	if rest, ok := m.trailing(WithoutTook(t)); ok {
		m.name = trimName(rest)
		return m, m.name != ""
	}
	return m, false
}

// leading reads a mark in front of the name.
func (m *mark) leading(t string) (rest string, ok bool) {
	r, n := utf8.DecodeRuneInString(t)
	if said := glyphVerdict(r); said != unknown {
		rest = strings.TrimLeft(strings.TrimPrefix(t[n:], "\uFE0F"), " ")
		if word, after, ok := bracketed(rest); ok && wordVerdict(word) != unknown { // "✘ [fail]: name"
			rest = strings.TrimLeft(after, ": ")
		}
		m.said, m.sign, m.sure = said, t[:n], true
		return rest, true
	}
	if word, after, ok := bracketed(t); ok {
		m.said, m.sign, m.sure = wordVerdict(word), t[:len(t)-len(after)], true
		return strings.TrimLeft(after, ": "), m.said != unknown
	}
	t = strings.TrimPrefix(t, "--- ")
	for _, w := range []string{"not ok", "ok"} { // TAP
		if after, is := strings.CutPrefix(t, w+" "); is {
			k := text.LeadingDigits(after)
			if k == 0 && !strings.HasPrefix(after, "- ") {
				return "", false
			}
			m.said, m.sign, m.sure = wordVerdict(w), w, true
			return strings.TrimPrefix(strings.TrimLeft(after[k:], " "), "- "), true
		}
	}
	end := strings.IndexAny(t, " :\t")
	if end < 2 || end > 9 || t[:end] != strings.ToUpper(t[:end]) {
		return "", false
	}
	m.said, m.sign = wordVerdict(strings.ToLower(t[:end])), t[:end]
	return strings.TrimLeft(t[end:], ": \t"), m.said != unknown
}

// bracketed reads a word in brackets in front of a line, in lower case.
func bracketed(t string) (word, rest string, ok bool) {
	if t == "" || t[0] != '[' && t[0] != '(' {
		return "", "", false
	}
	end := strings.IndexAny(t, "])")
	if end < 3 || end > 14 {
		return "", "", false
	}
	return strings.ToLower(strings.Trim(t[1:end], " -=!*")), t[end+1:], true
}

// trailing reads a mark behind the name: a word behind dots or a colon, or one in capitals.
func (m *mark) trailing(t string) (rest string, ok bool) {
	t = strings.TrimRight(t, " |*!)]")
	at := strings.LastIndexAny(t, " .|[(:")
	if at <= 0 || len(t)-at > 10 {
		return "", false
	}
	word := t[at+1:]
	said := wordVerdict(strings.ToLower(word))
	head := strings.TrimRight(t[:at+1], " .|*[(")
	if said == unknown || head == "" {
		return "", false
	}
	loose := strings.TrimRight(t[:at+1], " ")
	if word != strings.ToUpper(word) && !strings.HasSuffix(loose, "..") && !strings.HasSuffix(loose, ":") {
		return "", false // "could not be done"
	}
	m.said, m.sign = said, strings.TrimLeft(t[at:], " .")
	if strings.Contains(t, "...") { // cargo's
		head = strings.TrimPrefix(head, "test ")
	}
	return strings.TrimRight(head, ":- "), true
}

// trimName removes what is not part of a name: durations, and trailing signs.
func trimName(s string) string {
	s = WithoutTook(strings.TrimSpace(s))
	return strings.TrimRight(s, " :.…-─━═⎯")
}

// WithoutTook removes a trailing duration: " 6ms", " (0.01s)", " [0.3ms]", " in 2 sec".
func WithoutTook(s string) string {
	t := strings.TrimRight(s, ")].s ")
	for _, unit := range []string{"m", "µ", "u", "n", "sec", "second", "milli", "milliseconds", "min"} {
		t = strings.TrimSuffix(t, unit)
	}
	t = strings.TrimRight(t, " ")
	if t == "" || len(s)-len(t) > 16 || t[len(t)-1] < '0' || t[len(t)-1] > '9' || strings.TrimRight(s, ")] ") == t {
		return s
	}
	head := strings.TrimRight(t, "0123456789.,")
	if head == "" || strings.IndexByte(" ([", head[len(head)-1]) < 0 {
		return s
	}
	head = strings.TrimRight(head, " ([")
	for _, w := range []string{" in", " after", " took", ", took"} {
		head = strings.TrimSuffix(head, w)
	}
	return strings.TrimRight(head, " ")
}

// PassedName returns the name next to a mark of a passed test, and the mark, which is equal
// for lines of the same kind.
func PassedName(line string) (name, sign string, ok bool) {
	if strings.HasSuffix(line, "%]") { // pytest's
		if k := strings.LastIndexByte(line, '['); k > 0 {
			line = strings.TrimRight(line[:k], " ")
		}
	}
	m, ok := markOf(line)
	if !ok || m.said != passed {
		return "", "", false
	}
	if low := strings.ToLower(line); strings.Contains(low, " # skip") || strings.Contains(low, " # todo") {
		return "", "", false
	}
	return m.name, m.sign, true
}

// NameShown reports whether a line is the result of a test whose name is already in the
// text.
func NameShown(s, text string) bool {
	if _, rest, ok := entryHead(s); ok {
		return len(rest) > 1 && strings.Contains(text, trimName(rest))
	}
	m, ok := markOf(s)
	return ok && m.said == failed && nameLike(m.name) && strings.Contains(text, m.name)
}

// rules are the characters with which tools draw lines.
const rules = "=-_*~#+─━⎯═┄┈"

// Rule reports whether a line is only drawn.
func Rule(s string) bool { return rule(s) }

func rule(s string) bool {
	if strings.HasSuffix(strings.TrimRight(s, rules), "]") { // "────[1/2]──"
		head, _, _ := strings.Cut(s, "[")
		return len(head) > 9 && strings.Trim(head, rules) == ""
	}
	return strings.Trim(s, rules+" ") == ""
}

func isFrame(s string) bool {
	_, ok := ParseFrame(s)
	return ok
}

// noiseHeads begin lines that say nothing about a failure, after spaces: what pytest, go
// test, cargo, XCTest, Gradle, Maven, GoogleTest, vitest, rspec and compilers print
// besides.
var noiseHeads = []string{
	"rootdir: ", "platform ", "plugins: ", "cachedir: ", "configfile: ", "collected ", "collecting ",
	"go: downloading ", "=== RUN", "=== PAUSE", "=== CONT", "=== NAME", "ok  \t", "?   \t",
	"Downloading ", "Downloaded ", "Compiling ", "Finished ", "Running ", "Starting ",
	"Test Suite ", "Test Case ", "◇ ", "> Task :", "[INFO] ", "INFO ", "[ RUN ", "[----",
	"RUN  v", "❯ ", "▶ ", "Start at ", "Duration ", "Test Files ", "PASS ", "PASSED ", "bun test v", "Retry #",
	"Run options: ", "Run Settings", "To rerun use: ", "Randomized with seed ", "Finished in ",
	"Traceback (most recent", "In file included from ", "from /",
}

// IsNoise reports whether a line says nothing about a failure: a drawn line, a passed or
// skipped test, a frame, progress dots, a heading of results.
func IsNoise(s string) bool {
	if rule(s) || progress(s) || strings.Contains(s, ": note: ") {
		return true
	}
	t := strings.TrimLeft(s, " ")
	if strings.HasPrefix(t, "[gw") { // pytest-xdist: "[gw0] [ 14%] PASSED name"
		t = t[strings.LastIndexByte(t, ']')+1:]
		t = strings.TrimLeft(t, " ")
	}
	for _, w := range noiseHeads {
		if strings.HasPrefix(t, w) {
			return true
		}
	}
	if isFrame(s) || isForeignFrame(s) || sourceLine(s) || caret(s) {
		return true
	}
	_, _, ok := PassedName(s)
	if ok {
		return true
	}
	m, ok := markOf(s)
	return ok && m.said == skipped
}

// progress reports whether a line shows results as one sign each: "..F.s   [ 50%]".
func progress(s string) bool {
	if k := strings.LastIndexByte(s, '['); k > 0 && strings.HasSuffix(s, "%]") {
		s = s[:k]
	}
	s = strings.TrimSpace(s)
	if i := strings.LastIndexByte(s, ' '); i > 0 { // "tests/test_a.py ..F"
		if !strings.Contains(s[:i], ".") || strings.Contains(s[:i], " ") {
			return false
		}
		s = s[i+1:]
	}
	return len(s) > 0 && strings.Trim(s, ".,FEsSxXu*!-RP․⋅") == "" && (len(s) == 1 || strings.ContainsAny(s, ".,․⋅"))
}
