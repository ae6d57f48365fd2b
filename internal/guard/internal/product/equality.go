package product

import (
	"regexp"
	"strings"

	"github.com/booty-cli/booty/internal/pattern"
)

// An equality method that does not compare makes every assertion true.

// equalities match the head of a comparison method and its other operand.
var equalities = map[string]func() *pattern.Pattern{
	"python": pattern.Lazy(`\bdef\s+__(?:eq|ne)__\s*\(\s*\w+\s*,\s*\*?(\w+)[^:]*:`),
	"ruby":   pattern.Lazy(`\bdef\s+(?:==|eql\?|equal\?|===|!=)\s*\(?\s*\*?(\w*)\)?`),
	"rust":   pattern.Lazy(`\bfn\s+(?:eq|ne)\s*\(\s*&self\s*,\s*(\w+)\s*:[^{]*\{`),
	"java":   pattern.Lazy(`\bboolean\s+equals\s*\([^)]*\s(\w+)\s*\)`),
	"kotlin": pattern.Lazy(`\bfun\s+equals\s*\(\s*(\w+)\s*:[^)]*\)(?:\s*:\s*Boolean)?`),
	"csharp": pattern.Lazy(`\bbool\s+(?:Equals|operator\s*[!=]=)\s*\(.*?[\w?.<>]+\s+(\w+)\s*\)`),
	"c":      pattern.Lazy(`\boperator\s*[!=]=\s*\(.*?(\w*)\s*\)(?:\s*const)?`),
	"swift":  pattern.Lazy(`\bfunc\s+[!=]=\s*\(.*?(\w+)\s*:\s*[\w.<>]+\s*\)(?:\s*->\s*Bool)?`),
	"go":     pattern.Lazy(`^func\s*\([^)]*\)\s*(?:Equals?|Is)\s*\(\s*(\w+)\s[^{]*\{`),
	"js":     pattern.Lazy(`^\s*(?:asymmetricMatch|equals|isEqual)\s*\(\s*(\w*)[^{]*\{`),
	"php":    pattern.Lazy(`\bfunction\s+(?:equals|isEqual)\s*\([^)]*\$(\w+)\s*\)`),
}

// constant matches a line that returns a constant.
var constant = pattern.Lazy(`(?:^|\breturn\s+|[=>]\s*)(?:True|true|TRUE|1|False|false)\s*;?\s*[})]*\s*(?:\bend)?$`)

// blind counts comparison methods that ignore the other operand.
func blind(t *text) (n int, why string) {
	re := equalities[t.lang.Name]
	if re == nil {
		return 0, ""
	}
	for i, line := range t.code {
		m := re().FindStringSubmatchIndex(line)
		if m == nil {
			continue
		}
		other, answers, looks := line[m[2]:m[3]], false, false
		for _, l := range t.body(i, m[1]) {
			answers = answers || constant().MatchString(strings.TrimSpace(l))
			looks = looks || other != "" && regexp.MustCompile(`\b`+other+`\b`).MatchString(l)
		}
		if answers && !looks {
			n, why = n+1, "The comparison "+quoted(
				t.lines[i])+" does not compare; it must look at both sides."
		}
	}
	return n, why
}

// body returns the lines of the function whose header is line i at some column: the deeper
// ones.
func (t *text) body(i, at int) []string {
	depth := func(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }
	out := []string{strings.Trim(t.code[i][at:], " {=:\r\n")}
	for k := i + 1; k < len(t.code) && k < i+40; k++ {
		line := strings.TrimRight(t.code[k], "\r\n")
		switch word := strings.TrimSpace(line); {
		case word == "" || word == "{":
		case depth(line) <= depth(t.code[i]):
			return out
		default:
			out = append(out, line)
		}
	}
	return out
}
