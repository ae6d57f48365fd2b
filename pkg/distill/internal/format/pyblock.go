package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
	"github.com/booty-cli/booty/pkg/distill/internal/tree"
)

var rePySetup = text.Lazy(`^ERROR at (?:setup|teardown|call) of (.+)$`)

func (p *pytestReader) blockFailure(b pyBlock) core.Failure {
	x := core.Failure{Kind: core.KindTest, Runner: "pytest"}
	title := b.title
	if m := rePySetup().FindStringSubmatch(title); m != nil {
		title = m[1]
	}
	if t, ok := strings.CutPrefix(title, "ERROR collecting "); ok {
		title = t
		x.Kind = core.KindLoad
	}
	doctest := strings.HasPrefix(title, "[doctest] ")
	title = strings.TrimPrefix(title, "[doctest] ")
	body := b.lines
	for i, s := range body {
		if strings.HasPrefix(s, "---") && rePyCapt().MatchString(s) {
			x.Output = body[i+1:]
			body = body[:i]
			break
		}
	}
	parts := pyChain(body)
	last := parts[len(parts)-1]
	x.Message, x.Detail = pyMessage(last)
	for _, part := range parts[:len(parts)-1] {
		if m, _ := pyMessage(part); m != "" {
			x.Detail = append(x.Detail, "cause: "+m)
		}
	}
	x.Frames = pyFrames(last)
	if len(parts) > 1 {
		x.Frames = append(x.Frames, pyFrames(parts[0])...)
	}
	if doctest && x.Message == "" {
		p.doctest(&x, body)
	}
	if b := text.TrimBlock(body); x.Message == "" && len(b) > 0 &&
		len(b) < 4 { // [XPASS(strict)] and the like
		x.Message, x.Detail = strings.TrimSpace(b[0]), b[1:]
	}
	p.f.PlaceOf(&x)
	if x.File == "" && len(x.Frames) > 0 {
		x.File, x.Line = x.Frames[0].File, x.Frames[0].Line
	}
	pyValues(&x, last)
	if strings.HasPrefix(x.Message, "Failed: Timeout") || strings.Contains(x.Message, "Timeout >") {
		x.Kind = core.KindTimeout
	}
	x.Test = p.nameOf(title, &x, b.error)
	return x
}

// nameOf finds the full name of a block: in the summary, among the names of a
// verbose run, or from the file of the outermost frame.
func (p *pytestReader) nameOf(title string, x *core.Failure, isError bool) string {
	if title == "" && len(p.blocks) > 0 && p.blocks[0].title == "" {
		// --tb=line: only the message can tell.
		for i := range p.ids {
			if !p.ids[i].taken && p.ids[i].error == isError {
				p.ids[i].taken = true
				return p.ids[i].node
			}
		}
		return ""
	}
	want := strings.ReplaceAll(title, "::", ".")
	fits := func(node string) bool {
		_, name, ok := strings.Cut(node, "::")
		return node == title || ok && strings.ReplaceAll(name, "::", ".") == want
	}
	agrees := func(node string) bool {
		file, _, _ := strings.Cut(node, "::")
		for _, fr := range x.Frames {
			if strings.HasSuffix(tree.CleanPath(fr.File), tree.CleanPath(file)) {
				return true
			}
		}
		return false
	}
	for _, strict := range []bool{true, false} {
		for i := range p.ids {
			id := &p.ids[i]
			if !id.taken && fits(id.node) && (!strict || agrees(id.node) && id.error == isError) {
				id.taken = true
				return id.node
			}
		}
		for i, node := range p.failing {
			if fits(node) && (!strict || agrees(node)) {
				p.failing = append(p.failing[:i:i], p.failing[i+1:]...)
				return node
			}
		}
	}
	for _, id := range p.ids { // both a failure and an error of one test
		if fits(id.node) {
			return id.node
		}
	}
	if strings.HasSuffix(title, ".py") || strings.Contains(title, "/") {
		return title
	}
	for i := len(x.Frames) - 1; i >= 0; i-- {
		if rel, ok := p.f.Root.Resolve(x.Frames[i].File, ""); ok && tree.IsTestFile(rel) {
			return x.Frames[i].File + "::" + strings.ReplaceAll(title, ".", "::")
		}
	}
	return title
}

