package proof

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/lexer"
)

// Docstrings is the kind of a change to nothing but docstrings of Python. Some programs print them,
// so the tests must run.
const Docstrings = "docstrings"

// ToolComments is the kind of a change to comments for linters and the like: what they do to the
// tests, if anything, only a run tells.
const ToolComments = "comments for tools"

// compilerComment is a comment that a compiler or a type checker reads, toolComment one that linters
// and the like read.
var (
	compilerComment = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\s*(//go:|// ?\+build|//export|#!|#\s*-\*-|#\s*frozen_string_literal|/// *<|//@|/\*\s*@|#\s*cgo|#\s*(syntax|escape|check)=)|` +
			`#\s*type:|@ts-`)
	})
	toolComment = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\b(noqa|nolint|eslint-|pragma|prettier-ignore|c8 ignore|istanbul)`)
	})
)

// onlyComments reports whether two versions differ only in comments that neither a compiler nor a
// tool reads, onlyToolComments whether they differ only in comments that no compiler reads.
func (f Source) onlyComments() bool {
	return f.alike(string(f.Old), string(f.New), compilerComment(), toolComment())
}
func (f Source) onlyToolComments() bool {
	return f.alike(string(f.Old), string(f.New), compilerComment())
}

// OnlyDocstrings reports whether old and new differ only in comments and docstrings.
func (f Source) OnlyDocstrings() bool {
	if path.Ext(f.Path) != ".py" || f.Old == nil || f.New == nil {
		return false
	}
	bare := func(text []byte) string { return docstring().ReplaceAllString(string(text), "$1\n") }
	return f.alike(bare(f.Old), bare(f.New), compilerComment(), toolComment())
}

// docstring is the first statement of a file, a class or a function.
var docstring = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)((?:\A|:[ \t]*\n)(?:[ \t]*(?:#[^\n]*)?\n)*)[ \t]*[rRuU]?(?:"""(?:[^\\]|\\.)*?"""|'''(?:[^\\]|\\.)*?''')[ \t]*\n`)
})

// alike reports whether two versions hold the same code, and the same comments of some kinds.
func (f Source) alike(old, now string, kinds ...*regexp.Regexp) bool {
	bare := f.bare()
	if bare == nil {
		return false
	}
	read := func(text string) (code, told []string) {
		live := strings.Split(bare(text), "\n")
		for i, line := range strings.Split(text, "\n") {
			if left := strings.TrimRight(live[i], " \t\r"); left != "" {
				code = append(code, left)
			}
			if line != live[i] && slices.ContainsFunc(kinds, func(k *regexp.Regexp) bool { return k.MatchString(line) }) {
				told = append(told, line)
			}
		}
		return code, told
	}
	oldCode, oldTold := read(old)
	newCode, newTold := read(now)
	return slices.Equal(oldCode, newCode) && slices.Equal(oldTold, newTold)
}

// bare returns a function that blanks the comments of a file; nil if their form is not known.
func (f Source) bare() func(text string) string {
	if lang := lexer.Of(f.Path); lang != nil {
		return func(text string) string { return lexer.Lex(lang, text).Live() }
	}
	for _, c := range commented {
		if slices.ContainsFunc(c.names,
			func(name string) bool { return strings.HasSuffix("/"+strings.ToLower(f.Path), name) }) {
			return c.blank
		}
	}
	return nil
}

// commenting is how comments are written in files that are not code. Only whole lines are blanked:
// a comment at the end of a line stays.
type commenting struct {
	names       []string
	line        string
	open, close string
	// unless is what may hold a text of several lines, in which such a line is no comment.
	unless string
}

var commented = []commenting{
	{names: []string{".yml", ".yaml"}, line: "#", unless: `(?m)[|>][+-]?\d*[ \t]*(#.*)?$`},
	{names: []string{".toml"}, line: "#", unless: `"""|'''`},
	{names: []string{".ini", ".cfg", ".conf", ".properties", ".tf", ".hcl", ".cmake", "/cmakelists.txt"}, line: "#", unless: `<<|\[\[|\[=`},
	{names: []string{"/dockerfile", ".dockerfile", "/makefile", ".mk"}, line: "#", unless: `<<|(?m)^define\b`},
	{names: []string{".graphql", ".gql"}, line: "#", unless: `"""`},
	{names: []string{".proto"}, line: "//", open: "/*", close: "*/"},
	{names: []string{".sql"}, line: "--", unless: `\$\w*\$|/\*`},
	{names: []string{".css"}, open: "/*", close: "*/"},
	{names: []string{".scss", ".less"}, line: "//", open: "/*", close: "*/"},
	{names: []string{".html", ".htm", ".xml", ".svg"}, open: "<!--", close: "-->", unless: `(?i)<(script|style|pre|textarea)|CDATA`},
}

// blank empties the lines that are comments.
func (c commenting) blank(text string) string {
	if c.unless != "" && regexp.MustCompile(c.unless).MatchString(text) {
		return text
	}
	lines := strings.Split(text, "\n")
	inside := false
	for i, line := range lines {
		row := strings.TrimSpace(line)
		switch {
		case inside && !strings.Contains(row, c.close):
			lines[i] = ""
		case inside, c.open != "" && strings.HasPrefix(row, c.open):
			_, rest, ends := strings.Cut(row, c.close)
			if inside = !ends; rest == "" {
				lines[i] = ""
			}
		case c.line != "" && strings.HasPrefix(row, c.line) && !strings.HasSuffix(row, "\\"):
			lines[i] = ""
		}
	}
	return strings.Join(lines, "\n")
}
