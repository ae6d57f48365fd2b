package core

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// titles are the lines above with less indentation: the parents of a test.
type titles struct {
	indents []int
	names   []string
	isFile  func(string) bool
}

func (t *titles) leave(indent int) {
	n := len(t.indents)
	for n > 0 && t.indents[n-1] >= indent {
		n--
	}
	t.indents, t.names = t.indents[:n], t.names[:n]
}

// title notes a line above deeper ones. It must read like a name, but where it stands
// within a group and above results: "with a roast" below "an oven".
func (t *titles) title(s string, aboveResults bool) {
	indent := text.IndentOf(s)
	t.leave(indent)
	within := aboveResults && len(t.names) > 0
	name := strings.TrimSpace(strings.TrimLeft(s, " │├└─┌┃▸▶•#+"))
	if cutTook(name) != name || reMeasured().MatchString(name) { // it tells of what is over
		return
	}
	name = strings.TrimSuffix(name, ":")
	name = strings.TrimPrefix(name, "Subtest: ")
	if n := text.LeadingDigits(name); n > 0 && strings.HasPrefix(name[n:], ". ") { // "2. with a roast"
		name = name[n+2:]
	}
	if plain, _, _ := strings.Cut(name, " # "); reScenario().MatchString(plain) {
		t.push(indent, strings.TrimSpace(plain))
		return
	}
	if r, n := utf8.DecodeRuneInString(name); glyphVerdict(r) == begun &&
		!strings.Contains(strings.TrimSpace(name[n:]), "/") {
		t.push(indent, strings.TrimSpace(name[n:]))
		return
	}
	if i := strings.LastIndex(name, " ("); i > 0 && t.isFile(strings.Trim(name[i:], " ()")) {
		name = name[:i]
	}
	if text.LeadingDigits(name) == 4 && strings.HasPrefix(name[4:], "-") { // the date of a log
		return
	}
	if len(name) > 100 || strings.HasSuffix(name, ".") || strings.HasPrefix(name, "/") ||
		!within && !nameLike(name) || ErrorLike(name) > 0 ||
		strings.HasSuffix(name, " started") || strings.Contains(name, ": ") ||
		strings.ContainsAny(name, "=[]{};|\"") || strings.HasPrefix(name, "$ ") ||
		strings.HasPrefix(name, "> ") {
		return
	}
	t.push(indent, name)
}

func (t *titles) push(indent int, name string) {
	if i := strings.LastIndex(name, " ("); i > 0 && stream.OnlyDigits(strings.Trim(name[i:], " ()")) {
		name = name[:i]
	}
	t.indents, t.names = append(t.indents, indent), append(t.names, name)
}

// above gives the parents of a line with this indentation.
func (t *titles) above(indent int) []string {
	var out []string
	for i, n := range t.indents {
		if n < indent && indent > 0 {
			out = append(out, t.names[i])
		}
	}
	return out
}

var (
	reMeasured = text.Lazy(`\d\.\d{3,}$`)
	reStep     = text.Lazy(`^(?:Given|When|Then|And|But) `)
	reScenario = text.Lazy(`^(?:Scenario|Example|Scenario Outline|Feature|Rule): `)
)

// assertion takes a failed assertion for the test that it is a part of: tape and its
// like tell the operator of each.
func (e *event) assertion() {
	n := len(e.titles)
	if n == 0 || e.said != failed || !slices.ContainsFunc(e.block, func(s string) bool {
		s = strings.TrimSpace(s)
		return strings.HasPrefix(s, "operator: ") && s[len(s)-1] != '\'' // that is node's own
	}) {
		return
	}
	e.more = strings.TrimSpace(e.name + " " + e.more)
	e.name, e.titles = e.titles[n-1], e.titles[:n-1]
}

// scenario takes a step for the scenario that it is a part of: a step is no test.
func (e *event) scenario() {
	if n := len(e.titles); n > 0 && reStep().MatchString(e.name) &&
		strings.HasPrefix(e.titles[n-1], "Scenario") {
		e.more = strings.TrimSpace(e.name + " " + e.more)
		e.name, e.titles = e.titles[n-1], e.titles[:n-1]
	}
	for i, t := range e.titles {
		e.titles[i] = t[len(reScenario().FindString(t)):]
	}
	e.name = e.name[len(reScenario().FindString(e.name)):]
}
