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
	"github.com/tidwall/jsonc"
	"gopkg.in/yaml.v3"
)

// syntax explains why a file cannot be what was meant: a line of the reply's form or of the
// conversation became content; code has signs that no language has; or a file of a known
// language no longer parses. What was there before is left alone.
func syntax(c Change, old, now string) string {
	if why := leftOver(c.Path, old, now); why != "" {
		return why
	} else if why := oddSigns(c.Path, old, now); why != "" {
		return why
	}
	return parses(c.Path, old, now, c.Op == Create)
}

// leftover matches a line of a reply's form that became content, conversation matches talk
// around content.
var (
	leftover = pattern(`^(?:\*\*\* (?:(?:Begin|End) Patch$|(?:Add|Update|Delete) File:)|:(?:start|` +
		`end)_line:\s*\d+$|` +
		`<{5,9}\s*(?:SEARCH|ORIGINAL|HEAD|OLD|FIND|BEFORE)\b|>{5,9}\s*(?:REPLACE|UPDATED|HEAD)$)`)
	conversation = pattern(`(?i)^(?:here('s| is| are) (the|your|an?|my) .*(code|file|version|content|` +
		`implementation|fix|solution|changes?).*[:.]|` +
		`(sure|certainly|of course)[!,].*|i('ve| have) (updated|modified|fixed|added|made|implemented)\b.*|` +
		`let me know if .*|</think>)$`)
)

// leftOver finds such lines, and fence lines around the content of a file that is not
// prose.
func leftOver(name, old, now string) string {
	first, last := firstLine(now), lastLine(now)
	for _, l := range []string{first, last} {
		talk := cutTokens(l) != l && !strings.Contains(now, "<s>") || !isProse(name) &&
			conversation().MatchString(l)
		if talk && !strings.Contains(old, l) {
			return fmt.Sprintf("the new %s has text of the conversation, not content: %s", name, clip(l))
		}
	}
	signs := "<>*:"
	if isProse(name) || isPatchFile(name) {
		signs = ":"
	}
	for i, l := range strings.Split(now, "\n") {
		if l != "" && strings.IndexByte(signs, l[0]) >= 0 && leftover().MatchString(l) &&
			!strings.Contains(old, l) {
			return fmt.Sprintf("line %d of the new %s is a line of the reply's form, not content: %s", i+1,
				name,
				clip(l))
		}
	}
	if signs == ":" {
		return ""
	}
	odd := isCode(name) && strings.Count("\n"+now, "\n```")%2 != 0 && strings.Count("\n"+old, "\n```")%2 == 0
	if odd || isFence(first) && !strings.HasPrefix(strings.TrimSpace(old), first) {
		return fmt.Sprintf("the new content of %s holds a fence line that belongs to no other: close each "+
			"fence before the "+
			"next path, and put a longer fence around content that holds fences", name)
	}
	return ""
}

// oddDelimiter matches a wrong delimiter in markup: around an attribute, or for a tag.
var oddDelimiter = pattern(`=\s*[“”„‘’\x{00a0}]|^\s*&lt;.*&gt;\s*$|\x{00a0}[\w-]+=`)

// oddSigns finds typographic characters and entities in new lines where no language has
// them: in code outside of strings and comments, in markup around attributes.
func oddSigns(name, old, now string) string {
	code := isCode(name) && !(strings.HasPrefix(extension(name), ".js") &&
		strings.Contains(now, "</")) // JSX is markup
	if isProse(name) || isASCII(now) && !strings.Contains(now, "&") {
		return ""
	}
	stands := make(map[string]bool)
	split := func(text string) []string { return strings.Split(text, "\n") }
	if code {
		split = func(text string) []string { return codeLines(name, text) }
	}
	for _, l := range split(old) {
		stands[strings.TrimRight(l, "\r")] = true
	}
	lines := strings.Split(now, "\n")
	for i, l := range split(strings.TrimPrefix(now, bom)) {
		if stands[strings.TrimRight(l, "\r")] {
			continue
		}
		odd := code && (hasEntity(l) || strings.ContainsFunc(l, func(r rune) bool {
			_, ok := plainRunes()[r]
			return ok && !strings.ContainsRune(old, r)
		})) || !code && oddDelimiter().MatchString(l) && !aside().MatchString(l)
		if odd {
			return fmt.Sprintf("line %d of the new %s holds HTML entities, curly quotes, or blanks and "+
				"dashes that no language "+
				"has: %s; write it plainly", i+1, name, clip(strings.TrimSpace(lines[i])))
		}
	}
	return ""
}

// quotedText matches strings and comments, with // or # comments.
var quotedText = sync.OnceValue(func() [2]*regexp.Regexp {
	const strs = `(?s)"""(?:.*?"""|.*)|'''(?:.*?'''|.*)|/\*(?:.*?\*/|.*)|` + "`(?:.*?`|.*)" +
		`|"(?:[^"\\\n]|\\.)*(?:"|$|\n)|` +
		`'(?:[^'\\\n]|\\.)*'|<<[-~]?\s*['"]?[A-Z_]{3,}\b[^\n]*\n(?:.*?\n\s*[A-Z_]{3,}[;)]*(?:\n|$)|.*)`
	return [2]*regexp.Regexp{regexp.MustCompile(strs + `|//[^\n]*`), regexp.MustCompile(strs + `|#[^\n]*`)}
})

// codeLines returns the lines of a text without strings and comments, roughly: in doubt
// text counts as quoted.
func codeLines(name, text string) []string {
	quoted := quotedText()[0]
	if hashComments()[extension(name)] {
		quoted = quotedText()[1]
	}
	return strings.Split(quoted.ReplaceAllStringFunc(text,
		func(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) }), "\n")
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimLeft(s, bom+" \t\r\n"), "\n")
	return strings.TrimRight(s, "\r")
}

func lastLine(s string) string {
	s = strings.TrimRight(s, " \t\r\n")
	return s[strings.LastIndexByte(s, '\n')+1:]
}

func parses(name, old, now string, created bool) string {
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

// mayBeBroken matches new files that may be broken on purpose, or are templates.
var mayBeBroken = pattern(`/(?:testdata|fixtures|__fixtures__|templates?)/|invalid|malformed|broken`)

// testFolder matches folders of tests and their data.
var testFolder = pattern(`/(?:tests?|specs?|t|__tests__)/`)

func lax(name, now string) bool {
	p := "/" + strings.ToLower(name)
	return path.Ext(p) != ".go" && testFolder().MatchString(p) || mayBeBroken().MatchString(p) ||
		strings.Contains(now, "{{") || strings.Contains(now, "{%") || strings.Contains(now, "<%")
}

// templated reports YAML with Ruby tags, which many tools fill in before they read it.
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

// commented matches JSON files that may have comments.
var commented = pattern(`(?:^|/)(?:tsconfig|jsconfig|\.eslintrc|\.babelrc|\.swcrc|devcontainer|` +
	`api-extractor|turbo|deno|biome|nx|jest\.config|wrangler|tslint)[^/]*$|(?:^|/)\.(?:vscode|devcontainer)/`)

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
