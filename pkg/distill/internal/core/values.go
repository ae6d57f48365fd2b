package core

import (
	"regexp"
	"slices"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// Labels of expected and actual values.
var (
	wantedLabels = []string{"expected", "want", "wanted", "exp", "right"}
	actualLabels = []string{"actual", "received", "got", "but was", "but got", "left", "passed in"}
)

// labelOf reads "expected: 3", "     got: 4", "Actual   : 5".
func labelOf(s string) (wanted bool, value string, ok bool) {
	t := strings.TrimLeft(s, " \t#│|-+>*")
	t = strings.TrimLeft(strings.TrimPrefix(t, "E "), " ") // pytest's margin
	i := strings.IndexByte(t, ':')
	if i <= 0 || i > 24 {
		return false, "", false
	}
	label := strings.ToLower(strings.TrimSpace(t[:i]))
	label = strings.TrimSuffix(strings.TrimSuffix(label, " value"), " result")
	value = strings.TrimSuffix(strings.TrimSpace(t[i+1:]), ",")
	if n := len(value); n > 2 && value[0] == '`' && (value[n-1] == '`' || value[n-1] == '\'') {
		value = value[1 : n-1]
	}
	if wanted = slices.Contains(wantedLabels, label); wanted || slices.Contains(actualLabels, label) {
		return wanted, value, true
	}
	return false, "", false
}

// valuePair matches a line with both values, as one family of assertions writes them.
type valuePair struct {
	holds string // must be there; saves the expression
	expr  func() *regexp.Regexp
}

// valuePairs are tried in order.
var valuePairs = []valuePair{
	{"> but was:", text.Lazy(`expected: ?<(?P<want>.*?)> but was: ?<(?P<got>.*)>`)},
	{" == ", text.Lazy(`^(?:AssertionError: )?assert (?P<got>.+) == (?P<want>.+)$`)},
	{" != ", text.Lazy(`^AssertionError: (?:\w+ differ: )?(?P<got>.+?) != (?P<want>.+?)(?: : .*)?$`)},
	{" is not equal to ", text.Lazy(`\("(?P<got>.+)"\) is not equal to \("(?P<want>.+)"\)`)},
	{" == ", text.Lazy(`^values: CHECK\( (?P<got>.+) == (?P<want>.+) \)$`)},
	{"xpected ", text.Lazy(`^(?:[\w ]*Error(?: \[\w+\])?: )?[Ee]xpected (?P<got>.+?) to (?:deeply |strictly |loosely )?` +
		`(?:be|equal specified value:|equal|eql) (?P<want>.+?)(?: // Object\.is equality|\.)?$`)},
	{", want ", text.Lazy(`^(?:[\w.]+(?:\(.*?\))? = |got:? )(?P<got>[^:]+?), want (?P<want>[^:]+)$`)},
	{"xpected", text.Lazy(`^(?:\S+:\d+: )?[Ee]xpected:? (?P<want>[^:]+?)` +
		`(?:, (?:but )?(?:got|actual|was|found|received)| but (?:got|was)):? (?P<got>[^:]+)$`)},
}

// noValues are words that assertions write instead of a value.
var noValues = []string{"values", "truthy", "falsy", "defined", "true or false", "error", "nil error",
	"objects", "equal"}

// pairOf reads a line with both values.
func pairOf(s string) (expected, actual string) {
	if len(s) > 1000 {
		return "", ""
	}
	for i := range valuePairs {
		p := &valuePairs[i]
		if !strings.Contains(s, p.holds) {
			continue
		}
		m := text.Groups(p.expr(), s)
		if m == nil {
			continue
		}
		w, g := m["want"], m["got"]
		if slices.Contains(noValues, w) || slices.Contains(noValues, g) || cutShort(w) || cutShort(g) {
			return "", ""
		}
		return w, g
	}
	return "", ""
}

// cutShort reports whether a tool has shortened a value.
func cutShort(v string) bool {
	return strings.Contains(v, "...") || strings.HasPrefix(v, "<object ") ||
		strings.HasPrefix(v, "strictly ") ||
		strings.HasPrefix(v, "[Function") || strings.HasPrefix(v, "<=") || strings.HasPrefix(v, ">=") ||
		strings.HasPrefix(v, "a kind of ") || strings.HasPrefix(v, "an instance of ")
}

// valuesOf finds the expected and the actual value: both on one line, or each after or
// below its label. One without the other does not count: it may be a word of prose.
func valuesOf(lines []string) (expected, actual string) {
	for _, s := range lines[:min(len(lines), 12)] {
		if e, a := pairOf(strings.TrimSpace(s)); e != "" || a != "" {
			return e, a
		}
	}
	if e, a := diffPair(lines); e != "" {
		return e, a
	}
	haveE, haveA := false, false
	for i, s := range lines[:min(len(lines), 400)] {
		wanted, v, ok := labelOf(s)
		if !ok {
			continue
		}
		for k := i + 1; v == "" && k < len(lines) && k < i+3; k++ { // the value stands below its label
			if _, _, label := labelOf(lines[k]); label {
				break
			}
			v = strings.TrimSpace(lines[k])
		}
		switch {
		case v == "" || cutShort(v):
		case wanted && !haveE:
			expected, haveE = v, true
		case !wanted && !haveA:
			actual, haveA = v, true
		}
		if haveE && haveA {
			return expected, actual
		}
	}
	return "", ""
}

// diffPair reads the difference of two values of one line each, as ava prints it: "- 4" was there, and
// "+ 2" was expected.
func diffPair(lines []string) (expected, actual string) {
	from := slices.IndexFunc(lines, func(s string) bool {
		t := strings.ReplaceAll(strings.TrimLeft(s, " '"), "':", ":") // in YAML it is quoted
		return strings.HasPrefix(t, "Difference:") || strings.HasPrefix(t, "Difference (- actual, + expected):")
	})
	if from < 0 {
		return "", ""
	}
	for _, s := range lines[from+1 : min(len(lines), from+40)] {
		t := strings.TrimSpace(s)
		value, minus := strings.CutPrefix(t, "- ")
		added, plus := strings.CutPrefix(t, "+ ")
		switch {
		case t == "" && actual == "":
		case minus && actual == "" && expected == "":
			actual = value
		case plus && actual != "" && expected == "":
			expected = added
		case !minus && !plus && expected != "":
			return expected, actual
		default: // of several lines
			return "", ""
		}
	}
	if expected == "" {
		return "", ""
	}
	return expected, actual
}
