package guard

import (
	"fmt"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/checkout"
	"github.com/booty-cli/booty/internal/guard/internal/inline"
	"github.com/booty-cli/booty/internal/guard/internal/lexer"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/weaken"
)

var doctestOpt = pattern.Lazy(`doctest:\s*\+(SKIP|IGNORE)|ELLIPSIS`)

var rustTest = pattern.Lazy(`#\[\s*(\w+::)?test\b|cfg\([^)]*\btest\b`)

// isBenchmark tells a file of benchmarks alone, which Cargo runs with no tests.
func isBenchmark(s checkout.Step) bool {
	return strings.Contains("/"+s.Path, "/benches/") && strings.HasSuffix(s.Path, ".rs") &&
		!rustTest().Match(s.Before) && !rustTest().Match(s.After)
}

// judgeInline compares the tests inside a product file before and after.
func (g *Guard) judgeInline(s checkout.Step) weaken.Objection {
	lang := lexer.Of(s.Path)
	if lang == nil || isBenchmark(s) {
		return weaken.Objection{}
	}
	before, docsBefore := inline.Tests(lang, string(s.Before))
	after := inline.Gains(lang, string(s.Before), string(s.After))
	_, docsAfter := inline.Tests(lang, string(s.After))
	old := len(before)+len(docsBefore) > 0
	switch {
	case g.policy.TestEdits == Deny &&
		!(slices.Equal(before, after) && slices.Equal(docsBefore, docsAfter)):
		return weaken.SetAside(denied)
	case old && !s.Stays:
		return weaken.SetAside("The file holds tests that stood before; " +
			"deleting or renaming it takes them away.")
	}
	if _, lost := diff.Greedy(docsBefore, docsAfter); lost != "" &&
		!weaken.SameStatements(lang, docsBefore, docsAfter) {
		return weaken.SetAside(fmt.Sprintf("The line %q of a documentation test stood before.",
			diff.Shorten(lost)))
	}
	for _, line := range docsAfter {
		if old && doctestOpt().MatchString(line) && !slices.Contains(docsBefore, line) {
			return weaken.Refuse(fmt.Sprintf("The line %q keeps a documentation test from telling.",
				diff.Shorten(line)))
		}
	}
	switch {
	case len(after) == 0 && len(before) == 0 || !s.Stays:
		return weaken.Objection{}
	case len(before) == 0:
		return weaken.Refuse(g.judgeNewTest(checkout.Step{Path: s.Path,
			After: []byte(strings.Join(after, "")), Stays: true}))
	}
	p := weaken.Split(lang, s.Path, strings.Join(before, ""), strings.Join(after, ""))
	switch {
	case len(p.Refused) > 0:
		return weaken.Refuse(p.Refused[0])
	case !p.Whole():
		return weaken.SetAside(p.Why)
	}
	return weaken.Objection{}
}
