package format

import (
	"path"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
	"github.com/booty-cli/booty/pkg/distill/internal/tree"
)

var (
	reLineCol   = text.Lazy(`^(\S.*?): line (\d+), col (\d+), (?:(Error|Warning|Info) - )?(.+)$`)
	reUnderFile = text.Lazy(`^\s*(?:([CRWEFI]):)?\s*(\d+):\s*(\d+):?\s+(?:([✖⚠ℹ×!]|error|warning|info)` +
		`\s+)?(\S.*)$`)
	reHeadFile   = text.Lazy(`^(?:== )?(\S.*?\.\w+)(?: ==)?:?$`)
	reOCamlAt    = text.Lazy(`^File "([^"]+)", lines? (\d+)(?:-\d+)?, characters (\d+)-\d+:?`)
	reBracketErr = text.Lazy(`^(?:[✘✗×X] )?\[(ERROR|WARNING)\] (.+)$`)
	reRolldown   = text.Lazy(`^\s*(?:╭|┌|,)─+\[ ?(\S.*?):(\d+):(\d+) ?\]`)
	reWebpack    = text.Lazy(`^(ERROR|WARNING) in (\S+)(?: (\d+):(\d+)(?:-\d+)?(?::\d+)?)?$`)
	reBanditAt   = text.Lazy(`^\s+Location: (.+?):(\d+)(?::(\d+))?$`)
	reDiffIn     = text.Lazy(`^Diff in (\S.*?)(?: at line |:)(\d+):?$`)
	reFormatter  = text.Lazy(`^(?:ERROR: |error: |\[error\] |\[warn\] |would reformat |` +
		`error: cannot format |Not formatted: )`)
	reTrailPlace = text.Lazy(`(?:\((\d+):(\d+)\)| (\d+):(\d+): .*)$`)
	reMachine    = text.Lazy(`^\d+ (ERROR|WARNING) "([^"]+)" (\d+):(\d+) "(.*)"$`)
	reRollupErr  = text.Lazy(`^\[!\] (?:\([^)]*\) )?(.+)$`)
	reAtEnd      = text.Lazy(`^(error|warning): (.+) at (\S+?)(?::(\d+):(\d+))?:$`)
	reTableRow   = text.Lazy(`^[║|│] +(\d+) +[│|] +(\d+) +[│|] +(error|warning) +[│|] +(\S.*?)` +
		` +[│|] +(\S*) +[║|│]$`)
	reInFile = text.Lazy(`(?: in | from )"?([\w./@-]+\.\w{1,6})"?$`)
)

// readShapes reads findings whose place does not stand in front of the
// message: below it, above it, or once above many.
func readShapes(d *stream.Doc, f *core.Found) {
	s := &shapeReader{d: d, f: f}
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used || l.S == "" || len(l.S) > 2000 {
			if l.S == "" {
				s.blanks++
			}
			continue
		}
		i = s.line(i)
		s.blanks = 0
	}
}

type shapeReader struct {
	d      *stream.Doc
	f      *core.Found
	file   string // the head under which findings stand
	blanks int
}

func (r *shapeReader) line(i int) int {
	s := r.d.Lines[i].S
	t := strings.TrimLeft(s, " \t")
	for _, sh := range shapes {
		if !sh.fits(s, t) {
			continue
		}
		if end, ok := sh.read(r, i, s); ok {
			return end
		}
		break
	}
	if end, ok := r.boxed(i, s); ok {
		return end
	}
	if end, ok := r.placeAlone(i, s); ok {
		return end
	}
	return r.underFile(i, s, t)
}

// placeAlone reads a line that holds a place and no message of its own.
func (r *shapeReader) placeAlone(i int, s string) (end int, ok bool) {
	g, ok := core.CutPlace(s, r.f.Root)
	switch {
	case !ok || g.Line <= 0:
	case strings.HasPrefix(g.Text, "Task/Handler:") && i > 0: // ansible-lint
		r.report(i-1, i+1, core.Failure{File: g.File, Line: g.Line, Message: r.d.Lines[i-1].S,
			Detail: []string{g.Text}, Runner: "ansible-lint"}, false)
		return i, true
	case g.Text == "" || g.Text == ":":
		return r.messageBelow(i, core.Frame{File: g.File, Line: g.Line, Column: g.Col}), true
	}
	return 0, false
}

