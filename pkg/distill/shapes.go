package distill

import (
	"path"
	"strings"
)

var (
	reLineCol    = lazy(`^(\S.*?): line (\d+), col (\d+), (?:(Error|Warning|Info) - )?(.+)$`)
	reUnderFile  = lazy(`^\s*(?:([CRWEFI]):)?\s*(\d+):\s*(\d+):?\s+(?:([✖⚠ℹ×!]|error|warning|info)\s+)?(\S.*)$`)
	reHeadFile   = lazy(`^(?:== )?(\S.*?\.\w+)(?: ==)?:?$`)
	reOCamlAt    = lazy(`^File "([^"]+)", lines? (\d+)(?:-\d+)?, characters (\d+)-\d+:?`)
	reBracketErr = lazy(`^(?:[✘✗×X] )?\[(ERROR|WARNING)\] (.+)$`)
	reRolldown   = lazy(`^\s*(?:╭|┌|,)─+\[ ?(\S.*?):(\d+):(\d+) ?\]`)
	reWebpack    = lazy(`^(ERROR|WARNING) in (\S+)(?: (\d+):(\d+)(?:-\d+)?(?::\d+)?)?$`)
	reBanditAt   = lazy(`^\s+Location: (.+?):(\d+)(?::(\d+))?$`)
	reDiffIn     = lazy(`^Diff in (\S.*?)(?: at line |:)(\d+):?$`)
	reFormatter  = lazy(`^(?:ERROR: |error: |\[error\] |\[warn\] |would reformat |error: cannot format |Not formatted: )`)
	reTrailPlace = lazy(`(?:\((\d+):(\d+)\)| (\d+):(\d+): .*)$`)
	reMachine    = lazy(`^\d+ (ERROR|WARNING) "([^"]+)" (\d+):(\d+) "(.*)"$`)
	reRollupErr  = lazy(`^\[!\] (?:\([^)]*\) )?(.+)$`)
	reAtEnd      = lazy(`^(error|warning): (.+) at (\S+?)(?::(\d+):(\d+))?:$`)
	reTableRow   = lazy(`^[║|│] +(\d+) +[│|] +(\d+) +[│|] +(error|warning) +[│|] +(\S.*?) +[│|] +(\S*) +[║|│]$`)
	reInFile     = lazy(`(?: in | from )"?([\w./@-]+\.\w{1,6})"?$`)
)

// readShapes reads findings whose place does not stand in front of the
// message: below it, above it, or once above many.
func readShapes(d *doc, f *found) {
	s := &shapeReader{d: d, f: f}
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used || l.s == "" || len(l.s) > 2000 {
			if l.s == "" {
				s.blanks++
			}
			continue
		}
		i = s.line(i)
		s.blanks = 0
	}
}

type shapeReader struct {
	d      *doc
	f      *found
	file   string // the head under which findings stand
	blanks int
}

