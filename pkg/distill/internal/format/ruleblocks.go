package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// special does what a table cannot say.
func (r *ruleReader) special(b *blockRule, x *core.Failure, g map[string]string, lines []string) []string {
	switch b.runner {
	case "Alcotest":
		x.Test = g["suite"] + " > " + x.Test
		if len(lines) > 0 && strings.HasPrefix(lines[0], "└") {
			lines = lines[1:]
		}
	case "EUnit":
		for _, m := range reErlPair().FindAllStringSubmatch(strings.Join(lines, " "), 20) {
			x.Frames = append(x.Frames, core.Frame{File: m[1], Line: text.Atoi(m[2])})
		}
		x.Test = strings.Join(strings.Fields(reErlLine().ReplaceAllString(x.Test, ": ")), "")
	case "rspec": // -f failures; else a frame or a warning
		if w, _, _ := strings.Cut(x.Test, " "); w == "in" || w == "warning:" || strings.HasPrefix(w, "[") {
			x.Test = ""
		}
		x.Message = "failed"
	case "Nim unittest":
		if s := r.suites[b.runner]; s != "" {
			x.Test = s + " > " + x.Test
		}
	case "shUnit2":
		x.Test = r.suites[b.runner]
	case "Criterion":
		for k, s := range lines {
			lines[k] = strings.TrimPrefix(strings.TrimPrefix(s, "[----]"), " ")
		}
	case "ant junit":
		x.Pkg = g["class"]
		if x.Pkg == "" {
			x.Pkg = r.suites[b.runner]
		}
		if x.Pkg != "" {
			x.Test = x.Pkg + "." + x.Test
		}
		bad := g["class"] != ""
		for k, s := range lines {
			if t := strings.TrimSpace(s); t == "FAILED" || strings.HasPrefix(t, "Caused an ERROR") {
				bad, lines = true, lines[k+1:]
				break
			}
		}
		if !bad || len(text.TrimBlock(lines)) == 0 {
			x.Test = ""
		}
	case "RackUnit":
		if len(lines) < 3 || lines[1] != "FAILURE" && lines[1] != "ERROR" {
			if len(lines) > 1 && (lines[0] == "FAILURE" || lines[0] == "ERROR") {
				x.Test = "check"
				return lines[1:]
			}
			return lines
		}
		x.Test, lines = lines[0], lines[2:]
	case "MUnit":
		if k := strings.LastIndex(g["msg"], " /"); k >= 0 {
			if p, ok := core.CutPlace(g["msg"][k+1:], r.f.Root); ok {
				x.File, x.Line = p.File, p.Line
			}
		}
	case "specs2":
		for k, s := range lines {
			lines[k] = strings.TrimPrefix(s, "[error]")
		}
		for _, s := range lines {
			if m := reScalaAt().FindStringSubmatch(s); m != nil && x.File == "" {
				x.File, x.Line = m[1], text.Atoi(m[2])
			}
		}
	case "trial":
		body := text.TrimBlock(lines)
		for len(body) > 0 && x.Test == "" {
			if t := body[len(body)-1]; t != "" && !strings.Contains(t, " ") {
				x.Test = t
			}
			body = body[:len(body)-1]
		}
		if tb := core.LastTraceback(body); tb != nil {
			x.Message, x.Frames = tb.Message, tb.Frames
			return tb.Rest
		}
		return body
	}
	return lines
}

var reErlPair = text.Lazy(`\{file,"([^"]+)"\},\s*\{line,(\d+)\}`)

var reScalaAt = text.Lazy(`\((\w+\.scala):(\d+)\)$`)

var reErlLine = text.Lazy(`:\d+: ?|: `)
