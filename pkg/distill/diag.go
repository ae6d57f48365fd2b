package distill

import (
	"path"
	"strings"
)

// diag is one line of the form "place: severity: message", in which nearly
// every compiler and linter writes.
type diag struct {
	file      string
	line, col int
	severity  string // "error", "warning", "note" or "" for tools without
	code      string // TS2345, C2065, E0602 ...
	text      string // all after the place
	title     string // of an annotation
}

// readDiagnostics reads compilers, linters and type checkers that print one
// line for each finding and indent what belongs to it.
func readDiagnostics(d *doc, f *found) {
	r := &diagReader{d: d, f: f}
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used || l.s == "" {
			continue
		}
		i = r.line(i)
	}
}

type diagReader struct {
	d       *doc
	f       *found
	goPkg   string // of "# example.com/pkg", the head of go build and go vet
	include []Frame
}

func (r *diagReader) line(i int) int {
	s := r.d.lines[i].s
	switch {
	case strings.HasPrefix(s, "# ") && i+1 < len(r.d.lines) && (strings.Contains(s, "/") || strings.Contains(r.d.lines[i+1].s, ".go:")):
		r.goPkg = strings.Fields(s[2:] + " ")[0]
	case strings.HasPrefix(s, "In file included from ") || strings.HasPrefix(s, "                 from "):
		if g, ok := cutPlace(s[strings.Index(s, "from ")+5:], r.f.root); ok {
			r.include = append(r.include, Frame{File: g.file, Line: g.line})
		}
		return i
	}
	g, ok := parseDiag(s, r.f.root)
	if !ok {
		return i
	}
	if strings.HasPrefix(g.text, "required from") || strings.HasPrefix(g.text, "required by") {
		return i // the way to the error that follows
	}
	if g.severity == "" && !r.believe(g) {
		return i
	}
	if g.severity == "note" && !reShellCode().MatchString(g.text) {
		return i
	}
	return r.block(i, g)
}

// believe tells whether a line without a severity is a finding and not a line
// of a program's log that begins with its place.
func (r *diagReader) believe(g diag) bool {
	ext := strings.ToLower(path.Ext(g.file))
	if g.text == "" || !sourceExt(ext) && !knownName(path.Base(g.file)) {
		return false
	}
	if strings.Contains(g.text, "https://srb.help/") || strings.Contains(g.text, " ==> ") { // sorbet, codespell
		return true
	}
	if strings.HasPrefix(g.text, "undefined reference") || strings.HasPrefix(g.text, "multiple definition") || strings.HasPrefix(g.text, "first defined here") {
		return true
	}
	if g.code != "" {
		return true
	}
	if ext == ".go" && r.goPkg != "" {
		return true
	}
	return g.col > 0 && g.line > 0
}

// block takes the lines that belong to a finding and reports it.
func (r *diagReader) block(i int, g diag) int {
	x := Failure{File: g.file, Line: g.line, Column: g.col, Message: g.text, Kind: diagKind(g)}
	x.runner = r.runnerOf(g)
	if g.title != "" || strings.Contains(g.text, "\n") {
		r.annotated(&x, g)
	}
	if r.goPkg != "" && path.Ext(g.file) == ".go" {
		x.pkg = r.goPkg
	}
	x.related = append(x.related, r.include...)
	r.include = nil
	_, inside := r.f.root.resolve(g.file, x.pkg)
	context := r.instantiations(i)
	r.d.lines[i].used = true
	j := i + 1
	keep := true
	for ; j < len(r.d.lines); j++ {
		s := r.d.lines[j].s
		if s == "" {
			// A blank line inside the block of tsc --pretty and the like.
			if j+1 < len(r.d.lines) && strings.HasPrefix(r.d.lines[j+1].s, " ") && (g.severity != "" || g.code != "") && !r.headAt(j+1) {
				x.detail = append(x.detail, "")
				continue
			}
			break
		}
		if strings.HasPrefix(s, "In file included from ") && r.noteFollows(j) {
			r.d.lines[j].used = true
			continue
		}
		if h, ok := parseDiag(s, r.f.root); ok {
			if strings.HasPrefix(h.text, "required from") {
				break
			}
			if h.severity != "note" || reShellCode().MatchString(h.text) {
				break
			}
			rel, in := r.f.root.resolve(h.file, "")
			if keep = in; in {
				x.related = append(x.related, Frame{File: rel, Line: h.line, Column: h.col})
				x.detail = append(x.detail, s)
			}
			r.d.lines[j].used = true
			continue
		}
		if s[0] != ' ' && s[0] != '\t' {
			break
		}
		r.d.lines[j].used = true
		if strings.HasPrefix(s, "In file included from ") || strings.HasPrefix(s, "                 from ") {
			continue
		}
		if h, ok := cutPlace(strings.TrimSpace(s), r.f.root); ok && h.line > 0 {
			if rel, in := r.f.root.resolve(h.file, ""); in {
				x.related = append(x.related, Frame{File: rel, Line: h.line, Column: h.col})
			}
		}
		if keep && len(x.detail) < 200 {
			x.detail = append(x.detail, s)
		}
	}
	if (g.severity == "warning" || g.severity == "info") && !reShellCode().MatchString(g.text) {
		r.f.warnings = append(r.f.warnings, x)
		return j - 1
	}
	if !inside && foreign(cleanPath(g.file)) {
		// The error shows in a library; the place that led there is ours.
		for _, fr := range append(context, x.related...) {
			if rel, ok := r.f.root.resolve(fr.File, ""); ok {
				x.File, x.Line, x.Column = rel, fr.Line, fr.Column
				break
			}
		}
	}
	if !inside && x.File == g.file && r.fold(x) {
		return j - 1
	}
	x.related = append(x.related, context...)
	if p := javacSymbol(x.detail); p != "" {
		x.Message += "\n" + p
	}
	r.f.fail(x)
	return j - 1
}

