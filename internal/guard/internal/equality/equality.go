// Package equality finds equalities that do not compare: each makes every assertion
// about its type true.
package equality

import (
	"fmt"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/source"
	"github.com/booty-cli/booty/internal/pattern"
)

// An equality that does not compare makes every assertion true.

var (
	Definitions = map[string]func() *pattern.Pattern{
		"python": pattern.Lazy(`\bdef\s+__(eq|ne|contains|instancecheck|` +
			`subclasscheck)__\s*\(\s*\w+\s*,\s*\*?(\w+)|\b__(?:eq|` +
			`ne)__\s*=\s*lambda\s+[*\w]+\s*(?:,\s*\*?(\w+))?`),
		"ruby":   pattern.Lazy(`\bdef\s+(==|eql\?|equal\?|===|!=)\s*\(?\s*\*?(\w*)`),
		"rust":   pattern.Lazy(`\bfn\s+(eq|ne)\s*(?:<[^>]*>)?\(\s*&self\s*,\s*(\w+)\s*:`),
		"java":   pattern.Lazy(`\bboolean\s+(equals)\s*\(\s*(?:final\s+)?(?:@\w+\s+)?[\w.]+\s+(\w+)`),
		"kotlin": pattern.Lazy(`\bfun\s+(equals)\s*\(\s*(\w+)\s*:`),
		"csharp": pattern.Lazy(`\bbool\s+(?:[\w<>?]+\.)?(Equals|` +
			`operator\s*[!=]=)\s*\(.*?[\w?.<>]+\s+(\w+)\s*\)`),
		"c":     pattern.Lazy(`\b(operator\s*[!=]=)\s*\(.*?(\w*)\s*\)`),
		"swift": pattern.Lazy(`\bfunc\s+([!=]=)\s*\(.*?(\w+)\s*:\s*[\w.<>]+\s*\)`),
		"go":    pattern.Lazy(`^func\s*\([^)]*\)\s*(Equals?|Is|Cmp|Compare)\s*\(\s*(\w+)\s`),
		"js": pattern.Lazy(`^\s*(asymmetricMatch|equals|isEqual|` +
			`deepEquals?)\s*\(\s*(\w*)\s*(?::\s*\w+)?\)\s*(?::\s*\w+\s*)?\{`),
		"php": pattern.Lazy(`\bfunction\s+(equals|isEqual|__eq)\s*\(\s*[\w\\?]*\s*\$(\w+)`),
	}
	yes = pattern.Lazy(`^(return\s+)?\(?(True|true|TRUE|1|0|!0|!!1|not False|not None|False|` +
		`false|!false|!true|bool\(1\)|Boolean\(1\)|1\s*==\s*1|nil)\)?\s*;?\s*$`)
	answer    = pattern.Lazy(`\breturn\b`)
	selfEqual = pattern.Lazy(`(?:^|[^\w.>:])(\w+)\s*(?:===?|\bis\b)\s*(\w+)(?:$|[^\w.(\-:])`)
	orTrue    = pattern.Lazy(`(\bor|\|\|)\s*(True|true|1\b)|\bisinstance\(\w+,\s*object\)|` +
		`\b(True|true)\s*(or\b|\|\|)`)
	returning = pattern.Lazy(`(?:\breturn|=>|->)\s+(True|true|TRUE|1|not False|!0|!false|1 == 1)\b|` +
		`[^=!<>]=\s+(true|True)\b`)
)

// Always counts equality methods that do not look at what they compare.
func Always(_ string, t *source.Text) (n int, why string) {
	lines := Blind(t)
	if len(lines) > 0 {
		why = fmt.Sprintf("The comparison %q does not compare; it must look at both sides.",
			diff.Shorten(t.Lines[lines[len(lines)-1]]))
	}
	return len(lines), why
}

// Blind gives the lines on which such methods begin.
func Blind(t *source.Text) (lines []int) {
	re := Definitions[t.Source.Lang.Name]
	if re == nil {
		return nil
	}
	for i, line := range t.Code {
		m := re().FindStringSubmatchIndex(line)
		if m == nil {
			continue
		}
		group := func(k int) string {
			if k+1 >= len(m) || m[k] < 0 {
				return ""
			}
			return line[m[k]:m[k+1]]
		}
		name, other := group(2), group(4)
		if len(m) > 6 && other == "" {
			other = group(6)
		}
		body := source.BodyOf(t, i, m[1])
		if t.Source.Lang.Name == "php" {
			body = source.WithoutDollars(body)
		}
		negative := name == "ne" || strings.Contains(name, "!=")
		if ignores(t.Source.Lang.Name, body, other, negative) || !negative && sameTypeOnly(t, i, body, other) {
			lines = append(lines, i)
		}
	}
	return lines
}

// ignores tells a body that never uses the other side, and does not say no.
func ignores(lang, body, other string, negative bool) bool {
	body = strings.TrimSpace(body)
	for _, m := range selfEqual().FindAllStringSubmatch(body, -1) {
		if m[1] == m[2] && m[1] != "" { // other == other
			return true
		}
	}
	if orTrue().MatchString(body) {
		return true
	}
	used := other != "" && other != "_" && source.UsesOf(strings.Split(body, "\n")).Alone[other]
	if used {
		// Used for show: if it is looked at, the answer must depend on it.
		lines := strings.FieldsFunc(body, func(r rune) bool {
			return r == '\n' || r == ';' || r == '{' ||
				r == '}'
		})
		var answers []string
		for _, l := range lines {
			if at := answer().FindStringIndex(l); at != nil {
				answers = append(answers, strings.TrimSpace(l[at[0]:]))
			}
		}
		if last := lastValue(lang, body); len(answers) > 0 && source.UsesOf([]string{last}).Alone[other] {
			answers = append(answers, last)
		}
		for _, a := range answers {
			if !yes().MatchString(a) || strings.Contains(strings.ToLower(a), "false") &&
				!strings.Contains(a, "not ") && !strings.Contains(a, "!") {
				return false
			}
		}
		return len(answers) > 0
	}
	for _, word := range []string{"NotImplemented", "raise", "throw", "panic", "unimplemented", "todo!",
		"default;", "delete;"} {
		if strings.Contains(body, word) {
			return false
		}
	}
	if negative {
		return strings.Contains(body, "False") || strings.Contains(body, "false")
	}
	if returning().MatchString(body) {
		return true
	}
	for _, l := range strings.FieldsFunc(body,
		func(r rune) bool { return strings.ContainsRune("\n{};:", r) }) {
		switch strings.TrimSpace(l) {
		case "true", "True", "return true", "return True", "1", "= true", "=> true":
			return true
		}
	}
	return false
}

// valueLast are languages in which a function answers with its last expression.
var valueLast = map[string]bool{"rust": true, "ruby": true}

// lastValue is the last line of a body where that is such an expression: no end of a block in it,
// and no statement that has no value.
func lastValue(lang, body string) string {
	lines := strings.Split(strings.TrimSpace(body), "\n")
	if end := lines[len(lines)-1]; end == "}" || end == "end" {
		lines = lines[:len(lines)-1]
	}
	if !valueLast[lang] || len(lines) == 0 {
		return ""
	}
	last := strings.TrimSpace(lines[len(lines)-1])
	if strings.HasSuffix(last, ";") || strings.HasSuffix(last, "}") || last == "end" {
		return ""
	}
	return last
}
