package weaken

import (
	"fmt"
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

// importsAlready tells whether old lines import the name from the same place.
func (r *reading) importsAlready(name, line string) bool {
	from := importSource(line)
	for i, old := range r.old.Live {
		if source.Imported().MatchString(r.old.Code[i]) && importSource(old) == from &&
			source.UsesOf([]string{old}).Alone[name] {
			return true
		}
	}
	return false
}

var importFrom = pattern.Lazy(`from\s+(['"][^'"]+['"]|[\w.]+)|require\s*\(\s*(['"][^'"]+['"])|` +
	`(?:import|use|using|alias)\s+(?:static\s+)?(.*)`)

func importSource(line string) string {
	m := importFrom().FindStringSubmatch(line)
	if m == nil {
		return strings.TrimSpace(line)
	}
	return strings.Trim(m[1]+m[2]+m[3], `'"; `)
}

// putsBack tells a part of a module, set within a function, that the file keeps
// aside before and sets again after.
func (r *reading) putsBack(i int, target string) bool {
	if !r.inAnyFunction(i) {
		return false
	}
	kept, set := false, 0
	for k, code := range r.new.Code {
		at := source.Assignment(code)
		if at < 0 || !r.inAnyFunction(k) && strings.TrimSpace(code[:at]) == target {
			continue
		}
		kept = kept || strings.TrimRight(strings.TrimSpace(code[at+1:]), ";") == target
		if strings.TrimSpace(code[:at]) == target && kept {
			set++
		}
	}
	return set > 1
}

var merged = pattern.Lazy(`\bObject\.(assign|defineProperty|defineProperties)\(\s*(?:require\(|(\w+)\s*,)`)

// patchesImports refuses a test that replaces parts of what it imports, which
// reaches all other tests of the same process. It looks at what is new of it.
func (r *reading) patchesImports(isNew func(i int) bool) string {
	t := r.new
	names := map[string]bool{}
	own := map[string]bool{}
	functions := map[string]bool{}
	for _, code := range t.Code {
		if m := source.Declared().FindStringSubmatch(code); m != nil {
			functions[m[1]] = true
		}
	}
	for i, code := range t.Code {
		if b := t.Outline.At[i]; r.lang.Name == "go" && isNew(i) && b != nil &&
			strings.HasPrefix(b.Header, "func init(") && !strings.Contains(code, ":=") &&
			!strings.Contains(code, "var ") {
			for _, n := range source.Assigned(code) {
				if !own[strings.TrimSuffix(n, ".")] && r.inAnyFunction(i) {
					return fmt.Sprintf("The new test's line %q changes the package for all tests.",
						diff.Shorten(t.Lines[i]))
				}
			}
		}
		for _, n := range source.Assigned(code) {
			grouped := t.Outline.At[i] != nil && isGoGroup(t.Outline.At[i])
			own[n] = own[n] || grouped || strings.Contains(code, "var ") || strings.Contains(code, ":=")
		}
		if source.Imported().MatchString(code) {
			for _, n := range source.ImportedNames(r.lang.Name, code) {
				names[n] = true
			}
			if r.lang.Name == "js" {
				for _, n := range source.Assigned(code) {
					names[n] = true
				}
			}
		}
		if !isNew(i) {
			continue
		}
		if m := merged().FindStringSubmatch(code); m != nil && r.lang.Name == "js" &&
			(m[2] == "" || names[m[2]]) {
			return fmt.Sprintf("The new test's line %q replaces parts of a module for all tests.",
				diff.Shorten(t.Lines[i]))
		}
		at := source.Assignment(code)
		if at < 0 || !strings.Contains(code[:at], ".") {
			continue
		}
		// A value set on a module may be a setting; a function set on one is a double.
		value := strings.TrimSpace(code[at+1:])
		double := functions[source.Ident().FindString(value)] || strings.HasPrefix(value, "lambda") ||
			strings.Contains(value, "=>") || strings.HasPrefix(value, "function") ||
			strings.HasPrefix(value, "async")
		for _, n := range source.Assigned(code) {
			root, member := strings.CutSuffix(n, ".")
			if member && names[root] && (double || !r.inAnyFunction(i)) &&
				!r.putsBack(i, strings.TrimSpace(code[:at])) {
				return fmt.Sprintf("The new test's line %q replaces a part of %s for all tests.",
					diff.Shorten(t.Lines[i]), root)
			}
		}
	}
	return ""
}
