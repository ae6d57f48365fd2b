package weaken

import (
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/pattern"
)

// importFact is one name that a file imports, and from where.
type importFact struct{ source, name string }

// importsOf reads lines that are nothing but imports.
func importsOf(lang string, lines []string) (map[importFact]bool, bool) {
	read := importReaders[lang]
	if read == nil {
		read = importLines
	}
	facts := map[importFact]bool{}
	return facts, read(lines, facts)
}

var importReaders = map[string]func([]string, map[importFact]bool) bool{
	"go": goImports, "python": pythonImports, "js": jsImports, "rust": pathImports("::"),
	"php": pathImports(`\`), "perl": perlImports, "elixir": elixirImports,
	"dart": dartImports,
}

var (
	goSpec      = pattern.Lazy(`^(?:import\s+)?([\w.]+\s+)?("[^"]+")$`)
	pythonFrom  = pattern.Lazy(`^from\s+(\S+)\s+import\s+\(?([^()]*)\)?$`)
	pythonPlain = pattern.Lazy(`^import\s+([^()]*)$`)
	jsImport    = pattern.Lazy(`(?s)^import\s+(type\s+)?(?:([^'"]*?)\s*from\s*)?(['"][^'"]+['"])\s*;?\s*`)
	jsRequire   = pattern.Lazy(`(?s)^(?:const|let|var)\s+(\w+|` +
		`\{[^{}]*\})\s*=\s*require\(\s*(['"][^'"]+['"])\s*\)\s*;?\s*`)
	pathUse    = pattern.Lazy(`(?s)^(?:pub(?:\([^)]*\))?\s+)?use\s+((?:function|const)\s+)?(.*)$`)
	perlUse    = pattern.Lazy(`^use\s+([\w:]+)\s*(?:qw\s*[(/\[]([^()]*)[)/\]])?\s*;$`)
	importLine = pattern.Lazy(`^(?:@testable import|import|using|alias|require|require_relative|open|` +
		`#\s*include|#\s*import|@import|export)\b`)
)

func goImports(lines []string, facts map[importFact]bool) bool {
	for _, line := range lines {
		if line == "import (" || line == ")" {
			continue
		}
		m := goSpec().FindStringSubmatch(line)
		if m == nil {
			return false
		}
		facts[importFact{m[2], strings.TrimSpace(m[1])}] = true
	}
	return true
}

func pythonImports(lines []string, facts map[importFact]bool) bool {
	text := strings.Join(lines, "\n")
	for strings.Contains(text, "(\n") || strings.Contains(text, ",\n") || strings.Contains(text, "\n)") ||
		strings.Contains(text, "\\\n") {
		text = strings.NewReplacer("(\n", "(", ",\n", ",", "\n)", ")", "\\\n", " ").Replace(text)
	}
	for _, statement := range strings.Split(text, "\n") {
		statement = strings.TrimSpace(statement)
		switch m := pythonFrom().FindStringSubmatch(statement); {
		case m != nil:
			names(facts, pythonTypes(m[1]), m[2])
		case pythonPlain().MatchString(statement):
			names(facts, "", pythonPlain().FindStringSubmatch(statement)[1])
		default:
			return false
		}
	}
	return true
}

// pythonTypes takes the modules for one that have the same types by the same names, of which
// later versions of Python move some.
func pythonTypes(module string) string {
	switch module {
	case "typing_extensions", "collections.abc":
		return "typing"
	}
	return module
}

// names notes each of a list, by the name that it is bound to.
func names(facts map[importFact]bool, source, list string) {
	for _, name := range strings.Split(list, ",") {
		name = strings.TrimSpace(name)
		if !strings.HasPrefix(name, "type as ") { // that it is a type alone, in TypeScript
			name = strings.TrimPrefix(name, "type ")
		}
		original, as, is := strings.Cut(name, " as ")
		switch {
		case name == "":
		case is:
			facts[importFact{source + "#" + strings.TrimSpace(original), strings.TrimSpace(as)}] = true
		default:
			facts[importFact{source, name}] = true
		}
	}
}

func jsImports(lines []string, facts map[importFact]bool) bool {
	text := strings.TrimSpace(strings.Join(lines, "\n"))
	for text != "" {
		if m := jsImport().FindStringSubmatch(text); m != nil {
			source := strings.Trim(m[3], `'"`)
			if m[2] == "" {
				facts[importFact{source, ""}] = true
			}
			names(facts, source, strings.NewReplacer("{", ",", "}", ",", "\n", " ").Replace(m[2]))
			text = text[len(m[0]):]
			continue
		}
		m := jsRequire().FindStringSubmatch(text)
		if m == nil {
			return false
		}
		names(facts, strings.Trim(m[2], `'"`)+strings.Map(braces, m[1]),
			strings.NewReplacer("{", "", "}", "", ":", " as ", "\n", " ").Replace(m[1]))
		text = text[len(m[0]):]
	}
	return true
}

// braces keeps a module apart from what is taken out of it.
func braces(r rune) rune {
	if r == '{' {
		return r
	}
	return -1
}

// pathImports reads use a::b::{c, d::e} and the like.
func pathImports(separator string) func([]string, map[importFact]bool) bool {
	return func(lines []string, facts map[importFact]bool) bool {
		text := strings.Join(lines, " ")
		for _, statement := range strings.Split(strings.TrimSuffix(strings.TrimSpace(text), ";"), ";") {
			m := pathUse().FindStringSubmatch(strings.TrimSpace(statement))
			if m == nil {
				return false
			}
			expand(facts, m[1], strings.TrimSpace(m[2]), separator)
		}
		return true
	}
}

// expand takes apart the braces of a path.
func expand(facts map[importFact]bool, prefix, path, separator string) {
	open := strings.IndexByte(path, '{')
	if open < 0 || !strings.HasSuffix(path, "}") {
		if path == "self" || strings.HasPrefix(path, "self as ") { // the path itself
			prefix, path = "", strings.TrimSuffix(prefix, separator)+strings.TrimPrefix(path, "self")
		}
		name := path[strings.LastIndex(path, separator)+1:]
		facts[importFact{prefix + path, strings.TrimLeft(name, ":")}] = true
		return
	}
	depth, from := 0, open+1
	for i := open; i < len(path); i++ {
		switch path[i] {
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth == 0 || depth == 1 && path[i] == ',' {
			if item := strings.TrimSpace(path[from:i]); item != "" {
				expand(facts, prefix+path[:open], item, separator)
			}
			from = i + 1
		}
	}
}

func perlImports(lines []string, facts map[importFact]bool) bool {
	for _, line := range lines {
		m := perlUse().FindStringSubmatch(line)
		if m == nil {
			return false
		}
		for _, name := range append(strings.Fields(m[2]), "") {
			facts[importFact{m[1], name}] = true
		}
	}
	return true
}

var dartShow = pattern.Lazy(`^((?:import|export)\s+['"][^'"]+['"](?:\s+as\s+\w+)?)\s+show\s+([\w$,\s]+);$`)

// dartImports takes each line for an import, of the names that it shows.
func dartImports(lines []string, facts map[importFact]bool) bool {
	for _, line := range lines {
		if m := dartShow().FindStringSubmatch(line); m != nil {
			names(facts, m[1], m[2])
		} else if !importLines([]string{line}, facts) {
			return false
		}
	}
	return true
}

// importLines takes each line for an import of its own.
func importLines(lines []string, facts map[importFact]bool) bool {
	for _, line := range lines {
		line = importReach().ReplaceAllString(line, "import")
		if !importLine().MatchString(line) {
			return false
		}
		facts[importFact{line, line}] = true
	}
	return true
}

// importReach says, in Swift, how what is imported is checked, and who sees it too: nothing of it.
var importReach = pattern.Lazy(`^(?:@preconcurrency|public|package|internal|fileprivate|private)\s+import\b`)

// elixirGroup names several modules of one space.
var elixirGroup = pattern.Lazy(`^(alias|require)\s+([\w.]+)\.\{([\w.,\s]+)\}$`)

// elixirImports takes what a module uses for an import too.
func elixirImports(lines []string, facts map[importFact]bool) bool {
	for _, line := range lines {
		if !importLine().MatchString(line) && !strings.HasPrefix(line, "use ") {
			return false
		}
		if m := elixirGroup().FindStringSubmatch(line); m != nil {
			for _, name := range strings.Split(m[3], ",") {
				if name = strings.TrimSpace(name); name != "" {
					one := m[1] + " " + m[2] + "." + name
					facts[importFact{one, one}] = true
				}
			}
			continue
		}
		facts[importFact{line, line}] = true
	}
	return true
}