// underFile reads findings that stand below the name of their file.
func (r *shapeReader) underFile(i int, s, t string) int {
	if m := headOf(s); m != nil && !strings.Contains(m[1], ": ") {
		name := m[1]
		if r.f.Root.Exists(strings.TrimPrefix(tree.CleanPath(name), r.f.Root.Dir+"/")) ||
			(strings.HasPrefix(name, "/") || len(name) > 2 && name[1] == ':') && sourcePath(name) {
			r.file = name
			return i
		}
	}
	if r.file == "" {
		return i
	}
	m := reUnderFile().FindStringSubmatch(s)
	if m == nil || m[1] == "" && m[4] == "" && s == t {
		if s == t && s[0] != '|' && s[0] != 0xe2 { // not in a box
			r.file = ""
		}
		return i
	}
	if m[1] == "" && m[4] == "" {
		return i
	}
	warn := m[4] == "⚠" || m[4] == "ℹ" || m[4] == "!" || m[4] == "warning" || m[4] == "info"
	r.report(i, i+1, core.Failure{File: r.file, Line: text.Atoi(m[2]), Column: text.Atoi(m[3]),
		Message: strings.Join(strings.Fields(m[5]), " ")}, warn)
	return i
}

// headOf reads the name of a file alone in a line.
func headOf(s string) []string {
	if k := strings.LastIndexByte(s, '.'); k < 1 || len(s)-k > 12 || len(s) > 300 {
		return nil
	}
	return reHeadFile().FindStringSubmatch(s)
}

func (r *shapeReader) report(from, to int, x core.Failure, warn bool) {
	for k := from; k < to && k < len(r.d.Lines); k++ {
		r.d.Lines[k].Used = true
	}
	if x.Kind == "" {
		x.Kind = core.KindLint
	}
	if x.Runner == "" {
		x.Runner = toolOf(x.File)
	}
	x.Detail = text.TrimBlock(x.Detail)
	rel, ok := r.f.Root.Resolve(x.File, "")
	switch {
	case !ok && tree.Foreign(tree.CleanPath(x.File)):
		return
	case ok:
		x.File = rel
	}
	if warn {
		r.f.Warnings = append(r.f.Warnings, x)
		return
	}
	r.f.Fail(x)
}

// toolOf names a tool by the language of the file.
func toolOf(file string) string {
	return (&core.DiagReader{}).RunnerOf(core.Diag{File: file, Severity: "error"})
}

// take collects lines up to one that stops.
func (r *shapeReader) take(i int, stop func(string) bool) ([]string, int) {
	var out []string
	for ; i < len(r.d.Lines) && len(out) < 60 && !stop(r.d.Lines[i].S); i++ {
		out = append(out, r.d.Lines[i].S)
	}
	return out, i
}

// messageBelow reads a place alone in a line, then source, then "Error: text".
func (r *shapeReader) messageBelow(i int, at core.Frame) int {
	for j := i + 1; j < len(r.d.Lines) && j < i+16; j++ {
		s := r.d.Lines[j].S
		if r.d.Lines[j].Used {
			return i
		}
		word, ok := text.CutAny(s, "Error: ", "Warning: ", "Warn: ", "Fatal Error: ", "Hint: ", "Error (",
			"Alert ", "Type error: ", "Syntax Error: ", "Syntax error: ", "Module not found: ",
			"Parsing error: ")
		if !ok {
			if s != "" && s[0] != ' ' && s[0] != '\t' && !strings.ContainsAny(s, "|^") &&
				!(s[0] >= '0' && s[0] <= '9') {
				return i
			}
			continue
		}
		if strings.HasPrefix(s, "Error (") {
			_, word, _ = strings.Cut(word, "): ")
		}
		src, _ := r.take(i+1, func(t string) bool { return t == s })
		rest, end := r.take(j+1, func(t string) bool {
			return t == "" || t[0] != ' ' && t[0] != '\t' && !strings.HasPrefix(t, "<") &&
				!strings.HasPrefix(t, "export") && !strings.HasPrefix(t, "import")
		})
		x := core.Failure{File: at.File, Line: at.Line, Column: at.Column, Message: strings.TrimSpace(word),
			Detail: append(rest, src...), Kind: core.KindCompile}
		r.report(i, end, x, strings.HasPrefix(s, "Warn") || strings.HasPrefix(s, "Hint") ||
			strings.HasPrefix(s, "Alert"))
		return end - 1
	}
	return i
}

// placeBelow reads esbuild: the message, then an indented place and the source.
func (r *shapeReader) placeBelow(i int, msg string, warn bool) int {
	var more []string
	for j := i + 1; j < len(r.d.Lines) && j < i+14; j++ {
		s := strings.TrimSpace(r.d.Lines[j].S)
		if s == "" {
			continue
		}
		if r.d.Lines[j].S[0] != ' ' { // the message goes on
			more = append(more, s)
			continue
		}
		g, ok := core.CutPlace(strings.TrimSuffix(s, ":"), r.f.Root)
		if !ok || g.Line == 0 {
			return i
		}
		lines, end := r.take(j+1, func(t string) bool { return t == "" || t[0] != ' ' })
		r.report(i, end, core.Failure{File: g.File, Line: g.Line, Column: g.Col, Message: msg,
			Detail: append(more, lines...), Kind: core.KindCompile, Runner: "bundler"}, warn)
		return end - 1
	}
	return i
}

