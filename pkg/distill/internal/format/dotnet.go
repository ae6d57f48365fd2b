package format

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

var (
	reNetFail  = text.Lazy(`^\s+(?:Failed|X) (\S.*?)(?: \[[^\]]*\])?$`)
	reNetXunit = text.Lazy(`^\[xUnit\.net [\d:.]+\]\s+(\S.*?) \[FAIL\]$`)
	reNetLine  = text.Lazy(`^(?:Failed!|Passed!|Skipped!) +- Failed: +(\d+), Passed: +(\d+)` +
		`, Skipped: +(\d+), Total: +(\d+)`)
	reNetTotal = text.Lazy(`^(?:Test summary: |Test Run Summary.*|)\s*(?:total|Total tests): (\d+)` +
		`(?:[,;] *failed: (\d+)[,;] *succeeded: (\d+)[,;] *skipped: (\d+))?`)
	reNetPart  = text.Lazy(`^\s+(Passed|Failed|Skipped): (\d+)$`)
	reNetPlace = text.Lazy(`^((?:[A-Za-z]:)?[^(]+\.(?:cs|fs|vb))\((\d+)(?:,(\d+))?\): error (\S+?)` +
		` ?: ?(.*)$`)
	reNUnitItem = text.Lazy(`^(\d+)\) (Failed|Error|Invalid) : (\S.*)$`)
)

// dotnetSigns stand somewhere in a line of dotnet test's, dotnetHeads begin one.
var (
	dotnetSigns = []string{"Test run for ", "[xUnit.net ", "Error Message:", "Determining projects to restore",
		"error TESTERROR:"}
	dotnetHeads = []string{"Failed!  - ", "Passed!  - ", "Test summary: total:", "NUnit Console", "Total tests: "}
)

func isDotnet(l stream.Line) bool {
	_, head := text.CutAny(l.S, dotnetHeads...)
	return head || slices.ContainsFunc(dotnetSigns, func(sign string) bool { return strings.Contains(l.S, sign) })
}

// readDotnet reads dotnet test (VSTest and the newer terminal logger) with xUnit,
// NUnit and MSTest.
func readDotnet(d *stream.Doc, f *core.Found) {
	if !slices.ContainsFunc(d.Lines, isDotnet) {
		return
	}
	f.Saw("dotnet test")
	r := dotnetReader{d: d, f: f, part: map[string]int{}}
	for i := 0; i < len(d.Lines); i++ {
		if l := &d.Lines[i]; !l.Used && l.S != "" {
			i = r.line(i)
		}
	}
	if r.part["total"] > 0 {
		f.Format = "dotnet test"
		f.Total(r.part["Passed"], r.part["Failed"], r.part["Skipped"])
	}
}

// dotnetReader has in part the numbers that stand below "Total tests".
type dotnetReader struct {
	d    *stream.Doc
	f    *core.Found
	part map[string]int
}

// line reads what begins at line i and gives the last line that it used.
func (r *dotnetReader) line(i int) int {
	l := &r.d.Lines[i]
	s := l.S
	switch {
	case strings.HasPrefix(s, "[xUnit.net"):
		if m := reNetXunit().FindStringSubmatch(s); m != nil {
			r.f.Fail(core.Failure{Test: m[1], Kind: core.KindTest, Weak: true, Runner: "dotnet test"})
		}
		l.Used = true
	case r.sum(l):
	case strings.Contains(s, "error TESTERROR") || strings.Contains(s, ": error VSTEST"):
		return dotnetTerminal(r.d, r.f, i) - 1
	case strings.HasPrefix(s, "  "):
		if m := reNetFail().FindStringSubmatch(s); m != nil && r.blockAt(i+1) {
			return dotnetBlock(r.d, r.f, i, m[1]) - 1
		}
	case s[0] >= '1' && s[0] <= '9':
		if m := reNUnitItem().FindStringSubmatch(s); m != nil {
			return nunitBlock(r.d, r.f, i, m) - 1
		}
	}
	return i
}

// sum reads a line of sums; false where it is none.
func (r *dotnetReader) sum(l *stream.Line) bool {
	s := l.S
	switch {
	case strings.HasPrefix(s, "Failed!") || strings.HasPrefix(s, "Passed!") || strings.HasPrefix(s, "Skipped!"):
		if m := reNetLine().FindStringSubmatch(s); m != nil {
			l.Used = true
			r.f.Format = "dotnet test"
			r.f.Total(text.Atoi(m[2]), text.Atoi(m[1]), text.Atoi(m[3]))
		}
	case strings.HasPrefix(s, "Test summary: ") || strings.HasPrefix(s, "Total tests: "):
		m := reNetTotal().FindStringSubmatch(s)
		if m == nil {
			break
		}
		l.Used = true
		r.f.Format = "dotnet test"
		if m[2] != "" {
			r.f.Total(text.Atoi(m[3]), text.Atoi(m[2]), text.Atoi(m[4]))
		} else {
			r.part["total"] = text.Atoi(m[1])
		}
	case r.part["total"] > 0 && reNetPart().MatchString(s):
		m := reNetPart().FindStringSubmatch(s)
		r.part[m[1]] = text.Atoi(m[2])
		l.Used = true
	default:
		return false
	}
	return true
}

