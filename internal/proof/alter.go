package proof

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// An Alteration is a test with one thing that it says made wrong.
type Alteration struct {
	// Line is where, What says what was altered.
	Line int
	What string
	Text []byte
}

const (
	// linesBefore and linesBehind bound how far from the line that failed is looked.
	linesBefore, linesBehind = 14, 3
	// maxAlterations bounds how many are tried.
	maxAlterations = 8
)

// Alterations gives versions of a test, each with one literal near a line made wrong:
// a number off by one, a text with a letter more, a truth turned round. The nearest
// go first, numbers and truths before texts. It knows no language: a literal is what
// looks like one.
func Alterations(text []byte, line int) []Alteration {
	lines := bytes.SplitAfter(text, []byte("\n"))
	var plain, quoted []Alteration
	for _, n := range near(line, len(lines)) {
		row := string(lines[n-1])
		if comment().MatchString(row) {
			continue
		}
		for _, at := range literal().FindAllStringIndex(row, -1) {
			was := row[at[0]:at[1]]
			now, isText := wrong(was)
			if now == "" || isText && frame().MatchString(row) {
				continue
			}
			altered := append([][]byte{}, lines...)
			altered[n-1] = []byte(row[:at[0]] + now + row[at[1]:])
			a := Alteration{Line: n, What: was + " changed to " + now, Text: bytes.Join(altered, nil)}
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

// near gives the numbers of lines around one, the nearest first, those before it
// before those behind.
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

// wrong gives a literal made wrong; "" where there is no way.
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
		if inner == "" || strings.ContainsAny(inner, "%{}\\/$") { // a format, a path, a variable
			return "", true
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
