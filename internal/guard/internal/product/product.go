// Package product looks in product code for what only serves to please tests: it
// notices that they run, ends their process, changes what they assert with.
package product

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/checkout"
	"github.com/booty-cli/booty/internal/guard/internal/equality"
	"github.com/booty-cli/booty/internal/guard/internal/lexer"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

// Judge looks for what a change brings into product code. The sources of a runner, in
// the repository that makes it, may ask for what they define.
func Judge(s checkout.Step, ofRunner bool) string {
	lang := lexer.Of(s.Path)
	if lang == nil || !s.Stays {
		return ""
	}
	from, stood := s.Path, s.Before
	if !s.Existed && s.From != "" {
		from, stood = s.From, s.Origin
	}
	if configOfElixir().MatchString(s.Path) { // where the other name for it may stand as well
		s.After, stood = bytes.ReplaceAll(s.After, mixEnv, configEnv), bytes.ReplaceAll(stood, mixEnv, configEnv)
	}
	after, before := source.Read(lang, diff.Split(string(s.After))),
		source.Read(lang, diff.Split(string(stood)))
	if why := gainsSign(lang, before, after); why != "" && !(ofRunner && strings.Contains(why, notices)) {
		return why
	}
	for _, check := range []func(string, *source.Text) (int, string){exitsOnLoad, callsExitOnLoad,
		endsHard, forgesEnd, equality.Always, watchesCallers, answersTests, linksTests, patchesLibrary,
		asksForTests, triesRunner} {
		now, why := check(s.Path, after)
		if now == 0 {
			continue
		}
		if was, _ := check(from, before); now > was {
			return why
		}
	}
	return ""
}

// configOfElixir is a file by which an application is set up in its surroundings.
var (
	configOfElixir    = pattern.Lazy(`^(apps/\w+/)?config/\w+\.exs$`)
	mixEnv, configEnv = []byte("Mix.env()"), []byte("config_env()")
)

// gainsSign tells the first sign that the lines of after show more often.
func gainsSign(lang *lexer.Language, before, after *source.Text) string {
	live, liveBefore := withoutDocs(lang, after), withoutDocs(lang, before)
	come, gone := differing(liveBefore, live)
	comeCode, goneCode := differing(before.Code, after.Code)
	code := withoutInnerSpaces(withoutOwnMacros(before, after), after)
	if len(before.Lines) == 0 { // no old test has met what is new
		code = withoutOwnInspect(lang, code)
	}
	live = withoutArguments(after, live)
	for _, sg := range signsOf()(lang.Name) {
		now, first := sg.count(code, comeCode)
		was, _ := sg.count(before.Code, goneCode)
		if sg.text {
			now, first = sg.count(live, come)
			was, _ = sg.count(liveBefore, gone)
		}
		if now > was {
			return fmt.Sprintf("The line %q %s.", diff.Shorten(after.Lines[first]), sg.why)
		}
	}
	return ""
}

var (
	elixirDocs = pattern.Lazy(`^\s*@(?:module|type)?doc\s+(?:~[sS])?"""\s*$`)
	elixirEnds = pattern.Lazy(`^\s*"""`) // code may follow it
)

// withoutDocs blanks, in Elixir, what a module says of itself to people: the lines of that which
// are nothing but text, and in which nothing is computed.
func withoutDocs(lang *lexer.Language, t *source.Text) []string {
	if lang.Name != "elixir" {
		return t.Live
	}
	lines := slices.Clone(t.Live)
	inside := false
	for i, line := range lines {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case !inside:
			inside = elixirDocs().MatchString(line)
		case elixirEnds().MatchString(line):
			inside = false
		case !strings.Contains(line, "#{") && strings.TrimSpace(t.Code[i]) == "":
			lines[i] = ""
		}
	}
	return lines
}

var (
	ofArgument = pattern.Lazy(`\btypeof\s+(expect|test|it|vi|suite|describe)\b`)
	// listOfArguments is what a function of JavaScript is given, by its head.
	listOfArguments = pattern.Lazy(`^[^(]*\(([^()]*)\)[^()]*$|^(?:.*[(=,]\s*)?(\w+)\s*=>$`)
)

