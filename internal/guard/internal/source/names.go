package source

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/lexer"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
)

// An added line may bind a name that old lines use: a redefined assertion, a
// helper, a test of the same name, the value under test. That is found by names,
// without knowing types.

var (
	Declared = pattern.Lazy(`\b(?:func(?:\s+\([^)]*\))?|fn|function\*?|sub|def|defp|defmacro|` +
		`defmacrop|(?:(?:enum|record|interface|fun)\s+)?(?:class|struct|interface)|enum|trait|module|` +
		`defmodule|record|object|fun|macro_rules!|alias|typedef|namespace|mod|protocol|extension|` +
		`impl)\s+(?:self\.)?(?:[A-Z][\w<>?]*(?:\.|::))*([A-Za-z_$][\w$]*[?!]?)`)
	Group = pattern.Lazy(`\b(describe|context|suite|feature|concern|shared_examples)\b`)
	// Other ways to bind a name in the middle of code.
	Binder = pattern.Lazy(`\b(\w+)\s*:=|\bfor\s*\(?\s*(?:const|let|` +
		`var)?\s*(\w+)(?:\s*,\s*\w+)?\s+(?:in|of)\b|\bas\s+(\w+)\s*[:,]|\b(\w+)(?:\+\+|--)|(?:\+\+|` +
		`--)(\w+)|&(?:mut\s+)?(\w+)\s*[,)]`)
	macro = pattern.Lazy(`^\s*#\s*(?:define|undef)\s+(\w+)`)
	// A method of a C-like language: a type or modifier, a name, arguments, a brace.
	Method = pattern.Lazy(`^\s*(?:[\w<>\[\],.:*&?@]+\s+)+[*&]*(\w+)\s*\([^;]*\)\s*(?:const|override|` +
		`noexcept|throws [\w., ]+)?\s*(?:\{.*)?\s*$`)
	// A method of a JavaScript class or object, or a shell function.
	jsMethod      = pattern.Lazy(`^\s*(?:async\s+|static\s+)*([A-Za-z_$][\w$]*)\s*\([^()]*\)\s*\{`)
	shellFunction = pattern.Lazy(`^\s*(?:function\s+)?([\w./:-]+)\s*\(\s*\)`)
	// What follows the word tells an import from a value of that name, as require.Equal.
	Imported = pattern.Lazy(`^\s*(?:from\b|(import|use|using|alias|require|const .*\brequire|` +
		`let .*\brequire|var .*\brequire)\b(?:\s*[^.\s:=]|\s+:[^=]|\s*$))`)
	starImport = pattern.Lazy(`^\s*from\s+(\S+)\s+import\s+\*`)
	dotted     = pattern.Lazy(`^\s*import\s+(\w+)(?:\.\w+)+\s*$`)
	Ident      = pattern.Lazy(`[A-Za-z_$][\w$]*`)
	asName     = pattern.Lazy(`[\w$.:*]+\s+as\s+([\w$]+)`)
	Controls   = map[string]bool{"return": true, "else": true, "new": true, "throw": true, "await": true,
		"case": true, "do": true, "goto": true, "delete": true, "yield": true}
	rubyName = pattern.Lazy(`\b(?:let!?|subject!?|define_method|attr_\w+|alias_method|` +
		`def_delegators?)[\s(]+:(\w+)`)
	keyword = map[string]bool{"import": true, "from": true, "use": true, "using": true, "static": true,
		"const": true, "let": true, "var": true, "require": true,
		"type": true, "as": true, "pub": true, "super": true, "crate": true, "self": true,
		"function": true, "default": true, "typeof": true, "if": true, "for": true, "while": true,
		"else": true, "switch": true, "catch": true, "return": true, "global": true, "await": true,
		"new": true, "alias": true}
)

// typeParameters are bound for the declaration behind them alone.
var typeParameters = pattern.Lazy(`\btemplate\s*<(?:[^<>]|<[^<>]*>)*>`)

