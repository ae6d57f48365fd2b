package core

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

var (
	reTook = text.Lazy(`(?:[ ,#]*(?:\(|\[)?(?:in |after |took |Took |time[:=] ?|` +
		`Time elapsed: ?)?\d+(?:[.,]\d+)? ?(?:ns|us|µs|ms|msec|s|sec|secs|seconds?|m|min|milliseconds?)` +
		`\.?(?:\)|\])?)+$`)
	reCounter = text.Lazy(`\s*\[\d+/\d+\]$|\s*\(\d+ (?:attempts?|retr(?:y|ies)|tests?|assertions?)` +
		`[^)]*\)$|\s*\((?:first|second|third|\w+) try\)$|\s*\(attempt \d+[^)]*\)$|\s*\(retry[^)]*\)$|` +
		`\s*\(try \d+\)$`)
	reQualify = text.Lazy(`^(.+?) ?\(([A-Za-z_][\w$]*(?:\.[\w$<>]+)*)\)((?: [(\[][^()]*[)\]])?)$`)
	// An example in a comment: "src/lib.rs - twice (line 5)".
	reDocName = text.Lazy(`^\S+ - (?:\S.* )?\(line \d+\)$`)
	reNoun    = text.Lazy(`^(?i:test ?case|test ?method|test): ?|^(?:Test [Cc]ase|Testcase) `)
)

// cutTook takes a duration off the end.
func cutTook(s string) string {
	digit := strings.LastIndexAny(s, "0123456789")
	if digit < 0 || !slices.Contains(timeUnits, strings.Trim(s[digit+1:], " .)]")) {
		return s
	}
	if i := reTook().FindStringIndex(s); i != nil && i[0] > 0 {
		return strings.TrimRight(s[:i[0]], " ")
	}
	return s
}

var timeUnits = []string{"s", "ms", "ns", "us", "µs", "m", "min", "msec", "sec", "secs", "second", "seconds",
	"millisecond", "milliseconds"}

// nameCut takes off what is no part of a name: of what the expression matches the
// group name stays, and more belongs to the message.
type nameCut struct {
	holds []string // one of these must be there; saves the expression
	expr  func() *regexp.Regexp
}

// cut gives the name and the message, which goes in front of the one that is known.
func (c *nameCut) cut(s, more string) (string, string) {
	if !slices.ContainsFunc(c.holds, func(w string) bool { return strings.Contains(s, w) }) {
		return s, more
	}
	m := c.expr().FindStringSubmatch(s)
	if m == nil {
		return s, more
	}
	if len(m) > 2 {
		more = strings.TrimSpace(m[2] + " " + more)
	}
	return m[1], more
}

// firstCuts come before the duration at the end, lastCuts after it.
var (
	firstCuts = []nameCut{
		{[]string{": "}, text.Lazy(`^\d\d:\d\d(?::\d\d)? (?:[+~-]\d+ ?)+: (.*)$`)},
		{[]string{"s] ", "s) "}, text.Lazy(`^[\[(] *\d+(?:\.\d+)? ?m?s[\])] +(.*)$`)},
		{[]string{"s ", "s] ", "s) "}, text.Lazy(`^(.*?\S)  ?[\[(]?\d+(?:\.\d+)? ?m?s[\])]? +(\S.*)$`)},
		{[]string{"failed ", "FAILED ", "crashed ", "errored ", "an issue ", "died "}, text.Lazy(
			`^(.*?\S) (?:failed|has failed|FAILED|crashed|errored|died|recorded an issue) (?:at|after|with|in|` +
				`on|because|\() ?(.*)$`)},
	}
	lastCuts = []nameCut{
		{[]string{"est", "EST"}, text.Lazy(`^(?:(?i:test ?case|test ?method|test): ?|(?:Test [Cc]ase|` +
			`Testcase) )(.*)$`)},
		{[]string{"test "}, text.Lazy(`^test (\S+|.*::.*)$`)},
		{[]string{"Test "}, text.Lazy(`^Test (".*|.*\(\))$`)},
		{[]string{" of ", "ing "}, text.Lazy(`^(?:(?:at|in|during|while) \w+ of |(?:collecting|loading|` +
			`running|importing) )(.*)$`)},
		{[]string{`" (`}, text.Lazy(`^(.*") \(.*\)$`)},
		{[]string{"/"}, text.Lazy(`^([^ ]*\w)/\d+$`)},
		{[]string{", "}, text.Lazy(`^(.*?\S), (?:where|with|because|after) .*$`)},
		{[]string{")", "]"}, text.Lazy(`^(.*?\S)[ \t][(\[]([^()\[\]]*\b(?i:failed|aborted|exception|` +
			`timeout|not run|` +
			`segfault|exit|signal|killed|see|due|wanted|got|instead)\b[^()\[\]]*)[)\]]$`)},
		{[]string{" (", "/"}, text.Lazy(`^(.+?)(?:\s*\(\d+ \w+.*|\s+\d+/\d+)$`)},
	}
)

