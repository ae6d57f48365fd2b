package testreport

import (
	"cmp"
	"encoding/xml"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// testcase is one of JUnit's.
type testcase struct {
	Class   string    `xml:"classname,attr"`
	Name    string    `xml:"name,attr"`
	File    string    `xml:"file,attr"`
	Line    string    `xml:"line,attr"`
	Time    string    `xml:"time,attr"`
	Failure []problem `xml:"failure"`
	Error   []problem `xml:"error"`
	Skipped *problem  `xml:"skipped"`
}

type problem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// JUnit reads the XML that many runners write. Some write more than one result of
// a test.
func JUnit(r io.Reader) (Run, error) {
	tests := Run{}
	dec := xml.NewDecoder(r)
	var suites []string
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return tests, nil
		}
		if err != nil {
			return nil, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "testsuite":
				name := ""
				for _, a := range t.Attr {
					if a.Name.Local == "name" {
						name = a.Value
					}
				}
				suites = append(suites, name)
			case "testcase":
				var c testcase
				if err := dec.DecodeElement(&c, &t); err != nil {
					return nil, err
				}
				tests = append(tests, c.test(suites))
			}
		case xml.EndElement:
			if t.Name.Local == "testsuite" {
				suites = suites[:len(suites)-1]
			}
		}
	}
}

// test is what a testcase says. Node's runner says the same class of all, and tells the
// tests around one as suites; what is still to do may fail there.
func (c testcase) test(suites []string) Test {
	t := Test{Suite: c.Class, Outcome: Passed, File: c.File}
	if c.Class == "test" {
		t.Suite = strings.Join(suites, " > ")
	}
	if t.Name = c.Name; t.Suite != "" {
		t.Name = t.Suite + "::" + c.Name
	}
	t.Line, _ = strconv.Atoi(c.Line) // 0 where there is none
	if n, err := strconv.ParseFloat(c.Time, 64); err == nil {
		t.Duration = seconds(n)
	}
	bad := slices.Concat(c.Failure, c.Error)
	switch {
	case c.Skipped != nil && (len(bad) == 0 || c.Skipped.Type == "todo"):
		t.Outcome = Skipped
	case len(bad) > 0:
		t.Outcome, t.Message = Failed, cmp.Or(bad[0].Message, strings.TrimSpace(bad[0].Text))
		switch {
		case bad[0].Type == "hook" || bad[0].Type == "hookFailed":
			t.Kind = Hook
		case bad[0].Type == "load" || c.Class == "test" && filepath.IsAbs(c.Name):
			t.Kind, t.Name = Load, filepath.Base(c.Name)
		}
	}
	return t
}

// Pytest reads pytest's JUnit XML, in which an error is no failure of a test. What
// fails on teardown beside a test that passed is reported in that test's place.
func Pytest(r io.Reader) (Run, error) {
	tests, err := JUnit(r)
	seen := map[string]int{}
	for _, t := range tests {
		seen[t.Name]++
	}
	for i := range tests {
		t := &tests[i]
		switch {
		case t.Message == "collection failure":
			t.Kind = Load
		case strings.HasPrefix(t.Message, "failed on setup with "):
			t.Kind = Hook
		case strings.HasPrefix(t.Message, "failed on teardown with "):
			t.Kind = Hook
			if seen[t.Name] == 1 {
				tests = append(tests, Test{Suite: t.Suite, Name: t.Name, Outcome: Passed})
			}
		}
	}
	return tests, err
}

// Vitest reads vitest's JUnit XML, which has a testcase for a file that could not be
// loaded, and for a suite of which a hook failed.
func Vitest(r io.Reader) (Run, error) {
	tests, err := JUnit(r)
	holds := map[string]bool{}
	for _, t := range tests {
		for i := range t.Name {
			if strings.HasPrefix(t.Name[i:], " > ") {
				holds[t.Name[:i]] = true
			}
		}
	}
	for i, t := range tests {
		switch {
		case t.Outcome != Failed:
		case t.Name == t.Suite+"::"+t.Suite:
			tests[i].Kind, tests[i].Name = Load, t.Suite
		case holds[t.Name]:
			tests[i].Kind = Hook
		}
	}
	return tests, err
}
