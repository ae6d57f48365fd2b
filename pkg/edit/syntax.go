package edit

import (
	"encoding/json"
	"errors"
	"fmt"
	goparser "go/parser"
	"go/scanner"
	"go/token"
	"io"
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
	"gopkg.in/yaml.v3"
)

// syntax says why a file of a known language no longer parses. A file that did
// not parse before is left alone: it may be meant so, or be no such language.
func syntax(name, old, now string, created bool) string {
	parse := parserFor(name)
	if parse == nil {
		return ""
	}
	err := parse(strings.TrimPrefix(now, bom))
	if err == nil {
		return ""
	}
	if created && lax(name, now) || templated(name, now) || !created && strings.TrimSpace(old) != "" &&
		parse(strings.TrimPrefix(old, bom)) != nil {
		return ""
	}
	return fmt.Sprintf("the new %s does not parse: %s", name, err)
}

func parserFor(name string) func(string) error {
	switch strings.ToLower(path.Ext(name)) {
	case ".go":
		return parseGo
	case ".json":
		if commented(name) {
			return func(s string) error { return parseJSON(plainJSON(s)) }
		}
		return parseJSON
	case ".ipynb":
		return parseJSON
	case ".jsonc", ".code-workspace":
		return func(s string) error { return parseJSON(plainJSON(s)) }
	case ".yaml", ".yml":
		return parseYAML
	case ".toml":
		return parseTOML
	}
	return nil
}

// testFolder is one of what tests read, beside them or below.
var testFolder = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`/(tests?|specs?|t|__tests__)/`)
})

// lax tells new files that may be broken on purpose, or are templates.
func lax(name, now string) bool {
	p := "/" + strings.ToLower(name)
	if path.Ext(p) != ".go" && testFolder().MatchString(p) {
		return true
	}
	for _, dir := range []string{"/testdata/", "/fixtures/", "/__fixtures__/", "/templates/", "/template/",
		"invalid", "malformed", "broken"} {
		if strings.Contains(p, dir) {
			return true
		}
	}
	return strings.Contains(now, "{{") || strings.Contains(now, "{%") || strings.Contains(now, "<%")
}

// templated tells YAML with Ruby's tags, which many of its tools fill in before they read it.
func templated(name, now string) bool {
	ext := strings.ToLower(path.Ext(name))
	return (ext == ".yml" || ext == ".yaml") && strings.Contains(now, "<%") && strings.Contains(now, "%>")
}

func parseGo(s string) error {
	_, err := goparser.ParseFile(token.NewFileSet(), "", s, goparser.SkipObjectResolution)
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		return fmt.Errorf("line %d: %s", list[0].Pos.Line, list[0].Msg)
	}
	return err
}

func parseJSON(s string) error {
	var v json.RawMessage
	err := json.Unmarshal([]byte(s), &v)
	var at *json.SyntaxError
	if errors.As(err, &at) {
		line := 1 + strings.Count(s[:min(int(at.Offset), len(s))], "\n")
		return fmt.Errorf("line %d: %w", line, err)
	}
	return err
}

// commented names JSON files whose readers allow comments.
func commented(name string) bool {
	base := strings.ToLower(path.Base(name))
	for _, prefix := range []string{"tsconfig", "jsconfig", ".eslintrc", ".babelrc", ".swcrc", "devcontainer",
		"api-extractor", "turbo", "deno", "biome", "nx", "jest.config", "wrangler", "tslint"} {
		if strings.HasPrefix(base, prefix) {
			return true
		}
	}
	return strings.Contains("/"+name, "/.vscode/") || strings.Contains("/"+name, "/.devcontainer/")
}

// plainJSON blanks comments and trailing commas out, keeping lines where they are.
func plainJSON(s string) string {
	b := []byte(s)
	comma := -1 // the last comma with nothing but blanks and comments after it
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case c == '"':
			comma = -1
			for i++; i < len(b) && b[i] != '"' && b[i] != '\n'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
		case c == '/' && i+1 < len(b) && b[i+1] == '/':
			for ; i < len(b) && b[i] != '\n'; i++ {
				b[i] = ' '
			}
		case c == '/' && i+1 < len(b) && b[i+1] == '*':
			end := strings.Index(s[i+2:], "*/")
			if end < 0 {
				return string(b)
			}
			for stop := i + 2 + end + 2; i < stop; i++ {
				if b[i] != '\n' {
					b[i] = ' '
				}
			}
			i--
		case c == ',':
			comma = i
		case c == '}' || c == ']':
			if comma >= 0 {
				b[comma] = ' '
			}
			comma = -1
		case c != ' ' && c != '\t' && c != '\n' && c != '\r':
			comma = -1
		}
	}
	return string(b)
}

func parseYAML(s string) error {
	d := yaml.NewDecoder(strings.NewReader(s))
	for {
		var n yaml.Node
		if err := d.Decode(&n); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func parseTOML(s string) error {
	var v map[string]any
	_, err := toml.Decode(s, &v)
	var at toml.ParseError
	if errors.As(err, &at) {
		return fmt.Errorf("line %d: %s", at.Position.Line, at.Message)
	}
	return err
}
