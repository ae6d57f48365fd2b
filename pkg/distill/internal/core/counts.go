package core

import (
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// countKind is what a number counts.
type countKind int

const (
	countNone countKind = iota
	countPassed
	countFailed
	countErrors
	countSkipped
	countTotal
	countOther // files, suites, steps, assertions: not tests
)

// count is one number of a sum.
type count struct {
	kind countKind
	n    int
}

type countStem struct {
	stem string
	kind countKind
}

// countStems are the beginnings of words that say what a number counts.
var countStems = map[countKind]string{
	countPassed:  "pass succe ok good fine green correct",
	countFailed:  "fail bad broke crash wrong red incorrect unsucc",
	countErrors:  "error abort died fatal cancel timedout interrupt",
	countSkipped: "skip omission ignor pend disab",
	countOther: "filtered todo suite file step assert expect module warn problem fixture snapshot worker " +
		"feature group target subtest rule sec ms line",
	countTotal: "test spec example case total ran run scenario tried check execut",
}

var stemsByByte = sync.OnceValue(func() [][]countStem {
	by := make([][]countStem, 256)
	for kind := countPassed; kind <= countOther; kind++ {
		for stem := range strings.FieldsSeq(countStems[kind]) {
			by[stem[0]] = append(by[stem[0]], countStem{stem, kind})
		}
	}
	return by
})

func kindOfWord(w string) countKind {
	if len(w) < 2 {
		return countNone
	}
	for _, c := range stemsByByte()[w[0]] {
		if strings.HasPrefix(w, c.stem) {
			if (c.stem == "red" || c.stem == "ok" || c.stem == "ran" || c.stem == "ms" || c.stem == "bad" ||
				c.stem == "sec") && w != c.stem && w != c.stem+"s" {
				continue
			}
			return c.kind
		}
	}
	return countNone
}

// token is a word or a number of a line.
type token struct {
	text string
	num  bool
	sep  string // the text up to the next token
}

// tokens adds the words and numbers of a line to out.
func tokens(out []token, s string) []token {
	for i, end := 0, 0; i < len(s) && len(out) < 60; {
		is := classOf(s[i])
		if is == 0 {
			if n := len(out); n > 0 {
				out[n-1].sep = s[end : i+1]
			}
			i++
			continue
		}
		j := i + 1
		// "n150" is a name
		for j < len(s) && (classOf(s[j]) == is || is == 'a' && s[i] < 0x80 && classOf(s[j]) == '0' ||
			is == '0' && s[j] == '.' && j+1 < len(s) && classOf(s[j+1]) == '0') {
			j++
		}
		out = append(out, token{text: strings.ToLower(s[i:j]), num: is == '0'})
		i, end = j, j
	}
	return out
}

// classOf is 'a' for a letter, '0' for a digit, else 0.
func classOf(c byte) byte {
	switch low := c | 0x20; {
	case c >= '0' && c <= '9':
		return '0'
	case low >= 'a' && low <= 'z' || c >= 0x80:
		return 'a'
	}
	return 0
}

// countsIn returns the numbers of tests in a line.
func countsIn(s string) []count {
	if len(s) > 300 || !text.HasDigit(s) || strings.HasPrefix(s, "ok ") ||
		strings.HasPrefix(s, "not ok ") {
		return nil
	}
	var room [24]token // most lines have fewer
	toks := tokens(room[:0], s)
	var out []count
	before, whole := labelled(toks), -1
	for i := range toks {
		if !toks[i].num || strings.Contains(toks[i].text, ".") || len(toks[i].text) > 7 ||
			strings.HasPrefix(toks[i].sep, "%") ||
			i+1 < len(toks) && !toks[i+1].num && toks[i].sep == "" {
			continue // the last: "12ms"
		}
		n := text.Atoi(toks[i].text)
		if n == whole && i > 0 && (toks[i-1].text == "of" || toks[i-1].num) {
			continue // the whole of "2 of 4 tests failed"
		}
		if before {
			out = append(out, count{kindOfWord(toks[i-1].text), n})
			continue
		}
		if kind, total := countAt(toks, i); kind != countNone {
			out = append(out, count{kind, n})
			if total >= 0 {
				out = append(out, count{countTotal, total})
				whole = total
			}
		}
	}
	return out
}

// labelled reports a line in which each number follows its word: "Total 2  Passed 1  Failed
// 1".
func labelled(toks []token) bool {
	n := 0
	for i := range toks {
		if !toks[i].num {
			continue
		}
		if i > 0 && toks[i-1].text == "of" && i+2 == len(toks) {
			return n > 1 // "Failed 2 and skipped 0 of 3 tests"
		}
		if i == 0 || toks[i-1].num || kindOfWord(toks[i-1].text) == countNone ||
			strings.Trim(toks[i-1].sep, " \t:=") != "" {
			return false
		}
		n++
	}
	return n > 1 && toks[len(toks)-1].num
}

// countAt returns what the number at i counts, and out of how many: by the word after it,
// or by the one before it if punctuation connects them ("failures=1", "Failed: 1").
func countAt(toks []token, i int) (kind countKind, total int) {
	sep, before := toks[i].sep, countNone
	if i > 1 && toks[i-1].text == "of" && toks[i-2].text == "out" {
		return countTotal, -1
	}
	if i > 0 && !toks[i-1].num {
		before = kindOfWord(toks[i-1].text)
	}
	behind := i+1 < len(toks) && strings.TrimSpace(sep) == "" && kindOfWord(toks[i+1].text) != countNone
	file := i > 1 && toks[i-2].sep == "." // "cart.feature:3"
	if before != countNone && !behind && !file && strings.ContainsAny(toks[i-1].sep, ":=") &&
		strings.Trim(toks[i-1].sep, ":= \t|") == "" {
		return before, -1
	}
	last, total := totalOf(toks, i)
	kind = kindBehind(toks, last)
	ends := last+1 == len(toks) || strings.ContainsAny(sep, ",;|/)\t") || strings.HasPrefix(sep, "  ")
	if kind == countNone && total < 0 && ends && i > 0 && toks[i-1].text != "ok" &&
		strings.Trim(toks[i-1].sep, " \t|") == "" { // "Passed  3", "# fail 1"
		kind = before
	}
	return kind, total
}

// totalOf reads "1/4" and "1 of 4", and returns the total and its position, or -1.
func totalOf(toks []token, i int) (at, total int) {
	k := i + 1
	if k < len(toks) && toks[k].num && strings.TrimSpace(toks[i].sep) == "/" {
		return k, text.Atoi(toks[k].text)
	}
	for k < len(toks) && (toks[k].text == "of" || toks[k].text == "out") {
		k++
	}
	if k > i+1 && k < len(toks) && toks[k].num {
		return k, text.Atoi(toks[k].text)
	}
	return i, -1
}

// kindBehind returns what a number counts, by the words after it.
func kindBehind(toks []token, i int) countKind {
	best := countNone
	for k := i + 1; k < len(toks) && k <= i+4 && !toks[k].num; k++ {
		if strings.ContainsAny(toks[k-1].sep, ",;/|.()[]") && k > i+1 ||
			k == i+1 && strings.ContainsAny(toks[i].sep, ",;:|/()=#") {
			break
		}
		w := kindOfWord(toks[k].text)
		if w == countNone && k == i+1 && k+1 < len(toks) && strings.HasSuffix(toks[k].text, "s") &&
			kindOfWord(toks[k+1].text) != countNone {
			return countOther // "6 containers skipped"
		}
		if w != countNone && (best == countNone || best == countTotal && w != countTotal) {
			best = w
		}
	}
	return best
}

// resultWords occur in every line that counts tests.
var resultWords = sync.OnceValue(func() *stream.Matcher {
	var words []string
	for kind := countPassed; kind < countOther; kind++ {
		words = append(words, strings.Fields(countStems[kind])...)
	}
	common := []string{"red", "run", "ran", "case"}
	words = slices.DeleteFunc(words, func(w string) bool { return slices.Contains(common, w) })
	return stream.NewMatcher(true, words)
})

// ofTest reports whether a line is the result of one test with numbers in its name.
func ofTest(s string) bool {
	m, ok := markOf(s)
	n := len(countsIn(m.name))
	if !ok || n > 1 {
		return false
	}
	return n == 0 && len(m.name) > 3 || m.sure && text.LeadingDigits(m.name) == 0
}

// namesFile reports a line that names a file: it counts only a part of the run.
func namesFile(s string) bool {
	return (strings.Contains(s, "/") || strings.Contains(s, ".test.") || strings.Contains(s, ".spec.")) &&
		reFileWord().MatchString(s)
}

var reFileWord = text.Lazy(`\w/\S*\.\w{1,5}\b|\.(?:test|spec)\.\w`)

// otherThings reports a line that counts files or suites, not tests.
func otherThings(s string) bool {
	low := strings.ToLower(strings.TrimSpace(s))
	if strings.HasPrefix(low, "make") && strings.Contains(low, "***") {
		return true // "make: *** [check] Error 2"
	}
	for _, w := range []string{"test suites", "test files", "suites", "files", "snapshots", "steps",
		"assertions", "features", "test modules", "asserts"} {
		if strings.HasPrefix(low, w) && !strings.HasPrefix(low, w+"=") || strings.HasPrefix(low, "# "+w) {
			return true
		}
	}
	// "Tasks: 0 successful, 2 total"
	label, _, ok := strings.Cut(low, ":")
	return ok && strings.HasSuffix(label, "s") && !strings.Contains(label, " ") && label != "results" &&
		kindOfWord(label) == countNone
}