// withoutArguments blanks, in JavaScript, what asks for the type of an argument of the function around
// it: its name may be that of a word of tests.
func withoutArguments(t *source.Text, lines []string) []string {
	if t.Source.Lang.Name != "js" {
		return lines
	}
	out := lines
	for i, line := range lines {
		m := ofArgument().FindStringSubmatch(line)
		if m == nil {
			continue
		}
		for b := t.Outline.At[i]; b != nil; b = b.Parent {
			given := listOfArguments().FindStringSubmatch(b.Header)
			if b.Sort() != source.Function || given == nil || !slices.Contains(strings.FieldsFunc(given[1]+given[2],
				func(r rune) bool { return strings.ContainsRune(" ,=:?.{}", r) }), m[1]) {
				continue
			}
			if &out[0] == &lines[0] {
				out = slices.Clone(lines)
			}
			out[i] = strings.ReplaceAll(line, m[0], "")
			break
		}
	}
	return out
}

var (
	newMacro = pattern.Lazy(`\bmacro_rules!\s*(assert_\w+)`)
	// macroOfRust is one that Rust has, or will have.
	macroOfRust = pattern.Lazy(`^assert_(eq|ne|matches|unsafe_precondition)$`)
	exports     = pattern.Lazy(`#\[\s*macro_(export|use)\b`)
)

// withoutOwnMacros blanks, in Rust, the heads of macros that are new within a module or a function:
// their names are none of Rust's, and nothing that stood in the file calls what bears them.
func withoutOwnMacros(before, after *source.Text) []string {
	if after.Source.Lang.Name != "rust" || exports().MatchString(strings.Join(after.Code, "")) {
		return after.Code
	}
	code := slices.Clone(after.Code)
	for i, line := range code {
		m := newMacro().FindStringSubmatch(line)
		if m != nil && after.Outline.At[i] != nil && !macroOfRust().MatchString(m[1]) &&
			!slices.ContainsFunc(before.Code, func(old string) bool { return strings.Contains(old, m[1]) }) {
			code[i] = ""
		}
	}
	return code
}

var (
	innerSpace = pattern.Lazy(`^\s+(?:module|class)\s+(?:RSpec|Minitest|MiniTest)\s*$`)
	anySpace   = pattern.Lazy(`^\s*(?:module|class)\s+[A-Z][\w:]*(?:\s*<.*)?$`)
)

// withoutInnerSpaces blanks, in Ruby, the heads of modules that stand in others: their names are not
// those of the libraries.
func withoutInnerSpaces(code []string, t *source.Text) []string {
	if t.Source.Lang.Name != "ruby" {
		return code
	}
	out := slices.Clone(code)
	for i, line := range code {
		b := t.Outline.At[i]
		if b != nil && innerSpace().MatchString(strings.TrimRight(line, "\r\n")) &&
			anySpace().MatchString(strings.TrimRight(t.Code[b.Line], "\r\n")) {
			out[i] = ""
		}
	}
	return out
}

// ownInspect tells, in Elixir, how values of the module around it are shown.
var ownInspect = pattern.Lazy(`^\s+defimpl\s+Inspect\s+do\s*$`)

func withoutOwnInspect(lang *lexer.Language, code []string) []string {
	if lang.Name != "elixir" {
		return code
	}
	code = slices.Clone(code)
	for i, line := range code {
		if ownInspect().MatchString(strings.TrimRight(line, "\r\n")) {
			code[i] = ""
		}
	}
	return code
}

// count tells how many of the lines at some positions show the sign, and which is
// the first.
func (s compiledSign) count(lines []string, at []int) (n, first int) {
	first = -1
	for _, i := range at {
		if s.regexp.MatchString(strings.TrimRight(lines[i], "\r\n")) {
			if n++; first < 0 {
				first = i
			}
		}
	}
	return n, first
}

// differing gives the lines that one text holds more often than the other, by
// their positions in after and in before.
func differing(before, after []string) (come, gone []int) {
	count := make(map[string]int, len(before))
	for _, line := range before {
		count[line]++
	}
	for i, line := range after {
		if count[line]--; count[line] < 0 {
			come = append(come, i)
		}
	}
	clear(count)
	for _, line := range after {
		count[line]++
	}
	for i, line := range before {
		if count[line]--; count[line] < 0 {
			gone = append(gone, i)
		}
	}
	return come, gone
}
