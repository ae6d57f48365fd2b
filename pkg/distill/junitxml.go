package distill

import (
	"encoding/xml"
	"strings"
	"sync"
)

// readJUnitXML reads reports in the XML of JUnit wherever they stand, and the
// service messages of TeamCity.
func readJUnitXML(d *doc, f *found) {
	// Broken reports make the reader look far ahead; that must not add up.
	budget := 4*len(d.lines) + 1000
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used {
			continue
		}
		t := strings.TrimSpace(l.s)
		if strings.HasPrefix(t, "##teamcity[test") {
			teamcity(f, t)
			l.used = true
			continue
		}
		if budget <= 0 {
			continue
		}
		if strings.HasPrefix(t, "<testsuite") || strings.HasPrefix(t, "<?xml ") && (strings.Contains(t, "<testsuite") || i+1 < len(d.lines) && strings.HasPrefix(strings.TrimSpace(d.lines[i+1].s), "<testsuite")) {
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
func junitReport(d *doc, f *found, i int) (end, seen int) {
	var b strings.Builder
	j, open := i, 0
	for ; j < len(d.lines); j++ {
		s := d.lines[j].s
		if strings.HasPrefix(s, "<?xml ") && j > i {
			break // another report
		}
		b.WriteString(s)
		b.WriteByte('\n')
		open += strings.Count(s, "<testsuite ") + strings.Count(s, "<testsuite>") + strings.Count(s, "<testsuites")
		if open -= strings.Count(s, "</testsuite"); open <= 0 && j > i || open <= 0 && strings.Contains(s, "</testsuite") {
			j++
			break
		}
	}
	dec := xml.NewDecoder(strings.NewReader(b.String()))
	dec.Strict = false
	dec.CharsetReader = nil
	var sum total
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
			f.junitCase(&c, suites, &sum)
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
	for k := i; k < end && k < len(d.lines); k++ {
		d.lines[k].used = true
	}
	f.format = "JUnit XML"
	f.reported(sum)
	return max(i+1, min(end, j)), j - i
}

func (f *found) junitCase(c *junitCase, suites []string, sum *total) {
	if c.Class == "" || c.Class == "test" { // node:test tells nothing there
		c.Class = ""
		if len(suites) > 0 && !strings.Contains(suites[0], "/") {
			c.Name = strings.Join(append(suites[:len(suites):len(suites)], c.Name), " > ")
		}
	}
	bad := append(c.Failure, c.Error...)
	switch {
	case len(bad) > 0:
		sum.failed++
	case c.Skipped != nil:
		sum.skipped++
	default:
		sum.passed++
	}
	for _, r := range bad {
		if f.lintCase(c, suites, r) {
			continue
		}
		x := Failure{Test: c.Name, File: c.File, Line: atoi(c.Line), Kind: KindTest, runner: "JUnit XML", pkg: c.Class}
		if c.Class != "" && !strings.Contains(c.Name, c.Class) {
			x.Test = c.Class + "." + c.Name
		}
		lines := strings.Split(strings.TrimRight(r.Text, "\n \t"), "\n")
		x.Frames = framesOf(lines)
		for k, s := range lines {
			if t := strings.TrimSpace(s); strings.HasPrefix(t, "cause: ") || strings.HasPrefix(t, "[cause]: ") { // what lies behind
				x.Frames = append(framesOf(lines[k:]), framesOf(lines[:k])...)
				break
			}
		}
		for _, s := range lines {
			if _, isFrame := parseFrame(s); isFrame {
				continue
			}
			if g, ok := cutPlace(strings.TrimSpace(s), f.root); ok && g.line > 0 && (g.text == "" || len(x.Frames) == 0) {
				x.Frames = append([]Frame{{File: g.file, Line: g.line}}, x.Frames...)
			}
		}
		body := trimBlock(withoutFrames(lines))
		x.Message = strings.TrimSpace(firstLine(r.Message))
		if _, more, ok := strings.Cut(r.Message, "\n"); ok {
			body = append(strings.Split(more, "\n"), body...)
		}
		if x.Message == "" && len(body) > 0 {
			x.Message, body = strings.TrimSpace(body[0]), body[1:]
		}
		x.detail = body
		if x.Line == 0 || len(x.Frames) > 0 {
			file := x.File
			x.File = ""
			if f.placeOf(&x); x.File == "" {
				x.File = file
			}
		}
		if m := reJavaWant().FindStringSubmatch(x.Message); m != nil {
			x.Expected, x.Actual = m[1], m[2]
		}
		for _, s := range lines {
			if m := reBatsAt().FindStringSubmatch(strings.TrimSpace(s)); m != nil && x.Line == 0 {
				x.File, x.Line = m[1], atoi(m[2])
			}
		}
		x.weak = reStepsFailed().MatchString(x.Message) // only through a test inside
		f.fail(x)
	}
}

var (
	reStepsFailed = lazy(`^\d+ (?:test steps?|subtests?) failed`)
	reLintCase    = lazy(`^line (\d+), col (\d+), (Error|Warning|Info) - (.+)$`)
)

// xmlText undoes what some escape once more inside of CDATA.
var xmlText = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("&apos;", "'", "&quot;", `"`, "&lt;", "<", "&gt;", ">", "&amp;", "&")
})

// lintCase tells the finding of a linter that writes it as a failing test.
func (f *found) lintCase(c *junitCase, suites []string, r junitResult) bool {
	m := reLintCase().FindStringSubmatch(strings.TrimSpace(r.Text))
	if m == nil {
		return false
	}
	x := Failure{File: c.Class, Line: atoi(m[1]), Column: atoi(m[2]), Message: xmlText().Replace(m[4]), Kind: KindLint, runner: "eslint"}
	if n := len(suites); n > 0 && strings.Contains(suites[n-1], ".") {
		x.File = suites[n-1]
	}
	if m[3] == "Error" {
		f.fail(x)
	} else {
		f.warnings = append(f.warnings, x)
	}
	return true
}

var reTeamcity = lazy(`(\w+)='((?:[^'|]|\|.)*)'`)

func teamcity(f *found, s string) {
	if !strings.HasPrefix(s, "##teamcity[testFailed ") {
		return
	}
	x := Failure{Kind: KindTest, runner: "TeamCity"}
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
			x.Frames = framesOf(lines)
			x.detail = withoutFrames(lines)
		case "expected":
			x.Expected = v
		case "actual":
			x.Actual = v
		}
	}
	f.placeOf(&x)
	f.fail(x)
}
