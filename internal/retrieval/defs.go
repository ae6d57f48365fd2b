package retrieval

import "strings"

// definition is a line that begins a declaration.
type definition struct {
	name string
	// indent counts columns; a tab counts four.
	indent int
	// value marks variables and constants, as opposed to functions and types.
	value bool
}

// define finds the declaration that a line begins. It knows the keywords of many languages
// and the shape of a signature for languages without one. It is meant to be fast and mostly
// right.
func define(l lang, line string) (definition, bool) {
	d := definition{}
	i := 0
	for ; i < len(line) && (line[i] == ' ' || line[i] == '\t'); i++ {
		if d.indent++; line[i] == '\t' {
			d.indent += 3
		}
	}
	s := line[i:]
	if s == "" || len(s) > 400 || d.indent > 12 {
		return d, false
	}
	if s[0] == '#' {
		if rest, ok := strings.CutPrefix(s, "#define "); ok && l == clang {
			d.name, d.value = firstIdent(rest), true
			return d, d.name != ""
		}
		return d, false
	}
	if !letter(s[0]) && s[0] != '_' && s[0] != '$' {
		return d, false
	}
	first, modified := true, false
	for s != "" {
		w, rest := cutWord(s)
		if w == "" {
			return d, false
		}
		switch kindOfWord(l, w) {
		case modifier:
			s, first, modified = skipParens(rest), false, true
			continue
		case defines:
			if labelled(rest) {
				return d, false
			}
			return d.named(l, afterKeyword(l, w, rest))
		case assigns:
			d.value = true
			if d.indent > 0 && !modified {
				return d, false
			}
			return d.named(l, rest)
		case control:
			return d, false
		}
		return d.shaped(l, s, w, rest, first)
	}
	return d, false
}

func (d definition) named(l lang, rest string) (definition, bool) {
	d.name = firstIdent(rest)
	if d.name == "" && l == golang && strings.HasPrefix(rest, "(") {
		return d, true // a group of declarations: worth showing, but it has no name
	}
	return d, d.name != ""
}

// labelled reports whether a keyword of some language is only a name here, as in
// `extension: str`.
func labelled(rest string) bool {
	rest = strings.TrimLeft(rest, " \t")
	return strings.HasPrefix(rest, ":") && !strings.HasPrefix(rest, "::")
}

// shaped finds signatures without a keyword, and constants at the top level.
func (d definition) shaped(l lang, s, w, rest string, first bool) (definition, bool) {
	after := strings.TrimLeft(rest, " \t")
	switch l {
	case python, ruby, otherCode, shell, lua, elixir:
		if l == shell && strings.HasPrefix(after, "()") {
			d.name = w
			return d, true
		}
		if d.indent == 0 && strings.HasPrefix(after, "=") && !strings.HasPrefix(after, "==") ||
			d.indent == 0 &&
				strings.HasPrefix(after, ": ") && l == python {
			d.name, d.value = w, true
			return d, true
		}
		return d, false
	case script:
		if strings.HasPrefix(after, "(") && strings.HasSuffix(strings.TrimRight(s, " \t\r"), "{") &&
			d.indent > 0 &&
			d.indent <= 8 {
			d.name = w
			return d, true
		}
		if n, ok := strings.CutPrefix(s, "exports."); ok {
			d.name, d.value = firstIdent(n), true
			return d, d.name != ""
		}
		if n, ok := strings.CutPrefix(s, "module.exports."); ok {
			d.name, d.value = firstIdent(n), true
			return d, d.name != ""
		}
		return d, first && strings.HasPrefix(s, "module.exports")
	case jvm, csharp, clang, dart, php:
		return d.signature(l, s)
	}
	return d, false
}

// signature finds `type name(parameters)` of the C family.
func (d definition) signature(l lang, s string) (definition, bool) {
	if d.indent > 8 || l == clang && d.indent > 4 {
		return d, false
	}
	open := strings.IndexByte(s, '(')
	if open <= 0 {
		return d, false
	}
	head := strings.TrimRight(s[:open], " \t")
	if strings.ContainsAny(head, "=.;\"'!") {
		return d, false
	}
	k := len(head)
	for k > 0 && identByte(head[k-1]) {
		k--
	}
	name := head[k:]
	if name == "" || digit(name[0]) {
		return d, false
	}
	end := strings.TrimRight(s, " \t\r")
	last := end[len(end)-1]
	typed := k > 0
	if !typed && d.indent == 0 && l == clang || strings.HasPrefix(head, "return ") ||
		strings.HasPrefix(head, "new ") || strings.HasPrefix(head, "throw ") {
		return d, false
	}
	switch {
	case last == '{', last == ',' && typed, last == '(' && typed, last == ')' && typed, last == ';' && typed:
		d.name = name
		return d, true
	}
	return d, false
}

type wordKind uint8

const (
	plainWord wordKind = iota
	modifier
	defines
	assigns
	control
)

