package guard

import (
	"path"
	"strings"
)

// A new test source may stand in for the product source that old tests mean: a
// file found first on a search path, or a second declaration of the same type.

// searchRoots are where product sources lie that tests name without a directory.
var searchRoots = []string{"", "src", "lib", "include", "app", "source", "Sources"}

var typeDeclared = map[string]func() *pattern{
	"ruby":   lazy(`^\s*class\s+(?:::)?([A-Z]\w*)\s*$`),
	"php":    lazy(`^\s*(?:abstract\s+|final\s+)?(?:class|trait|interface)\s+(\w+)`),
	"elixir": lazy(`^defmodule\s+([\w.]+)\s+do`),
	"java":   jvmType, "kotlin": jvmType, "csharp": jvmType,
}

var jvmType = lazy(`^\s*(?:(?:public|private|protected|internal|static|abstract|final|sealed|data|open|partial)\s+)*(?:class|record|object|interface|enum|struct)\s+(\w+)`)

// shadowsSources tells a new test source that would be taken for a product source.
func (g *Guard) shadowsSources(s step) string {
	if before, after, ok := strings.Cut("/"+s.path, "/src/test/"); ok {
		twin := strings.TrimPrefix(path.Join(before, "src/main", after), "/")
		if g.isFile(twin) {
			return "The file would stand in for " + twin + " when tests run."
		}
	}
	lang := languageOf(s.path)
	switch lang.name {
	case "python", "ruby", "c":
		if twin := g.twinOnSearchPath(s.path, lang.name); twin != "" {
			return "The file would be found in place of " + twin + " when tests run."
		}
	}
	return g.redeclares(lang, string(s.after))
}

func (g *Guard) isFile(p string) bool {
	kind, err := g.tree.Kind(p)
	return err == nil && kind == File
}

func (g *Guard) twinOnSearchPath(p, lang string) string {
	base := path.Base(p)
	if base == "__init__.py" && path.Dir(p) != "." {
		base = path.Base(path.Dir(p)) + ".py"
	}
	if lang == "c" && !strings.HasPrefix(path.Ext(base), ".h") || strings.HasPrefix(base, "tests.") || strings.HasPrefix(base, "test.") {
		return ""
	}
	for _, root := range searchRoots {
		for _, twin := range []string{path.Join(root, base), path.Join(root, strings.TrimSuffix(base, ".py"), "__init__.py")} {
			if twin != p && twin != path.Join(path.Dir(p), "__init__.py") && !isTestName(twin) && g.isFile(twin) {
				return twin
			}
		}
	}
	return ""
}

// redeclares tells a type that a product file of the same name declares.
func (g *Guard) redeclares(lang *language, after string) string {
	re := typeDeclared[lang.name]
	if re == nil {
		return ""
	}
	declared := map[string]string{}
	t := readText(lang, splitLines(after))
	for i, line := range t.code {
		// A module of Ruby is opened again to name its tests; methods are another matter.
		if b := t.outline.at[i]; lang.name == "ruby" && b != nil && strings.HasPrefix(b.header, "module ") && strings.HasPrefix(strings.TrimSpace(line), "def ") {
			name := strings.TrimSpace(strings.TrimPrefix(b.header, "module "))
			declared[flat(name)] = name
		}
		if m := re().FindStringSubmatch(strings.TrimRight(line, "\r\n")); m != nil {
			declared[flat(m[1][strings.LastIndex(m[1], ".")+1:])] = m[1]
		}
	}
	if len(declared) == 0 {
		return ""
	}
	reason := ""
	g.walk(func(p string) {
		name := declared[flat(strings.TrimSuffix(path.Base(p), path.Ext(p)))]
		if name != "" && lang.name == "elixir" { // a module is what its whole name says
			if text, err := g.tree.ReadFile(p); err != nil || !strings.Contains(string(text), "defmodule "+name+" ") {
				return
			}
		}
		if name != "" && languageOf(p) == lang && classify(p) == roleProduct {
			reason = "The test declares " + name + ", which " + p + " declares; it would be tested instead."
		}
	})
	return reason
}

// flat makes CamelCase and snake_case the same.
func flat(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }
