package weaken

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/equality"
	"github.com/booty-cli/booty/internal/guard/internal/lexer"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

// NewTest bounds the lines of a new test: none keeps tests from telling.
func NewTest(lang *lexer.Language, p, after string) string {
	t := source.Read(lang, diff.Split(after))
	h := diff.Hunk{From: 0, To: len(t.Lines), At: 0}
	r := &reading{lang: lang, path: p, old: source.Read(lang, nil), new: t,
		added: make([]bool, len(t.Lines))}
	for i := range t.Lines {
		_, _, inCondition, _ := r.inside(h, i)
		where := spot{conditional: inCondition, top: r.runsOnLoad(i), child: source.InChild(t, i)}
		code, live := r.withoutSignals(i)
		if why := weakening(lang, code, live, where); why != "" {
			return fmt.Sprintf("The new test's line %q %s.", diff.Shorten(t.Lines[i]), why)
		}
		if lang.Name == "go" && strings.HasPrefix(t.Lines[i], "//go:linkname") {
			return "A test may not reach into another package by go:linkname."
		}
	}
	if why := doublesEquality(lang, t); why != "" {
		return why
	}
	return r.patchesImports(func(int) bool { return true })
}

// owner is the type that an equality in a test is for, by language. In C++ that of an operator in a
// class is the class, in which nothing else finds it.
var owner = map[string]func() *pattern.Pattern{
	"go":    pattern.Lazy(`^func\s*\(\s*(?:\w+\s+)?\*?(\w+)`),
	"rust":  pattern.Lazy(`\bfor\s+(?:\w+::)*(\w+)`),
	"swift": pattern.Lazy(`\b(?:extension|struct|class|enum|actor)\s+(\w+)|:\s*(\w+)`),
	"c":     pattern.Lazy(`\b(?:struct|class)\s+(\w+)|\(\s*(?:const\s+)?(?:\w+::)*(\w+)`),
}

// doublesEquality refuses, in a test, an equality for a type of the product that
// compares nothing.
func doublesEquality(lang *lexer.Language, t *source.Text) string {
	of := owner[lang.Name]
	if of == nil {
		return ""
	}
	for _, i := range equality.Blind(t) {
		head := strings.TrimSpace(t.Code[i])
		if b := t.Outline.At[i]; b != nil && of().MatchString(b.Header) {
			head = b.Header
		}
		m := of().FindStringSubmatch(head)
		if m == nil {
			continue
		}
		name := strings.Join(m[1:], "")
		declares := regexp.MustCompile(`\b(type|struct|class|enum|actor|union)\s+(class\s+)?` + name + `\b`)
		if !slices.ContainsFunc(t.Code, declares.MatchString) {
			return fmt.Sprintf("The comparison %q does not compare; it must look at both sides.",
				diff.Shorten(t.Lines[i]))
		}
	}
	return ""
}
