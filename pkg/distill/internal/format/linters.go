package format

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
	"github.com/booty-cli/booty/pkg/distill/internal/tree"
)

// finding describes a complaint of a compiler, linter or formatter whose place is not right
// before its message. Groups of its expressions: file, line, col, from0 (a column counted
// from 0), pad (the text before the column), sev, msg, rule.
type finding struct {
	runner string // empty: by the language of the file
	kind   string
	marks  []string // one of them stands in the line; saves the expression
	head   func() *regexp.Regexp
	// above matches the line with the message, if it is above the place.
	above func() *regexp.Regexp
	// below matches a line below the head that completes it. A line that block does not
	// match ends the search.
	below func() *regexp.Regexp
	block func() *regexp.Regexp
	// until matches the line after all that belongs to the finding.
	until func() *regexp.Regexp
	// under takes the file (and line) from the last line that was only a file name.
	under   bool
	wrapped bool // it counts only if nothing else is found
	cells   bool // the message goes on in the last cell of the rows below
}

// findingMarks finds in one pass which rows may match a line.
var findingMarks = sync.OnceValue(func() *stream.Matcher {
	marks := make([][]string, len(findings))
	for k := range findings {
		marks[k] = findings[k].marks
	}
	return stream.NewMatcher(false, marks...)
})

// readLinters reads findings by their table.
func readLinters(d *stream.Stream, f *core.Result) {
	r := &linterReader{d: d, f: f}
	for i := 0; i < len(d.Lines); i++ {
		if l := &d.Lines[i]; !l.Used && l.S != "" && len(l.S) <= 2000 {
			i = r.line(i)
		}
	}
}

type linterReader struct {
	d        *stream.Stream
	f        *core.Result
	file, at string // the file, and its line where that is told, under which findings stand
	titled   bool   // the file is that of all lines up to the next
}

// line reads what begins at line i and returns the last line that it used.
func (r *linterReader) line(i int) int {
	s := r.d.Lines[i].S
	hits := findingMarks().Find(s)
	for k := range findings {
		x := &findings[k]
		if x.under && r.file == "" || x.marks != nil && !hits.Has(k) {
			continue
		}
		if g := text.Groups(x.head(), s); g != nil {
			if end := r.finding(i, x, g); end > i {
				return end - 1
			}
		}
	}
	r.heading(i, s)
	return i
}

var reHeadFile = text.Lazy(`^(?:(?:== |FILE: )?(\S.*?\.[A-Za-z]\w*)(?: ==)?:?|In (\S.*) line (\d+):)$`)

// reLead matches what tools put before each line of a message.
var reLead = text.Lazy(`^(?:│|npm (?:ERR!|error) ?)`)

// heading records the file named alone on a line.
func (r *linterReader) heading(i int, s string) {
	if k := strings.LastIndexByte(s, '.'); k > 0 && len(s)-k < 20 && len(s) < 300 {
		if m := reHeadFile().FindStringSubmatch(s); m != nil && !strings.Contains(m[1], ": ") {
			name := m[1] + m[2]
			if _, ok := r.f.Root.Resolve(name, ""); ok || strings.HasPrefix(name, "/") && sourcePath(name) ||
				r.f.Root.Elsewhere(name) {
				r.file, r.at, r.d.Lines[i].Used = name, m[3], m[3] != ""
				r.titled = strings.HasPrefix(s, "FILE: ")
				return
			}
		}
	}
	if s[0] != ' ' && s[0] != '\t' && s[0] != '|' && s[0] < 0x80 && r.at == "" && !r.titled { // not in a box
		r.file = ""
	}
}

