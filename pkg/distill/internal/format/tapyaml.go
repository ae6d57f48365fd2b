package format

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// diagnosis reads the YAML of a failing test, or the JSON that Deno writes there: it takes
// expected and actual, and returns the rest, message first. It is not a YAML parser, since
// many writers do not write YAML.
func diagnosis(x *core.Failure, yaml []string) []string {
	if strings.HasPrefix(strings.TrimSpace(yaml[0]), `{"`) {
		v, _ := jsonDoc(strings.NewReader(strings.Join(yaml, "\n")))
		m, _ := v.(map[string]any)
		at, _ := m["at"].(map[string]any)
		return append(strings.Split(jsonText(m, "message", "error"), "\n"),
			"at "+text.Place(jsonText(at, "file"), max(0, jsonNumber(at, "line")), 0))
	}
	var message, block, stack, part []string
	key := ""
	base := text.IndentOf(yaml[0])
	for i := 0; i <= len(yaml); i++ {
		k, v, next := "", "", i == len(yaml)
		if !next {
			k, v, next = strings.Cut(strings.TrimSpace(yaml[i]), ":")
			k = strings.TrimSpace(k)
			next = next && text.IndentOf(yaml[i]) <= base && yaml[i] != "" && !strings.ContainsAny(k, " '\"(")
		}
		if !next {
			part = append(part, yaml[i])
			continue
		}
		body := text.TrimBlock(part)
		switch key {
		case "error", "message", "failureReason":
			message = append(message, strings.Split(unquoteYAML(strings.Join(body, "\n")), "\n")...)
		case "stack", "at":
			placeOfYAML(x, body)
			stack = append(stackLines(body), stack...) // an error among the values has one as well
			if x.Message == "" && len(message) == 0 && len(body) > 0 && reErrorHead().MatchString(body[0]) {
				message = body[:1]
			}
		case "diff", "source", "values", "details", "failures":
			block = append(block,
				strings.Split(strings.ReplaceAll(strings.Join(body, "\n"), `\'`, "'"), "\n")...)
		default:
			block = append(block, value(x, key, body)...)
		}
		key, part = k, nil
		if v = strings.TrimSpace(v); v != "" && !slices.Contains([]string{"|-", "|", ">-", ">", "|+"}, v) {
			part = append(part, v)
		}
	}
	return slices.Concat(message, block, stack)
}

// placeOfYAML reads "file: a.c" and "line: 3" below "at:".
func placeOfYAML(x *core.Failure, body []string) {
	for _, s := range body {
		k, v, _ := strings.Cut(strings.TrimSpace(s), ":")
		switch v = unquoteYAML(strings.TrimSpace(v)); k {
		case "file":
			x.File = v
		case "line":
			x.Line = text.Atoi(v)
		}
	}
}

// value reads the lines below a label of values, and returns them with the label.
func value(x *core.Failure, key string, body []string) []string {
	said := unquoteYAML(strings.TrimSpace(strings.Join(body, "\n")))
	switch key {
	case "expected", "wanted", "want":
		x.Expected = said
	case "actual", "found", "received", "got":
		x.Actual = said
	default:
		return nil
	}
	if len(body) == 1 {
		return []string{key + ": " + strings.TrimSpace(body[0])}
	}
	return append([]string{key + ":"}, text.Indent(body, "  ")...)
}

// stackLines makes frames of the lines of a stack.
func stackLines(body []string) []string {
	var out []string
	for _, s := range body {
		if _, ok := core.ParseFrame("at " + strings.TrimPrefix(strings.TrimSpace(s), "at ")); ok {
			out = append(out, "at "+strings.TrimPrefix(strings.TrimSpace(s), "at "))
		}
	}
	return out
}

func unquoteYAML(v string) string {
	if len(v) >= 2 && (v[0] == '\'' || v[0] == '"') && v[len(v)-1] == v[0] {
		v = strings.ReplaceAll(strings.ReplaceAll(v[1:len(v)-1], "''", "'"), `\'`, "'")
	}
	return v
}

// reErrorHead is the first line of an error as JavaScript prints it.
var reErrorHead = text.Lazy(`^\s*(?:Uncaught )?\w*(?:Error|Exception)(?: \[\w+\])?:`)
