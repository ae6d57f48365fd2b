package proof

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/lexer"
)

// Alteration is a test with one of its literals made wrong.
type Alteration struct {
	// Line is where the test was altered, What how.
	Line int
	What string
	Text []byte
	// Named says that it alters the value that the failure named as expected, in the line that
	// failed. Far is the same, for a number, with values far above and below: a line that accepts
	// more than one value, such as a bound or a tolerance, does not accept both.
	Named bool
	Far   []Alteration
	// before is the text before the literal in its line.
	before string
}

const (
	// linesBefore and linesBehind bound how far from the line that failed is looked.
	linesBefore, linesBehind = 14, 3
	// maxAlterations bounds how many are tried.
	maxAlterations = 8
)

// Alterations returns versions of a test that failed at a line, each with one literal near it made
// wrong: a number off by one, a string with one letter more, a boolean negated. Only what is
// expected is altered, according to the failure or, if it does not say, the line: an altered input
// says nothing about the expectation. The nearest come first, numbers and booleans before strings.
// It knows no language: a literal is what looks like one.
func Alterations(text []byte, line int, f failure.Failure) []Alteration {
	lines := bytes.SplitAfter(text, []byte("\n"))
	for i, expected := range []func(row string, at []int, here bool) bool{
		func(row string, at []int, _ bool) bool {
			return f.Expected != "" && bare(row[at[0]:at[1]]) == bare(f.Expected)
		},
		func(row string, at []int, _ bool) bool { return comparedWith().MatchString(row[:at[0]]) },
		func(row string, at []int, _ bool) bool { return saysWanted(f.Message, row[at[0]:at[1]]) },
		func(row string, at []int, here bool) bool {
			return here && compares().MatchString(row) && !literal().MatchString(row[at[1]:])
		},
	} {
		all := alterations(lines, line, expected)
		if byValue := i == 0 || i == 2; byValue && len(all) > 1 {
			if all = certain(all, line); len(all) == 0 {
				return nil
			}
		}
		if len(all) > 0 {
			for j := range all {
				all[j].Named = i == 0 && all[j].Line == line
			}
			return all
		}
	}
	return nil
}

// certain leaves out literals that are equal to what is expected, and may be inputs: those of other
// lines than the one that failed, if that has any, and of several in a line those that do not stand
// where an expectation does.
func certain(all []Alteration, line int) []Alteration {
	in := map[int]int{}
	for _, a := range all {
		in[a.Line]++
	}
	return slices.DeleteFunc(slices.Clone(all), func(a Alteration) bool {
		return in[line] > 0 && a.Line != line || in[a.Line] > 1 && !expectation().MatchString(a.before)
	})
}

// expectation is the text before a literal that is compared with something, or has a name for what
// is expected.
var expectation = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)[=!]==?\s*$|\b(is|eq|ne)\s*$|\b(want|expect|exp)\w*["']?\s*(:=?|=|,)\s*$|` +
		`\b(to_?(be|equal|strict_?equal|eq)|(assert_?)?(not_?)?(equals?|eq)(_?to)?)!?\(\s*$|\)\s*,\s*$`)
})

// bare is a literal without its quotes.
func bare(s string) string { return strings.Trim(strings.TrimSpace(s), "\"'`") }

// comparedWith is the text before a literal that something is compared with.
var comparedWith = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[=!]==?\s*$|\b(is|eq|ne)\s*$`) })

// saysWanted reports whether a message names a literal as what was expected.
func saysWanted(message, literal string) bool {
	for _, at := range wanted().FindAllStringIndex(message, -1) {
		rest := strings.TrimLeft(message[at[1]:], "\"'`<([")
		if after, is := strings.CutPrefix(rest, bare(literal)); is &&
			(after == "" || !lexer.IsWord(after[0])) {
			return true
		}
	}
	return false
}

