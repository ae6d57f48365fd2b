package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// shape is a form of findings, known by cheap signs of its line. read takes it
// in and gives the last line that it used; ok is false where it is none after all.
type shape struct {
	// fits gets the line, as it is and without its indentation.
	fits func(s, t string) bool
	read func(r *shapeReader, i int, s string) (end int, ok bool)
}

// shapes are tried in order; the first that fits decides.
var shapes = []shape{
	{both(": line ", ", col "), (*shapeReader).lineCol},
	{func(s, _ string) bool { return strings.HasPrefix(s, "File \"") && strings.Contains(s, ", characters ") },
		(*shapeReader).ocaml},
	{func(s, _ string) bool { return strings.Contains(s, "[ERROR] ") || strings.Contains(s, "[WARNING] ") },
		(*shapeReader).bracketed},
	{begins("ERROR in ", "WARNING in "), (*shapeReader).webpackError},
	{begins("Diff in "), (*shapeReader).diffIn},
	{begins(">> Issue: "), func(r *shapeReader, i int, _ string) (int, bool) { return r.bandit(i), true }},
	{func(_, t string) bool { return strings.HasPrefix(t, "╭─") || strings.HasPrefix(t, "┌─[") },
		(*shapeReader).rolldown},
	{begins("║ ", "| ", "│ "), (*shapeReader).tableRow},
	{func(s, _ string) bool {
		return begins("error: ", "warning: ")(s, s) && strings.HasSuffix(s, ":") && strings.Contains(s, " at ")
	}, (*shapeReader).atEnd},
	{begins("[!] "), func(r *shapeReader, i int, _ string) (int, bool) { return r.rollup(i), true }},
	{func(s, _ string) bool { return s[0] >= '0' && s[0] <= '9' && strings.Contains(s, ` "`) },
		(*shapeReader).machine},
	{func(s, _ string) bool { return reFormatter().MatchString(s) },
		func(r *shapeReader, i int, _ string) (int, bool) { return i, r.formatter(i) }},
}

func begins(words ...string) func(s, t string) bool {
	return func(s, _ string) bool {
		for _, w := range words {
			if strings.HasPrefix(s, w) {
				return true
			}
		}
		return false
	}
}

func both(a, b string) func(s, t string) bool {
	return func(s, _ string) bool { return strings.Contains(s, a) && strings.Contains(s, b) }
}

func (r *shapeReader) lineCol(i int, s string) (int, bool) {
	m := reLineCol().FindStringSubmatch(s)
	if m == nil || !core.PlausibleFile(m[1], r.f.Root) {
		return 0, false
	}
	r.report(i, i+1, core.Failure{File: m[1], Line: text.Atoi(m[2]), Column: text.Atoi(m[3]), Message: m[5]},
		m[4] == "Warning" || m[4] == "Info")
	return i, true
}

func (r *shapeReader) ocaml(i int, s string) (int, bool) {
	m := reOCamlAt().FindStringSubmatch(s)
	if m == nil {
		return 0, false
	}
	return r.messageBelow(i, core.Frame{File: m[1], Line: text.Atoi(m[2]), Column: text.Atoi(m[3]) + 1}), true
}

func (r *shapeReader) bracketed(i int, s string) (int, bool) {
	m := reBracketErr().FindStringSubmatch(s)
	if m == nil || s[0] == '[' && (i+1 >= len(r.d.Lines) || r.d.Lines[i+1].S != "") {
		return 0, false
	}
	return r.placeBelow(i, m[2], m[1] == "WARNING"), true
}

func (r *shapeReader) webpackError(i int, s string) (int, bool) {
	m := reWebpack().FindStringSubmatch(s)
	if m == nil || !core.PlausibleFile(m[2], r.f.Root) {
		return 0, false
	}
	return r.webpack(i, m), true
}

func (r *shapeReader) diffIn(i int, s string) (int, bool) {
	m := reDiffIn().FindStringSubmatch(s)
	if m == nil || !core.PlausibleFile(m[1], r.f.Root) {
		return 0, false
	}
	lines, end := r.take(i+1, func(s string) bool { return s == "" || strings.HasPrefix(s, "Diff in ") })
	r.report(i, end, core.Failure{File: m[1], Line: text.Atoi(m[2]), Message: "not formatted", Detail: lines}, false)
	return end - 1, true
}

func (r *shapeReader) rolldown(i int, s string) (int, bool) {
	m := reRolldown().FindStringSubmatch(s)
	if m == nil || i == 0 || !core.PlausibleFile(m[1], r.f.Root) || r.d.Lines[i-1].Used {
		return 0, false
	}
	return r.framed(i, m), true
}

func (r *shapeReader) tableRow(i int, s string) (int, bool) {
	m := reTableRow().FindStringSubmatch(s)
	if m == nil || r.file == "" {
		return 0, false
	}
	r.report(i, i+1, core.Failure{File: r.file, Line: text.Atoi(m[1]), Column: text.Atoi(m[2]),
		Message: m[4] + "  (" + m[5] + ")"}, m[3] == "warning")
	return i, true
}

func (r *shapeReader) atEnd(i int, s string) (int, bool) {
	m := reAtEnd().FindStringSubmatch(s)
	if m == nil || !core.PlausibleFile(m[3], r.f.Root) {
		return 0, false
	}
	lines, end := r.take(i+1, func(t string) bool {
		return strings.HasPrefix(t, "error: ") || strings.HasPrefix(t, "warning: ") || strings.HasSuffix(t, " found.")
	})
	r.report(i, end, core.Failure{File: m[3], Line: text.Atoi(m[4]), Column: text.Atoi(m[5]), Message: m[2],
		Detail: lines}, m[1] == "warning")
	return end - 1, true
}

func (r *shapeReader) machine(i int, s string) (int, bool) {
	m := reMachine().FindStringSubmatch(s)
	if m == nil {
		return 0, false
	}
	r.report(i, i+1, core.Failure{File: m[2], Line: text.Atoi(m[3]), Column: text.Atoi(m[4]), Message: m[5]},
		m[1] == "WARNING")
	return i, true
}
