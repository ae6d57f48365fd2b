package guard

import (
	"fmt"
	"strings"
)

// An added line may bind a name that old lines use: a redefined assertion, a
// helper, a test of the same name, the value under test. That is found by names,
// without knowing types.

var (
	declared = lazy(`\b(?:func(?:\s+\([^)]*\))?|fn|function\*?|sub|def|defp|defmacro|defmacrop|class|struct|enum(?:\s+(?:class|struct))?|interface|trait|module|defmodule|record|object|fun|macro_rules!|alias|typedef|namespace|mod|protocol|extension|impl)\s+(?:self\.)?(?:[A-Z][\w<>?]*\.)*([A-Za-z_$][\w$]*[?!]?)`)
	group    = lazy(`\b(describe|context|suite|feature|concern|shared_examples)\b`)
	// Other ways to bind a name in the middle of code.
	binder = lazy(`\b(\w+)\s*:=|\bfor\s*\(?\s*(?:const|let|var)?\s*(\w+)(?:\s*,\s*\w+)?\s+(?:in|of)\b|\bas\s+(\w+)\s*[:,]|\b(\w+)(?:\+\+|--)|(?:\+\+|--)(\w+)|&(?:mut\s+)?(\w+)\s*[,)]`)
	macro  = lazy(`^\s*#\s*(?:define|undef)\s+(\w+)`)
	// A method of a C-like language: a type or modifier, a name, arguments, a brace.
	method = lazy(`^\s*(?:[\w<>\[\],.:*&?@]+\s+)+[*&]*(\w+)\s*\([^;]*\)\s*(?:const|override|noexcept|throws [\w., ]+)?\s*(?:\{.*)?\s*$`)
	// A method of a JavaScript class or object, or a shell function.
	jsMethod      = lazy(`^\s*(?:async\s+|static\s+)*([A-Za-z_$][\w$]*)\s*\([^()]*\)\s*\{`)
	shellFunction = lazy(`^\s*(?:function\s+)?([\w./:-]+)\s*\(\s*\)`)
	imported      = lazy(`^\s*(import|from|use|using|alias|require|const .*\brequire|let .*\brequire|var .*\brequire)\b`)
	starImport    = lazy(`^\s*from\s+(\S+)\s+import\s+\*`)
	dotted        = lazy(`^\s*import\s+(\w+)(?:\.\w+)+\s*$`)
	ident         = lazy(`[A-Za-z_$][\w$]*`)
	asName        = lazy(`[\w$.:*]+\s+as\s+([\w$]+)`)
	controls      = map[string]bool{"return": true, "else": true, "new": true, "throw": true, "await": true, "case": true, "do": true, "goto": true, "delete": true, "yield": true}
	rubyName      = lazy(`\b(?:let!?|subject!?|define_method|attr_\w+|alias_method|def_delegators?)[\s(]+:(\w+)`)
	keyword       = map[string]bool{"import": true, "from": true, "use": true, "using": true, "static": true, "const": true, "let": true, "var": true, "require": true,
		"type": true, "as": true, "pub": true, "super": true, "crate": true, "self": true, "function": true, "default": true, "typeof": true, "if": true, "for": true, "while": true,
		"else": true, "switch": true, "catch": true, "return": true, "global": true, "await": true, "new": true, "alias": true}
)

var cTypeDefined = lazy(`^\s*(typedef\s+)?(struct|enum)\s+(class\s+)?\w+\s*(final\s*)?(:[^(]*)?(\{.*)?$`)

// binds gives the names that a line of code binds, and of those the ones that it
// only imports.
func binds(lang *language, code, live string) (names []string, imports bool) {
	if m := macro().FindStringSubmatch(code); m != nil && lang.conditions {
		return m[1:2], false
	}
	if lang.name == "python" && starImport().MatchString(code) {
		return []string{"*"}, true
	}
	if imported().MatchString(code) {
		return importedNames(lang.name, code), true
	}
	for _, m := range declared().FindAllStringSubmatch(code, -1) {
		if lang.name == "go" && !strings.HasPrefix(m[0], "func") && !strings.HasPrefix(m[0], "struct") && !strings.HasPrefix(m[0], "interface") {
			continue // a parameter called fn, or record
		}
		if strings.HasPrefix(m[0], "impl") || strings.HasPrefix(m[0], "extension") {
			continue // it adds to a type
		}
		if lang.name == "c" && (strings.HasPrefix(m[0], "struct") || strings.HasPrefix(m[0], "enum")) && !cTypeDefined().MatchString(code) {
			continue // a type that is used
		}
		names = append(names, m[1])
	}
	switch lang.name {
	case "java", "csharp", "c", "dart":
		if m := method().FindStringSubmatch(code); m != nil && !controls[strings.Fields(code)[0]] && !keyword[m[1]] {
			names = append(names, m[1])
		}
	case "ruby":
		if m := rubyName().FindStringSubmatch(code); m != nil {
			names = append(names, m[1])
		}
	case "js", "shell":
		if m := shellFunction().FindStringSubmatch(code); m != nil && lang.name == "shell" {
			names = append(names, ident().FindAllString(m[1], -1)...)
		}
		if m := jsMethod().FindStringSubmatch(code); m != nil && !keyword[m[1]] {
			names = append(names, m[1])
		}
	}
	if len(names) > 0 {
		return names, false
	}
	names = assigned(code)
	for _, m := range binder().FindAllStringSubmatch(code, -1) {
		for k, name := range m[1:] {
			if name != "" && (k != 5 || lang.name == "go" || lang.name == "c" || strings.Contains(m[0], "mut")) {
				names = append(names, name)
			}
		}
	}
	return names, false
}

