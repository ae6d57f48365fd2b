package format

import (
	"encoding/xml"
	"strings"
	"sync"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// readJUnitXML reads reports in the XML of JUnit wherever they stand, and the
// service messages of TeamCity.
func readJUnitXML(d *stream.Doc, f *core.Found) {
	// Broken reports make the reader look far ahead; that must not add up.
	budget := 4*len(d.Lines) + 1000
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used {
			continue
		}
		t := strings.TrimSpace(l.S)
		if strings.HasPrefix(t, "##teamcity[test") {
			teamcity(f, t)
			l.Used = true
			continue
		}
		if budget <= 0 {
			continue
		}
		if strings.HasPrefix(t, "<testsuite") ||
			strings.HasPrefix(t, "<?xml ") &&
				(strings.Contains(t, "<testsuite") ||
					i+1 < len(d.Lines) &&
						strings.HasPrefix(strings.TrimSpace(d.Lines[i+1].S), "<testsuite")) {
			end, seen := junitReport(d, f, i)
			budget -= seen
			i = end - 1
		}
	}
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	File    string        `xml:"file,attr"`
	Line    string        `xml:"line,attr"`
	Failure []junitResult `xml:"failure"`
	Error   []junitResult `xml:"error"`
	Skipped *struct{}     `xml:"skipped"`
}

type junitResult struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// junitReport reads the report that begins at line i, and tells where it ends
// and how many lines were looked at. Broken XML ends it.
func junitReport(d *stream.Doc, f *core.Found, i int) (end, seen int) {
	var b strings.Builder
	j, open := i, 0
	for ; j < len(d.Lines); j++ {
		s := d.Lines[j].S
		if strings.HasPrefix(s, "<?xml ") && j > i {
			break // another report
		}
		b.WriteString(s)
		b.WriteByte('\n')
		open += strings.Count(s, "<testsuite ") + strings.Count(s, "<testsuite>") +
			strings.Count(s, "<testsuites")
		if open -= strings.Count(s, "</testsuite"); open <= 0 && j > i ||
			open <= 0 && strings.Contains(s, "</testsuite") {
			j++
			break
		}
	}
	dec := xml.NewDecoder(strings.NewReader(b.String()))
	dec.Strict = false
	dec.CharsetReader = nil
	var sum core.Total
	cases := 0
	depth := 0
	var suites []string
	for {
		tok, err := dec.Token()
		if err != nil {
			break
		}
		switch e := tok.(type) {
		case xml.StartElement:
			if e.Name.Local != "testcase" {
				depth++
				if e.Name.Local == "testsuite" {
					name := ""
					for _, a := range e.Attr {
						if a.Name.Local == "name" {
							name = a.Value
						}
					}
					suites = append(suites, name)
				}
				continue
			}
			var c junitCase
			if dec.DecodeElement(&c, &e) != nil {
				continue
			}
			cases++
			reportJUnit(f, &c, suites, &sum)
		case xml.EndElement:
			if e.Name.Local == "testsuite" && len(suites) > 0 {
				suites = suites[:len(suites)-1]
			}
			if depth--; depth == 0 {
				goto done
			}
		}
	}
done:
	if cases == 0 {
		return i + 1, j - i
	}
	end = i + strings.Count(b.String()[:min(int(dec.InputOffset()), b.Len())], "\n") + 1
	for k := i; k < end && k < len(d.Lines); k++ {
		d.Lines[k].Used = true
	}
	f.Format = "JUnit XML"
	f.Reported(sum)
	return max(i+1, min(end, j)), j - i
}

