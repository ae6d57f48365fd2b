package guard

import (
	"fmt"
	"strings"
)

// An equality that does not compare makes every assertion true.

var (
	equality = map[string]func() *pattern{
		"python": lazy(`\bdef\s+__(eq|ne|contains|instancecheck|subclasscheck)__\s*\(\s*\w+\s*,\s*\*?(\w+)|\b__(?:eq|ne)__\s*=\s*lambda\s+[*\w]+\s*(?:,\s*\*?(\w+))?`),
		"ruby":   lazy(`\bdef\s+(==|eql\?|equal\?|===|!=)\s*\(?\s*\*?(\w*)`),
		"rust":   lazy(`\bfn\s+(eq|ne)\s*(?:<[^>]*>)?\(\s*&self\s*,\s*(\w+)\s*:`),
		"java":   lazy(`\bboolean\s+(equals)\s*\(\s*(?:final\s+)?(?:@\w+\s+)?[\w.]+\s+(\w+)`),
		"kotlin": lazy(`\bfun\s+(equals)\s*\(\s*(\w+)\s*:`),
		"csharp": lazy(`\bbool\s+(?:[\w<>?]+\.)?(Equals|operator\s*[!=]=)\s*\(.*?[\w?.<>]+\s+(\w+)\s*\)`),
		"c":      lazy(`\b(operator\s*[!=]=)\s*\(.*?(\w*)\s*\)`),
		"swift":  lazy(`\bfunc\s+([!=]=)\s*\(.*?(\w+)\s*:\s*[\w.<>]+\s*\)`),
		"go":     lazy(`^func\s*\([^)]*\)\s*(Equals?|Is|Cmp|Compare)\s*\(\s*(\w+)\s`),
		"js":     lazy(`^\s*(asymmetricMatch|equals|isEqual|deepEquals?)\s*\(\s*(\w*)\s*(?::\s*\w+)?\)\s*(?::\s*\w+\s*)?\{`),
		"php":    lazy(`\bfunction\s+(equals|isEqual|__eq)\s*\(\s*[\w\\?]*\s*\$(\w+)`),
	}
	yes       = lazy(`^(return\s+)?\(?(True|true|TRUE|1|0|!0|!!1|not False|not None|False|false|!false|!true|bool\(1\)|Boolean\(1\)|1\s*==\s*1|nil)\)?\s*;?\s*$`)
	answer    = lazy(`\breturn\b`)
	selfEqual = lazy(`(?:^|[^\w.>:])(\w+)\s*(?:===?|\bis\b)\s*(\w+)(?:$|[^\w.(\-:])`)
	orTrue    = lazy(`(\bor|\|\|)\s*(True|true|1\b)|\bisinstance\(\w+,\s*object\)|\b(True|true)\s*(or\b|\|\|)`)
	returning = lazy(`(?:\breturn|=>|->)\s+(True|true|TRUE|1|not False|!0|!false|1 == 1)\b|[^=!<>]=\s+(true|True)\b`)
)

// alwaysEqual counts equality methods that do not look at what they compare.
func alwaysEqual(_ string, t *text) (n int, why string) {
	re := equality[t.source.lang.name]
	if re == nil {
		return 0, ""
	}
	for i, line := range t.code {
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
		body := bodyOf(t, i, m[1])
		if t.source.lang.name == "php" {
			body = withoutDollars(body)
		}
		negative := name == "ne" || strings.Contains(name, "!=")
		if ignores(body, other, negative) || !negative && sameTypeOnly(t, i, body, other) {
			n++
			why = fmt.Sprintf("The comparison %q does not compare; it must look at both sides.", shorten(t.lines[i]))
		}
	}
	return n, why
}

// bodyOf gives the code of the function whose header is line i, without the
// header up to column at.
func bodyOf(t *text, i, at int) string {
	out := []string{strings.TrimLeft(t.code[i][at:], ") ")}
	if t.source.lang.indent {
		if _, body, ok := strings.Cut(t.code[i][at:], ":"); ok {
			out[0] = body
		}
	}
	base := t.outline.at[i]
	for k := i + 1; k < len(t.code) && k < i+40; k++ {
		if strings.TrimSpace(t.code[k]) == "" {
			continue
		}
		b := t.outline.at[k]
		if b == base && len(out) == 1 && strings.HasPrefix(strings.TrimSpace(t.code[k]), "{") {
			continue // the brace on a line of its own
		}
		if b == base || !within(b, base) {
			break
		}
		out = append(out, strings.TrimSpace(t.code[k]))
	}
	return strings.Join(out, "\n")
}

// ignores tells a body that never uses the other side, and does not say no.
func ignores(body, other string, negative bool) bool {
	body = strings.TrimSpace(body)
	for _, m := range selfEqual().FindAllStringSubmatch(body, -1) {
		if m[1] == m[2] && m[1] != "" { // other == other
			return true
		}
	}
	if orTrue().MatchString(body) {
		return true
	}
	used := other != "" && other != "_" && usesOf(strings.Split(body, "\n")).alone[other]
	if used {
		// Used for show: if it is looked at, the answer must depend on it.
		lines := strings.FieldsFunc(body, func(r rune) bool { return r == '\n' || r == ';' || r == '{' || r == '}' })
		var answers []string
		for _, l := range lines {
			if at := answer().FindStringIndex(l); at != nil {
				answers = append(answers, strings.TrimSpace(l[at[0]:]))
			}
		}
		for _, a := range answers {
			if !yes().MatchString(a) || strings.Contains(strings.ToLower(a), "false") && !strings.Contains(a, "not ") && !strings.Contains(a, "!") {
				return false
			}
		}
		return len(answers) > 0
	}
	for _, word := range []string{"NotImplemented", "raise", "throw", "panic", "unimplemented", "todo!", "default;", "delete;"} {
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
	for _, l := range strings.FieldsFunc(body, func(r rune) bool { return strings.ContainsRune("\n{};:", r) }) {
		switch strings.TrimSpace(l) {
		case "true", "True", "return true", "return True", "1", "= true", "=> true":
			return true
		}
	}
	return false
}
