package guard

import (
	"fmt"
	"strings"
)

// Product code has no business with the insides of a test library, by whatever
// name it takes hold of it.

var (
	libraryImport = map[string]func() *pattern{
		"python": lazy(`^\s*(?:from|import)\s+(?:_?pytest|unittest|nose2?|hypothesis)\b`),
		"js":     lazy(`(?:require\(\s*|\bfrom\s+|\bimport\(\s*)['"](?:node:)?(?:assert|assert/strict|test|chai|expect|jest|vitest|mocha|@jest/globals|should|tap|ava)['"]`),
	}
	setsMember = lazy(`\b(?:setattr|delattr|Object\.(?:defineProperty|defineProperties|assign)|Reflect\.(?:set|defineProperty))\(\s*([A-Za-z_$][\w$]*)\b`)
)

// patchesLibrary counts values set on a test library under any name.
func patchesLibrary(_ string, t *text) (n int, why string) {
	re := libraryImport[t.source.lang.name]
	if re == nil {
		return 0, ""
	}
	names := map[string]bool{}
	for i, line := range t.live {
		if re().MatchString(line) {
			for _, name := range importedNames(t.source.lang.name, strings.TrimPrefix(t.code[i], "const ")) {
				names[name] = true
			}
			for _, name := range assigned(t.code[i]) {
				names[name] = true
			}
		}
	}
	if len(names) == 0 {
		return 0, ""
	}
	for i, line := range t.code {
		held := ""
		for _, name := range assigned(line) {
			if root, member := strings.CutSuffix(name, "."); member && names[root] {
				held = root
			}
		}
		if m := setsMember().FindStringSubmatch(line); m != nil && names[m[1]] {
			held = m[1]
		}
		if held != "" {
			n++
			why = fmt.Sprintf("The line %q %s.", shorten(t.lines[i]), patches)
		}
	}
	return n, why
}

var linkedTests = lazy(`^//go:linkname\s+\S+\s+(testing\b|os\.(Exit|runtime_beforeExit)\b|\S*/testify\b)`)

// linksTests counts links into the testing package; they stand in comments.
func linksTests(_ string, t *text) (n int, why string) {
	if t.source.lang.name != "go" {
		return 0, ""
	}
	for _, line := range t.lines {
		if linkedTests().MatchString(line) || strings.Contains(line, "#cgo ") && replacing().MatchString(line) {
			n++
			why = fmt.Sprintf("The line %q %s.", shorten(line), patches)
		}
	}
	return n, why
}
