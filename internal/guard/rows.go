package guard

import "regexp"

// caseRow is an attribute that is a case of the function below it: another row is
// another case, and joins an old statement by design. The word tells the kind.
var caseRow = map[string]func() *regexp.Regexp{
	"csharp": lazy(`^\s*\[\s*(InlineData|DataRow|TestCase|Arguments)\s*\(.*\)\s*\]\s*$`),
	"rust":   lazy(`^\s*#\[\s*(case|test_case)\b(?:::\w+)?\s*\(.*\)\s*\]\s*$`),
	"php":    lazy(`^\s*#\[\s*(TestWith|TestWithJson)\s*\(.*\)\s*\]\s*$`),
}

// addsRows tells a hunk of such rows beside an old row of the same kind, with the
// nearest lines of code before and after.
func (r *reading) addsRows(h hunk, before, after int) bool {
	re := caseRow[r.lang.name]
	if re == nil {
		return false
	}
	word := func(i int) string {
		if i < 0 {
			return ""
		}
		if m := re().FindStringSubmatch(r.new.live[i]); m != nil {
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