// annotated reads the annotation of a test runner: its title is the name of a
// test, and its text goes on for lines.
func (r *diagReader) annotated(x *Failure, g diag) {
	lines := strings.Split(g.text, "\n")
	x.Frames = framesOf(lines)
	body := trimBlock(withoutFrames(lines))
	if len(body) == 0 {
		return
	}
	x.Message, x.detail = body[0], body[1:]
	name := strings.TrimSpace(strings.TrimPrefix(g.title, "●"))
	for _, sep := range []string{" > ", " › "} {
		if head, rest, ok := strings.Cut(name, sep); ok {
			if g, at := cutPlace(head, r.f.root); at && g.text == "" { // the place of the test
				name = rest
			}
			x.Test, x.Kind = strings.Join(strings.Split(name, sep), " > "), KindTest
			x.runner, x.weak = "annotation", true
		}
	}
}

// instantiations gives the places that led to the error at line i, innermost
// first: gcc prints them above it.
func (r *diagReader) instantiations(i int) []Frame {
	var out []Frame
	for k := i - 1; k >= 0 && k > i-40; k-- {
		s := r.d.lines[k].s
		if h, ok := cutPlace(s, r.f.root); ok && (strings.Contains(h.text, "required from") || strings.Contains(h.text, "required by")) {
			out = append([]Frame{{File: h.file, Line: h.line, Column: h.col}}, out...)
			r.d.lines[k].used = true
		} else if !strings.HasPrefix(s, " ") && !strings.Contains(s, ": In ") {
			break
		}
	}
	return out
}

// fold adds an error deep inside a library, for which no place of ours is to
// blame, to the one before it, from which it follows.
func (r *diagReader) fold(x Failure) bool {
	n := len(r.f.failures)
	if n == 0 || r.f.failures[n-1].Kind != KindCompile {
		return false
	}
	y := &r.f.failures[n-1]
	if len(y.detail) < 60 {
		y.detail = append(y.detail, short(x.Message, 200))
	}
	return true
}

// noteFollows tells whether the includes at line i lead to a note, which
// belongs to the finding above.
func (r *diagReader) noteFollows(i int) bool {
	for k := i + 1; k < len(r.d.lines) && k < i+20; k++ {
		s := r.d.lines[k].s
		if strings.HasPrefix(s, "                 from ") {
			continue
		}
		g, ok := parseDiag(s, r.f.root)
		return ok && g.severity == "note"
	}
	return false
}

// javacSymbol brings javac's "symbol:" and "location:" in front of the source.
func javacSymbol(lines []string) string {
	var out []string
	for _, s := range lines {
		t := strings.TrimSpace(s)
		if strings.HasPrefix(t, "symbol: ") || strings.HasPrefix(t, "location: ") || strings.HasPrefix(t, "have (") || strings.HasPrefix(t, "want (") {
			out = append(out, t)
		}
	}
	return strings.Join(out, "\n")
}

func (r *diagReader) headAt(i int) bool {
	_, ok := parseDiag(r.d.lines[i].s, r.f.root)
	return ok
}