// kindOfWord sorts the words that may begin a declaration.
func kindOfWord(l lang, w string) wordKind {
	switch w {
	case "pub", "public", "private", "protected", "internal", "static", "final", "abstract", "async",
		"export", "default", "unsafe", "extern",
		"inline", "virtual", "override", "open", "sealed", "suspend", "declare", "readonly", "partial",
		"data", "local", "lateinit", "implicit", "case", "constexpr", "template", "synchronized",
		"native", "transient", "explicit", "friend", "mutating", "fileprivate", "required",
		"convenience", "operator", "tailrec", "infix":
		if w == "case" && l != jvm || w == "data" && l != jvm || w == "local" && l != lua && l != shell ||
			w == "template" && l != clang {
			return plainWord
		}
		return modifier
	case "func", "fn", "def", "function", "class", "interface", "type", "struct", "enum", "trait", "impl",
		"mod", "module", "namespace", "package",
		"object", "record", "union", "typedef", "macro_rules", "defmodule", "defp", "defmacro", "defstruct",
		"defprotocol", "defimpl", "protocol", "extension", "sub", "fun", "message", "service", "mixin",
		"actor", "using", "procedure", "proc", "resource", "theorem":
		if w == "using" || (w == "type" || w == "record" || w == "object" || w == "message" ||
			w == "module" ||
			w == "namespace" || w == "resource" || w == "package" || w == "service" || w == "proc") &&
			l == python {
			return plainWord
		}
		return defines
	case "const", "var", "let", "val", "attr_accessor", "attr_reader", "local_assigns":
		if (l == clang || l == csharp || l == php) && w == "const" {
			return modifier
		}
		return assigns
	case "if", "else", "for", "foreach", "while", "switch", "catch", "return", "try", "do", "throw", "new",
		"delete", "await", "yield", "elif", "elsif", "unless", "until", "when", "match", "loop", "use",
		"import", "from", "with", "assert", "raise", "print", "go", "defer", "select", "break",
		"continue", "end", "rescue", "ensure", "begin", "then", "fi", "done", "goto", "sizeof", "in",
		"not", "and", "or", "require", "super", "this", "self":
		return control
	}
	return plainWord
}

// afterKeyword skips what may come between a keyword and the name.
func afterKeyword(l lang, w, rest string) string {
	rest = strings.TrimLeft(rest, " \t!*&")
	switch {
	case l == golang && w == "func" && strings.HasPrefix(rest, "("):
		if i := strings.IndexByte(rest, ')'); i > 0 {
			return rest[i+1:]
		}
	case w == "impl":
		rest = strings.TrimLeft(skipAngles(rest), " ")
		if i := strings.Index(rest, " for "); i > 0 {
			return rest[i+5:]
		}
	case l == rust:
		return rest
	case w == "def" || w == "function":
		if i := strings.LastIndexByte(identPath(rest), '.'); i >= 0 {
			return rest[i+1:]
		}
	case w == "defmodule" || w == "package" || w == "namespace":
		if i := strings.LastIndexAny(identPath(rest), ".\\"); i >= 0 {
			return rest[i+1:]
		}
	case w == "enum" || w == "struct" || w == "typedef":
		for _, k := range []string{"class ", "struct ", "enum "} {
			rest = strings.TrimPrefix(rest, k)
		}
	}
	return rest
}

// identPath is the leading run of name bytes, dots and backslashes.
func identPath(s string) string {
	i := 0
	for i < len(s) && (identByte(s[i]) || s[i] == '.' || s[i] == '\\') {
		i++
	}
	return s[:i]
}

func skipAngles(s string) string {
	if !strings.HasPrefix(s, "<") {
		return s
	}
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '<':
			depth++
		case '>':
			if depth--; depth == 0 {
				return s[i+1:]
			}
		}
	}
	return s
}

// skipParens skips pub(crate)'s parentheses and template<…>'s angles.
func skipParens(s string) string {
	s = strings.TrimLeft(s, " \t")
	if strings.HasPrefix(s, "(") {
		if i := strings.IndexByte(s, ')'); i > 0 {
			s = s[i+1:]
		}
	}
	return strings.TrimLeft(skipAngles(s), " \t")
}

func cutWord(s string) (w, rest string) {
	i := 0
	for i < len(s) && identByte(s[i]) {
		i++
	}
	return s[:i], s[i:]
}

// firstIdent is the name that s begins with, after spaces and stars.
func firstIdent(s string) string {
	s = strings.TrimLeft(s, " \t*&:@")
	i := 0
	for i < len(s) && (identByte(s[i]) || i > 0 && (s[i] == '?' || s[i] == '!') && i+1 < len(s) &&
		!identByte(s[i+1]) && s[i+1] != '=') {
		i++
	}
	if i == 0 || digit(s[0]) {
		return ""
	}
	return strings.TrimRight(s[:i], "?!")
}