var wanted = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(\b(want(ed)?|expected|should (be|equal)|to (be|equal))\b|[!=]=)[:\s]*`)
})

// alterations returns versions with one expected literal altered; here says that the literal is in
// the line itself or after it.
func alterations(lines [][]byte, line int, expected func(row string, at []int, here bool) bool) []Alteration {
	var plain, quoted []Alteration
	for _, n := range near(line, len(lines)) {
		row := string(lines[n-1])
		if comment().MatchString(row) {
			continue
		}
		for _, at := range literals(row) {
			was := row[at[0]:at[1]]
			now, isText := wrong(was)
			if now == "" || isText && frame().MatchString(row) || !expected(row, at, n >= line) {
				continue
			}
			with := func(value string) Alteration {
				altered := slices.Clone(lines)
				altered[n-1] = []byte(row[:at[0]] + value + row[at[1]:])
				return Alteration{Line: n, What: was + " changed to " + value, Text: bytes.Join(altered, nil), before: row[:at[0]]}
			}
			a := with(now)
			for _, value := range farFrom(was) {
				a.Far = append(a.Far, with(value))
			}
			if isText {
				quoted = append(quoted, a)
			} else {
				plain = append(plain, a)
			}
		}
	}
	all := slices.Concat(plain, quoted)
	return all[:min(len(all), maxAlterations)]
}

// near returns the numbers of the lines around one, the nearest first, and the line before ahead of
// the line after.
func near(line, last int) []int {
	var out []int
	for d := 0; d <= linesBefore; d++ {
		if n := line - d; n >= 1 && n <= last {
			out = append(out, n)
		}
		if n := line + d; d > 0 && d <= linesBehind && n <= last && n >= 1 {
			out = append(out, n)
		}
	}
	return out
}

// farOff is more than any bound or tolerance of a test is expected to let pass.
const farOff = 1_000_000_007

// farFrom returns a number far above and one far below a literal; nil if that is no number. They
// are plain numbers, which code that reads its answers from the tests would find.
func farFrom(literal string) []string {
	n, err := strconv.ParseFloat(literal, 64)
	if err != nil {
		return nil
	}
	below := 0.0
	if n <= 0 {
		below = n - farOff
	}
	return []string{strconv.FormatFloat(n+farOff, 'f', -1, 64), strconv.FormatFloat(below, 'f', -1, 64)}
}

// wrong returns a literal made wrong; "" if that is impossible.
func wrong(literal string) (now string, text bool) {
	switch literal {
	case "true":
		return "false", false
	case "false":
		return "true", false
	case "True":
		return "False", false
	case "False":
		return "True", false
	}
	if quote := literal[0]; strings.IndexByte("\"'`", quote) >= 0 {
		inner := literal[1 : len(literal)-1]
		if strings.ContainsAny(inner, "%{}\\/$") { // a format, a path, a variable
			return "", true
		}
		if quote == '\'' && utf8.RuneCountInString(inner) == 1 { // no text in every language: another letter
			if inner == "a" {
				return "'b'", true
			}
			return "'a'", true
		}
		return string(quote) + inner + "x" + string(quote), true
	}
	n, err := strconv.ParseInt(literal, 10, 62)
	if err != nil {
		f, err := strconv.ParseFloat(literal, 64)
		if err != nil {
			return "", false
		}
		return strconv.FormatFloat(f+1, 'f', -1, 64), false
	}
	return strconv.FormatInt(n+1, 10), false
}

// literals are where the literals of a line are. Two quotes beside a third are no empty text.
func literals(row string) [][]int {
	return slices.DeleteFunc(literal().FindAllStringIndex(row, -1), func(at []int) bool {
		quote := row[at[0]]
		return at[1]-at[0] == 2 && (at[1] < len(row) && row[at[1]] == quote || at[0] > 0 && row[at[0]-1] == quote)
	})
}

var literal = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\b(?:true|false|True|False)\b|\b\d+(?:\.\d+)?\b`)
})

// comment is a line that says nothing to a machine, frame one that names or loads:
// its texts are no expectations.
var (
	comment = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*(//|#|\*|/\*|--|;)`) })
	frame   = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\s*(import|from|use|using|require|include|package|@|#)\b|\b(require|import|describe|it|test|context|Run|Errorf|Fatalf|Fatal|Error|Logf?)\s*\(`)
	})
)
