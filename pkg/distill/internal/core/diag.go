package core

import (
	"path"
	"slices"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
	"github.com/booty-cli/booty/pkg/distill/internal/tree"
)

// Diag is one line of the form "place: severity: message", which nearly every compiler and
// linter writes.
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

// DiagReader reads the diagnostics of compilers, linters and type checkers line by line.
type DiagReader struct {
	d     *stream.Stream
	f     *Result
	goPkg string // of "# example.com/pkg", the head of go build and go vet
	vet   bool   // a second head, "# [example.com/pkg]", follows that one: what follows is of vet
	told  string // the package of which vet's effect is told
}

func (r *DiagReader) line(i int) int {
	s := r.d.Lines[i].S
	if strings.HasPrefix(s, "# ") && i+1 < len(r.d.Lines) &&
		(strings.Contains(s, "/") || strings.Contains(r.d.Lines[i+1].S, ".go:")) {
		if r.vet = r.goPkg != "" && s == "# ["+r.goPkg+"]"; r.vet {
			r.d.Lines[i].Used = true
		} else {
			r.goPkg = strings.Fields(s[2:] + " ")[0]
		}
	}
	if included(s) {
		r.d.Lines[i].Used = true
	}
	g, ok := ParseDiag(s, r.f.Root)
	if !ok || g.Severity == "" && !r.believe(g) || note(g) {
		return i
	}
	return r.block(i, g)
}

// note reports whether a finding only adds to the one above or below it.
func note(g Diag) bool {
	return g.Severity == "note" && !reShellCode().MatchString(g.Text) ||
		strings.HasPrefix(g.Text, "required from")
}

// included reports a line in which gcc names the headers that lead to the place below.
func included(s string) bool {
	return strings.HasPrefix(s, "In file included from ") || strings.HasPrefix(s, "                 from ")
}

// believe reports whether a line without a severity is a finding, and not a log line that
// begins with its place.
func (r *DiagReader) believe(g Diag) bool {
	ext := strings.ToLower(path.Ext(g.File))
	if g.Text == "" || !tree.SourceExt(ext) && !tree.KnownName(path.Base(g.File)) {
		return false
	}
	if strings.Contains(g.Text, "https://srb.help/") ||
		strings.Contains(g.Text, " ==> ") { // sorbet, codespell
		return true
	}
	return g.Code != "" || g.Col > 0 || ext == ".go" && r.goPkg != "" ||
		strings.HasPrefix(g.Text, "undefined reference")
}

// block reads the lines that belong to a finding and reports it.
func (r *DiagReader) block(i int, g Diag) int {
	x := Failure{File: g.File, Line: g.Line, Column: g.Col, Message: g.Text, Runner: r.RunnerOf(g),
		At: r.d.Lines[i].No, Old: r.d.Lines[i].Old}
	x.Kind = diagKind(g, x.Runner)
	if r.goPkg != "" && x.Runner == "go vet" && slices.Contains(r.f.Seen, "go test") {
		x.Kind = KindVet
		if r.told != r.goPkg {
			r.told = r.goPkg
			x.Detail = append(x.Detail, "go vet found this first, so go test did not run the tests of "+
				strings.TrimSuffix(r.goPkg, "_test"))
		}
	}
	if g.title != "" || strings.Contains(g.Text, "\n") {
		r.annotated(&x, g)
	}
	if path.Ext(g.File) == ".go" {
		x.Pkg = r.goPkg
	}
	r.d.Lines[i].Used = true
	j := i + 1
	for ; j < len(r.d.Lines); j++ {
		s := r.d.Lines[j].S
		if included(s) {
			r.d.Lines[j].Used = true
			continue
		}
		h, head := ParseDiag(s, r.f.Root)
		if head && !note(h) || !head && (s == "" || s[0] != ' ' && s[0] != '\t') {
			break
		}
		r.d.Lines[j].Used = true
		if head {
			if rel, in := r.f.Root.Resolve(h.File, ""); in {
				x.Related = append(x.Related, Frame{File: rel, Line: h.Line, Column: h.Col})
			} else {
				continue // of a library
			}
		}
		if len(x.Detail) < 200 {
			x.Detail = append(x.Detail, s)
		}
	}
	n := len(r.f.Failures)
	_, inside := r.f.Root.Resolve(g.File, x.Pkg)
	switch {
	case (g.Severity == "warning" || g.Severity == "info") && !reShellCode().MatchString(g.Text):
		r.f.Warnings = append(r.f.Warnings, x)
	case !inside && n > 0 && tree.Foreign(tree.CleanPath(g.File)): // what follows of it in a library
		if y := &r.f.Failures[n-1]; len(y.Detail) < 60 {
			y.Detail = append(y.Detail, text.Short(x.Message, 200))
		}
	default:
		r.f.Fail(x)
	}
	return j - 1
}

// annotated reads the annotation of a test runner: its title is the name of a test, and its
// text continues over several lines.
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