var tclProc = pattern.Lazy(`^\s*proc\s+(?:::)?([\w:]+)`)

// cTypeNamed gives a type a name, in one line.
var cTypeNamed = pattern.Lazy(`\btypedef\b[^;]*?(?:\(\s*\*\s*(\w+)\s*\)\s*\([^;]*|\b(\w+)\s*(?:\[[^;]*)?);`)

var cTypeDefined = pattern.Lazy(`^\s*(typedef\s+)?(struct|` +
	`enum)\s+(class\s+)?\w+\s*(final\s*)?(:[^(]*)?(\{.*)?$`)

// Binds gives the names that a line of code binds, and of those the ones that it
// only imports.
func Binds(lang *lexer.Language, code, live string) (names []string, imports bool) {
	if m := macro().FindStringSubmatch(code); m != nil && lang.Conditions {
		return m[1:2], false
	}
	if lang.Name == "csharp" {
		code = plainAccessors().ReplaceAllStringFunc(tupleOf().ReplaceAllString(code, "${1}object$2"), asVariable)
	}
	if lang.Name == "c" {
		code = typeParameters().ReplaceAllString(code, "")
	}
	if lang.Name == "python" && starImport().MatchString(code) {
		return []string{"*"}, true
	}
	if lang.Name == "shell" { // set for what is read alone
		code = withoutSubshells(setForRead().ReplaceAllString(code, "read "))
		if names = evaluated(live); len(names) > 0 {
			return names, false
		}
	}
	if lang.Name == "lua" { // the variables of a loop are its own
		code = luaLoop().ReplaceAllString(code, "for ")
	}
	if lang.Name == "elixir" && requiresAlone().MatchString(code) {
		return nil, true // macros are called by the module's name, as its functions are
	}
	if Imported().MatchString(code) {
		if lang.Name == "perl" {
			return perlImported(live), true
		}
		return ImportedNames(lang.Name, code), true
	}
	if m := pythonAlias().FindStringSubmatch(code); m != nil && lang.Name == "python" {
		return m[1:2], false
	}
	if m := goTyped().FindStringSubmatch(code); m != nil && lang.Name == "go" && !keyword[m[1]] && !Controls[m[1]] {
		return m[1:2], false
	}
	if names = append(declaredNames(lang, code), methodNames(lang, code)...); len(names) > 0 {
		return names, false
	}
	if lang.Name == "elixir" {
		return append(matched(code), boundWithin(lang, code)...), false
	}
	for _, statement := range statements(lang, code) {
		names = append(names, assignedIn(lang, statement)...)
	}
	return append(names, boundWithin(lang, code)...), false
}

var (
	// evaluates runs a text of a shell where it stands, and setsAnywhere sets a variable in one.
	evaluates    = pattern.Lazy(`(?:^|[;&|]|\b(?:then|do|else)\b)\s*eval\s`)
	setsAnywhere = pattern.Lazy(`\b([A-Za-z_]\w*)\+?=`)
)

// evaluated are the variables that a text which a shell runs where it stands may set.
func evaluated(live string) (names []string) {
	if !evaluates().MatchString(live) {
		return nil
	}
	for _, m := range setsAnywhere().FindAllStringSubmatch(live, -1) {
		names = append(names, m[1])
	}
	return names
}

// luaLoop is the head of a loop, to what it goes through.
var luaLoop = pattern.Lazy(`\bfor\s+[\w,\s]+?(?:\bin\b|=)`)

// requiresAlone is what Elixir needs for a module's macros, without another name for it.
var requiresAlone = pattern.Lazy(`^\s*require\s+[\w.]+\s*$`)

// noVariable are words in a pattern of Elixir that are none.
var noVariable = map[string]bool{"assert": true, "refute": true, "when": true, "not": true, "in": true,
	"and": true, "or": true, "nil": true, "true": true, "false": true, "do": true}

var elixirFunction = pattern.Lazy(`\bfn\b|->`)