func (r *shapeReader) webpack(i int, m []string) int {
	lines, end := r.take(i+1, func(t string) bool {
		return t == "" || strings.HasPrefix(t, "ERROR in ") || strings.HasPrefix(t, "WARNING in ")
	})
	if len(lines) == 0 {
		return i
	}
	x := core.Failure{File: m[2], Line: text.Atoi(m[3]), Column: text.Atoi(m[4]), Message: lines[0],
		Detail: lines[1:], Kind: core.KindCompile, Runner: "webpack"}
	for n, s := range lines { // ts-loader and fork-ts-checker give the place again
		if strings.HasPrefix(s, "TS") && strings.Contains(s, ": ") ||
			strings.Contains(s, "Error: ") && n < 3 {
			x.Message = s
			break
		}
	}
	r.report(i, end, x, m[1] == "WARNING")
	return end - 1
}

// framed reads a finding in a frame: the message above, the place in its top.
func (r *shapeReader) framed(i int, m []string) int {
	msg := strings.TrimSpace(r.d.Lines[i-1].S)
	if msg == "" {
		return i
	}
	lines, end := r.take(i+1, func(t string) bool {
		u := strings.TrimSpace(t)
		return u == "" || strings.HasPrefix(u, "╰") || strings.HasPrefix(u, "───") ||
			strings.HasPrefix(u, "└")
	})
	warn := strings.HasPrefix(msg, "⚠") || strings.HasPrefix(strings.ToLower(msg), "warning")
	x := core.Failure{File: m[1], Line: text.Atoi(m[2]), Column: text.Atoi(m[3]),
		Message: strings.TrimLeft(msg, "×✖⚠ "), Detail: lines, Kind: core.KindCompile}
	r.report(i-1, end+1, x, warn)
	return end
}

func (r *shapeReader) bandit(i int) int {
	for j := i + 1; j < len(r.d.Lines) && j < i+8; j++ {
		m := reBanditAt().FindStringSubmatch(r.d.Lines[j].S)
		if m == nil {
			continue
		}
		lines, end := r.take(j+1, func(t string) bool { return strings.HasPrefix(t, "-----") })
		r.report(i, end, core.Failure{File: m[1], Line: text.Atoi(m[2]), Column: text.Atoi(m[3]),
			Message: strings.TrimPrefix(r.d.Lines[i].S, ">> Issue: "), Detail: lines, Runner: "bandit"},
			false)
		return end - 1
	}
	return i
}

// rollup reads "[!] Error: text" with the place in a line below or in its end.
func (r *shapeReader) rollup(i int) int {
	m := reRollupErr().FindStringSubmatch(r.d.Lines[i].S)
	if m == nil {
		return i
	}
	lines, end := r.take(i+1, func(t string) bool { return t == "" || strings.HasPrefix(t, "    at ") })
	x := core.Failure{Message: m[1], Kind: core.KindCompile, Runner: "rollup", Detail: lines}
	for _, s := range lines {
		if g, ok := core.CutPlace(strings.Replace(s, " (", ":", 1), r.f.Root); ok && g.Line > 0 &&
			x.Line == 0 {
			x.File, x.Line, x.Column = g.File, g.Line, g.Col
		} else if r.f.Root.Exists(tree.CleanPath(s)) && x.File == "" {
			x.File = s
		}
	}
	if k := reInFile().FindStringSubmatch(m[1]); k != nil && x.File == "" {
		x.File = k[1]
	}
	if x.File == "" {
		return i
	}
	r.report(i, end, x, false)
	return end - 1
}

// formatter reads what formatters say of a file as a whole.
func (r *shapeReader) formatter(i int) bool {
	s := r.d.Lines[i].S
	mark := reFormatter().FindString(s)
	rest := strings.TrimPrefix(s[len(mark):], "cannot format ")
	file, msg, _ := strings.Cut(rest, ": ")
	if !r.isFile(file) {
		if file, msg, _ = strings.Cut(rest, " "); !r.isFile(file) {
			return false
		}
	}
	x := core.Failure{File: file, Message: msg, Kind: core.KindLint, Runner: "formatter"}
	if m := reTrailPlace().FindStringSubmatch(msg); m != nil {
		x.Line, x.Column = text.Atoi(m[1]+m[3]), text.Atoi(m[2]+m[4])
		x.Kind = core.KindCompile
	}
	if msg == "" {
		x.Message = "not formatted"
	}
	r.report(i, i+1, x, false)
	return true
}

func (r *shapeReader) isFile(s string) bool {
	if s == "" || path.Ext(s) == "" {
		return false
	}
	_, ok := r.f.Root.Resolve(s, "")
	return ok
}
