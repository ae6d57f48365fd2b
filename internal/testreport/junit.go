package testreport

import (
	"cmp"
	"encoding/xml"
	"errors"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/htmlindex"
)

// ErrNotJUnit is returned for XML of another kind.
var ErrNotJUnit = errors.New("no JUnit XML: the document does not begin with <testsuites> or <testsuite>")

// JUnit reads the XML that many runners write. Some write more than one result of a test. A
// report that is not whole gives an error, and what it holds.
func JUnit(r io.Reader) (Run, error) {
	tests, _, err := readJUnit(r, func(label string, in io.Reader) (io.Reader, error) {
		e, err := htmlindex.Get(label)
		if err != nil {
			return nil, err
		}
		return e.NewDecoder().Reader(in), nil
	})
	return tests, err
}

// JUnitInText reads a report that begins a text in UTF-8, and returns where it ends.
func JUnitInText(r io.Reader) (tests Run, end int64, err error) {
	return readJUnit(r, func(_ string, in io.Reader) (io.Reader, error) { return in, nil })
}

func readJUnit(r io.Reader, charset func(string, io.Reader) (io.Reader, error)) (Run, int64, error) {
	dec := xml.NewDecoder(r)
	dec.Strict, dec.CharsetReader = false, charset
	var j junit
	for !j.ended {
		token, err := dec.Token()
		if err == nil {
			err = j.take(token)
		}
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			if len(j.now.problems) > 0 {
				j.endTest()
			}
			return j.run(), dec.InputOffset(), err
		}
	}
	return j.run(), dec.InputOffset(), nil
}

// junit reads a document token by token, since one that is cut off holds something as well.
type junit struct {
	tests  Run
	root   string // the name of the first element
	title  string // what it calls itself
	suites []string
	open   bool // a testcase is
	now    testcase
	text   *string // where text goes; nil where it tells nothing
	ended  bool
}

// testcase is one of JUnit's.
type testcase struct {
	class, name, file, line, time string
	problems, tries               []Problem
	skipped                       bool
	todo                          bool
}

// maxText bounds what is kept of the text of an element.
const maxText = 16 << 10

func (j *junit) take(token xml.Token) error {
	switch t := token.(type) {
	case xml.StartElement:
		return j.begin(t)
	case xml.CharData:
		if j.text != nil && len(*j.text) < maxText {
			*j.text += string(t[:min(len(t), maxText)])
		}
	case xml.EndElement:
		switch name := strings.ToLower(t.Name.Local); name {
		case "testcase":
			j.endTest()
		case "testsuite":
			j.suites = j.suites[:max(len(j.suites)-1, 0)]
			j.ended = len(j.suites) == 0 && j.root == name
		case "testsuites":
			j.ended = true
		default:
			j.text = nil
		}
	}
	return nil
}

func (j *junit) begin(e xml.StartElement) error {
	name := strings.ToLower(e.Name.Local)
	if j.root == "" {
		if name != "testsuites" && name != "testsuite" {
			return ErrNotJUnit
		}
		j.root, j.title = name, attribute(e, "name")
	}
	switch name {
	case "testsuite":
		j.suites = append(j.suites, attribute(e, "name"))
	case "testcase":
		j.open = true
		j.now = testcase{class: attribute(e, "classname"), name: attribute(e, "name"), file: attribute(e, "file"),
			line: attribute(e, "line"), time: attribute(e, "time")}
	case "failure", "error":
		j.problem(&j.now.problems, e)
	case "flakyfailure", "flakyerror": // of a test that passed when it ran again
		j.problem(&j.now.tries, e)
	case "skipped":
		j.now.skipped, j.now.todo = true, attribute(e, "type") == "todo"
	}
	return nil
}

// problem opens a problem of the open test.
func (j *junit) problem(list *[]Problem, e xml.StartElement) {
	if j.open {
		*list = append(*list, Problem{Message: attribute(e, "message"), Type: attribute(e, "type")})
		j.text = &(*list)[len(*list)-1].Text
	}
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if strings.EqualFold(a.Name.Local, name) {
			return a.Value
		}
	}
	return ""
}