// matched are the names that a match of Elixir binds: all in its patterns that are not
// pinned, keys, atoms, attributes, calls or kinds of bits.
func matched(code string) (names []string) {
	for at := Assignment(code); at >= 0 && !elixirFunction().MatchString(code[:at]); at = Assignment(code) {
		for _, m := range Ident().FindAllStringIndex(code[:at], -1) {
			name, next := code[m[0]:m[1]], strings.TrimLeft(code[m[1]:], " ")
			isKey := strings.HasPrefix(next, ":") && !strings.HasPrefix(next, "::")
			if noVariable[name] || name[0] >= 'A' && name[0] <= 'Z' || isKey || strings.HasPrefix(next, "(") ||
				m[0] > 0 && strings.IndexByte("^:@%&.-?", code[m[0]-1]) >= 0 {
				continue
			}
			names = append(names, name)
		}
		code = code[at+1:]
	}
	return names
}

// goTyped is a variable or a constant of Go behind whose name a type stands.
var goTyped = pattern.Lazy(`^\s*(?:var\s+|const\s+)?(\w+)\s+(?:\w|\*|\[)[\w.*\[\]]*\s*=[^=]`)

// pythonAlias gives a type a name; what stands in its brackets is bound for it alone.
var pythonAlias = pattern.Lazy(`^\s*type\s+(\w+)\s*(?:\[[^\]]*\])?\s*=[^=]`)

// comprehension is the loop within a value, whose variables Python binds for it alone.
var comprehension = pattern.Lazy(`([^\s;:].*?)\b(?:async\s+)?for\s+[\w\s,()*]+\s+in\b`)

var asyncLoop = pattern.Lazy(`^\s*async\s+for\b`)

var setForRead = pattern.Lazy(`\bIFS=(?:"[^"]*"|'[^']*'|[^\s"';&|]*)\s+read\b`)

// declaredNames are those behind a word that declares.
func declaredNames(lang *lexer.Language, code string) (names []string) {
	if lang.Name == "tcl" {
		if m := tclProc().FindStringSubmatch(code); m != nil {
			names = append(names, m[1])
		}
		return names
	}
	if lang.Name == "kotlin" {
		code = strings.ReplaceAll(code, "`", "")
	}
	for _, m := range Declared().FindAllStringSubmatch(code, -1) {
		begins := func(words ...string) bool {
			return slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(m[0], w) })
		}
		switch {
		case lang.Name == "go" &&
			!begins("func", "struct", "interface"): // a parameter called fn, or record
		case begins("impl", "extension"): // it adds to a type
		case begins("object") && lang.Name != "kotlin": // a type of parameters
		case begins("fn") && (lang.Name == "python" || lang.Name == "ruby"): // a variable
		case lang.Name == "c" && begins("typedef"):
			if of := cTypeNamed().FindStringSubmatch(code); of != nil {
				names = append(names, of[1]+of[2])
			}
		case lang.Name == "c" && begins("struct", "enum") &&
			!cTypeDefined().MatchString(code): // a type that is used
		default:
			names = append(names, m[1])
		}
	}
	return names
}

// methodNames are those of functions that no word of their own begins.
func methodNames(lang *lexer.Language, code string) (names []string) {
	switch lang.Name {
	case "java", "csharp", "c", "dart":
		m := Method().FindStringSubmatch(code)
		if m != nil && !Controls[strings.Fields(code)[0]] && !keyword[m[1]] {
			names = append(names, m[1])
		}
	case "ruby":
		if m := rubyName().FindStringSubmatch(code); m != nil {
			names = append(names, m[1])
		}
	case "shell":
		if m := shellFunction().FindStringSubmatch(code); m != nil {
			names = append(names, Ident().FindAllString(m[1], -1)...)
		}
		fallthrough
	case "js":
		if m := jsMethod().FindStringSubmatch(code); m != nil && !keyword[m[1]] {
			names = append(names, m[1])
		}
	}
	return names
}

// byName is the group of [Binder] of a name behind as.
const byName = 2