func (r *shapeReader) line(i int) int {
	s := r.d.lines[i].s
	t := strings.TrimLeft(s, " \t")
	switch {
	case strings.Contains(s, ": line ") && strings.Contains(s, ", col "):
		if m := reLineCol().FindStringSubmatch(s); m != nil && plausibleFile(m[1], r.f.root) {
			r.report(i, i+1, Failure{File: m[1], Line: atoi(m[2]), Column: atoi(m[3]), Message: m[5]}, m[4] == "Warning" || m[4] == "Info")
			return i
		}
	case strings.HasPrefix(s, "File \"") && strings.Contains(s, ", characters "):
		if m := reOCamlAt().FindStringSubmatch(s); m != nil {
			return r.messageBelow(i, Frame{File: m[1], Line: atoi(m[2]), Column: atoi(m[3]) + 1})
		}
	case strings.Contains(s, "[ERROR] ") || strings.Contains(s, "[WARNING] "):
		if m := reBracketErr().FindStringSubmatch(s); m != nil && (s[0] != '[' || i+1 < len(r.d.lines) && r.d.lines[i+1].s == "") {
			return r.placeBelow(i, m[2], m[1] == "WARNING")
		}
	case strings.HasPrefix(s, "ERROR in ") || strings.HasPrefix(s, "WARNING in "):
		if m := reWebpack().FindStringSubmatch(s); m != nil && plausibleFile(m[2], r.f.root) {
			return r.webpack(i, m)
		}
	case strings.HasPrefix(s, "Diff in "):
		if m := reDiffIn().FindStringSubmatch(s); m != nil && plausibleFile(m[1], r.f.root) {
			lines, end := r.take(i+1, func(s string) bool { return s == "" || strings.HasPrefix(s, "Diff in ") })
			r.report(i, end, Failure{File: m[1], Line: atoi(m[2]), Message: "not formatted", detail: lines}, false)
			return end - 1
		}
	case strings.HasPrefix(s, ">> Issue: "):
		return r.bandit(i)
	case strings.HasPrefix(t, "╭─") || strings.HasPrefix(t, "┌─["):
		if m := reRolldown().FindStringSubmatch(s); m != nil && i > 0 && plausibleFile(m[1], r.f.root) && !r.d.lines[i-1].used {
			return r.framed(i, m)
		}
	case strings.HasPrefix(s, "║ ") || strings.HasPrefix(s, "| ") || strings.HasPrefix(s, "│ "):
		if m := reTableRow().FindStringSubmatch(s); m != nil && r.file != "" {
			r.report(i, i+1, Failure{File: r.file, Line: atoi(m[1]), Column: atoi(m[2]), Message: m[4] + "  (" + m[5] + ")"}, m[3] == "warning")
			return i
		}
	case (strings.HasPrefix(s, "error: ") || strings.HasPrefix(s, "warning: ")) && strings.HasSuffix(s, ":") && strings.Contains(s, " at "):
		if m := reAtEnd().FindStringSubmatch(s); m != nil && plausibleFile(m[3], r.f.root) {
			lines, end := r.take(i+1, func(t string) bool {
				return strings.HasPrefix(t, "error: ") || strings.HasPrefix(t, "warning: ") || strings.HasSuffix(t, " found.")
			})
			r.report(i, end, Failure{File: m[3], Line: atoi(m[4]), Column: atoi(m[5]), Message: m[2], detail: lines}, m[1] == "warning")
			return end - 1
		}
	case strings.HasPrefix(s, "[!] "):
		return r.rollup(i)
	case s[0] >= '0' && s[0] <= '9' && strings.Contains(s, ` "`):
		if m := reMachine().FindStringSubmatch(s); m != nil {
			r.report(i, i+1, Failure{File: m[2], Line: atoi(m[3]), Column: atoi(m[4]), Message: m[5]}, m[1] == "WARNING")
			return i
		}
	case reFormatter().MatchString(s):
		if r.formatter(i) {
			return i
		}
	}
	if end, ok := r.boxed(i, s); ok {
		return end
	}
	if g, ok := cutPlace(s, r.f.root); ok && g.line > 0 && strings.HasPrefix(g.text, "Task/Handler:") && i > 0 { // ansible-lint
		r.report(i-1, i+1, Failure{File: g.file, Line: g.line, Message: r.d.lines[i-1].s, detail: []string{g.text}, runner: "ansible-lint"}, false)
		return i
	}
	if g, ok := cutPlace(s, r.f.root); ok && g.line > 0 && (g.text == "" || g.text == ":") {
		return r.messageBelow(i, Frame{File: g.file, Line: g.line, Column: g.col})
	}
	return r.underFile(i, s, t)
}

