package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// adaptation does for one runner what its row cannot say, and gives the lines that
// are left of the block.
type adaptation func(r *ruleReader, x *core.Failure, g map[string]string, lines []string) []string

var adaptations = map[string]adaptation{
	"Alcotest":     adaptAlcotest,
	"EUnit":        adaptEunit,
	"rspec":        adaptRspec,
	"Nim unittest": adaptNimUnittest,
	"shUnit2":      adaptShunit2,
	"Criterion":    adaptCriterion,
	"ant junit":    adaptAntJunit,
	"RackUnit":     adaptRackunit,
	"MUnit":        adaptMunit,
	"specs2":       adaptSpecs2,
	"trial":        adaptTrial,
}

func adaptAlcotest(r *ruleReader, x *core.Failure, g map[string]string, lines []string) []string {
	x.Test = g["suite"] + " > " + x.Test
	if len(lines) > 0 && strings.HasPrefix(lines[0], "└") {
		lines = lines[1:]
	}
	return lines
}

func adaptEunit(r *ruleReader, x *core.Failure, g map[string]string, lines []string) []string {
	for _, m := range reErlPair().FindAllStringSubmatch(strings.Join(lines, " "), 20) {
		x.Frames = append(x.Frames, core.Frame{File: m[1], Line: text.Atoi(m[2])})
	}
	x.Test = strings.Join(strings.Fields(reErlLine().ReplaceAllString(x.Test, ": ")), "")
	return lines
}

func adaptRspec(r *ruleReader, x *core.Failure, g map[string]string, lines []string) []string {
	// -f failures; else a frame or a warning
	if w, _, _ := strings.Cut(x.Test, " "); w == "in" || w == "warning:" || strings.HasPrefix(w, "[") {
		x.Test = ""
	}
	x.Message = "failed"
	return lines
}

func adaptNimUnittest(r *ruleReader, x *core.Failure, g map[string]string, lines []string) []string {
	if s := r.suites["Nim unittest"]; s != "" {
		x.Test = s + " > " + x.Test
	}
	return lines
}

func adaptShunit2(r *ruleReader, x *core.Failure, g map[string]string, lines []string) []string {
	x.Test = r.suites["shUnit2"]
	return lines
}

func adaptCriterion(r *ruleReader, x *core.Failure, g map[string]string, lines []string) []string {
	for k, s := range lines {
		lines[k] = strings.TrimPrefix(strings.TrimPrefix(s, "[----]"), " ")
	}
	return lines
}

func adaptAntJunit(r *ruleReader, x *core.Failure, g map[string]string, lines []string) []string {
	x.Pkg = g["class"]
	if x.Pkg == "" {
		x.Pkg = r.suites["ant junit"]
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
	return lines
}

func adaptRackunit(r *ruleReader, x *core.Failure, g map[string]string, lines []string) []string {
	if len(lines) < 3 || lines[1] != "FAILURE" && lines[1] != "ERROR" {
		if len(lines) > 1 && (lines[0] == "FAILURE" || lines[0] == "ERROR") {
			x.Test = "check"
			return lines[1:]
		}
		return lines
	}
	x.Test, lines = lines[0], lines[2:]
	return lines
}

func adaptMunit(r *ruleReader, x *core.Failure, g map[string]string, lines []string) []string {
	if k := strings.LastIndex(g["msg"], " /"); k >= 0 {
		if p, ok := core.CutPlace(g["msg"][k+1:], r.f.Root); ok {
			x.File, x.Line = p.File, p.Line
		}
	}
	return lines
}

func adaptSpecs2(r *ruleReader, x *core.Failure, g map[string]string, lines []string) []string {
	for k, s := range lines {
		lines[k] = strings.TrimPrefix(s, "[error]")
	}
	for _, s := range lines {
		if m := reScalaAt().FindStringSubmatch(s); m != nil && x.File == "" {
			x.File, x.Line = m[1], text.Atoi(m[2])
		}
	}
	return lines
}

func adaptTrial(r *ruleReader, x *core.Failure, g map[string]string, lines []string) []string {
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

var reErlPair = text.Lazy(`\{file,"([^"]+)"\},\s*\{line,(\d+)\}`)

var reScalaAt = text.Lazy(`\((\w+\.scala):(\d+)\)$`)

var reErlLine = text.Lazy(`:\d+: ?|: `)
