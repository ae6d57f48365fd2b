package core

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
	"github.com/booty-cli/booty/pkg/distill/internal/tree"
)

var (
	reUnderHead = text.Lazy(`^(?:line )?[\[(]?(\d{1,6})(?:[:,]\s?(\d{1,5})` +
		`)?(?:-\d+)?(?::\d+)?[\])]?[:\s]\s*(\S.*)$`)
	reListing  = text.Lazy(`^\d+ \S`) // the source of a file
	reHeadLine = text.Lazy(`^(?:[=#>*-]+ )?(?:File:? |In file |FILE: |in |` +
		`Line +)?["']?([\w@./\\: -]+?\.\w{1,12}|[\w@./\\-]+)["']?(?: [=#*-]+)?:?(?: \(\d+.*\))?$`)
)

// ReadFindings takes each line with a place of the tree as a finding, in any form, unless a
// failed test is named.
func ReadFindings(d *stream.Stream, f *Result) {
	if f.exit != nil && *f.exit == 0 || namedTests(f.Failures) || len(f.Loose) > 0 || f.namedFound ||
		f.green() { // which reads the end of the output
		return
	}
	r := &findings{d: d, f: f, seen: map[string]bool{}}
	for i := range f.Failures {
		r.seen[text.Place(f.Failures[i].File, f.Failures[i].Line, 0)] = true
	}
	for i := 0; i < len(d.Lines); i++ {
		if l := &d.Lines[i]; !l.Used && !l.Old && l.S != "" && len(l.S) <= 1000 {
			r.line(i)
		}
	}
	for i := 0; i < len(d.Lines) && len(f.Failures) == 0; i++ {
		if l := &d.Lines[i]; !l.Used && !l.Old && l.S != "" && len(l.S) <= 1000 {
			r.trace(i)
		}
	}
}

// trace reads an unknown stack trace from its first frame in the tree; the message is above
// or below.
func (r *findings) trace(i int) {
	fr, ok := ParseFrame(r.d.Lines[i].S)
	if !ok {
		return
	}
	file, ok := r.f.Root.Resolve(fr.File, "")
	lines := r.d.Lines
	for n := 1; ok && n < 24; n++ {
		k := i - n
		if n > 11 { // not above
			k = i + n - 11
		}
		if k >= 0 && k < len(lines) && !lines[k].Used && ErrorLike(lines[k].S) >= 3 {
			r.report(i, tree.Place{File: file, Line: fr.Line, Col: fr.Column}, strings.TrimSpace(lines[k].S))
			return
		}
	}
}

type findings struct {
	d    *stream.Stream
	f    *Result
	file string // the line above that is the name of a file and nothing else
	deep int    // its indentation
	seen map[string]bool
}

func (r *findings) line(i int) {
	s := r.d.Lines[i].S
	t := strings.TrimSpace(s)
	if isFrame(s) || IsSum(s) || strings.HasPrefix(t, "make") && strings.Contains(t, ": *** ") { // of make's own file
		return
	}
	if p, from, _, ok := r.f.Root.FindPlace(s); ok {
		r.file = p.File
		said := strings.TrimSpace(p.Text)
		if strings.Trim(said, ".;,") == "" { // "Can't locate Cart.pm at lib/Shop.pm line 3."
			if before := withoutLink(s[:from]); len(strings.Fields(before)) > 1 {
				said = before
			}
		}
		r.report(i, p, said)
		return
	}
	if name := headName(t); name != "" && r.f.Root.IsFile(name) {
		r.file, _ = r.f.Root.Resolve(name, "")
		r.deep = text.IndentOf(s)
		return
	}
	if r.file == "" {
		return
	}
	m := reUnderHead().FindStringSubmatch(strings.TrimLeft(t, "|│✖✗×⚠ CWERFI:-"))
	if m == nil || text.Atoi(m[1]) == 0 || text.Atoi(m[1]) > r.f.Root.Length(r.file) ||
		!strings.ContainsAny(t, ":,(") && m[2] == "" && text.IndentOf(s) <= r.deep ||
		strings.HasPrefix(m[3], "|") || m[2] == "" && reListing().MatchString(t) {
		return
	}
	r.report(i, tree.Place{File: r.file, Line: text.Atoi(m[1]), Col: text.Atoi(m[2])}, m[3])
}

// withoutLink removes the word that leads to a place behind a message.
func withoutLink(s string) string {
	s = strings.TrimRight(s, " #([<\"'`:-")
	for _, w := range []string{" at", " in", " from", " near"} {
		s = strings.TrimSuffix(s, w)
	}
	return strings.TrimSpace(s)
}

// report files a finding. Its message is the rest of the line, or the lines around it.
func (r *findings) report(i int, p tree.Place, msg string) {
	at := text.Place(p.File, p.Line, 0)
	if r.seen[at] {
		return
	}
	r.seen[at] = true
	s := r.d.Lines[i].S
	x := Failure{File: p.File, Line: p.Line, Column: p.Col, Message: msg, Kind: KindLint, Runner: "linter", At: r.d.Lines[i].No, Old: r.d.Lines[i].Old}
	r.d.Lines[i].Used = true
	above := ""
	if i > 0 && !r.d.Lines[i-1].Used {
		above = strings.TrimSpace(r.d.Lines[i-1].S)
	}
	for j := i + 1; j < len(r.d.Lines) && j < i+12; j++ {
		t := r.d.Lines[j].S
		if t == "" || text.IndentOf(t) <= text.IndentOf(s) && !strings.ContainsAny(t, "|^~") &&
			ErrorLike(t) == 0 || r.f.Root.Placed(t) {
			break
		}
		x.Detail = append(x.Detail, t)
	}
	if len(strings.Fields(msg)) < 2 && above != "" && !rule(above) {
		x.Message = strings.TrimSpace(above + " " + msg)
		r.d.Lines[i-1].Used = true
	} else if msg == "" {
		x.Message = strings.TrimSpace(s)
	}
	low := strings.ToLower(s + " " + above)
	switch {
	case reRaised().MatchString(above+" "+s) && !strings.Contains(low, "syntaxerror"):
		x.Kind = KindError
	case strings.Contains(low, "error"), strings.Contains(low, "fatal"):
		x.Kind = KindCompile
	}
	if severity, _ := severityOf(msg); severity == "warning" || severity == "info" ||
		strings.Contains(low, "warning") && !strings.Contains(low, "error") {
		r.f.Warnings = append(r.f.Warnings, x)
		return
	}
	r.f.Fail(x)
}

// reRaised matches the name of what a program threw: it was built.
var reRaised = text.Lazy(`(?:^|[\s(])[A-Z]\w*(?:Error|Exception): `)

// headName reads a line that is only a file name.
func headName(t string) string {
	if strings.Contains(t, " ") && !strings.ContainsAny(t, "./\\") {
		return ""
	}
	if m := reHeadLine().FindStringSubmatch(t); m != nil {
		return m[1]
	}
	return ""
}