// byReference is the group of [Binder] of a name that is handed over.
const byReference = 5

// boundWithin are the names that are bound in the middle of a line.
func boundWithin(lang *lexer.Language, code string) (names []string) {
	if lang.Name == "shell" {
		for _, p := range []*pattern.Pattern{shellLater(), inArithmetic()} {
			for _, m := range p.FindAllStringSubmatch(code, -1) {
				names = append(names, m[1])
			}
		}
	}
	if lang.Name == "python" && !asyncLoop().MatchString(code) {
		code = comprehension().ReplaceAllString(code, "$1")
	}
	counts := lang.Name != "shell" || strings.Contains(code, "((") // else --name is an option
	if lang.Name == "c" {
		code = constReference().ReplaceAllString(code, ",")
	}
	names = append(names, loopTargets(lang, code)...)
	if setsWithin[lang.Name] {
		for _, m := range withinBrackets().FindAllStringSubmatch(code, -1) {
			names = append(names, m[1])
		}
	}
	for _, m := range Binder().FindAllStringSubmatch(code, -1) {
		if !counts && strings.ContainsAny(m[0], "+-") {
			continue
		}
		for k, name := range m[1:] {
			filled := lang.Name == "go" || lang.Name == "c" || strings.Contains(m[0], "mut")
			if k == byName && lang.Name != "python" {
				continue // a type that a value is taken for
			}
			if name != "" && (k != byReference || filled) {
				names = append(names, name)
			}
		}
	}
	return names
}

// setsWithin are languages in which a value in brackets may set a name.
var (
	setsWithin     = map[string]bool{"c": true, "js": true, "php": true}
	withinBrackets = pattern.Lazy(`\(\s*(\$?[A-Za-z_]\w*)\s*(?:[-+*/%|&^]|<<|>>)?=[^=>~]`)
)

// constReference is a parameter of C++ behind a type that is only read: what bears its name
// is not handed over to be filled.
var constReference = pattern.Lazy(`\bconst\s+[\w:]+(<[\w:\s,*]*>)?\s*(&\w+\s*[,)])`)

// inArithmetic is a variable that a shell sets in a computation.
var inArithmetic = pattern.Lazy(`\(\((?:[^()]*[\s,(])?(\w+)\s*(?:[-+*/%&|^]|<<|>>)?=[^=]`)

// withoutSubshells blanks commands of a shell that stand in another: what they set is
// theirs alone. Such that do not end in the line stay.
func withoutSubshells(code string) string {
	out := []byte(code)
	for at := 0; at < len(out); at++ {
		end := -1
		switch {
		case out[at] == '`':
			if end = strings.IndexByte(code[at+1:], '`'); end >= 0 {
				end += at + 1
			}
		case strings.HasPrefix(code[at:], "$(") && !strings.HasPrefix(code[at:], "$(("):
			end = Closes(code, at+1)
		}
		for k := at + 1; k < end; k++ {
			out[k] = ' '
		}
		at = max(at, end)
	}
	return string(out)
}

// Closes is where the bracket at a place is closed, -1 where that is not in the text.
func Closes(code string, at int) int {
	depth := 0
	for ; at < len(code); at++ {
		switch code[at] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return at
			}
		}
	}
	return -1
}

// shellLater is a variable that a command behind the first of a line sets.
var shellLater = pattern.Lazy(`(?:[;&|]|\b(?:then|do|else)\b)\s*(?:export\s+|declare\s+)?(\w+)\+?=`)

var (
	perlUsed  = pattern.Lazy(`^\s*use\s+([\w:]+)\s+(.*)`)
	perlWords = pattern.Lazy(`\bqw\s*[(/\[{<]([^)/\]}>]*)|['"]([^'"]*)['"]`)
)

