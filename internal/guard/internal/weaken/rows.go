package weaken

import (
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

// caseRow is an attribute that is a case of the function below it: another row is
// another case, and joins an old statement by design. The word tells the kind.
var caseRow = map[string]func() *pattern.Pattern{
	"csharp": pattern.Lazy(`^\s*\[\s*(InlineData|DataRow|TestCase|Arguments)\s*` + rowArguments),
	"rust":   pattern.Lazy(`^\s*#\[\s*(case|test_case)\b(?:::\w+)?\s*` + rowArguments),
	"php":    pattern.Lazy(`^\s*#\[\s*(TestWith|TestWithJson)\s*` + rowArguments),
}

// rowArguments are brackets that close before the attribute does.
const rowArguments = `\((?:[^()\[\]]|\([^()]*\)|\[[^\[\]]*\])*\)\s*\]\s*$`

// addsRows tells a hunk of such rows beside an old row of the same kind, with the
// nearest lines of code before and after.
func (r *reading) addsRows(h diff.Hunk, before, after int) bool {
	re := caseRow[r.lang.Name]
	if re == nil {
		return r.addsExamples(h, before) || r.addsText(h)
	}
	word := func(i int) string {
		if i < 0 {
			return ""
		}
		if m := re().FindStringSubmatch(r.new.Code[i]); m != nil {
			return m[1]
		}
		return ""
	}
	kind := word(before)
	if kind == "" {
		kind = word(after)
	}
	for i := h.From; i < h.To && kind != ""; i++ {
		if !r.new.Blank(i) && word(i) != kind {
			return false
		}
	}
	return kind != ""
}

// rowSeam ends one row of a table and begins the next, in one line. A comma behind what a
// bracket closes parts values, never statements.
var rowSeam = pattern.Lazy(`^\s*(?:\}\s*,\s*\{|\]\s*,\s*\[|\)\s*,\s*\()\s*$`)

// nextRow tells a hunk with which an old row of a table shares its brackets: "}, {" and
// lines up to one that begins with "}", or lines behind the "{" of a row up to "}, {". It
// gives the block that begins with the old bracket, and that which begins with the new.
func (r *reading) nextRow(h diff.Hunk) (row, next *source.Block) {
	t := r.new
	before, first := t.Around(h.From, h.From)
	last, after := t.Around(h.To, h.To)
	if before < 0 || first < 0 || first >= h.To || after < 0 {
		return nil, nil
	}
	row, next = t.Outline.At[h.From], t.Outline.At[h.To]
	if row == nil || next == nil || row == next || row.Parent == nil || row.Parent != next.Parent ||
		row.Mark != next.Mark || next.Line < first || row.Line >= h.From ||
		row.Parent.Mark != "{" && row.Parent.Mark != "[" {
		return nil, nil
	}
	ends := rowSeam().MatchString(t.Code[first]) && source.Closers[strings.TrimSpace(t.Code[after])[0]] == row.Mark
	begins := rowSeam().MatchString(t.Code[last]) && next.Line == last && row.Line == before &&
		strings.HasSuffix(strings.TrimSpace(t.Code[before]), row.Mark)
	if !ends && !begins {
		return nil, nil
	}
	for i := h.From; i <= h.To; i++ {
		if !source.Within(t.Outline.At[i], row.Parent) || t.Outline.Cond[i] != t.Outline.Cond[h.From] ||
			ends && i > first && source.Within(t.Outline.At[i], row) {
			return nil, nil
		}
	}
	return row, next
}

var (
	tableRow     = pattern.Lazy(`^\s*\|.*\|\s*$`)
	examplesHead = pattern.Lazy(`^\s*(Examples|Scenarios)\s*:`)
)

// addsExamples tells rows added below the head of a table of examples in Gherkin.
// The table of a step is another matter: it belongs to the step.
func (r *reading) addsExamples(h diff.Hunk, before int) bool {
	if !strings.HasSuffix(r.path, ".feature") || before < 0 {
		return false
	}
	if r.describesFeature(h, before) {
		return true
	}
	for i := h.From; i < h.To; i++ {
		if line := strings.TrimRight(r.new.Lines[i], "\r\n"); strings.TrimSpace(line) != "" &&
			!tableRow().MatchString(line) {
			return false
		}
	}
	at := before
	for at >= 0 && tableRow().MatchString(strings.TrimRight(r.new.Lines[at], "\r\n")) {
		at--
	}
	return at >= 0 && at < before && examplesHead().MatchString(r.new.Lines[at])
}

// gherkinWord begins a line that is no prose.
var gherkinWord = pattern.Lazy("^\\s*(?:Feature|Rule|Background|Scenario|Scenarios|Example|Examples|Given|When|Then|And|But|\\*|@|\\||\"\"\"|```|#)")

// describesFeature tells prose added to what a feature says of itself, before its first scenario.
func (r *reading) describesFeature(h diff.Hunk, before int) bool {
	for i := h.From; i < h.To; i++ {
		if gherkinWord().MatchString(r.new.Lines[i]) {
			return false
		}
	}
	at := before
	for at >= 0 && !gherkinWord().MatchString(r.new.Lines[at]) {
		at--
	}
	return at >= 0 && strings.HasPrefix(strings.TrimSpace(r.new.Lines[at]), "Feature:")
}

// addsText tells rows of a text block.
func (r *reading) addsText(h diff.Hunk) bool {
	if r.lang.Name != "java" && r.lang.Name != "kotlin" {
		return false
	}
	for i := h.From; i < h.To; i++ {
		if !r.inTextBlock(i) {
			return false
		}
	}
	return true
}

// inTextBlock tells a row of cases in a text block of JUnit.
func (r *reading) inTextBlock(i int) bool {
	if strings.Contains(r.new.Lines[i], `"""`) || strings.Count(r.new.Lines[i], "'")%2 != 0 {
		return false // a quotation mark could swallow the rows below
	}
	for k := i - 1; k >= 0 && k > i-200; k-- {
		line := strings.TrimRight(r.new.Lines[k], " \t\r\n")
		if strings.Contains(line, `"""`) {
			return strings.Contains(line, "textBlock") && strings.HasSuffix(line, `"""`)
		}
	}
	return false
}

// inEachTable tells a row of a table of cases written as a tagged template, or as
// a text block.
func (r *reading) inEachTable(i int) bool {
	if r.lang.Name == "java" || r.lang.Name == "kotlin" {
		return r.inTextBlock(i)
	}
	if r.lang.Name != "js" {
		return false
	}
	for k := i - 1; k >= 0 && k > i-200; k-- {
		line := strings.TrimRight(r.new.Lines[k], " \t\r\n")
		if strings.HasSuffix(line, ".each`") {
			return strings.Contains(r.new.Lines[i], "|") || strings.Contains(r.new.Lines[i], "${")
		}
		if strings.Contains(line, "`") {
			return false
		}
	}
	return false
}
