package product

import (
	"fmt"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/linkflags"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

// Product code has no business with the insides of a test library, by whatever
// name it takes hold of it.

var (
	libraryImport = map[string]func() *pattern.Pattern{
		"python": pattern.Lazy(`^\s*(?:from|import)\s+(?:_?pytest|unittest|nose2?|hypothesis)\b`),
		"js": pattern.Lazy(`(?:require\(\s*|\bfrom\s+|\bimport\(\s*)['"](?:node:)?(?:assert|` +
			`assert/strict|test|chai|expect|jest|vitest|mocha|@jest/globals|should|tap|ava)['"]`),
	}
	setsMember = pattern.Lazy(`\b(?:setattr|delattr|Object\.(?:defineProperty|defineProperties|` +
		`assign)|Reflect\.(?:set|defineProperty))\(\s*([A-Za-z_$][\w$]*)\b`)
)

// patchesLibrary counts values set on a test library under any name.
func patchesLibrary(_ string, t *source.Text) (n int, why string) {
	re := libraryImport[t.Source.Lang.Name]
	if re == nil {
		return 0, ""
	}
	names := map[string]bool{}
	for i, line := range t.Live {
		if re().MatchString(line) {
			for _, name := range source.ImportedNames(t.Source.Lang.Name,
				strings.TrimPrefix(t.Code[i], "const ")) {
				names[name] = true
			}
			for _, name := range source.Assigned(t.Code[i]) {
				names[name] = true
			}
		}
	}
	if len(names) == 0 {
		return 0, ""
	}
	for i, line := range t.Code {
		held := ""
		for _, name := range source.Assigned(line) {
			if root, member := strings.CutSuffix(name, "."); member && names[root] {
				held = root
			}
		}
		if m := setsMember().FindStringSubmatch(line); m != nil && names[m[1]] {
			held = m[1]
		}
		if held != "" {
			n++
			why = fmt.Sprintf("The line %q %s.", diff.Shorten(t.Lines[i]), patches)
		}
	}
	return n, why
}

var linkedTests = pattern.Lazy(`^//go:linkname\s+\S+\s+(testing\b|os\.(Exit|runtime_beforeExit)\b|` +
	`\S*/testify\b)`)

// linksTests counts links into the testing package; they stand in comments.
func linksTests(_ string, t *source.Text) (n int, why string) {
	if t.Source.Lang.Name != "go" {
		return 0, ""
	}
	for _, line := range t.Lines {
		if linkedTests().MatchString(line) || strings.Contains(line, "#cgo ") &&
			linkflags.Replacing().MatchString(line) {
			n++
			why = fmt.Sprintf("The line %q %s.", diff.Shorten(line), patches)
		}
	}
	return n, why
}
