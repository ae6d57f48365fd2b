package source

import (
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/lexer"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
)

// Which names a line of code sets: each of its statements counts, whatever stands before
// an assignment in it.

// headWord begins a statement whose block stands behind its head, in Python in the same line.
var headWord = pattern.Lazy(`^[\s}]*(if|elif|else|for|while|with|try|except|finally|do|switch|foreach|until|` +
	`unless)\b|^[\s}]*case\s`)

// statements parts a line: at the end of each statement, and where a block begins or ends
// behind the head of a condition or a loop.
func statements(lang *lexer.Language, code string) (out []string) {
	depth, from := 0, 0
	end := func(i int) {
		out, from = append(out, code[from:i]), i+1
	}
	for i := 0; i < len(code); i++ {
		switch code[i] {
		case '(', '[':
			depth++
		case ')', ']':
			depth = max(0, depth-1)
		case '{':
			head := code[from:i]
			if depth == 0 && !lang.Indent && (strings.TrimSpace(head) == "" || headWord().MatchString(head)) {
				end(i)
			} else {
				depth++
			}
		case '}':
			if depth == 0 {
				end(i)
			}
			depth = max(0, depth-1)
		case ';':
			if depth == 0 {
				end(i)
			}
		case ':':
			if depth == 0 && lang.Indent && i+1 < len(code) && code[i+1] != '=' &&
				headWord().MatchString(code[from:i]) {
				end(i)
			}
		}
	}
	return append(out, code[from:])
}

var (
	// behindLabel is a statement behind a label or a case.
	behindLabel = pattern.Lazy(`^\s*(?:case\b(?:[^:]|::)*|default|[A-Za-z_]\w*)\s*:\s*([^:=\s].*)$`)
	// typesBehind are languages in which a type may stand behind the name of what is set.
	typesBehind = map[string]bool{"js": true, "python": true, "kotlin": true, "swift": true, "rust": true, "zig": true}
	ownType     = pattern.Lazy(`^(number|string|boolean|any|unknown|object|bigint|symbol|never|void|undefined|null)\b|` +
		`^[A-Z]|^\w+(\[\]|<)`)
)

// assignedIn gives the names that one statement sets.
func assignedIn(lang *lexer.Language, statement string) []string {
	statement = strings.TrimRight(statement, "\r\n")
	m := behindLabel().FindStringSubmatch(statement)
	isCase := strings.HasPrefix(strings.TrimSpace(statement), "case ") ||
		strings.HasPrefix(strings.TrimSpace(statement), "default")
	switch {
	case m == nil:
	case !typesBehind[lang.Name] || isCase:
		return Assigned(m[1])
	case lang.Name == "js" && !ownType().MatchString(m[1]):
		return append(Assigned(statement), Assigned(m[1])...)
	}
	return Assigned(statement)
}

// loopOver has what a loop sets and leaves behind, in the languages of loopLeaves.
var (
	loopOver   = pattern.Lazy(`\bfor\s+([\w\s,()\[\]*]+?)\s+in\b|\bforeach\b.*\bas\s+([^{;]*)\)`)
	loopLeaves = map[string]bool{"python": true, "ruby": true, "php": true}
)

// loopTargets are the variables that a loop sets and leaves behind.
func loopTargets(lang *lexer.Language, code string) []string {
	m := loopOver().FindStringSubmatch(code)
	if m == nil || !loopLeaves[lang.Name] {
		return nil
	}
	return Ident().FindAllString(m[1]+m[2], -1)
}

// Assignment finds the Assignment operator outside of brackets; -1 for none.
func Assignment(code string) int {
	depth := 0
	for i := 0; i < len(code); i++ {
		switch c := code[i]; c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth = max(0, depth-1) // of a bracket that opened above
		case '=':
			next, prev := byte(0), byte(0)
			if i+1 < len(code) {
				next = code[i+1]
			}
			if i > 0 {
				prev = code[i-1]
			}
			if next == '=' || next == '>' || next == '~' {
				i++
				continue
			}
			if depth == 0 && prev != '!' && prev != '<' && prev != '>' && prev != '=' && prev != '~' {
				return i
			}
		}
	}
	return -1
}

// Assigned gives the names on the left of an assignment; a.b = gives "a.".
func Assigned(code string) []string {
	at := Assignment(code)
	if at < 0 {
		return nil
	}
	left := strings.TrimRight(strings.TrimRight(code[:at], ":+-*/%|&^?<>"), " \t")
	if end := strings.LastIndexByte(left, ')'); end >= 0 && bracelessHead().MatchString(left) {
		left = left[end+1:]
	}
	if Opening().MatchString(left) {
		return nil
	}
	if m := genericDeclared().FindStringSubmatch(left); m != nil {
		return m[1:2]
	}
	if before, ok := annotated(left); ok {
		left = before
	}
	var names []string
	for _, part := range strings.Split(left, ",") {
		if name, _, ok := strings.Cut(part, ": "); ok && !strings.ContainsAny(left, "{}") {
			part = name // a type follows
		}
		part = strings.TrimSpace(strings.Trim(strings.TrimSpace(part), "{}[]()"))
		if strings.HasPrefix(part, ":") {
			continue // an atom that is matched
		}
		words := Ident().FindAllString(part, -1)
		if len(words) == 0 {
			continue
		}
		fields := strings.Fields(part)
		last := fields[len(fields)-1]
		if len(fields) > 2 && fields[0] == "var" { // Go: a type follows
			last = fields[1]
		}
		if at := strings.IndexByte(part, '['); at > 0 && Ident().FindString(last) == "" {
			last = strings.TrimSpace(part[:at]) + "[" // a text in the brackets is blank
			last = last[strings.LastIndexAny(last, " \t")+1:]
		}
		root := Ident().FindString(last)
		if root == "" || keyword[root] && root != "require" {
			continue
		}
		if at := strings.LastIndex(last, "::"); at > 0 && len(fields) > 1 && last[0] != '$' &&
			Ident().FindString(last[at+2:]) == last[at+2:] {
			root = last[at+2:] // C++: a variable of a class, where it is made
		}
		if strings.ContainsAny(last, ".[") || strings.Contains(last, "->") {
			root += "."
		}
		names = append(names, root)
	}
	return names
}

// annotated gives what stands before a type with types of its own: name: Map<A, B>.
func annotated(left string) (before string, ok bool) {
	if caseLabel().MatchString(left) {
		return "", false
	}
	depth := 0
	for i := 0; i+1 < len(left); i++ {
		switch c := left[i]; {
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		case c == ':' && depth == 0 && left[i+1] == ' ':
			return left[:i], strings.ContainsAny(left[i:], "[(<{")
		}
	}
	return "", false
}

var caseLabel = pattern.Lazy(`^\s*(case|default)\b`)

// genericDeclared is a variable behind a type with types of its own, or arrays of such.
var genericDeclared = pattern.Lazy(`^\s*(?:\w+\s+)*[A-Za-z_][\w.:]*<[\w\s,.:?*&<>\[\]]*>(?:::\w+)?` +
	`(?:\s*\[\s*\])*[\s*&]+(\w+)$`)

var bracelessHead = pattern.Lazy(`^\s*(\}?\s*else\s+)?(if|while|for)\s*\(`)
