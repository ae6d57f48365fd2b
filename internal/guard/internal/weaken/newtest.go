package weaken

import (
	"fmt"
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/diff"
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

var receiver = pattern.Lazy(`^func\s*\(\s*(?:\w+\s+)?\*?(\w+)`)

// doublesEquality refuses, in a Go test, an equality for a type of the product
// that compares nothing.
func doublesEquality(lang *lexer.Language, t *source.Text) string {
	if lang.Name != "go" {
		return ""
	}
	n, why := equality.Always("", t)
	if n == 0 {
		return ""
	}
	for _, line := range t.Code {
		if m := receiver().FindStringSubmatch(line); m != nil &&
			equality.Definitions["go"]().MatchString(line) && !strings.Contains(t.Source.Code(), "type "+
			m[1]+" ") {
			return why
		}
	}
	return ""
}