// finding reads one finding and returns the line after it, or i if it is none.
func (r *linterReader) finding(i int, x *finding, g map[string]string) int {
	lines := r.d.Lines
	from, at := i, i
	if x.above != nil {
		if from = r.complete(i, -1, x.above, nil, g); from == i {
			return i
		}
	}
	if x.below != nil {
		if at = r.complete(i, 1, x.below, x.block, g); at == i {
			return i
		}
	}
	if x.under {
		g["file"], g["line"] = r.file, cmp.Or(g["line"], r.at)
	}
	end := at + 1
	for x.until != nil && end < len(lines) && end < at+60 && !x.until().MatchString(lines[end].S) {
		end++
	}
	if g["file"] != "" && !core.PlausibleFile(g["file"], r.f.Root) {
		return i
	}
	if x.cells {
		for _, l := range lines[at+1 : end] {
			g["msg"] += " " + strings.Trim(l.S[strings.LastIndexByte(l.S, '|')+1:], " ")
		}
	}
	y := core.Failure{File: g["file"], Line: text.Atoi(g["line"]), Column: text.Atoi(g["col"]),
		Message: g["msg"],
		Kind:    cmp.Or(x.kind, core.KindLint), Runner: x.runner, At: lines[i].No, Old: lines[i].Old}
	if pad, ok := g["pad"]; ok {
		y.Column = len(pad) + 1
	}
	for k := from; k < end; k++ {
		lines[k].Used = true
		if k != i && k != at && k != from && !x.cells {
			y.Detail = append(y.Detail, reLead().ReplaceAllString(lines[k].S, ""))
		}
	}
	r.report(x, y, g)
	return end
}

// complete looks for the line above or below a head that has the rest, and returns it.
func (r *linterReader) complete(i, step int, expr, block func() *regexp.Regexp, g map[string]string) int {
	for k := i + step; k >= 0 && k < len(r.d.Lines) && k > i-40 && k < i+16 && !r.d.Lines[k].Used; k += step {
		s := r.d.Lines[k].S
		if step < 0 && s == "" {
			break
		}
		if take(g, expr(), s) {
			return k
		}
		if block != nil && !block().MatchString(s) {
			break
		}
	}
	return i
}

// mild are the severities that do not fail a run.
var mild = strings.Fields("warning warning: warn info hint note alert ⚠ ℹ ! i")

// arrowNoise occurs in lines that say nothing about the finding.
var arrowNoise = []string{"/rustc/", "for further information visit", "to override `", "A complete log of"}

func (r *linterReader) report(x *finding, y core.Failure, g map[string]string) {
	y.Message = cmp.Or(strings.Join(strings.Fields(y.Message), " "), "not formatted")
	if rule := g["rule"]; rule != "" && !strings.Contains(y.Message, rule) {
		y.Message += "  (" + rule + ")"
	}
	var detail []string
	for _, s := range y.Detail {
		if _, lint, ok := strings.Cut(s, "/index.html#"); ok && strings.Contains(s, "rust-clippy") && !strings.Contains(y.Message, lint) {
			y.Message += "  (clippy::" + lint + ")"
		}
		if strings.Contains(s, "clippy::") || strings.Contains(s, "rust-clippy") {
			y.Runner, y.Kind = "clippy", core.KindLint
		}
		if strings.TrimSpace(s) != "|" &&
			!slices.ContainsFunc(arrowNoise, func(w string) bool { return strings.Contains(s, w) }) {
			detail = append(detail, s)
		}
	}
	y.Detail = text.TrimBlock(detail)
	rel, ok := r.f.Root.Resolve(y.File, "")
	if ok {
		y.File = rel
	} else if y.File != "" && tree.Foreign(tree.CleanPath(y.File)) {
		return
	}
	y.Runner = cmp.Or(y.Runner, toolOf(y.File))
	switch {
	case x.wrapped:
		r.f.Wrapped = append(r.f.Wrapped, y)
	case slices.Contains(mild, strings.ToLower(g["sev"])):
		if x.under {
			r.f.Saw(x.runner)
		}
		r.f.Warnings = append(r.f.Warnings, y)
	default:
		r.f.Fail(y)
	}
}

func sourcePath(s string) bool {
	i := strings.LastIndexByte(s, '.')
	return i > 0 && tree.SourceExt(strings.ToLower(s[i:]))
}

// toolOf names a tool by the language of the file.
func toolOf(file string) string {
	return (&core.DiagReader{}).RunnerOf(core.Diag{File: file, Severity: "error"})
}
