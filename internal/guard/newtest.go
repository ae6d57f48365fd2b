package guard

import (
	"fmt"
	"strings"
)

// judgeNewTest bounds what a new test file may hold: cases of its own, nothing
// that reaches other files' tests.
func (g *Guard) judgeNewTest(s step) string {
	lang := languageOf(s.path)
	if lang == nil {
		return ""
	}
	if reason := g.shadowsSources(s); reason != "" {
		return reason
	}
	if lang.name == "c" && g.takesMain(s) {
		return "The new test's main function would run instead of the tests beside it."
	}
	t := readText(lang, splitLines(string(s.after)))
	h := hunk{0, len(t.lines), 0}
	r := &reading{lang: lang, path: s.path, old: readText(lang, nil), new: t, added: make([]bool, len(t.lines))}
	for i := range t.lines {
		_, _, inCondition, _ := r.inside(h, i)
		where := spot{conditional: inCondition, top: r.runsOnLoad(i), child: inChild(t, i)}
		if why := weakening(lang, t.code[i], t.live[i], where); why != "" {
			return fmt.Sprintf("The new test's line %q %s.", shorten(t.lines[i]), why)
		}
		if lang.name == "go" && strings.HasPrefix(t.lines[i], "//go:linkname") {
			return "A test may not reach into another package by go:linkname."
		}
	}
	if why := doublesEquality(lang, t); why != "" {
		return why
	}
	return r.patchesImports(func(int) bool { return true })
}

var receiver = lazy(`^func\s*\(\s*(?:\w+\s+)?\*?(\w+)`)

// doublesEquality refuses, in a Go test, an equality for a type of the product
// that compares nothing.
func doublesEquality(lang *language, t *text) string {
	if lang.name != "go" {
		return ""
	}
	n, why := alwaysEqual("", t)
	if n == 0 {
		return ""
	}
	for _, line := range t.code {
		if m := receiver().FindStringSubmatch(line); m != nil && equality["go"]().MatchString(line) && !strings.Contains(t.source.code(), "type "+m[1]+" ") {
			return why
		}
	}
	return ""
}
