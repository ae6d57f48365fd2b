package runner

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/booty-cli/booty/internal/guard/internal/checkout"
	"github.com/booty-cli/booty/internal/guard/internal/lexer"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
)

// parseTOML is called as it is: its copies would make the program larger, as those of the
// other small functions with this mark.
//
//go:noinline
func parseTOML(text string) (object, bool) {
	var doc object
	err := toml.Unmarshal([]byte(text), &doc)
	return doc, err == nil
}

// miseTOML keeps all but which versions of tools are used.
func miseTOML(_ *Rules, _, text, _ string) any {
	doc, ok := parseTOML(text)
	if !ok {
		return text
	}
	delete(doc, "tools")
	return doc
}

// tables are the elements of an array of tables, in [[x]] or in x = [{}].
//
//go:noinline
func tables(v any) []object {
	list, _ := v.([]object)
	values, _ := v.([]any)
	for _, e := range values {
		if t, ok := e.(object); ok {
			list = append(list, t)
		}
	}
	return list
}

// dig walks into tables by their keys.
//
//go:noinline
func dig(doc object, keys ...string) any {
	var at any = doc
	for _, k := range keys {
		table, ok := at.(object)
		if !ok {
			return nil
		}
		at = table[k]
	}
	return at
}

func cargoTOML(r *Rules, p, text, other string) any {
	doc, ok := parseTOML(text)
	if !ok {
		return text
	}
	previous, _ := parseTOML(other)
	out := keep(doc, "test")
	if tests := r.namedTests(p, doc, previous); tests != nil {
		out["test"] = tests
	}
	for _, keys := range [][]string{
		{"package", "autotests"}, {"package", "build"}, {"package", "autobins"},
		{"package", "autoexamples"}, {"lib", "test"}, {"lib", "doctest"}, {"lib", "harness"},
		{"lib", "path"}, {"package", "metadata", "nextest"},
		{"workspace", "exclude"}, {"workspace", "default-members"}, {"package", "workspace"},
	} {
		if v := dig(doc, keys...); v != nil {
			out[strings.Join(keys, ".")] = v
		}
	}
	for _, name := range []string{"test", "dev"} {
		if p := checksOf(dig(doc, "profile", name)); p != nil {
			out["profile."+name] = p
		}
	}
	alone := findsFewer(doc) && (doc["bench"] == nil || previous["bench"] == nil)
	for _, t := range tables(doc["bench"]) {
		if alone || !r.isNewBench(p, t) {
			out[fmt.Sprint("bench", t["name"])] = t
		}
	}
	for _, kind := range []string{"bin", "example"} {
		for _, t := range tables(doc[kind]) {
			if (t["test"] != nil || t["harness"] != nil) && other != "" && !isFuzz(t) { // all is new in a new manifest
				out[fmt.Sprint(kind, t["name"])] = t
			}
		}
	}
	for _, section := range []string{"patch", "replace", "dependencies", "dev-dependencies"} {
		collectForeign(out, section, doc[section])
	}
	return out
}

// isFuzz tells a program that a fuzzer runs, and no runner of tests, from where it lies.
func isFuzz(t object) bool {
	place, _ := t["path"].(string)
	return strings.HasPrefix(place, "fuzz_targets/")
}

// namedTests are the programs of tests that a manifest names, without those that it names
// newly, as they would be found by themselves, or for features without which they are not made;
// nil where it names none.
func (r *Rules) namedTests(p string, doc, previous object) any {
	old, named := tables(previous["test"]), tables(doc["test"])
	if len(old)+len(named) == 0 {
		return nil
	}
	if dig(doc, "package", "autotests") == false || min(len(old), len(named)) == 0 && findsFewer(doc) {
		return doc["test"]
	}
	out := []object{}
	for _, t := range named {
		name, path := fmt.Sprint(t["name"]), fmt.Sprint(t["path"])
		plain := len(t) == 2 && path == "tests/"+name+".rs" ||
			len(t) == 3 && path == "tests/"+name+".rs" && t["required-features"] != nil && r.isAbsent(p, path)
		if !plain || slices.ContainsFunc(old, func(o object) bool { return o["name"] == t["name"] }) {
			out = append(out, t)
		}
	}
	return out
}

// findsFewer tells an edition of Rust in which naming one program ends the search for
// others.
func findsFewer(doc object) bool {
	edition := dig(doc, "package", "edition")
	return edition == nil || edition == "2015"
}

// isNewBench tells a benchmark whose source, where it is said to lie or would be found by itself,
// does not stand yet.
func (r *Rules) isNewBench(p string, t object) bool {
	folder := fmt.Sprint("benches/", t["name"])
	source := folder + ".rs"
	named, _ := t["path"].(string)
	if named != source && benchSource().MatchString(named) && r.isAbsent(p, named) {
		return r.isAbsent(p, source) && r.isAbsent(p, folder)
	}
	return t["path"] == source && r.isAbsent(p, source) ||
		t["path"] == nil && r.isAbsent(p, source) && r.isAbsent(p, folder)
}

// benchSource is a file beside or below a manifest.
var benchSource = pattern.Lazy(`^[\w-]+(/[\w-]+)*\.rs$`)

// isAbsent tells that nothing stands at a place beside a manifest.
func (r *Rules) isAbsent(manifest, place string) bool {
	kind, err := r.Kind(path.Join(path.Dir(manifest), place))
	return err == nil && kind == checkout.Absent
}

// checksOf is a profile without what says how fast and how large a build is, and
// leaves the checks in it alone; nil for nothing.
func checksOf(v any) any {
	profile, is := v.(object)
	if !is {
		return v
	}
	out := without(profile, "debug", "split-debuginfo", "strip", "incremental", "codegen-units", "opt-level", "lto")
	for key, value := range out {
		if out[key] = checksOf(value); out[key] == nil {
			delete(out, key)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// collectForeign keeps test libraries taken from a place of our own.
func collectForeign(out object, at string, v any) {
	table, _ := v.(object)
	for name, sub := range table {
		spec, isTable := sub.(object)
		if !isTable {
			continue
		}
		if testLibrary().MatchString(name) && (spec["path"] != nil || spec["git"] != nil ||
			spec["package"] != nil) {
			if out[at+" "+name] = sub; spec["path"] != nil && spec["git"] == nil { // whichever release that is
				out[at+" "+name] = keep(spec, "path", "package")
			}
		} else if strings.HasPrefix(at, "patch") {
			collectForeign(out, at+" "+name, sub)
		}
	}
}

var newCfg = pattern.Lazy(`(?:cargo::?rustc-cfg=|\.arg\("--cfg=)(\w+)["=]|cargo::?rustc-check-cfg=`)

// cargoBuild are the lines of a build script that concern tests, without conditions
// of compilation that no test goes by: such switch off none that stood.
func cargoBuild(r *Rules, p, text, other string) any {
	var kept []string
	for line := range strings.Lines(text) {
		m := newCfg().FindStringSubmatch(line)
		if m == nil || m[1] != "" && (r.TestsMention(`\b`+m[1]+`\b`, lexer.Of(p)) ||
			r.SourcesMention(`\b(test|ignore)\b.*\b`+m[1]+`\b|\b`+m[1]+`\b.*\b(test|ignore)\b`,
				lexer.Of(p))) {
			kept = append(kept, line)
		}
	}
	return blockSlice(taskWords)(r, p, strings.Join(kept, ""), other)
}
