package core

import (
	"path"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
	"github.com/booty-cli/booty/pkg/distill/internal/tree"
)

// Diag is one line of the form "place: severity: message", in which nearly
// every compiler and linter writes.
type Diag struct {
	File      string
	Line, Col int
	Severity  string // "error", "warning", "note" or "" for tools without
	Code      string // TS2345, C2065, E0602 ...
	Text      string // all after the place
	title     string // of an annotation
}

// ReadDiagnostics reads compilers, linters and type checkers that print one
// line for each finding and indent what belongs to it.
func ReadDiagnostics(d *stream.Stream, f *Result) {
	r := &DiagReader{d: d, f: f}
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used || l.S == "" {
			continue
		}
		i = r.line(i)
	}
}

type DiagReader struct {
	d       *stream.Stream
	f       *Result
	goPkg   string // of "# example.com/pkg", the head of go build and go vet
	include []Frame
}

func (r *DiagReader) line(i int) int {
	s := r.d.Lines[i].S
	switch {
	case strings.HasPrefix(s, "# ") && i+1 < len(r.d.Lines) &&
		(strings.Contains(s, "/") || strings.Contains(r.d.Lines[i+1].S, ".go:")):
		r.goPkg = strings.Fields(s[2:] + " ")[0]
	case strings.HasPrefix(s, "In file included from ") || strings.HasPrefix(s, "                 from "):
		if g, ok := CutPlace(s[strings.Index(s, "from ")+5:], r.f.Root); ok {
			r.include = append(r.include, Frame{File: g.File, Line: g.Line})
		}
		return i
	}
	g, ok := ParseDiag(s, r.f.Root)
	if !ok {
		return i
	}
	if strings.HasPrefix(g.Text, "required from") || strings.HasPrefix(g.Text, "required by") {
		return i // the way to the error that follows
	}
	if g.Severity == "" && !r.believe(g) {
		return i
	}
	if g.Severity == "note" && !reShellCode().MatchString(g.Text) {
		return i
	}
	return r.block(i, g)
}

// believe reports whether a line without a severity is a finding and not a line
// of a program's log that begins with its place.
func (r *DiagReader) believe(g Diag) bool {
	ext := strings.ToLower(path.Ext(g.File))
	if g.Text == "" || !tree.SourceExt(ext) && !tree.KnownName(path.Base(g.File)) {
		return false
	}
	if strings.Contains(g.Text, "https://srb.help/") ||
		strings.Contains(g.Text, " ==> ") { // sorbet, codespell
		return true
	}
	if strings.HasPrefix(g.Text, "undefined reference") ||
		strings.HasPrefix(g.Text, "multiple definition") || strings.HasPrefix(g.Text, "first defined here") {
		return true
	}
	if g.Code != "" {
		return true
	}
	if ext == ".go" && r.goPkg != "" {
		return true
	}
	return g.Col > 0 && g.Line > 0
}

// block takes the lines that belong to a finding and reports it.
func (r *DiagReader) block(i int, g Diag) int {
	x := Failure{File: g.File, Line: g.Line, Column: g.Col, Message: g.Text, Kind: diagKind(g)}
	x.Runner = r.RunnerOf(g)
	if g.title != "" || strings.Contains(g.Text, "\n") {
		r.annotated(&x, g)
	}
	if r.goPkg != "" && path.Ext(g.File) == ".go" {
		x.Pkg = r.goPkg
	}
	x.Related = append(x.Related, r.include...)
	r.include = nil
	context := r.instantiations(i)
	r.d.Lines[i].Used = true
	j := i + 1
	keep := true
	for ; j < len(r.d.Lines); j++ {
		s := r.d.Lines[j].S
		if s == "" {
			// A blank line inside the block of tsc --pretty and the like.
			if j+1 < len(r.d.Lines) && strings.HasPrefix(r.d.Lines[j+1].S, " ") &&
				(g.Severity != "" || g.Code != "") && !r.headAt(j+1) {
				x.Detail = append(x.Detail, "")
				continue
			}
			break
		}
		if strings.HasPrefix(s, "In file included from ") && r.noteFollows(j) {
			r.d.Lines[j].Used = true
			continue
		}
		if h, ok := ParseDiag(s, r.f.Root); ok {
			if h.Severity != "note" || strings.HasPrefix(h.Text, "required from") || reShellCode().MatchString(h.Text) {
				break
			}
			rel, in := r.f.Root.Resolve(h.File, "")
			if keep = in; in {
				x.Related = append(x.Related, Frame{File: rel, Line: h.Line, Column: h.Col})
				x.Detail = append(x.Detail, s)
			}
			r.d.Lines[j].Used = true
			continue
		}
		if s[0] != ' ' && s[0] != '\t' {
			break
		}
		r.d.Lines[j].Used = true
		if strings.HasPrefix(s, "                 from ") {
			continue
		}
		if h, ok := CutPlace(strings.TrimSpace(s), r.f.Root); ok && h.Line > 0 {
			if rel, in := r.f.Root.Resolve(h.File, ""); in {
				x.Related = append(x.Related, Frame{File: rel, Line: h.Line, Column: h.Col})
			}
		}
		if keep && len(x.Detail) < 200 {
			x.Detail = append(x.Detail, s)
		}
	}
	r.report(x, g, context)
	return j - 1
}

