package guard

import (
	"strings"
)

// caseRow is an attribute that is a case of the function below it: another row is
// another case, and joins an old statement by design. The word tells the kind.
var caseRow = map[string]func() *pattern{
	"csharp": lazy(`^\s*\[\s*(InlineData|DataRow|TestCase|Arguments)\s*` + rowArguments),
	"rust":   lazy(`^\s*#\[\s*(case|test_case)\b(?:::\w+)?\s*` + rowArguments),
	"php":    lazy(`^\s*#\[\s*(TestWith|TestWithJson)\s*` + rowArguments),
}

// rowArguments are brackets that close before the attribute does.
const rowArguments = `\((?:[^()\[\]]|\([^()]*\)|\[[^\[\]]*\])*\)\s*\]\s*$`

// addsRows tells a hunk of such rows beside an old row of the same kind, with the
// nearest lines of code before and after.
func (r *reading) addsRows(h hunk, before, after int) bool {
	re := caseRow[r.lang.name]
	if re == nil {
		return r.addsExamples(h, before) || r.addsText(h)
	}
	word := func(i int) string {
		if i < 0 {
			return ""
		}
		if m := re().FindStringSubmatch(r.new.code[i]); m != nil {
			return m[1]
		}
		return ""
	}
	kind := word(before)
	if kind == "" {
		kind = word(after)
	}
	for i := h.from; i < h.to && kind != ""; i++ {
		if !r.new.blank(i) && word(i) != kind {
			return false
		}
	}
	return kind != ""
}

var (
	tableRow     = lazy(`^\s*\|.*\|\s*$`)
	examplesHead = lazy(`^\s*(Examples|Scenarios)\s*:`)
)

// addsExamples tells rows added below the head of a table of examples in Gherkin.
// The table of a step is another matter: it belongs to the step.
func (r *reading) addsExamples(h hunk, before int) bool {
	if !strings.HasSuffix(r.path, ".feature") || before < 0 {
		return false
	}
	for i := h.from; i < h.to; i++ {
		if line := strings.TrimRight(r.new.lines[i], "\r\n"); strings.TrimSpace(line) != "" && !tableRow().MatchString(line) {
			return false
		}
	}
	at := before
	for at >= 0 && tableRow().MatchString(strings.TrimRight(r.new.lines[at], "\r\n")) {
		at--
	}
	return at >= 0 && at < before && examplesHead().MatchString(r.new.lines[at])
}

// addsText tells rows of a text block.
func (r *reading) addsText(h hunk) bool {
	if r.lang.name != "java" && r.lang.name != "kotlin" {
		return false
	}
	for i := h.from; i < h.to; i++ {
		if !r.inTextBlock(i) {
			return false
		}
	}
	return true
}

// inTextBlock tells a row of cases in a text block of JUnit.
func (r *reading) inTextBlock(i int) bool {
	if strings.Contains(r.new.lines[i], `"""`) || strings.Count(r.new.lines[i], "'")%2 != 0 {
		return false // a quotation mark could swallow the rows below
	}
	for k := i - 1; k >= 0 && k > i-200; k-- {
		line := strings.TrimRight(r.new.lines[k], " \t\r\n")
		if strings.Contains(line, `"""`) {
			return strings.Contains(line, "textBlock") && strings.HasSuffix(line, `"""`)
		}
	}
	return false
}
