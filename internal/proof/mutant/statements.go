package mutant

import (
	"regexp"
	"strings"
	"sync"
)

var (
	// The heads of conditions: in brackets, up to a brace, up to a colon, in Ruby.
	inBrackets = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(?:if|while)\s*\(`) })
	toBrace    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bif\s+([^;{}]+?)\s*\{\s*$`) })
	toColon    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*(?:if|elif|while)\s+(.+?)\s*:\s*$`) })
	rubyIf     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|\s)(if|unless|elsif)\s`) })
)

// condition turns a condition round.
func (f *file) condition(i, at int) {
	const what = "condition negated"
	code := f.code[i]
	switch f.lang {
	case "python":
		if m := toColon().FindStringSubmatchIndex(code); m != nil {
			f.add(i, at, m[2], m[3], "not ("+f.lines[i][m[2]:m[3]]+")", what)
		}
	case "ruby":
		if m := rubyIf().FindStringSubmatchIndex(code); m != nil { // "unless" goes with no "elsif"
			f.add(i, at, m[3], m[3], " not", what)
		}
	case "go", "rust":
		if m := toBrace().FindStringSubmatchIndex(code); m != nil &&
			!strings.Contains(code[m[2]:m[3]], "let ") &&
			!strings.Contains(code[m[2]:m[3]], ":=") {
			f.add(i, at, m[2], m[3], "!("+f.lines[i][m[2]:m[3]]+")", what)
		}
	default:
		if m := inBrackets().FindStringIndex(code); m != nil {
			if to := closing(code, m[1]-1); to > 0 {
				f.add(i, at, m[1], to, "!("+f.lines[i][m[1]:to]+")", what)
			}
		}
	}
}

// closing is where the bracket at from ends, 0 where it does not within the line.
func closing(code string, from int) int {
	depth := 0
	for i := from; i < len(code); i++ {
		switch code[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return 0
}

var (
	// act is a whole statement that calls or assigns.
	act = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\s*(?:await\s+)?[@$*]?[A-Za-z_][\w.$>\[\]:-]*(?:\(.*\)[?!]?|\s*(?:[+\-*/|&%]|\|\||&&|\?\?)?=[^=>].*?|\+\+|--)\s*(;?)\s*$`)
	})
	// declares begins a line that brings in a name, or leads into a block.
	declares = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\s*(?:let|const|var|val|auto|final|static|pub|public|private|protected|internal|override|async|def|fn|fun|func|` +
			`function|class|struct|enum|trait|impl|if|else|elif|elsif|unless|for|foreach|while|until|do|switch|case|when|match|default|` +
			`try|catch|except|rescue|finally|ensure|with|return|throw|raise|break|continue|yield|assert|super|select|go|defer|end|begin|` +
			`data|object|attr_\w+|private_constant|module|lambda|new|delete|goto|echo|global|nonlocal|del|pass)\b|^\s*this\s*\(|^\s*\w[\w.<>\[\], ]*\s+\w+\s*(?:=|\()`)
	})
)

// opens is a line of Ruby that is ended by an "end" further down.
var opens = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\bdo\s*(?:\|[^|]*\|)?\s*$|=\s*(?:if|unless|case|begin|while|until|class|def)\b`)
})

// statement leaves out a statement that stands on one line.
func (f *file) statement(i, at int) {
	code := f.code[i]
	if f.lang == "ruby" && opens().MatchString(code) {
		return
	}
	m := act().FindStringSubmatch(code)
	semicolons := f.lang != "python" && f.lang != "ruby" && f.lang != "go" && f.lang != "kotlin" &&
		f.lang != "js"
	if m == nil || declares().MatchString(code) || !balanced(code) || semicolons && m[1] == "" ||
		!f.alone(i) ||
		strings.Contains(code, ":=") || f.topLevel(i) || f.declared(i) {
		return
	}
	indent := len(code) - len(strings.TrimLeft(code, " \t"))
	now := ""
	if f.lang == "python" {
		now = "pass"
	}
	if semicolons {
		now = ";"
	}
	f.add(i, at, indent, len(strings.TrimRight(code, " \t\r")), now, "statement removed")
}

// topLevel reports whether a line is indented by nothing: what stands there are
// declarations, in most languages.
func (f *file) topLevel(i int) bool {
	code := f.code[i]
	return code == strings.TrimLeft(code, " \t")
}

// group begins a group of declarations of Go.
var group = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*(?:var|const)\s*\($`) })

// declared reports whether a line stands in a group of declarations of Go: it looks like an
// assignment, and brings in a name.
func (f *file) declared(i int) bool {
	depth := func(j int) int { return len(f.code[j]) - len(strings.TrimLeft(f.code[j], " \t")) }
	for j := i - 1; f.lang == "go" && j >= 0; j-- {
		if code := strings.TrimSpace(f.code[j]); code != "" && depth(j) < depth(i) {
			return group().MatchString(code)
		}
	}
	return false
}

// alone reports whether a line is neither the continuation of the one before nor is
// continued in the next.
func (f *file) alone(i int) bool {
	prev, next := "", ""
	for j := i - 1; j >= 0 && prev == ""; j-- {
		prev = strings.TrimSpace(f.code[j])
	}
	for j := i + 1; j < len(f.code) && next == ""; j++ {
		next = strings.TrimSpace(f.code[j])
	}
	return (prev == "" || strings.ContainsAny(prev[len(prev)-1:], ";{}:)") || f.lang == "go" ||
		f.lang == "python" || f.lang == "ruby" ||
		f.lang == "js" || f.lang == "kotlin") &&
		(prev == "" || !strings.ContainsAny(prev[len(prev)-1:], ",([+-*/=&|.\\") &&
			!strings.HasSuffix(prev, "->") && !strings.HasSuffix(prev, "=>")) &&
		(next == "" || !strings.ContainsAny(next[:1], ".+-*/=&|?,)]") || strings.HasPrefix(next, "//") ||
			strings.HasPrefix(next, "/*"))
}

func balanced(code string) bool {
	depth := 0
	for i := range len(code) {
		switch code[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return depth == 0
}

// returned is a line that gives a result.
var returned = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*return\s+(\S.*?)\s*;?\s*$`) })

// nothing is what languages without types give back instead.
var nothing = map[string]string{"python": "None", "js": "undefined", "ruby": "nil", "php": "null"}

// result gives back nothing instead of something: where a language has types, a text
// is emptied.
func (f *file) result(i, at int) {
	code := f.code[i]
	m := returned().FindStringSubmatchIndex(code)
	if m == nil || !balanced(code) || !f.alone(i) {
		return
	}
	was := strings.TrimSpace(f.lines[i][m[2]:m[3]])
	if now := nothing[f.lang]; now != "" {
		if was != now && was != "null" {
			f.add(i, at, m[2], m[3], now, "result removed")
		}
		return
	}
	if len(was) > 2 && was[0] == '"' && strings.IndexByte(was[1:], '"') == len(was)-2 {
		f.add(i, at, m[2], m[3], `""`, "result emptied")
	}
}