func reportJUnit(f *core.Found, c *junitCase, suites []string, sum *core.Total) {
	if c.Class == "" || c.Class == "test" { // node:test tells nothing there
		c.Class = ""
		if len(suites) > 0 && !strings.Contains(suites[0], "/") {
			c.Name = strings.Join(append(suites[:len(suites):len(suites)], c.Name), " > ")
		}
	}
	bad := append(c.Failure, c.Error...)
	switch {
	case len(bad) > 0:
		sum.Failed++
	case c.Skipped != nil:
		sum.Skipped++
	default:
		sum.Passed++
	}
	for _, r := range bad {
		if lintCase(f, c, suites, r) {
			continue
		}
		x := core.Failure{Test: c.Name, File: c.File, Line: text.Atoi(c.Line), Kind: core.KindTest,
			Runner: "JUnit XML", Pkg: c.Class}
		if c.Class != "" && !strings.Contains(c.Name, c.Class) {
			x.Test = c.Class + "." + c.Name
		}
		lines := strings.Split(strings.TrimRight(r.Text, "\n \t"), "\n")
		x.Frames = core.FramesOf(lines)
		for k, s := range lines {
			if t := strings.TrimSpace(s); strings.HasPrefix(t, "cause: ") ||
				strings.HasPrefix(t, "[cause]: ") { // what lies behind
				x.Frames = append(core.FramesOf(lines[k:]), core.FramesOf(lines[:k])...)
				break
			}
		}
		for _, s := range lines {
			if _, isFrame := core.ParseFrame(s); isFrame {
				continue
			}
			if g, ok := core.CutPlace(strings.TrimSpace(s), f.Root); ok && g.Line > 0 &&
				(g.Text == "" || len(x.Frames) == 0) {
				x.Frames = append([]core.Frame{{File: g.File, Line: g.Line}}, x.Frames...)
			}
		}
		body := text.TrimBlock(core.WithoutFrames(lines))
		x.Message = strings.TrimSpace(text.FirstLine(r.Message))
		if _, more, ok := strings.Cut(r.Message, "\n"); ok {
			body = append(strings.Split(more, "\n"), body...)
		}
		if x.Message == "" && len(body) > 0 {
			x.Message, body = strings.TrimSpace(body[0]), body[1:]
		}
		x.Detail = body
		if x.Line == 0 || len(x.Frames) > 0 {
			file := x.File
			x.File = ""
			if f.PlaceOf(&x); x.File == "" {
				x.File = file
			}
		}
		for _, s := range lines {
			if m := reBatsAt().FindStringSubmatch(strings.TrimSpace(s)); m != nil && x.Line == 0 {
				x.File, x.Line = m[1], text.Atoi(m[2])
			}
		}
		x.Weak = reStepsFailed().MatchString(x.Message) // only through a test inside
		f.Fail(x)
	}
}

var (
	reStepsFailed = text.Lazy(`^\d+ (?:test steps?|subtests?) failed`)
	reLintCase    = text.Lazy(`^line (\d+), col (\d+), (Error|Warning|Info) - (.+)$`)
)

// xmlText undoes what some escape once more inside of CDATA.
var xmlText = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("&apos;", "'", "&quot;", `"`, "&lt;", "<", "&gt;", ">", "&amp;", "&")
})

// lintCase tells the finding of a linter that writes it as a failing test.
func lintCase(f *core.Found, c *junitCase, suites []string, r junitResult) bool {
	m := reLintCase().FindStringSubmatch(strings.TrimSpace(r.Text))
	if m == nil {
		return false
	}
	x := core.Failure{File: c.Class, Line: text.Atoi(m[1]), Column: text.Atoi(m[2]),
		Message: xmlText().Replace(m[4]), Kind: core.KindLint, Runner: "eslint"}
	if n := len(suites); n > 0 && strings.Contains(suites[n-1], ".") {
		x.File = suites[n-1]
	}
	if m[3] == "Error" {
		f.Fail(x)
	} else {
		f.Warnings = append(f.Warnings, x)
	}
	return true
}

var reTeamcity = text.Lazy(`(\w+)='((?:[^'|]|\|.)*)'`)

func teamcity(f *core.Found, s string) {
	if !strings.HasPrefix(s, "##teamcity[testFailed ") {
		return
	}
	x := core.Failure{Kind: core.KindTest, Runner: "TeamCity"}
	unescape := strings.NewReplacer("|n", "\n", "|r", "", "|'", "'", "|[", "[", "|]", "]", "||", "|")
	for _, m := range reTeamcity().FindAllStringSubmatch(s, -1) {
		v := unescape.Replace(m[2])
		switch m[1] {
		case "name":
			x.Test = v
		case "message":
			x.Message = v
		case "details":
			lines := strings.Split(v, "\n")
			x.Frames = core.FramesOf(lines)
			x.Detail = core.WithoutFrames(lines)
		case "expected":
			x.Expected = v
		case "actual":
			x.Actual = v
		}
	}
	f.PlaceOf(&x)
	f.Fail(x)
}
