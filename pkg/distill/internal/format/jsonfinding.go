package format

import (
	"fmt"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// finding makes a failure of an object with a message, a file and a line.
func (r *jsonReport) finding(m map[string]any, c jsonScope) (core.Failure, string, bool) {
	msg := cleanLines(jsonText(m, "message", "text", "Text", "reason", "description", "summary", "msg"))
	if msg == "" {
		return core.Failure{}, "", false
	}
	file, line, col := jsonPlace(m, 0)
	if file == "" {
		file = c.file
	}
	if line < 0 || file == "" {
		return core.Failure{}, "", false
	}
	sev := "error"
	switch s := m["severity"].(type) {
	case float64:
		if s < 2 {
			sev = "warning"
		}
	default:
		switch strings.ToLower(jsonText(m, "severity", "level", "type", "Severity")) {
		case "warning", "warn":
			sev = "warning"
		case "note", "info", "information", "hint", "help", "failure-note", "ignore", "style":
			sev = "note"
		}
	}
	code := jsonText(m, "ruleId", "cop_name", "code", "rule", "symbol", "rule_id", "check_name", "FromLinter")
	_, number := m["code"].(float64)
	if sev != "error" && (m["cop_name"] != nil || m["message-id"] != nil || m["check_name"] != nil ||
		number && m["level"] != nil || strings.HasPrefix(code, "ShellCheck")) {
		sev = "error" // these tools fail for it
	}
	if number {
		code = fmt.Sprintf("SC%d", jsonNumber(m, "code"))
	}
	if o, ok := m["code"].(map[string]any); ok {
		code = jsonText(o, "code")
	}
	x := core.Failure{File: file, Line: max(line, 0), Column: max(col, 0), Message: text.FirstLine(msg),
		Kind: core.KindLint, Runner: r.runner}
	if _, more, ok := strings.Cut(msg, "\n"); ok {
		x.Detail = strings.Split(more, "\n")
	}
	if m["spans"] != nil { // rustc
		x.Kind, x.Runner = core.KindCompile, "rustc"
		x.Detail = strings.Split(cleanLines(jsonText(m, "rendered")), "\n")
	}
	if code != "" && !strings.Contains(x.Message, code) {
		x.Message += "  (" + code + ")"
	}
	return x, sev, true
}

// jsonPlace finds the place of a finding in it or in its children.
func jsonPlace(m map[string]any, depth int) (file string, line, col int) {
	file = jsonText(m, "filePath", "file_path", "filename", "fileName", "file_name", "Filename", "file",
		"path", "uri")
	line = jsonNumber(m, "line", "line_number", "lineNumber", "Line", "line_start", "row", "startLine",
		"start_line", "line_from", "begin", "lineno", "beginLine", "beginline", "startline")
	col = jsonNumber(m, "column", "col", "Column", "column_start", "startColumn", "start_column", "character",
		"begincolumn", "char")
	if line >= 0 || depth > 4 {
		return file, line, col
	}
	for _, k := range []string{"location", "locations", "loc", "Pos", "pos", "position", "positions",
		"start", "region", "physicalLocation", "artifactLocation", "span", "spans", "labels", "lines",
		"range"} {
		var in map[string]any
		switch v := m[k].(type) {
		case map[string]any:
			in = v
		case []any:
			for _, e := range v {
				if o, ok := e.(map[string]any); ok && (in == nil || o["is_primary"] == true) {
					in = o
				}
			}
		}
		if in == nil {
			continue
		}
		f2, l2, c2 := jsonPlace(in, depth+1)
		if file == "" {
			file = f2
		}
		if line < 0 && l2 >= 0 {
			line, col = l2, c2
		}
	}
	return file, line, col
}

// jsonCounts reads the sum of a run.
func jsonCounts(m map[string]any) (core.Total, bool) {
	for _, k := range []struct{ pass, fail, skip string }{
		{"numPassedTests", "numFailedTests", "numPendingTests"}, {"passes", "failures", "pending"},
		{"expected", "unexpected", "skipped"},
	} {
		p, f := jsonNumber(m, k.pass), jsonNumber(m, k.fail)
		if p >= 0 && f >= 0 {
			return core.NewTotal(p+max(0, jsonNumber(m, "flaky")), f, max(0, jsonNumber(m, k.skip))), true
		}
	}
	if n, f := jsonNumber(m, "example_count"), jsonNumber(m, "failure_count"); n >= 0 && f >= 0 { // rspec
		p := max(0, jsonNumber(m, "pending_count"))
		return core.NewTotal(max(0, n-f-p), f, p), true
	}
	return core.Total{}, false
}
