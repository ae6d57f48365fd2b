package format

import (
	"encoding/xml"
	"io"
	"strings"

	"github.com/booty-cli/booty/internal/testreport"
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
	dec.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // it is UTF-8 by now
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

// xmlTest reads an element that is a test.
func (r *jsonReport) xmlTest(m map[string]any, c jsonScope) {
	t := testreport.Test{Outcome: testreport.Passed, Suite: jsonText(m, "classname"), File: jsonText(m, "file"),
		Line: max(0, jsonNumber(m, "line"))}
	for _, e := range xmlErrors(m) {
		t.Problems = append(t.Problems, testreport.Problem{Message: jsonText(e, "message"),
			Text: jsonText(e, "text", "stack-trace", "stacktrace", "full-stacktrace")})
	}
	switch {
	case len(t.Problems) > 0 || jsonFailed(jsonText(m, "result", "outcome", "status")):
		t.Outcome = testreport.Failed
	case m["skipped"] != nil:
		t.Outcome = testreport.Skipped
	}
	t.Title = jsonText(m, "fullname", "testname", "name", "signature")
	switch {
	case t.Suite == "" && len(c.titles) > 0 && !strings.Contains(c.titles[0], "/"):
		t.Title = strings.Join(append(c.titles[:len(c.titles):len(c.titles)], t.Title), " > ")
	case !strings.Contains(t.Title, t.Suite):
		t.Title = t.Suite + "." + t.Title
	}
	r.tested(t)
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
