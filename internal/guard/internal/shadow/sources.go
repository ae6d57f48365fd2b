package shadow

import (
	"path"
	"regexp"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/checkout"
	"github.com/booty-cli/booty/internal/guard/internal/lexer"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
	"github.com/booty-cli/booty/internal/testfile"
)

// A new test source may stand in for the product source that old tests mean: a
// file found first on a search path, or a second declaration of the same type.

// searchRoots are where product sources lie that tests name without a directory.
var searchRoots = []string{"", "src", "lib", "include", "app", "source", "Sources"}

var typeDeclared = map[string]func() *pattern.Pattern{
	"ruby":   pattern.Lazy(`^\s*class\s+(?:::)?([A-Z]\w*)\s*$`),
	"php":    pattern.Lazy(`^\s*(?:abstract\s+|final\s+)?(?:class|trait|interface)\s+(\w+)`),
	"elixir": pattern.Lazy(`^defmodule\s+([\w.]+)\s+do`),
	"java":   jvmType, "kotlin": jvmType, "csharp": jvmType,
}

var jvmType = pattern.Lazy(`^\s*(?:(?:public|private|protected|internal|static|abstract|final|sealed|` +
	`data|open|partial|enum|record|fun|value|annotation)\s+)*` +
	`(?:class|record|object|interface|enum|struct)\s+(\w+)`)

// HidesSources tells a new test source that would be taken for a product source.
func HidesSources(c *checkout.Files, s checkout.Step) string {
	if before, after, ok := strings.Cut("/"+s.Path, "/src/test/"); ok {
		twin := strings.TrimPrefix(path.Join(before, "src/main", after), "/")
		if c.IsFile(twin) {
			return "The file would stand in for " + twin + " when tests run."
		}
	}
	lang := lexer.Of(s.Path)
	switch lang.Name {
	case "python", "ruby", "c":
		if twin := twinOnSearchPath(c, s.Path, lang.Name); twin != "" {
			return "The file would be found in place of " + twin + " when tests run."
		}
	}
	return redeclares(c, s, lang)
}

func twinOnSearchPath(c *checkout.Files, p, lang string) string {
	base := path.Base(p)
	if base == "__init__.py" && path.Dir(p) != "." {
		base = path.Base(path.Dir(p)) + ".py"
	}
	if lang == "c" && !strings.HasPrefix(path.Ext(base), ".h") || strings.HasPrefix(base, "tests.") ||
		strings.HasPrefix(base, "test.") {
		return ""
	}
	for _, root := range searchRoots {
		for _, twin := range []string{path.Join(root, base),
			path.Join(root, strings.TrimSuffix(base, ".py"), "__init__.py")} {
			if twin != p && twin != path.Join(path.Dir(p), "__init__.py") && !checkout.IsTestName(twin) &&
				c.IsFile(twin) {
				return twin
			}
		}
	}
	return ""
}

// redeclares tells a type that a product file of the same name declares.
func redeclares(c *checkout.Files, s checkout.Step, lang *lexer.Language) string {
	re := typeDeclared[lang.Name]
	if re == nil {
		return ""
	}
	declared := map[string]string{}
	t := source.Read(lang, diff.Split(string(s.After)))
	for i, line := range t.Code {
		// A module of Ruby is opened again to name its tests; methods are another matter.
		if b := t.Outline.At[i]; lang.Name == "ruby" && b != nil &&
			strings.HasPrefix(b.Header, "module ") && strings.HasPrefix(strings.TrimSpace(line), "def ") {
			name := strings.TrimSpace(strings.TrimPrefix(b.Header, "module "))
			declared[flat(name)] = name
		}
		if m := re().FindStringSubmatch(strings.TrimRight(line, "\r\n")); m != nil && !isNested(lang, t, i) {
			declared[flat(m[1][strings.LastIndex(m[1], ".")+1:])] = m[1]
		}
	}
	if len(declared) == 0 {
		return ""
	}
	reason := ""
	c.Walk(func(p string) {
		name := declared[flat(strings.TrimSuffix(path.Base(p), path.Ext(p)))]
		if name == "" || hasAnother(c, s, lang, p, name) {
			return
		}
		// What a library of tests has is another's, but to that library's own tests.
		if lexer.Of(p) == lang && (Is(s.Path) || !Is(p)) && testfile.Of(p) == testfile.Product {
			reason = "The test declares " + name + ", which " + p +
				" declares; it would be tested instead."
		}
	})
	return reason
}

// hasAnother tells a product file that has another type than the one of its name.
func hasAnother(c *checkout.Files, s checkout.Step, lang *lexer.Language, p, name string) bool {
	text, err := c.ReadFile(p)
	switch {
	case lang.Name == "elixir": // a module is what its whole name says
		return err != nil || !strings.Contains(string(text), "defmodule "+name+" ")
	case lang.Name == "php": // nothing but a whole name, or the own space, leads to a type
		own, other := phpSpace(s.After), phpSpace(text)
		return err == nil && own != "" && other != "" && own != other
	case typeWord[lang.Name]: // of a file that has others, the name binds none
		return err == nil && declaresNamed(`\w+`).Match(text) && !isDeclared(c, lang, name)
	}
	return false
}

// isDeclared tells whether a product file of whatever name declares a type.
func isDeclared(c *checkout.Files, lang *lexer.Language, name string) (found bool) {
	re := declaresNamed(name)
	c.Walk(func(p string) {
		if found || lexer.Of(p) != lang || testfile.Of(p) != testfile.Product {
			return
		}
		text, err := c.ReadFile(p)
		found = err != nil || re.Match(text)
	})
	return found
}

// typeWord are languages in which a word stands before the name of each type.
var typeWord = map[string]bool{"java": true, "kotlin": true, "csharp": true}

// declaresNamed is what declares a type of a name, wherever it stands, in those languages.
func declaresNamed(name string) *regexp.Regexp {
	return regexp.MustCompile(`\b(?:class|record|interface|object|enum|struct|typealias|using)\s+@?` + name +
		`\b|\bdelegate\b[^;{}]*\b` + name + `\b`)
}

var phpNamespace = pattern.Lazy(`(?m)^[ \t]*(?:<\?php[ \t]+)?namespace[ \t]+([\w\\]+)[ \t]*([;{])`)

// phpSpace is the one space of names of a file; "" for none, or for more than one.
func phpSpace(text []byte) string {
	all := phpNamespace().FindAllSubmatch(text, -1)
	if len(all) != 1 || string(all[0][2]) != ";" {
		return ""
	}
	return strings.ToLower(string(all[0][1]))
}

var typeHead = pattern.Lazy(`\b(class|interface|object|record|struct|enum)\b`)

// isNested tells a type within another, whose name is told by that one's.
func isNested(lang *lexer.Language, t *source.Text, i int) bool {
	if lang.Name != "java" && lang.Name != "kotlin" && lang.Name != "csharp" {
		return false
	}
	for b := t.Outline.At[i]; b != nil; b = b.Parent {
		if b.Mark == "{" && typeHead().MatchString(b.Header) {
			return true
		}
	}
	return false
}

// flat makes CamelCase and snake_case the same.
func flat(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }
