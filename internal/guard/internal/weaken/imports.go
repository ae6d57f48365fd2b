package weaken

import (
	"fmt"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
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

// importFrom are the ways in which an import says its source, the surest first.
var importFrom = []func() *pattern.Pattern{
	pattern.Lazy(`\bfrom\s+(['"][^'"]+['"]|[\w.]+)`),
	pattern.Lazy(`\brequire\s*\(\s*(['"][^'"]+['"])`),
	pattern.Lazy(`(?:import|use|using|alias)\s+(?:static\s+)?(.*)`),
}

func importSource(line string) string {
	for _, re := range importFrom {
		if m := re().FindStringSubmatch(line); m != nil {
			return pythonTypes(strings.Trim(m[1], `'"; `))
		}
	}
	return strings.TrimSpace(line)
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

var (
	// surroundings are properties of a process that code asks for, and nothing that
	// tests are made of.
	surroundings = pattern.Lazy(`\bObject\.defineProperty\(\s*process\s*,\s*['"](platform|arch|versions?|` +
		`stdin|stdout|stderr|argv|execPath|title|env)['"]\s*,\s*(\w*)`)
	describedBefore = pattern.Lazy(`\b(\w+)\s*=\s*Object\.getOwnPropertyDescriptor\(\s*process\s*,` +
		`\s*['"](\w+)['"]\s*\)`)
)

// putsBackSurroundings tells a property of the process, set within a function, that
// the file keeps before and sets back.
func (r *reading) putsBackSurroundings(i int) bool {
	m := surroundings().FindStringSubmatch(r.new.Live[i])
	if m == nil || !r.inAnyFunction(i) {
		return false
	}
	kept := map[string]bool{}
	for _, live := range r.new.Live {
		if d := describedBefore().FindStringSubmatch(live); d != nil && d[2] == m[1] {
			kept[d[1]] = true
		}
	}
	return slices.ContainsFunc(r.new.Live, func(live string) bool {
		back := surroundings().FindStringSubmatch(live)
		return back != nil && back[1] == m[1] && kept[back[2]]
	})
}

var merged = pattern.Lazy(`\bObject\.(assign|defineProperty|defineProperties)\(\s*(?:require\(|(\w+)\s*,)`)

// patchesImports refuses a test that replaces parts of what it imports, which
// reaches all other tests of the same process. It looks at what is new of it.
func (r *reading) patchesImports(isNew func(i int) bool) string {
	known := r.knownNames()
	for i := range r.new.Code {
		if why := r.changesPackage(i, known, isNew(i)); why != "" {
			return why
		}
		known.read(r, i)
		if !isNew(i) {
			continue
		}
		if why := r.replacesPart(i, known); why != "" {
			return why
		}
	}
	return ""
}

// known are the names of a test file, those of its own functions from the start,
// the others as they come.
type known struct{ functions, imported, own map[string]bool }

func (r *reading) knownNames() known {
	k := known{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	for _, code := range r.new.Code {
		if m := source.Declared().FindStringSubmatch(code); m != nil {
			k.functions[m[1]] = true
		}
	}
	return k
}

// read notes what line i declares or imports.
func (k known) read(r *reading, i int) {
	code, b := r.new.Code[i], r.new.Outline.At[i]
	names := source.Assigned(code)
	for _, n := range names {
		k.own[n] = k.own[n] || b != nil && isGoGroup(b) ||
			strings.Contains(code, "var ") || strings.Contains(code, ":=")
	}
	if !source.Imported().MatchString(code) || r.lang.Name == "js" && makesOne().MatchString(r.new.Live[i]) {
		return
	}
	if r.lang.Name != "js" {
		names = nil
	}
	for _, n := range append(names, source.ImportedNames(r.lang.Name, code)...) {
		k.imported[n] = true
	}
}

// makesOne makes an object of a module's class, or has one made: it is no module.
var makesOne = pattern.Lazy(`^\s*(?:const|let|var)\s+\w+\s*=\s*(?:new\s+\(?require\(['"][^'"]+['"]\)(?:\.\w+)*\)?\s*\(|` +
	`require\(['"][^'"]+['"]\)\.create\w+\()`)

// changesPackage tells, in Go, a line of an init function that sets what the test
// does not declare.
func (r *reading) changesPackage(i int, k known, isNew bool) string {
	code, b := r.new.Code[i], r.new.Outline.At[i]
	if r.lang.Name != "go" || !isNew || b == nil || !strings.HasPrefix(b.Header, "func init(") ||
		strings.Contains(code, ":=") || strings.Contains(code, "var ") || !r.inAnyFunction(i) {
		return ""
	}
	for _, n := range source.Assigned(code) {
		if !k.own[strings.TrimSuffix(n, ".")] {
			return fmt.Sprintf("The new test's line %q changes the package for all tests.",
				diff.Shorten(r.new.Lines[i]))
		}
	}
	return ""
}

// replacesPart tells a line that sets a part of a module for good.
func (r *reading) replacesPart(i int, k known) string {
	line := diff.Shorten(r.new.Lines[i])
	code := r.new.Code[i]
	m := merged().FindStringSubmatch(code)
	if m != nil && r.lang.Name == "js" && (m[2] == "" || k.imported[m[2]]) && !r.putsBackSurroundings(i) {
		return fmt.Sprintf("The new test's line %q replaces parts of a module for all tests.", line)
	}
	at := source.Assignment(code)
	if r.lang.Name == "julia" && extendsForOwn(r.new, i, r.namedBefore) {
		return ""
	}
	if b := r.new.Outline.At[i]; at < 0 || !strings.Contains(code[:at], ".") ||
		r.lang.Name == "python" && b != nil && b.Mark == "(" { // what a call is given by name
		return ""
	}
	for _, n := range source.Assigned(code) {
		root, member := strings.CutSuffix(n, ".")
		if member && k.imported[root] && !r.cleansSnapshots(i) && (k.isDouble(code[at+1:]) || !r.inAnyFunction(i)) &&
			!r.putsBack(i, strings.TrimSpace(code[:at])) {
			return fmt.Sprintf("The new test's line %q replaces a part of %s for all tests.", line, root)
		}
	}
	return ""
}

var (
	cleansSnapshot = pattern.Lazy(`^\s*(\w+)\.cleanSnapshot\s*=[^=]`)
	namesTap       = pattern.Lazy(`(\w+)\s*=\s*require\(\s*['"]tap['"]\s*\)|^import\s+(?:\*\s+as\s+)?(\w+)\s+from\s+['"]tap['"]`)
)

// cleansSnapshots tells, in a new test of node-tap, what it leaves out of its snapshots: each
// file has its own, in a process of its own.
func (r *reading) cleansSnapshots(i int) bool {
	m := cleansSnapshot().FindStringSubmatch(r.new.Code[i])
	return r.lang.Name == "js" && m != nil && len(r.old.Lines) == 0 &&
		slices.ContainsFunc(r.new.Live, func(line string) bool {
			tap := namesTap().FindStringSubmatch(line)
			return tap != nil && tap[1]+tap[2] == m[1]
		})
}

var (
	// pollutes sets a property that every object has from then on, cleans takes it away.
	pollutes = pattern.Lazy(`^\s*Object\.prototype\.(__[a-z]\w*|polluted\w*)\s*=[^=]|` +
		`^\s*Object\.defineProperty\(\s*Object\.prototype\s*,\s*['"](__[a-z]\w*|polluted\w*)['"]\s*,`)
	// looked are such names that languages and runners go by.
	looked = pattern.Lazy(`^__(proto__|define|lookup|esModule|flags|vitest|jest|v_|is)`)
	cleans = pattern.Lazy(`\bdelete\s+Object\.prototype\.(\w+)|` +
		`\bdelete\s+\(?Object\.prototype(?:\s+as\s+[\w<>, ]+)?\)?\[\s*['"](\w+)['"]\s*\]`)
)

// pollutesAWhile tells, in a function of a test, such a property of a name that nothing
// but a test of that gives, where the file takes it away again.
func (r *reading) pollutesAWhile(i int) bool {
	m := pollutes().FindStringSubmatch(r.new.Live[i])
	return r.lang.Name == "js" && m != nil && !looked().MatchString(m[1]+m[2]) && r.inAnyFunction(i) &&
		slices.ContainsFunc(r.new.Live, func(line string) bool {
			c := cleans().FindStringSubmatch(line)
			return c != nil && c[1]+c[2] == m[1]+m[2]
		})
}

// isDouble tells a function from a setting: that on a module stands in for its own.
func (k known) isDouble(value string) bool {
	value = strings.TrimSpace(value)
	return k.functions[source.Ident().FindString(value)] || strings.Contains(value, "=>") ||
		slices.ContainsFunc([]string{"lambda", "function", "async"}, func(w string) bool {
			return strings.HasPrefix(value, w)
		})
}
