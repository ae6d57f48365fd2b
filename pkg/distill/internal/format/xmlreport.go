package format

import (
	"encoding/xml"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// readXML reads the reports in XML that are not JUnit's: checkstyle and its
// like for linters, and those of Catch2, doctest, NUnit, xUnit and MSTest. They
// differ in names alone, so one reader serves all.
func readXML(d *stream.Doc, f *core.Found) {
	budget := 4*len(d.Lines) + 1000
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used || !strings.HasPrefix(l.S, "<") {
			continue
		}
		if budget > 0 && xmlBegins(d, i) {
			end, seen := xmlReport(d, f, i)
			budget -= seen
			i = max(i, end-1)
			continue
		}
		cutXML(l)
	}
}

func cutXML(l *stream.Line) {
	if len(l.S) > maxLineText {
		l.S = strings.ToValidUTF8(l.S[:maxLineText], "")
	}
}

func xmlBegins(d *stream.Doc, i int) bool {
	s := d.Lines[i].S
	if strings.HasPrefix(s, "<?xml ") {
		return true
	}
	for _, root := range []string{"<checkstyle", "<jslint", "<pmd", "<lint", "<issues", "<Catch",
		"<doctest", "<test-run", "<TestRun", "<assemblies", "<TestLog", "<results", "<testng-results",
		"<BugCollection"} {
		if strings.HasPrefix(s, root) {
			return true
		}
	}
	return false
}

// xmlNode is one open element and what is known of it.
type xmlNode struct {
	name string
	attr map[string]string
	text strings.Builder
	test *core.Failure // it is a test
	bad  bool
}

type xmlReader struct {
	f     *core.Found
	open  []*xmlNode
	fails []core.Failure
	warns []core.Failure
}

func xmlReport(d *stream.Doc, f *core.Found, i int) (end, seen int) {
	src := &lineReader{lines: d.Lines[i:]}
	dec := xml.NewDecoder(src)
	dec.Strict = false
	r := &xmlReader{f: f}
	root := false
loop:
	for {
		tok, err := dec.Token()
		if err != nil {
			break
		}
		switch e := tok.(type) {
		case xml.StartElement:
			if len(r.open) > 64 {
				break loop
			}
			root = true
			r.begin(e)
		case xml.CharData:
			if n := len(r.open); n > 0 && r.open[n-1].text.Len() < 16<<10 {
				r.open[n-1].text.Write(e)
			}
		case xml.EndElement:
			r.end()
			if root && len(r.open) == 0 {
				break loop
			}
		}
	}
	for len(r.open) > 0 {
		r.end()
	}
	end = i + src.lineAt(int(dec.InputOffset()))
	if len(r.fails) == 0 && len(r.warns) == 0 {
		return i + 1, end - i
	}
	for k := i; k < end && k < len(d.Lines); k++ {
		d.Lines[k].Used = true
	}
	for _, x := range r.fails {
		f.Fail(x)
	}
	f.Warnings = append(f.Warnings, r.warns...)
	return end, end - i
}

func (r *xmlReader) begin(e xml.StartElement) {
	n := &xmlNode{name: strings.ToLower(e.Name.Local), attr: map[string]string{}}
	for _, a := range e.Attr {
		n.attr[strings.ToLower(a.Name.Local)] = a.Value
	}
	switch n.name {
	case "testcase", "test-case", "test", "unittestresult", "test-method":
		name := firstOf(n.attr, "fullname", "testname", "name", "signature")
		n.test = &core.Failure{Test: name, Kind: core.KindTest, Runner: "XML report"}
		res := firstOf(n.attr, "result", "outcome", "status")
		n.bad = jsonFailed(res)
		if n.name == "testcase" && n.attr["filename"] != "" {
			n.test.Runner = "Catch2"
		}
	}
	r.open = append(r.open, n)
}

func firstOf(m map[string]string, keys ...string) string {
	for _, k := range keys {
		if m[k] != "" {
			return m[k]
		}
	}
	return ""
}

// testOf gives the test that is open.
func (r *xmlReader) testOf() *xmlNode {
	for i := len(r.open) - 1; i >= 0; i-- {
		if r.open[i].test != nil {
			return r.open[i]
		}
	}
	return nil
}