// underFile reads findings that stand below the name of their file.
func (r *shapeReader) underFile(i int, s, t string) int {
	if m := headOf(s); m != nil && !strings.Contains(m[1], ": ") {
		name := m[1]
		if r.f.root.exists(strings.TrimPrefix(cleanPath(name), r.f.root.dir+"/")) || (strings.HasPrefix(name, "/") || len(name) > 2 && name[1] == ':') && sourcePath(name) {
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
	r.report(i, i+1, Failure{File: r.file, Line: atoi(m[2]), Column: atoi(m[3]), Message: strings.Join(strings.Fields(m[5]), " ")}, warn)
	return i
}

// headOf reads the name of a file alone in a line.
func headOf(s string) []string {
	if k := strings.LastIndexByte(s, '.'); k < 1 || len(s)-k > 12 || len(s) > 300 {
		return nil
	}
	return reHeadFile().FindStringSubmatch(s)
}

func (r *shapeReader) report(from, to int, x Failure, warn bool) {
	for k := from; k < to && k < len(r.d.lines); k++ {
		r.d.lines[k].used = true
	}
	if x.Kind == "" {
		x.Kind = KindLint
	}
	if x.runner == "" {
		x.runner = toolOf(x.File)
	}
	x.detail = trimBlock(x.detail)
	rel, ok := r.f.root.resolve(x.File, "")
	switch {
	case !ok && foreign(cleanPath(x.File)):
		return
	case ok:
		x.File = rel
	}
	if warn {
		r.f.warnings = append(r.f.warnings, x)
		return
	}
	r.f.fail(x)
}

// toolOf names a tool by the language of the file.
func toolOf(file string) string {
	return (&diagReader{}).runnerOf(diag{file: file, severity: "error"})
}

// take collects lines up to one that stops.
func (r *shapeReader) take(i int, stop func(string) bool) ([]string, int) {
	var out []string
	for ; i < len(r.d.lines) && len(out) < 60 && !stop(r.d.lines[i].s); i++ {
		out = append(out, r.d.lines[i].s)
	}
	return out, i
}

// messageBelow reads a place alone in a line, then source, then "Error: text".
func (r *shapeReader) messageBelow(i int, at Frame) int {
	for j := i + 1; j < len(r.d.lines) && j < i+16; j++ {
		s := r.d.lines[j].s
		if r.d.lines[j].used {
			return i
		}
		word, ok := cutAny(s, "Error: ", "Warning: ", "Warn: ", "Fatal Error: ", "Hint: ", "Error (", "Alert ", "Type error: ", "Syntax Error: ", "Syntax error: ", "Module not found: ", "Parsing error: ")
		if !ok {
			if s != "" && s[0] != ' ' && s[0] != '\t' && !strings.ContainsAny(s, "|^") && !(s[0] >= '0' && s[0] <= '9') {
				return i
			}
			continue
		}
		if strings.HasPrefix(s, "Error (") {
			_, word, _ = strings.Cut(word, "): ")
		}
		src, _ := r.take(i+1, func(t string) bool { return t == s })
		rest, end := r.take(j+1, func(t string) bool {
			return t == "" || t[0] != ' ' && t[0] != '\t' && !strings.HasPrefix(t, "<") && !strings.HasPrefix(t, "export") && !strings.HasPrefix(t, "import")
		})
		x := Failure{File: at.File, Line: at.Line, Column: at.Column, Message: strings.TrimSpace(word), detail: append(rest, src...), Kind: KindCompile}
		r.report(i, end, x, strings.HasPrefix(s, "Warn") || strings.HasPrefix(s, "Hint") || strings.HasPrefix(s, "Alert"))
		return end - 1
	}
	return i
}

// placeBelow reads esbuild: the message, then an indented place and the source.
func (r *shapeReader) placeBelow(i int, msg string, warn bool) int {
	var more []string
	for j := i + 1; j < len(r.d.lines) && j < i+14; j++ {
		s := strings.TrimSpace(r.d.lines[j].s)
		if s == "" {
			continue
		}
		if r.d.lines[j].s[0] != ' ' { // the message goes on
			more = append(more, s)
			continue
		}
		g, ok := cutPlace(strings.TrimSuffix(s, ":"), r.f.root)
		if !ok || g.line == 0 {
			return i
		}
		lines, end := r.take(j+1, func(t string) bool { return t == "" || t[0] != ' ' })
		r.report(i, end, Failure{File: g.file, Line: g.line, Column: g.col, Message: msg, detail: append(more, lines...), Kind: KindCompile, runner: "bundler"}, warn)
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
	x := Failure{File: m[2], Line: atoi(m[3]), Column: atoi(m[4]), Message: lines[0], detail: lines[1:], Kind: KindCompile, runner: "webpack"}
	for n, s := range lines { // ts-loader and fork-ts-checker give the place again
		if strings.HasPrefix(s, "TS") && strings.Contains(s, ": ") || strings.Contains(s, "Error: ") && n < 3 {
			x.Message = s
			break
		}
	}
	r.report(i, end, x, m[1] == "WARNING")
	return end - 1
}

// framed reads a finding in a frame: the message above, the place in its top.
func (r *shapeReader) framed(i int, m []string) int {
	msg := strings.TrimSpace(r.d.lines[i-1].s)
	if msg == "" {
		return i
	}
	lines, end := r.take(i+1, func(t string) bool {
		u := strings.TrimSpace(t)
		return u == "" || strings.HasPrefix(u, "╰") || strings.HasPrefix(u, "───") || strings.HasPrefix(u, "└")
	})
	warn := strings.HasPrefix(msg, "⚠") || strings.HasPrefix(strings.ToLower(msg), "warning")
	x := Failure{File: m[1], Line: atoi(m[2]), Column: atoi(m[3]), Message: strings.TrimLeft(msg, "×✖⚠ "), detail: lines, Kind: KindCompile}
	r.report(i-1, end+1, x, warn)
	return end
}

func (r *shapeReader) bandit(i int) int {
	for j := i + 1; j < len(r.d.lines) && j < i+8; j++ {
		m := reBanditAt().FindStringSubmatch(r.d.lines[j].s)
		if m == nil {
			continue
		}
		lines, end := r.take(j+1, func(t string) bool { return strings.HasPrefix(t, "-----") })
		r.report(i, end, Failure{File: m[1], Line: atoi(m[2]), Column: atoi(m[3]), Message: strings.TrimPrefix(r.d.lines[i].s, ">> Issue: "), detail: lines, runner: "bandit"}, false)
		return end - 1
	}
	return i
}

// rollup reads "[!] Error: text" with the place in a line below or in its end.
func (r *shapeReader) rollup(i int) int {
	m := reRollupErr().FindStringSubmatch(r.d.lines[i].s)
	if m == nil {
		return i
	}
	lines, end := r.take(i+1, func(t string) bool { return t == "" || strings.HasPrefix(t, "    at ") })
	x := Failure{Message: m[1], Kind: KindCompile, runner: "rollup", detail: lines}
	for _, s := range lines {
		if g, ok := cutPlace(strings.Replace(s, " (", ":", 1), r.f.root); ok && g.line > 0 && x.Line == 0 {
			x.File, x.Line, x.Column = g.file, g.line, g.col
		} else if r.f.root.exists(cleanPath(s)) && x.File == "" {
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
	s := r.d.lines[i].s
	mark := reFormatter().FindString(s)
	rest := strings.TrimPrefix(s[len(mark):], "cannot format ")
	file, msg, _ := strings.Cut(rest, ": ")
	if !r.isFile(file) {
		if file, msg, _ = strings.Cut(rest, " "); !r.isFile(file) {
			return false
		}
	}
	x := Failure{File: file, Message: msg, Kind: KindLint, runner: "formatter"}
	if m := reTrailPlace().FindStringSubmatch(msg); m != nil {
		x.Line, x.Column = atoi(m[1]+m[3]), atoi(m[2]+m[4])
		x.Kind = KindCompile
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
	_, ok := r.f.root.resolve(s, "")
	return ok
}
