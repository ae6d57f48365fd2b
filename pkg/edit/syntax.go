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
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/tidwall/jsonc"
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
		if commented().MatchString(strings.ToLower(name)) {
			return parseJSONC
		}
		return parseJSON
	case ".ipynb":
		return parseJSON
	case ".jsonc", ".code-workspace":
		return parseJSONC
	case ".yaml", ".yml":
		return parseYAML
	case ".toml":
		return parseTOML
	}
	return nil
}

// mayBeBroken tells new files that may be broken on purpose, or are templates.
var mayBeBroken = pattern(`/(?:testdata|fixtures|__fixtures__|templates?)/|invalid|malformed|broken`)

// testFolder is one of what tests read, beside them or below.
var testFolder = pattern(`/(?:tests?|specs?|t|__tests__)/`)

func lax(name, now string) bool {
	p := "/" + strings.ToLower(name)
	return path.Ext(p) != ".go" && testFolder().MatchString(p) || mayBeBroken().MatchString(p) ||
		strings.Contains(now, "{{") || strings.Contains(now, "{%") || strings.Contains(now, "<%")
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

func parseJSONC(s string) error { return parseJSON(string(jsonc.ToJSON([]byte(s)))) }

// commented names JSON files whose readers allow comments.
var commented = pattern(`(?:^|/)(?:tsconfig|jsconfig|\.eslintrc|\.babelrc|\.swcrc|devcontainer|api-extractor|turbo|deno|biome|nx|jest\.config|wrangler|tslint)[^/]*$|(?:^|/)\.(?:vscode|devcontainer)/`)

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