func importedNames(lang, code string) []string {
	var names []string
	for _, m := range asName().FindAllStringSubmatch(code, -1) {
		names = append(names, m[1])
	}
	code = asName().ReplaceAllString(code, "")
	if m := dotted().FindStringSubmatch(code); m != nil && lang == "python" {
		names = append(names, m[1]) // import a.b binds a
	}
	if before, after, ok := strings.Cut(code, " import "); ok && strings.HasPrefix(strings.TrimSpace(before), "from") {
		code = after
	}
	if before, _, ok := strings.Cut(code, " from "); ok {
		code = before
	}
	if before, _, ok := strings.Cut(code, "="); ok {
		code = before
	}
	code = strings.TrimSpace(strings.TrimRight(strings.TrimSpace(code), ";"))
	for _, part := range strings.FieldsFunc(code, func(r rune) bool { return strings.ContainsRune(",{}()\"'", r) }) {
		words := ident().FindAllString(part, -1)
		if len(words) == 0 {
			continue
		}
		if last := words[len(words)-1]; !keyword[last] && !strings.HasSuffix(strings.TrimSpace(part), ":") && !strings.HasSuffix(strings.TrimSpace(part), ".") {
			names = append(names, last)
		}
	}
	return names
}

// assignment finds the assignment operator outside of brackets; -1 for none.
func assignment(code string) int {
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

// assigned gives the names on the left of an assignment; a.b = gives "a.".
func assigned(code string) []string {
	at := assignment(code)
	if at < 0 {
		return nil
	}
	left := strings.TrimRight(strings.TrimRight(code[:at], ":+-*/%|&^?<>"), " \t")
	if end := strings.LastIndexByte(left, ')'); end >= 0 && bracelessHead().MatchString(left) {
		left = left[end+1:]
	}
	if opening().MatchString(left) {
		return nil
	}
	var names []string
	for _, part := range strings.Split(left, ",") {
		if name, _, ok := strings.Cut(part, ": "); ok && !strings.ContainsAny(left, "{}") {
			part = name // a type follows
		}
		part = strings.TrimSpace(strings.Trim(strings.TrimSpace(part), "{}[]()"))
		words := ident().FindAllString(part, -1)
		if len(words) == 0 {
			continue
		}
		fields := strings.Fields(part)
		last := fields[len(fields)-1]
		root := ident().FindString(last)
		if root == "" || keyword[root] {
			continue
		}
		if strings.ContainsAny(last, ".[") || strings.Contains(last, "->") {
			root += "."
		}
		names = append(names, root)
	}
	return names
}

var bracelessHead = lazy(`^\s*(\}?\s*else\s+)?(if|while|for)\s*\(`)

// uses are the names that code uses, alone or after a dot or the like.
type uses struct{ alone, member map[string]bool }

func usesOf(lines []string) uses {
	u := uses{map[string]bool{}, map[string]bool{}}
	for _, line := range lines {
		for _, m := range ident().FindAllStringIndex(line, -1) {
			name := line[m[0]:m[1]]
			before := strings.TrimRight(line[:m[0]], " ")
			switch {
			case strings.HasSuffix(before, ".") && !strings.HasSuffix(before, ".."), strings.HasSuffix(before, "->"), strings.HasSuffix(before, "::"), strings.HasSuffix(before, "@"), strings.HasSuffix(before, "$"), strings.HasSuffix(before, `\`):
				u.member[name] = true
			default:
				u.alone[name] = true
			}
		}
	}
	return u
}

var mutating = lazy(`\b(\w+)\.(clear|pop|remove|delete|splice|shift|unshift|removeAll|drain|truncate|retain|reverse|sort|update|fill|length\s*=|class_eval|instance_eval|define_method|define_singleton_method|prepend|__setattr__|__dict__)\b`)

// scope is the innermost old block around a line of a hunk.
func (r *reading) scope(h hunk, i int) *block {
	b := r.new.outline.at[i]
	for b != nil && b.line >= h.from && b.line < h.to {
		b = b.parent
	}
	return b
}

// usesIn gives the names that old lines use where a name bound in a scope after
// line i counts: the rest of the function, or else the whole file, and whether
// the scope is in a function.
func (r *reading) usesIn(scope *block, i int) (used uses, rest []string, inFunction bool) {
	inside := scope
	for inside != nil && inside.sort() != function {
		inside = inside.parent
	}
	if inside == nil {
		return r.fileUses(), nil, false
	}
	t := r.new
	// A group of cases runs as a whole before its cases do, and functions are
	// known before their line.
	whole := group().MatchString(inside.header) || r.lang.name == "js" && strings.Contains(t.code[i], "function ")
	for k := range t.lines {
		if r.added[k] || k < i && !whole || k <= inside.line {
			continue
		}
		if !t.blank(k) && !within(t.outline.at[k], inside) {
			if k < i {
				continue
			}
			break
		}
		if r.lang.name == "shell" { // commands stand in strings, as "$(cmd)"
			rest = append(rest, withoutDollars(t.live[k]))
			continue
		}
		rest = append(rest, t.code[k])
	}
	return usesOf(rest), rest, true
}

// checkNames objects to a name bound anew that old lines use: within a test that is
// another value, outside of it another function.
func (r *reading) checkNames(h hunk) objection {
	t := r.new
	for i := h.from; i < h.to; i++ {
		isFunction, _, _, inHolder := r.inside(h, i)
		scope := r.scope(h, i)
		if isFunction || inHolder || t.blank(i) || scope != nil && (scope.mark == "(" || scope.mark == "[") && !isGoGroup(scope) {
			continue
		}
		if at := t.outline.at[i]; at != scope && at != nil && at.sort() == container {
			continue // elements of an added literal
		}
		if r.ownScope(h, i) {
			continue
		}
		names, imports := binds(r.lang, t.code[i], t.live[i])
		m := mutating().FindStringSubmatch(t.code[i])
		if len(names) == 0 && m == nil {
			continue
		}
		used, rest, inFunction := r.usesIn(scope, i)
		if m != nil && used.alone[m[1]] {
			return setAside(fmt.Sprintf("The added line %q changes %s, which old lines of the test use.", shorten(t.lines[i]), m[1]))
		}
		for _, name := range names {
			if name == "*" && !r.hasLine(t.lines[i]) {
				return refuse(fmt.Sprintf("The added line %q could redefine what old tests use.", shorten(t.lines[i])))
			}
			root, member := strings.CutSuffix(name, ".")
			holder := scope != nil && scope.sort() == container
			clash := used.alone[root] || holder && used.member[root] || (r.lang.name == "ruby" || r.lang.name == "shell") && used.member[root]
			switch {
			case !clash || root == "_" || root == "":
			case imports && r.importsAlready(root, t.live[i]):
			case r.lang.name == "go" && scope == nil && !member && !universe[root]:
				// Twice in a package is an error of the compiler, not a trick.
			case holder && !inFunction && isCase(t.code[i]) && !r.definedIn(scope, root):
			case (holder || scope == nil) && !inFunction && overloads[r.lang.name] && strings.Contains(t.code[i], "(") && r.definedIn(scope, root):
				// Another form of a method that the class has.
			case inFunction && !member && setFirst(rest, root):
			default:
				why := fmt.Sprintf("The added line %q redefines or changes %s, which old lines of the test use.", shorten(t.lines[i]), root)
				return objection{why: why, aside: inFunction || isCase(t.code[i])}
			}
		}
	}
	return objection{}
}

// blockScoped are languages in which a declaration ends with its block, by how one
// begins.
var blockScoped = map[string]func() *pattern{
	"js": lazy(`^\s*(const|let)\b|\bfor\s*\((const|let)\b`), "perl": lazy(`^\s*my\b|\bfor(each)?\s+my\b`), "go": lazy(`:=|^\s*var\b`), "rust": lazy(`^\s*let\b|^\s*for\b`),
	"swift": lazy(`^\s*(let|var)\b`), "kotlin": lazy(`^\s*(val|var)\b`), "lua": lazy(`^\s*local\b`), "dart": cDeclared, "zig": lazy(`^\s*(const|var)\b`),
	"c": cDeclared, "java": cDeclared, "csharp": cDeclared,
}

var cDeclared = lazy(`^\s*(?:const\s+|final\s+|static\s+|struct\s+|unsigned\s+|auto\s+)*[A-Za-z_][\w:.<>,\[\]?]*[\s*&]+[*&]*\w+(\[[^\]]*\])?\s*(=[^=].*)?[;,{]?\s*$|\bfor\s*\(\s*[\w:<>]+[\s*&]+\w+\s*[=:]`)

// ownScope tells a declaration in a block that was added with it.
func (r *reading) ownScope(h hunk, i int) bool {
	re := blockScoped[r.lang.name]
	if re == nil || !re().MatchString(strings.TrimRight(r.new.code[i], "\r\n")) || startsStatement().MatchString(r.new.code[i]) {
		return false
	}
	if strings.Contains(r.new.code[i], "for") && r.new.outline.at[i+1] != r.new.outline.at[i] {
		return true // a variable of the loop that the line begins
	}
	for b := r.new.outline.at[i]; b != nil; b = b.parent {
		if b.line >= h.from && b.line < h.to && b.mark == "{" || b.mark == "do" && b.line >= h.from && b.line < h.to {
			return true
		}
	}
	return false
}

var startsStatement = lazy(`^\s*(return|goto|delete|throw|else|case)\b`)

// overloads are languages in which functions of one name differ by what they take.
var overloads = map[string]bool{"java": true, "kotlin": true, "csharp": true, "c": true, "swift": true}

// universe are Go's own names that a package could redefine.
var universe = map[string]bool{"true": true, "false": true, "nil": true, "error": true, "panic": true, "len": true, "cap": true, "append": true, "recover": true,
	"string": true, "bool": true, "int": true, "int64": true, "byte": true, "rune": true, "float64": true, "any": true, "iota": true, "make": true, "new": true}

// isGoGroup tells the parentheses of a group of imports or declarations.
func isGoGroup(b *block) bool {
	switch b.header {
	case "import", "var", "const", "type":
		return b.mark == "("
	}
	return false
}

func (r *reading) hasLine(line string) bool {
	for _, old := range r.old.lines {
		if strings.TrimSpace(old) == strings.TrimSpace(line) {
			return true
		}
	}
	return false
}

// isCase tells a test method, whose name another class may have too.
func isCase(code string) bool {
	m := declared().FindStringSubmatch(code)
	if m == nil {
		m = method().FindStringSubmatch(strings.TrimRight(code, "\r\n"))
	}
	return m != nil && strings.HasPrefix(strings.ToLower(m[1]), "test")
}

// definedIn tells whether a name is declared directly in an old block.
func (r *reading) definedIn(b *block, name string) bool {
	for i := range r.new.lines {
		if r.new.outline.at[i] != b {
			continue
		}
		if m := declared().FindStringSubmatch(r.new.code[i]); m != nil && m[1] == name {
			// The added line itself is one of these; two are a clash.
			for k := i + 1; k < len(r.new.lines); k++ {
				if m := declared().FindStringSubmatch(r.new.code[k]); r.new.outline.at[k] == b && m != nil && m[1] == name {
					return true
				}
			}
		}
	}
	return false
}

// withoutDollars makes the variable and its value the same name, in a shell.
func withoutDollars(line string) string { return strings.ReplaceAll(line, "$", " ") }

// cDeclaration is a variable that is declared and not yet set.
var cDeclaration = lazy(`^\s*(?:[A-Za-z_]\w*[\s*]+)+(\w+)\s*(?:\[[^\]]*\])?\s*;`)

var loopSets = lazy(`\bfor\s*\(\s*(?:\w+\s+)*(\w+)\s*=[^=]`)

var comparing = lazy(`(?i)cmp|assert|equal|expect|check|require|verify|same|test|print|free|cond|==|!=|[^&]&&|\|\|`)

// filled tells a line that hands a name over for a call to fill, and compares nothing.
func filled(line, name string) bool {
	_, rest, is := strings.Cut(line, "&"+name)
	return is && (rest == "" || !isWord(rest[0]) && rest[0] != '.' && rest[0] != '-') && !comparing().MatchString(line)
}

// setFirst tells whether what follows sets a name before it reads it.
func setFirst(after []string, name string) bool {
	for _, line := range after {
		u := usesOf([]string{line})
		if !u.alone[name] && !u.member[name] {
			continue
		}
		if filled(line, name) {
			return true
		}
		if m := loopSets().FindStringSubmatch(line); m != nil && m[1] == name {
			return true
		}
		if m := cDeclaration().FindStringSubmatch(line); m != nil && m[1] == name && !controls[ident().FindString(line)] {
			return true
		}
		at := assignment(line)
		if at < 0 {
			return false
		}
		for _, n := range assigned(line) {
			if n == name {
				return !usesOf([]string{line[at:]}).alone[name]
			}
		}
		return false
	}
	return true
}