// report files a finding. One that shows in a library belongs to the place of ours
// that led there.
func (r *DiagReader) report(x Failure, g Diag, context []Frame) {
	if (g.Severity == "warning" || g.Severity == "info") && !reShellCode().MatchString(g.Text) {
		r.f.Warnings = append(r.f.Warnings, x)
		return
	}
	_, inside := r.f.Root.Resolve(g.File, x.Pkg)
	if !inside && tree.Foreign(tree.CleanPath(g.File)) {
		if ours := r.f.inTree(append(context, x.Related...), ""); len(ours) > 0 {
			x.File, x.Line, x.Column = ours[0].File, ours[0].Line, ours[0].Column
		}
	}
	if !inside && x.File == g.File && r.fold(x) {
		return
	}
	x.Related = append(x.Related, context...)
	r.f.Fail(x)
}

// annotated reads the annotation of a test runner: its title is the name of a
// test, and its text goes on for lines.
func (r *DiagReader) annotated(x *Failure, g Diag) {
	lines := strings.Split(g.Text, "\n")
	x.Frames = innermostFirst(lines)
	body := text.TrimBlock(WithoutFrames(lines))
	if len(body) == 0 {
		return
	}
	x.Message, x.Detail = body[0], body[1:]
	name := strings.TrimSpace(strings.TrimPrefix(g.title, "●"))
	for _, sep := range []string{" > ", " › "} {
		if head, rest, ok := strings.Cut(name, sep); ok {
			if g, at := CutPlace(head, r.f.Root); at && g.Text == "" { // the place of the test
				name = rest
			}
			x.Test, x.Kind = strings.Join(strings.Split(name, sep), " > "), KindTest
			x.Runner, x.Weak = "annotation", true
		}
	}
}

// instantiations gives the places that led to the error at line i, innermost
// first: gcc prints them above it.
func (r *DiagReader) instantiations(i int) []Frame {
	var out []Frame
	for k := i - 1; k >= 0 && k > i-40; k-- {
		s := r.d.Lines[k].S
		if h, ok := CutPlace(s, r.f.Root); ok &&
			(strings.Contains(h.Text, "required from") || strings.Contains(h.Text, "required by")) {
			out = append([]Frame{{File: h.File, Line: h.Line, Column: h.Col}}, out...)
			r.d.Lines[k].Used = true
		} else if !strings.HasPrefix(s, " ") && !strings.Contains(s, ": In ") {
			break
		}
	}
	return out
}

// fold adds an error deep inside a library, for which no place of ours is to
// blame, to the one before it, from which it follows.
func (r *DiagReader) fold(x Failure) bool {
	n := len(r.f.Failures)
	if n == 0 || r.f.Failures[n-1].Kind != KindCompile {
		return false
	}
	y := &r.f.Failures[n-1]
	if len(y.Detail) < 60 {
		y.Detail = append(y.Detail, text.Short(x.Message, 200))
	}
	return true
}

// noteFollows reports whether the includes at line i lead to a note, which
// belongs to the finding above.
func (r *DiagReader) noteFollows(i int) bool {
	for k := i + 1; k < len(r.d.Lines) && k < i+20; k++ {
		s := r.d.Lines[k].S
		if strings.HasPrefix(s, "                 from ") {
			continue
		}
		g, ok := ParseDiag(s, r.f.Root)
		return ok && g.Severity == "note"
	}
	return false
}

func (r *DiagReader) headAt(i int) bool {
	_, ok := ParseDiag(r.d.Lines[i].S, r.f.Root)
	return ok
}
