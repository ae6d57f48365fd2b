package guard

import (
	"fmt"
	"strings"
)

// importsAlready tells whether old lines import the name from the same place.
func (r *reading) importsAlready(name, line string) bool {
	source := importSource(line)
	for i, old := range r.old.live {
		if imported().MatchString(r.old.code[i]) && importSource(old) == source && usesOf([]string{old}).alone[name] {
			return true
		}
	}
	return false
}

var importFrom = lazy(`from\s+(['"][^'"]+['"]|[\w.]+)|require\s*\(\s*(['"][^'"]+['"])|(?:import|use|using|alias)\s+(?:static\s+)?(.*)`)

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
	for k, code := range r.new.code {
		at := assignment(code)
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

var merged = lazy(`\bObject\.(assign|defineProperty|defineProperties)\(\s*(?:require\(|(\w+)\s*,)`)

// patchesImports refuses a test that replaces parts of what it imports, which
// reaches all other tests of the same process. It looks at what is new of it.
func (r *reading) patchesImports(isNew func(i int) bool) string {
	t := r.new
	names := map[string]bool{}
	own := map[string]bool{}
	functions := map[string]bool{}
	for _, code := range t.code {
		if m := declared().FindStringSubmatch(code); m != nil {
			functions[m[1]] = true
		}
	}
	for i, code := range t.code {
		if b := t.outline.at[i]; r.lang.name == "go" && isNew(i) && b != nil && strings.HasPrefix(b.header, "func init(") && !strings.Contains(code, ":=") && !strings.Contains(code, "var ") {
			for _, n := range assigned(code) {
				if !own[strings.TrimSuffix(n, ".")] && r.inAnyFunction(i) {
					return fmt.Sprintf("The new test's line %q changes the package for all tests.", shorten(t.lines[i]))
				}
			}
		}
		for _, n := range assigned(code) {
			grouped := t.outline.at[i] != nil && isGoGroup(t.outline.at[i])
			own[n] = own[n] || grouped || strings.Contains(code, "var ") || strings.Contains(code, ":=")
		}
		if imported().MatchString(code) {
			for _, n := range importedNames(r.lang.name, code) {
				names[n] = true
			}
			if r.lang.name == "js" {
				for _, n := range assigned(code) {
					names[n] = true
				}
			}
		}
		if !isNew(i) {
			continue
		}
		if m := merged().FindStringSubmatch(code); m != nil && r.lang.name == "js" && (m[2] == "" || names[m[2]]) {
			return fmt.Sprintf("The new test's line %q replaces parts of a module for all tests.", shorten(t.lines[i]))
		}
		at := assignment(code)
		if at < 0 || !strings.Contains(code[:at], ".") {
			continue
		}
		// A value set on a module may be a setting; a function set on one is a double.
		value := strings.TrimSpace(code[at+1:])
		double := functions[ident().FindString(value)] || strings.HasPrefix(value, "lambda") || strings.Contains(value, "=>") || strings.HasPrefix(value, "function") || strings.HasPrefix(value, "async")
		for _, n := range assigned(code) {
			root, member := strings.CutSuffix(n, ".")
			if member && names[root] && (double || !r.inAnyFunction(i)) && !r.putsBack(i, strings.TrimSpace(code[:at])) {
				return fmt.Sprintf("The new test's line %q replaces a part of %s for all tests.", shorten(t.lines[i]), root)
			}
		}
	}
	return ""
}