// cutName finds where the name ends in what stands beside a mark, and gives
// what follows it: the message.
func cutName(s, more string) (name, message string) {
	s = strings.TrimSpace(strings.TrimRight(s, "│|┃ *"))
	if strings.HasSuffix(s, ")") && reDocName().MatchString(s) {
		return s, more
	}
	for i := range firstCuts {
		s, more = firstCuts[i].cut(s, more)
	}
	s = cutTook(s)
	if head, rest, ok := strings.Cut(s, " [ "); ok && strings.TrimSuffix(rest, " ]") == head {
		s = head
	}
	for i := range lastCuts {
		s, more = lastCuts[i].cut(s, more)
	}
	if strings.Contains(s, "   ") {
		s = columns(s)
	}
	for range 2 {
		if !strings.HasSuffix(s, ")") && !strings.HasSuffix(s, "]") {
			break
		}
		if i := reCounter().FindStringIndex(s); i != nil && i[0] > 0 {
			s = s[:i[0]]
		}
	}
	if q, rest, ok := quotedName(s); ok {
		return q, strings.TrimSpace(rest + " " + more)
	}
	for _, sep := range []string{" --> ", " -- ", " — ", " – ", " - ", ": "} {
		head, rest, ok := cutOutside(s, sep)
		if ok && len(head) > 2 && messageLike(sep, head, rest) {
			return strings.TrimRight(head, " :"), strings.TrimSpace(rest + " " + more)
		}
	}
	return trimName(s), more
}

// cutOutside cuts at the first separator that stands outside of square brackets,
// which hold the values of a parameterised test.
func cutOutside(s, sep string) (head, rest string, ok bool) {
	for from := 0; ; {
		i := strings.Index(s[from:], sep)
		if i < 0 {
			return s, "", false
		}
		i += from
		if open := strings.LastIndexByte(s[:i], '['); open < 1 || s[open-1] == ' ' ||
			strings.Count(s[:i], "[") <= strings.Count(s[:i], "]") || !strings.Contains(s[i:], "]") {
			return s[:i], s[i+len(sep):], true
		}
		from = i + len(sep)
	}
}

// trimName takes off what is no part of any name.
func trimName(s string) string {
	s = strings.TrimRight(strings.TrimSpace(s), " :.…-─━═⎯┄┈")
	if t, ok := strings.CutPrefix(s, "-["); ok { // -[Class test]
		s = strings.TrimSuffix(t, "]")
	}
	if t, ok := strings.CutPrefix(s, "- "); ok { // an item of a list
		s = t
	}
	return strings.TrimSuffix(s, "()")
}

// columns joins the words of a table's row, without its numbers.
func columns(s string) string {
	var out []string
	for _, p := range strings.Split(s, "   ") {
		if p = strings.Trim(p, " |│"); strings.ContainsFunc(p, unicode.IsLetter) {
			out = append(out, p)
		}
	}
	return strings.Join(out, " > ")
}

// messageLike tells whether what follows a separator is a message and not a
// part of the name.
func messageLike(sep, head, rest string) bool {
	if ErrorLike(rest) > 0 || strings.ContainsAny(rest, "=<>!\"'") || len(rest) > 60 ||
		strings.HasSuffix(rest, ":") {
		return true
	}
	low := strings.ToLower(rest)
	for _, w := range []string{"want", "got", "should", "but ", "is not", "differ", "exit", "instead",
		"wrong", "time elapsed"} {
		if strings.Contains(low, w) {
			return true
		}
	}
	// An identifier or a path is whole before the separator.
	return sep == " --> " || sep == " — " || sep == " – " || sep != ": " && !strings.Contains(head, " ")
}

// quotedName reads a name in quotes at the beginning: 'a b' failed.
func quotedName(s string) (name, rest string, ok bool) {
	for _, q := range []string{`"`, `'`, "`"} {
		if t, is := strings.CutPrefix(s, q); is {
			if end := strings.Index(t, q+" "); end > 1 {
				return trimName(t[:end]), t[end+2:], true
			}
			if t, is := strings.CutSuffix(t, q); is && len(t) > 1 {
				return t, "", true
			}
		}
	}
	return "", "", false
}

// Qualified puts "name (mod.Class)" into one order.
func Qualified(s string) string {
	s = strings.ReplaceAll(s, " › ", " > ")
	if !strings.Contains(s, "(") {
		return s
	}
	m := reQualify().FindStringSubmatch(s)
	if m == nil || !strings.Contains(m[2], ".") && m[2] == strings.ToLower(m[2]) {
		return s
	}
	if strings.HasSuffix(m[2], "."+m[1]) || m[2] == m[1] {
		return strings.TrimPrefix(m[2], "unittest.loader._FailedTest.") + m[3]
	}
	if strings.Contains(m[1], " ") {
		return m[2] + " " + m[1] + m[3]
	}
	return m[2] + "." + m[1] + m[3]
}

