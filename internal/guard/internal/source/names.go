package source

import (
	"strings"

	"github.com/booty-cli/booty/internal/lexer"
	"github.com/booty-cli/booty/internal/pattern"
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

	// A method of a C-like language: a type or modifier, a name, arguments, a brace.
	Method = pattern.Lazy(`^\s*(?:[\w<>\[\],.:*&?@]+\s+)+[*&]*(\w+)\s*\([^;]*\)\s*(?:const|override|` +
		`noexcept|throws [\w., ]+)?\s*(?:\{.*)?\s*$`)

	// What follows the word tells an import from a value of that name, as require.Equal.
	Imported = pattern.Lazy(`^\s*(?:from\b|(import|use|using|alias|require|const .*\brequire|` +
		`let .*\brequire|var .*\brequire)\b(?:\s*[^.\s:=]|\s+:[^=]|\s*$))`)

	Ident = pattern.Lazy(`[A-Za-z_$][\w$]*`)

	Controls = map[string]bool{"return": true, "else": true, "new": true, "throw": true, "await": true,
		"case": true, "do": true, "goto": true, "delete": true, "yield": true}
)

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