// pyChain splits a block at "The above exception was the direct cause" and the
// like.
func pyChain(lines []string) [][]string {
	var out [][]string
	from := 0
	for i, s := range lines {
		if strings.HasPrefix(s, "The above exception was the direct cause") ||
			strings.HasPrefix(s, "During handling of the above exception") {
			out = append(out, lines[from:i])
			from = i + 1
		}
	}
	return append(out, lines[from:])
}

var reE = text.Lazy(`^E(?: {3}|$)`)

// pyMessage gives the first line of the error and what follows.
func pyMessage(lines []string) (string, []string) {
	var e []string
	for _, s := range lines {
		if strings.HasPrefix(s, "E") && reE().MatchString(s) {
			e = append(e, strings.TrimPrefix(s[1:], "   "))
		}
	}
	if len(e) == 0 {
		// --tb=native
		if tb := core.LastTraceback(lines); tb != nil {
			return tb.Message, tb.Rest
		}
		return "", nil
	}
	e = text.TrimBlock(e)
	if len(e) == 0 {
		return "", nil
	}
	// A syntax error prints its place and the line of source first.
	first := 0
	for first < len(e)-1 && (strings.HasPrefix(e[first], " ") || strings.HasPrefix(e[first], "+ ") ||
		e[first] == "" || strings.HasPrefix(e[first], "Traceback (most")) {
		first++
	}
	rest := append(append([]string{}, e[:first]...), e[first+1:]...)
	return strings.TrimSpace(e[first]), rest
}

// pyFrames gives the frames of one part of a block, innermost first.
func pyFrames(lines []string) []core.Frame {
	var out []core.Frame
	for _, s := range lines {
		t := strings.TrimPrefix(s, "E")
		if strings.HasPrefix(strings.TrimSpace(t), `File "`) {
			if fr, ok := core.ParseFrame(t); ok {
				out = append([]core.Frame{fr}, out...)
			}
			continue
		}
		if strings.HasPrefix(s, "E") || strings.HasPrefix(s, " ") || !strings.Contains(s, ":") {
			continue
		}
		if m := rePyPlace().FindStringSubmatch(s); m != nil {
			out = append([]core.Frame{{File: m[1], Line: text.Atoi(m[2]), Func: m[3]}}, out...)
		}
	}
	return out
}

var rePyEq = text.Lazy(`^(?:\w+: )?assert (.+) == (.+)$`)

// pyValues finds what was expected.
func pyValues(x *core.Failure, lines []string) {
	if m := rePyEq().FindStringSubmatch(x.Message); m != nil {
		x.Actual, x.Expected = m[1], m[2]
	}
	for _, s := range lines {
		t := strings.TrimSpace(strings.TrimPrefix(s, "E"))
		if v, ok := strings.CutPrefix(t, "Obtained: "); ok {
			x.Actual = v
		} else if v, ok := strings.CutPrefix(t, "Expected: "); ok {
			x.Expected = v
		}
	}
}

func (p *pytestReader) doctest(x *core.Failure, lines []string) {
	part := ""
	for _, s := range lines {
		t := strings.TrimSpace(s)
		switch {
		case t == "Expected:" || t == "Got:":
			part = t
		case strings.HasPrefix(t, "UNEXPECTED EXCEPTION: "):
			x.Message = t
		case part == "Expected:":
			x.Expected = strings.TrimPrefix(x.Expected+"\n"+t, "\n")
		case part == "Got:" && t != "" && !strings.HasSuffix(t, "DocTestFailure"):
			x.Actual = strings.TrimPrefix(x.Actual+"\n"+t, "\n")
		}
	}
	var keep []string
	for _, s := range lines {
		if rePyPlace().FindStringSubmatch(s) == nil {
			keep = append(keep, s)
		}
	}
	x.Detail = keep
	if x.Message == "" {
		x.Message = "doctest: expected " + text.FirstLine(x.Expected) + ", got " + text.FirstLine(x.Actual)
	}
}