// nameWords begin what is prose and not the name of a test.
var nameWords = []string{"to ", "with ", "because ", "in ", "at ", "build", "command ", "process ", "exit",
	"tests ", "test suite", "assertion ",
	"expected", "(", "test run", "run ", "received", "actual", "of ", "and ", "for ", "did ", "was ", "on ",
	"task ", "by ", "no ", "could ", "cannot ", "the ", "overall ", "result", "status", "asserting ",
	"ran ", "finished", "found ", "targets ", "total ", "stderr", "stdout", "stack ", "backtrace",
	"output of", "thread "}

// nameLike tells the name of a test from prose.
func nameLike(s string) bool {
	low := strings.ToLower(s)
	return !slices.ContainsFunc(nameWords, func(w string) bool { return strings.HasPrefix(low, w) }) && named(s)
}

// named tells what can be the name of a test where a test is sure to be told.
func named(s string) bool {
	if s == "" {
		return false
	}
	low := strings.ToLower(s)
	if n := len(countsIn(low)); n > 1 || n > 0 && s == strings.ToUpper(s) || errorName(s) ||
		strings.HasPrefix(s, "//") || strings.Contains(s, " /") && strings.Count(s, "/") > 2 ||
		n > 0 && strings.ContainsAny(low[:1], "0123456789") ||
		len(low) < 40 && !camel(s) && allCounted(low) {
		return false // "2 failed, 1 skip of 5", "failing tests"
	}
	if placeOnly(s) || strings.ContainsAny(s[:1], ">$<{}") {
		return false
	}
	letters := 0
	for _, c := range low {
		if c >= 'a' && c <= 'z' || c > 0x2fff || c >= 0xc0 && c < 0x250 || c >= 0x370 && c < 0x600 {
			letters++
		}
	}
	if verdictOf(low) != unknown || strings.HasPrefix(low, "error") || strings.HasPrefix(low, "panic") ||
		strings.HasPrefix(low, "failure") || strings.HasPrefix(low, "failed ") {
		return false
	}
	return letters >= 2 && len(s) < 240 && !stream.OnlyDigits(s) && !strings.Contains(s, "://") &&
		!strings.Contains(s, " != ") && !strings.Contains(s, " !== ")
}

var rePlaceOnly = text.Lazy(`^(?:-> |→ |at |in |--- |` +
	`@ )?\[?"?(?:[A-Za-z]:)?[^\s:()"]+\.\w{1,12}"?(?::\d+(?::\d+)?|\(\d+(?:,\d+)?\)| @ \d+|, line \d+|` +
	`" line \d+)\]?:?$|^unknown (?:file|location)`)

// placeOnly tells a place and nothing else.
func placeOnly(s string) bool {
	return (strings.Contains(s, ".") && strings.ContainsAny(s, ":(@,") && strings.Count(s, " ") < 4 ||
		strings.HasPrefix(s, "unknown ")) &&
		rePlaceOnly().MatchString(s)
}

// errorName tells the name or the code of an error, and a line of code.
func errorName(s string) bool {
	if s == "" || !strings.Contains(");{}", s[len(s)-1:]) && !strings.HasSuffix(s, "Error") &&
		(s[0] < 'A' || s[0] > 'Z' || s[len(s)-1] < '0' || s[len(s)-1] > '9') &&
		!strings.HasSuffix(s, "Exception") && !strings.Contains(s, ").") && !strings.Contains(s, "->") &&
		!strings.Contains(s, "no test files") {
		return false // most names: the expression is slow
	}
	return reErrorName().MatchString(s)
}

// camel tells an identifier of several words, such as TestTotal.
func camel(s string) bool {
	for i := 1; i < len(s); i++ {
		if s[i] >= 'A' && s[i] <= 'Z' && s[i-1] >= 'a' && s[i-1] <= 'z' {
			return true
		}
	}
	return false
}

// identifier tells a word that only a program has: with an underscore, or of several words.
func identifier(s string) bool {
	return !strings.ContainsAny(s, " /") && (strings.Contains(s, "_") || camel(s))
}

// allCounted tells words that say what is counted and nothing else.
func allCounted(low string) bool {
	if strings.Trim(low, "abcdefghijklmnopqrstuvwxyz :;,") != "" &&
		!strings.ContainsAny(low, "0123456789") || strings.ContainsAny(low, "_./#([") {
		return false
	}
	for _, w := range strings.FieldsFunc(low, func(c rune) bool { return c < 'a' || c > 'z' }) {
		if (kindOfWord(w) == countNone || len(w) > 11) && w != "messages" && w != "message" &&
			w != "console" && w != "overall" && w != "the" && w != "of" && w != "all" && w != "results" {
			return false
		}
	}
	return true
}

var reErrorName = text.Lazy(`^[A-Z]+\d+$|^[\w-]+\([a-z@/]+-[a-z/-]+\)$|no test files|\)\.\w+\(|` +
	`^[\w.\\\\]*(?:Error|Exception)(?:\(.*\))?$|[;{}]$|->\w+\(`)
