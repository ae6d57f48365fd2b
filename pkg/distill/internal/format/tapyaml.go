package format

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// jsonDiagnosis reads a diagnosis in JSON, as Deno writes it.
func jsonDiagnosis(x *core.Failure, yaml []string) bool {
	if !strings.HasPrefix(strings.TrimSpace(yaml[0]), `{"`) {
		return false
	}
	v, _ := jsonDoc(strings.NewReader(strings.Join(yaml, "\n")))
	m, ok := v.(map[string]any)
	if !ok {
		return false
	}
	core.Explain(x, strings.Split(jsonText(m, "message", "error"), "\n"))
	x.Weak = reStepsFailed().MatchString(x.Message)
	if at, ok := m["at"].(map[string]any); ok && len(x.Frames) == 0 {
		x.File, x.Line = jsonText(at, "file"), max(0, jsonNumber(at, "line"))
	}
	return true
}

// yamlFailure reads the YAML of a failing test: error, expected, actual, stack
// and place. It is no YAML parser, since many writers do not write YAML.
func yamlFailure(x *core.Failure, yaml []string) {
	if jsonDiagnosis(x, yaml) {
		return
	}
	key := ""
	base := len(yaml[0]) - len(strings.TrimLeft(yaml[0], " "))
	var part []string
	for _, s := range yaml {
		n := len(s) - len(strings.TrimLeft(s, " "))
		k, v, ok := strings.Cut(strings.TrimSpace(s), ":")
		if !ok || n > base || s == "" || strings.ContainsAny(k, " '\"(") {
			part = append(part, s)
			continue
		}
		yamlKey(x, key, part)
		key, part = k, nil
		if v = strings.TrimSpace(v); v != "" && !slices.Contains([]string{"|-", "|", ">-", ">", "|+"}, v) {
			part = append(part, v)
		}
	}
	yamlKey(x, key, part)
}

// yamlKey takes in what stands under a key.
func yamlKey(x *core.Failure, key string, part []string) {
	body := text.TrimBlock(part)
	joined := unquoteYAML(strings.TrimSpace(strings.Join(body, "\n")))
	switch key {
	case "error", "message", "failureReason":
		switch {
		case x.Message != "" && x.Message != "test failed":
			if joined != x.Message {
				x.Detail = append(x.Detail, body...)
			}
		case len(body) > 0:
			x.Message, x.Detail = unquoteYAML(body[0]), append(x.Detail, body[1:]...)
		}
	case "expected", "wanted", "want":
		if x.Expected == "" {
			x.Expected = joined
		}
		x.Detail = append(x.Detail, labelled(key, body)...)
	case "actual", "found", "received", "got":
		if x.Actual == "" {
			x.Actual = joined
		}
		x.Detail = append(x.Detail, labelled(key, body)...)
	case "stack":
		yamlStack(x, body)
	case "failures":
		x.Detail = append(x.Detail, body...)
	case "diff", "source", "values", "details":
		for _, s := range body {
			x.Detail = append(x.Detail, strings.ReplaceAll(s, `\'`, "'"))
		}
	case "at":
		atKey(x, part)
	}
}

// yamlStack takes in a stack. An error among the values has one as well; the last
// is the test's own.
func yamlStack(x *core.Failure, body []string) {
	var frames []core.Frame
	for _, s := range body {
		if fr, ok := core.ParseFrame("at " + strings.TrimPrefix(strings.TrimSpace(s), "at ")); ok {
			frames = append(frames, fr)
		}
	}
	x.Frames = append(frames, x.Frames...)
	if x.Message == "" && len(body) > 0 && jsErrorHead(body[0]) {
		x.Message = body[0]
	}
}

func labelled(key string, body []string) []string {
	if len(body) == 1 {
		return []string{key + ": " + strings.TrimSpace(body[0])}
	}
	return append([]string{key + ":"}, text.Indent(body, "  ")...)
}

// atKey reads tap's "at:" with fileName and lineNumber below it.
func atKey(x *core.Failure, part []string) {
	if x.File != "" {
		return
	}
	var fr core.Frame
	for _, s := range part {
		k, v, ok := strings.Cut(strings.TrimSpace(s), ":")
		if !ok {
			continue
		}
		v = unquoteYAML(strings.TrimSpace(v))
		switch k {
		case "fileName", "file":
			fr.File = v
		case "lineNumber", "line":
			fr.Line = text.Atoi(v)
		case "columnNumber", "column":
			fr.Column = text.Atoi(v)
		}
	}
	if fr.File != "" {
		x.Frames = append([]core.Frame{fr}, x.Frames...)
		return
	}
	if len(part) > 0 {
		if f, ok := core.ParseFrame("at " + strings.TrimSpace(part[0])); ok {
			x.Frames = append([]core.Frame{f}, x.Frames...)
		}
	}
}

func unquoteYAML(v string) string {
	if len(v) >= 2 && (v[0] == '\'' || v[0] == '"') && v[len(v)-1] == v[0] {
		v = strings.ReplaceAll(strings.ReplaceAll(v[1:len(v)-1], "''", "'"), `\'`, "'")
	}
	return v
}