// perlImported are the names that a line takes from a module. Pragmas, in lower
// case, bind none but constant.
func perlImported(live string) (names []string) {
	m := perlUsed().FindStringSubmatch(strings.TrimRight(live, "\r\n"))
	switch {
	case m == nil:
	case m[1] == "constant":
		return Ident().FindAllString(m[2], 1)
	case m[1] != strings.ToLower(m[1]):
		for _, words := range perlWords().FindAllStringSubmatch(m[2], -1) {
			names = append(names, Ident().FindAllString(words[1]+words[2], -1)...)
		}
	}
	return names
}

// ImportedNames are the names that an import binds.
func ImportedNames(lang, code string) []string {
	var names []string
	for _, m := range asName().FindAllStringSubmatch(code, -1) {
		names = append(names, m[1])
	}
	code = asName().ReplaceAllString(code, "")
	if m := dotted().FindStringSubmatch(code); m != nil && lang == "python" {
		return append(names, m[1]) // import a.b binds a
	}
	if before, after, ok := strings.Cut(code, " import "); ok &&
		strings.HasPrefix(strings.TrimSpace(before), "from") {
		code = after
	}
	if before, _, ok := strings.Cut(code, " from "); ok {
		code = before
	}
	if before, _, ok := strings.Cut(code, "="); ok {
		code = before
	}
	code = strings.TrimSpace(strings.TrimRight(strings.TrimSpace(code), ";"))
	for _, part := range strings.FieldsFunc(code,
		func(r rune) bool { return strings.ContainsRune(",{}()\"'", r) }) {
		words := Ident().FindAllString(part, -1)
		if len(words) == 0 || strings.HasSuffix(strings.TrimSpace(part), ".*") { // a whole package
			continue
		}
		if last := words[len(words)-1]; !keyword[last] && !strings.HasSuffix(strings.TrimSpace(part),
			":") && !strings.HasSuffix(strings.TrimSpace(part), ".") {
			names = append(names, last)
		}
	}
	return names
}

// Uses are the names that code uses, alone or after a dot or the like.
type Uses struct {
	Alone, Member map[string]bool
	// Own are members of the object that the code itself belongs to.
	Own map[string]bool
}

// UsesOf gives the names in lines of code.
func UsesOf(lines []string) Uses {
	u := Uses{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	for _, line := range lines {
		for from, to := nextName(line, 0); from < to; from, to = nextName(line, to) {
			name, before := line[from:to], strings.TrimRight(line[:from], " ")
			switch {
			case strings.HasSuffix(before, ".") && !strings.HasSuffix(before, ".."),
				strings.HasSuffix(before, "->"), strings.HasSuffix(before, "::"),
				strings.HasSuffix(before, "@"), strings.HasSuffix(before, "$"),
				strings.HasSuffix(before, `\`):
				u.Member[name] = true
				if ownPrefix().MatchString(before) {
					u.Own[name] = true
				}
			default:
				u.Alone[name] = true
			}
		}
	}
	return u
}

var ownPrefix = pattern.Lazy(`\b(this|self|static|parent|super|cls)\s*(\.|->|::|\?\.)$`)

// nextName finds the first name from a place on, as Ident does; from and to are the same
// where there is none.
func nextName(line string, at int) (from, to int) {
	inName := func(c byte) bool { return c < 0x80 && (lexer.IsWord(c) || c == '$') }
	for from = at; from < len(line) && (!inName(line[from]) || line[from] >= '0' && line[from] <= '9'); {
		from++
	}
	for to = from; to < len(line) && inName(line[to]); {
		to++
	}
	return from, to
}

// WithoutDollars makes the variable and its value the same name, in a shell.
func WithoutDollars(line string) string { return strings.ReplaceAll(line, "$", " ") }

var Opening = pattern.Lazy(`\bfunc\b|=>|->|\bfn\b|\bfunction\b|\blambda\b|\|[\w, ]*\||\bdef\b|` +
	`\w[?!]?\s*\([^()]*\)\s*(?:(?:const|noexcept|override|final)\b\s*)*\{|\bfun\b|` +
	`\boperator\s+[\w:<>,\s*&]+\(\)\s*(?:(?:const|noexcept|override|final)\s*)*(?:\{|$)`)