// blockAt says that line i is the head of what is told of a failed test.
func (r *dotnetReader) blockAt(i int) bool {
	return i < len(r.d.Lines) && slices.ContainsFunc([]string{"Error Message:", "Stack Trace:", "Standard Output"},
		func(head string) bool { return strings.Contains(r.d.Lines[i].S, head) })
}

func dotnetBlock(d *stream.Doc, f *core.Found, i int, name string) int {
	x := core.Failure{Test: name, Kind: core.KindTest, Runner: "dotnet test"}
	part := ""
	var body []string
	d.Lines[i].Used = true
	j := i + 1
	for ; j < len(d.Lines); j++ {
		s := d.Lines[j].S
		t := strings.TrimSpace(s)
		// xUnit does not indent the second line of a message.
		if s != "" && s[0] != ' ' && (part != "Error Message:" || len(body) > 60 ||
			strings.HasPrefix(s, "Failed! ")) ||
			reNetFail().MatchString(s) && text.IndentOf(s) <= text.IndentOf(d.Lines[i].S) ||
			strings.HasPrefix(s, "  Passed ") || strings.HasPrefix(s, "  Skipped ") {
			break
		}
		d.Lines[j].Used = true
		switch t {
		case "Error Message:", "Stack Trace:", "Standard Output Messages:", "Standard Error Messages:",
			"Debug Trace:":
			part = t
			continue
		}
		switch part {
		case "Error Message:":
			body = append(body, s)
		case "Stack Trace:":
			if fr, ok := core.ParseFrame(s); ok {
				x.Frames = append(x.Frames, fr)
			}
		}
	}
	core.Explain(&x, body)
	f.PlaceOf(&x)
	f.Fail(x)
	return j
}

// dotnetTerminal reads the terminal logger: "path(12): error TESTERROR: Name
// (5ms): Error Message: ...".
func dotnetTerminal(d *stream.Doc, f *core.Found, i int) int {
	s := strings.TrimSpace(d.Lines[i].S)
	m := reNetPlace().FindStringSubmatch(s)
	x := core.Failure{Kind: core.KindTest, Runner: "dotnet test"}
	if m != nil {
		x.File, x.Line, x.Column = m[1], text.Atoi(m[2]), text.Atoi(m[3])
		s = m[5]
	} else if _, rest, ok := strings.Cut(s, "TESTERROR"); ok {
		s = strings.TrimLeft(rest, " :")
	}
	d.Lines[i].Used = true
	var body []string
	j := i + 1
	if m != nil && m[5] == "" && j < len(d.Lines) {
		s = strings.TrimSpace(d.Lines[j].S)
		d.Lines[j].Used = true
		j++
	}
	if name, msg, ok := strings.Cut(s, ": Error Message: "); ok {
		if k := strings.LastIndex(name, " ("); k > 0 {
			name = name[:k]
		}
		x.Test = strings.TrimSpace(name)
		body = append(body, msg)
	} else {
		body = append(body, s)
	}
	for ; j < len(d.Lines) && strings.HasPrefix(d.Lines[j].S, "      "); j++ {
		d.Lines[j].Used = true
		if fr, ok := core.ParseFrame(d.Lines[j].S); ok {
			x.Frames = append(x.Frames, fr)
		} else if !strings.HasPrefix(strings.TrimSpace(d.Lines[j].S), "Stack Trace:") {
			body = append(body, d.Lines[j].S)
		}
	}
	core.Explain(&x, body)
	f.PlaceOf(&x)
	f.Fail(x)
	return j
}

func nunitBlock(d *stream.Doc, f *core.Found, i int, m []string) int {
	x := core.Failure{Test: m[3], Kind: core.KindTest, Runner: "NUnit"}
	var body []string
	d.Lines[i].Used = true
	j := i + 1
	for ; j < len(d.Lines) && !reNUnitItem().MatchString(d.Lines[j].S) &&
		!strings.HasPrefix(d.Lines[j].S, "Run Settings"); j++ {
		d.Lines[j].Used = true
		if fr, ok := core.ParseFrame(d.Lines[j].S); ok {
			x.Frames = append(x.Frames, fr)
		} else if !strings.HasPrefix(d.Lines[j].S, "at ") {
			body = append(body, d.Lines[j].S)
		}
	}
	core.Explain(&x, body)
	f.PlaceOf(&x)
	f.Fail(x)
	return j
}