func (r *xmlReader) end() {
	n := r.open[len(r.open)-1]
	r.open = r.open[:len(r.open)-1]
	said := strings.Trim(n.text.String(), "\r\n")
	t := r.testOf()
	switch n.name {
	case "expression", "exception", "fatalerrorcondition", "failure":
		if t != nil && t.test.Runner == "Catch2" {
			r.assertion(n, t, said)
			return
		}
	case "original", "expanded":
		if p := len(r.open); p > 0 && t != nil {
			r.open[p-1].attr[n.name] = strings.TrimSpace(said)
			return
		}
	case "info":
		if p := len(r.open); p > 0 && t != nil {
			r.open[p-1].attr["info"] += strings.TrimSpace(said) + "\n"
			return
		}
	}
	if n.test != nil {
		if n.bad {
			r.f.PlaceOf(n.test)
			r.fails = append(r.fails, *n.test)
		}
		return
	}
	if t != nil && said != "" && strings.TrimSpace(said) != "" {
		switch n.name {
		case "message":
			if t.test.Message == "" {
				lines := text.TrimBlock(strings.Split(said, "\n"))
				t.test.Message, t.test.Detail = strings.TrimSpace(lines[0]),
					append(t.test.Detail, lines[1:]...)
			}
		case "stack-trace", "stacktrace", "full-stacktrace":
			t.test.Frames = append(t.test.Frames, core.FramesOf(strings.Split(said, "\n"))...)
		}
		return
	}
	r.finding(n, said)
}

// assertion is a failed check of Catch2 or doctest.
func (r *xmlReader) assertion(n, t *xmlNode, said string) {
	if n.attr["success"] == "true" || len(r.open) == 0 {
		return
	}
	if n.name == "exception" && r.open[len(r.open)-1].name == "expression" {
		up := r.open[len(r.open)-1]
		up.attr["info"] += strings.TrimSpace(said) + "\n"
		return
	}
	var names []string
	for _, o := range r.open {
		if o.test != nil || o.name == "section" || o.name == "subcase" {
			names = append(names, o.attr["name"])
		}
	}
	x := core.Failure{Test: strings.Join(names, " > "), File: n.attr["filename"],
		Line: text.Atoi(n.attr["line"]), Kind: core.KindTest, Runner: t.test.Runner}
	if n.attr["original"] != "" {
		x.Message = strings.TrimSpace(n.attr["type"] + " " + n.attr["original"])
		x.Detail = append(x.Detail, "with expansion: "+n.attr["expanded"])
		if a, b, ok := strings.Cut(n.attr["expanded"], " == "); ok {
			x.Actual, x.Expected = a, b
		}
	}
	for _, s := range strings.Split(strings.TrimSpace(n.attr["info"]+"\n"+r.infoOf()+said), "\n") {
		if s = strings.TrimSpace(s); s != "" {
			x.Detail = append(x.Detail, s)
		}
	}
	if x.Message == "" && len(x.Detail) > 0 {
		x.Message, x.Detail = x.Detail[0], x.Detail[1:]
	}
	if x.File == "" {
		x.File, x.Line = t.attr["filename"], text.Atoi(t.attr["line"])
	}
	r.fails = append(r.fails, x)
}

// infoOf gives what was noted before the assertion.
func (r *xmlReader) infoOf() string {
	up := r.open[len(r.open)-1]
	s := up.attr["info"]
	delete(up.attr, "info")
	return s
}

// finding is an element with a line and a message below one with a file.
func (r *xmlReader) finding(n *xmlNode, said string) {
	line := firstOf(n.attr, "line", "beginline", "startline")
	msg := firstOf(n.attr, "message", "reason", "summary", "msg")
	if msg == "" {
		msg = strings.TrimSpace(said)
	}
	if line == "" || msg == "" || !stream.OnlyDigits(line) {
		return
	}
	file := firstOf(n.attr, "file", "filename", "path", "sourcepath")
	for i := len(r.open) - 1; i >= 0 && file == ""; i-- {
		if o := r.open[i]; o.name == "file" || o.name == "sourcefile" || o.name == "issue" ||
			o.name == "error" {
			file = firstOf(o.attr, "name", "path", "filename", "file")
		}
	}
	if file == "" {
		return
	}
	x := core.Failure{File: file, Line: text.Atoi(line),
		Column:  text.Atoi(firstOf(n.attr, "column", "char", "col", "begincolumn")),
		Message: text.FirstLine(msg), Kind: core.KindLint, Runner: "XML report"}
	if rule := firstOf(n.attr, "source", "rule", "id"); rule != "" && !strings.Contains(x.Message, rule) {
		x.Message += "  (" + rule + ")"
	}
	switch strings.ToLower(n.attr["severity"]) {
	case "warning", "warn", "info", "ignore", "note", "style":
		if !strings.Contains(n.attr["source"], "ShellCheck") {
			r.warns = append(r.warns, x)
			return
		}
	}
	r.fails = append(r.fails, x)
}
