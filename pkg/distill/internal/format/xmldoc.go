package format

import (
	"encoding/xml"
	"html"
	"io"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// xmlRoots are the root elements of XML reports.
var xmlRoots = []string{"<testsuite", "<checkstyle", "<jslint", "<pmd", "<lint", "<issues", "<Catch",
	"<doctest", "<test-run", "<TestRun", "<assemblies", "<TestLog", "<results", "<testng-results",
	"<BugCollection"}

func xmlBegins(s string) bool {
	_, is := text.CutAny(s, xmlRoots...)
	return is || strings.HasPrefix(s, "<?xml ")
}

// tagKey holds the name of an element.
const tagKey = "<"

// xmlDoc reads an XML document into the values that a JSON document would have: an element
// is an object of its attributes, with its children in lists under their names, and its
// text under "text". An element with only text is that text. An incomplete document is read
// as far as it goes. The number is where it ends.
func xmlDoc(r io.Reader) (any, int) {
	dec := xml.NewDecoder(r)
	dec.Strict = false
	var open []map[string]any
	var said []string
	closeOne := func() any {
		n := len(open) - 1
		m, s := open[n], strings.Trim(said[n], "\r\n")
		open, said = open[:n], said[:n]
		var v any = m
		if strings.TrimSpace(s) == "" {
			s = ""
		}
		switch {
		case s != "" && len(m) == 1:
			v = s
		case s != "":
			m["text"] = s
		}
		if n > 0 {
			tag := m[tagKey].(string)
			list, _ := open[n-1][tag].([]any)
			open[n-1][tag] = append(list, v)
		}
		return v
	}
	for {
		tok, err := dec.Token()
		if err != nil || len(open) > maxJSONDepth {
			var v any
			for len(open) > 0 {
				v = closeOne()
			}
			return v, int(dec.InputOffset())
		}
		switch e := tok.(type) {
		case xml.StartElement:
			m := map[string]any{tagKey: strings.ToLower(e.Name.Local)}
			for _, a := range e.Attr {
				m[strings.ToLower(a.Name.Local)] = a.Value
			}
			open, said = append(open, m), append(said, "")
		case xml.CharData:
			if n := len(said); n > 0 && len(said[n-1]) < 16<<10 {
				said[n-1] += string(e)
			}
		case xml.EndElement:
			if v := closeOne(); len(open) == 0 {
				return v, int(dec.InputOffset())
			}
		}
	}
}

// element reads what an XML element says by its name. It returns false if nothing inside
// matters.
func (r *jsonReport) element(m map[string]any, tag string, c *jsonScope) bool {
	name := jsonText(m, "name")
	switch tag {
	case "testsuite", "section", "subcase":
		c.titles = append(c.titles[:len(c.titles):len(c.titles)], name)
	case "testcase", "test-case", "test", "unittestresult", "test-method":
		if m["filename"] == nil { // Catch2 and doctest tell what failed below: the text has it
			r.xmlTest(m, *c)
		}
		return false
	case "file", "sourcefile", "issue", "error":
		if f := jsonText(m, "name", "path", "filename", "file"); f != "" {
			c.file = f
		}
	}
	if rule := jsonText(m, "source", "rule", "id"); rule != "" {
		m["rule"], m["source"] = rule, nil // elsewhere a source is a file
	}
	if tag == "testsuite" {
		r.runner = "JUnit XML"
	}
	return true
}

// jsonList returns the objects of a list; a text becomes an object with that text.
func jsonList(v any) []map[string]any {
	var out []map[string]any
	list, _ := v.([]any)
	for _, e := range list {
		switch e := e.(type) {
		case map[string]any:
			out = append(out, e)
		case string:
			out = append(out, map[string]any{"text": e})
		}
	}
	return out
}

// xmlErrors returns the errors of a test, which may be nested.
func xmlErrors(m map[string]any) []map[string]any {
	var out []map[string]any
	for _, k := range []string{"failure", "error", "exception", "output", "errorinfo"} {
		for _, e := range jsonList(m[k]) {
			if jsonText(e, "message", "text", "stack-trace", "stacktrace", "full-stacktrace") != "" {
				out = append(out, e)
			} else {
				out = append(out, xmlErrors(e)...)
			}
		}
	}
	return out
}

// reLintCase is a finding that eslint writes as a failing test.
var reLintCase = text.Lazy(`^\s*line (\d+), col (\d+), (\w+) - (.+)`)

// xmlTest counts a test and reports each of its failures.
func (r *jsonReport) xmlTest(m map[string]any, c jsonScope) {
	bad := xmlErrors(m)
	failed := jsonFailed(jsonText(m, "result", "outcome", "status"))
	switch {
	case failed || len(bad) > 0:
		r.cases.Failed++
	case m["skipped"] != nil:
		r.cases.Skipped++
	default:
		r.cases.Passed++
	}
	if len(bad) == 0 && failed {
		bad = append(bad, map[string]any{})
	}
	class := jsonText(m, "classname")
	name := jsonText(m, "fullname", "testname", "name", "signature")
	switch {
	case class == "" || class == "test": // node:test tells nothing there
		class = ""
		if len(c.titles) > 0 && !strings.Contains(c.titles[0], "/") {
			name = strings.Join(append(c.titles[:len(c.titles):len(c.titles)], name), " > ")
		}
	case !strings.Contains(name, class):
		name = class + "." + name
	}
	for _, e := range bad {
		x := core.Failure{Test: name, Kind: core.KindTest, Runner: r.runner, Pkg: class}
		if g := reLintCase().FindStringSubmatch(jsonText(e, "text")); g != nil && len(c.titles) > 0 {
			x = core.Failure{File: c.titles[len(c.titles)-1], Line: text.Atoi(g[1]), Column: text.Atoi(g[2]),
				Message: html.UnescapeString(g[4]), Kind: core.KindLint, Runner: "eslint"}
			if g[3] == "Error" {
				r.fails = append(r.fails, x)
			}
			continue
		}
		all := jsonText(e, "text", "stack-trace", "stacktrace", "full-stacktrace")
		body := strings.Split(cleanLines(all), "\n")
		msg, more, _ := strings.Cut(cleanLines(jsonText(e, "message")), "\n")
		if x.Message = strings.TrimSpace(msg); more != "" {
			body = append(strings.Split(more, "\n"), body...)
		}
		core.Explain(&x, body)
		x.Weak = reStepsFailed().MatchString(x.Message) // only through a test inside
		if r.f.PlaceOf(&x); x.File == "" {
			x.File, x.Line = jsonText(m, "file"), max(0, jsonNumber(m, "line"))
		}
		r.fails = append(r.fails, x)
	}
}

// readTeamCity reads the service messages of TeamCity.
func readTeamCity(d *stream.Stream, f *core.Result) {
	unescape := strings.NewReplacer("|n", "\n", "|r", "", "|'", "'", "|[", "[", "|]", "]", "||", "|")
	for i := range d.Lines {
		l := &d.Lines[i]
		s := strings.TrimSpace(l.S)
		if l.Used || !strings.HasPrefix(s, "##teamcity[test") {
			continue
		}
		if l.Used = true; !strings.HasPrefix(s, "##teamcity[testFailed ") {
			continue
		}
		v := map[string]string{}
		for _, m := range reTeamcity().FindAllStringSubmatch(s, -1) {
			v[m[1]] = unescape.Replace(m[2])
		}
		x := core.Failure{Kind: core.KindTest, Runner: "TeamCity", Test: v["name"], Message: v["message"],
			Expected: v["expected"], Actual: v["actual"]}
		core.Explain(&x, strings.Split(v["details"], "\n"))
		f.Fail(x)
	}
}

var reTeamcity = text.Lazy(`(\w+)='((?:[^'|]|\|.)*)'`)