// endTest files what a testcase says. Node's runner says the same class of all, and tells
// the tests around one as suites; what is still to do may fail there.
func (j *junit) endTest() {
	c := j.now
	t := Test{Suite: c.class, Title: c.name, Outcome: Passed, File: c.file}
	switch groups := strings.Join(j.suites, " > "); {
	case c.class == "" || c.class == "test":
		if c.class == "test" {
			t.Suite = groups
		}
		if len(j.suites) > 0 && !strings.Contains(j.suites[0], "/") {
			t.Title = groups + " > " + c.name
		}
	case !strings.Contains(c.name, c.class):
		t.Title = c.class + "." + c.name
	}
	if t.Name = c.name; t.Suite != "" {
		t.Name = t.Suite + "::" + c.name
	}
	if len(j.suites) > 0 {
		t.Group = j.suites[len(j.suites)-1]
	}
	t.Line, _ = strconv.Atoi(c.line) // 0 where there is none
	if n, err := strconv.ParseFloat(c.time, 64); err == nil {
		t.Duration = seconds(n)
	}
	switch bad := c.problems; {
	case c.skipped && (len(bad) == 0 || c.todo):
		t.Outcome = Skipped
	case len(bad) > 0:
		t.fail(bad)
		switch how := bad[0].Type; {
		case how == "hook" || how == "hookFailed":
			t.Kind = Hook
		case how == "load" || c.class == "test" && filepath.IsAbs(c.name):
			t.Kind, t.Name = Load, filepath.Base(c.name)
		}
	default:
		t.Problems = trimmed(c.tries)
	}
	j.tests, j.open, j.now, j.text = append(j.tests, t), false, testcase{}, nil
}

// fail notes what failed in a test.
func (t *Test) fail(bad []Problem) {
	t.Outcome, t.Problems = Failed, trimmed(bad)
	t.Message = cmp.Or(bad[0].Message, strings.TrimSpace(bad[0].Text))
}

// trimmed removes the ends of lines around the texts of problems.
func trimmed(all []Problem) []Problem {
	for i := range all {
		all[i].Text = strings.Trim(all[i].Text, "\r\n")
	}
	return all
}

// run is what was read, as the runner that wrote it means it.
func (j *junit) run() Run {
	tests := j.tests
	if tests == nil {
		tests = Run{}
	}
	tests.likePytest()
	if j.title == "vitest tests" {
		tests.likeVitest()
	}
	return tests
}

// likePytest finds what pytest calls an error: no failure of a test. What fails on teardown
// beside a test that passed is reported in that test's place.
func (ts *Run) likePytest() {
	seen := map[string]int{}
	for _, t := range *ts {
		seen[t.Name]++
	}
	for i := range *ts {
		t := &(*ts)[i]
		switch {
		case t.Message == "collection failure":
			t.Kind, t.Title = Load, ""
		case strings.HasPrefix(t.Message, "failed on setup with "):
			t.Kind = Hook
		case strings.HasPrefix(t.Message, "failed on teardown with "):
			t.Kind = Hook
			if seen[t.Name] == 1 {
				*ts = append(*ts, Test{Suite: t.Suite, Name: t.Name, Title: t.Title, Outcome: Passed})
			}
		}
	}
}

// likeVitest finds what vitest writes as a testcase too: a file that could not be loaded, and
// a suite of which a hook failed.
func (ts Run) likeVitest() {
	holds := map[string]bool{}
	for _, t := range ts {
		for i := range t.Name {
			if strings.HasPrefix(t.Name[i:], " > ") {
				holds[t.Name[:i]] = true
			}
		}
	}
	for i, t := range ts {
		switch {
		case t.Outcome != Failed:
		case t.Name == t.Suite+"::"+t.Suite:
			ts[i].Kind, ts[i].Name = Load, t.Suite
		case holds[t.Name]:
			ts[i].Kind = Hook
		}
	}
}
