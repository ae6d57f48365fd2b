package core

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/text"
	"github.com/booty-cli/booty/pkg/distill/internal/tree"
)

// finish does for each failure what readers would otherwise do in many ways:
// frames of all languages from message, detail and output, the place, what was
// expected and what was there instead.
func (f *Found) finish(x *Failure) {
	lines := strings.Split(x.Message, "\n")
	lines = append(append(lines, x.Detail...), x.Output...)
	if len(x.Frames) == 0 {
		x.Frames = innermostFirst(lines)
	}
	told := x.Frames
	f.place(x)
	if x.File == "" || !f.Root.Exists(x.File) {
		f.placeInside(x, lines)
	}
	if x.File == "" {
		f.placeAsTold(x, told, lines)
	}
	if k := slices.IndexFunc(x.Frames, func(fr Frame) bool { return fullerName(fr.Func, x.Test) }); k >= 0 {
		x.Test = x.Frames[k].Func
	}
	if x.Test != "" && x.Expected == "" && x.Actual == "" {
		x.Expected, x.Actual = valuesOf(lines)
	}
}

// fullerName tells whether a function is the test of this name: its class and
// method are the last two words of it, or its method is all that was told.
func fullerName(fn, test string) bool {
	parts := strings.Split(fn, ".")
	n := len(parts)
	if n < 3 || strings.ContainsAny(fn, " (<") {
		return false
	}
	if test == parts[n-1] && !strings.ContainsAny(test, " .") {
		return parts[n-2] != "" && parts[n-2][0] >= 'A' && parts[n-2][0] <= 'Z'
	}
	return strings.HasSuffix(" "+NameKey(strings.TrimSuffix(test, "()")), " "+
		NameKey(parts[n-2]+"."+parts[n-1]))
}

// placeInside takes the first place in the block that is in the tree.
func (f *Found) placeInside(x *Failure, lines []string) {
	for i, s := range lines {
		if i > 300 {
			return
		}
		if strings.HasPrefix(s, "make") { // what it says of its own file
			continue
		}
		if p, ok := f.Root.PlaceIn(s); ok {
			x.File, x.Line, x.Column = p.File, p.Line, p.Col
			return
		}
	}
}

// placeAsTold takes the first place that was printed of a file which may be elsewhere: an
// output may be read in another place than where it was made.
func (f *Found) placeAsTold(x *Failure, frames []Frame, lines []string) {
	for _, fr := range frames {
		if f.Root.Elsewhere(fr.File) {
			x.File, x.Line, x.Column = tree.CleanPath(fr.File), fr.Line, fr.Column
			return
		}
	}
	for _, s := range lines[:min(len(lines), 300)] {
		if p, ok := f.Root.ToldIn(s); ok && !strings.HasPrefix(s, "make") {
			x.File, x.Line, x.Column = p.File, p.Line, p.Col
			return
		}
	}
}

// valueWords are the labels of what was wanted and of what was there, by which
// of the two they name.
var (
	wantedWords = []string{"expected", "expect", "want", "wanted", "should be", "must be", "exp", "right",
		"which should equal", "expecting", "to equal", "to be"}
	actualWords = []string{"actual", "received", "got", "have", "but was", "but got", "found", "left", "was",
		"but have", "returned", "act", "but received", "instead", "obtained"}
)

// valueOf reads "expected: 3", "     got: 4", "Actual   : 5".
func valueOf(s string) (wanted bool, value string, ok bool) {
	t := strings.TrimLeft(s, " \t#│|-+>*")
	t = strings.TrimLeft(strings.TrimPrefix(t, "E "), " ") // pytest's margin
	i := strings.IndexAny(t, ":=")
	if i <= 0 || i > 24 {
		return false, "", false
	}
	label := strings.ToLower(strings.TrimSpace(t[:i]))
	label = strings.TrimSuffix(strings.TrimSuffix(label, " value"), " result")
	value = strings.Trim(strings.TrimSuffix(strings.TrimLeft(t[i:], ":="), ","), " `")
	switch {
	case slices.Contains(wantedWords, label):
		return true, value, true
	case slices.Contains(actualWords, label):
		return false, value, true
	}
	return false, "", false
}

// valuePairs are lines that tell both values, as assertions of many languages write them.
var valuePairs = text.Lazy(strings.Join([]string{
	`expected: ?<(?P<want>.*?)> but was: ?<(?P<got>.*)>`,
	`^(?:\w+: )?assert (?P<got>.+) == (?P<want>.+)$`,
	`^AssertionError: (?P<got>.+?) != (?P<want>.+?)(?: : .*)?$`,
	`\("(?P<got>.+)"\) is not equal to \("(?P<want>.+)"\)`,
	`^values: CHECK\( (?P<got>.+) == (?P<want>.+) \)$`,
	`(?i)^(?:.*?(?:got|= |actual:?)\s*)?(?P<got>.+?)[,;:]\s*(?:want(?:ed)?|expected):?\s+(?P<want>.+)$`,
}, "|"))

// tellsPair tells whether a line may be one of valuePairs, which take long to say no.
func tellsPair(s string) bool {
	for _, w := range []string{"> but was:", " == ", " != ", "is not equal to"} {
		if strings.Contains(s, w) {
			return true
		}
	}
	low := strings.ToLower(s)
	for k := range low {
		if (low[k] == 'w' || low[k] == 'e') && (strings.HasPrefix(low[k:], "want") ||
			strings.HasPrefix(low[k:], "expected")) {
			if before := strings.TrimSpace(low[:k]); before != "" && strings.Contains(",;:", before[len(before)-1:]) {
				return true
			}
		}
	}
	return false
}

// pairOf reads a line with both values.
func pairOf(s string) (expected, actual string) {
	if len(s) > 1000 || !tellsPair(s) {
		return "", ""
	}
	m := text.Groups(valuePairs(), s)
	return m["want"], m["got"]
}

// valuesOf looks for what was expected and what was there instead: each behind or
// below its label, or both in one line.
func valuesOf(lines []string) (expected, actual string) {
	for i, s := range lines[:min(len(lines), 400)] {
		if expected != "" && actual != "" {
			return expected, actual
		}
		wanted, v, ok := valueOf(s)
		if !ok {
			continue
		}
		for k := i + 1; v == "" && k < len(lines) && k < i+4; k++ { // the value stands below its label
			v = strings.TrimSpace(lines[k])
		}
		if wanted && expected == "" {
			expected = v
		} else if !wanted && actual == "" {
			actual = v
		}
	}
	for _, s := range lines[:min(len(lines), 4)] {
		if expected == "" && actual == "" {
			expected, actual = pairOf(strings.TrimSpace(s))
		}
	}
	return expected, actual
}
