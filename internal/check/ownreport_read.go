package check

import (
	"cmp"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/booty-cli/booty/internal/failure"
)

// readJest reads what jest writes with --json.
func readJest(r io.Reader) (failure.Ran, error) {
	var doc struct {
		Total *int `json:"numTotalTests"`
		Files []struct {
			Name    string `json:"name"`
			Status  string `json:"status"`
			Message string `json:"message"`
			Tests   []struct {
				Name     string   `json:"fullName"`
				Status   string   `json:"status"`
				Messages []string `json:"failureMessages"`
				MS       float64  `json:"duration"`
			} `json:"assertionResults"`
		} `json:"testResults"`
	}
	if err := json.NewDecoder(r).Decode(&doc); err != nil {
		return nil, err
	}
	if doc.Total == nil {
		return nil, errors.New("no numTotalTests")
	}
	tests := failure.Ran{}
	for _, f := range doc.Files {
		file, fails := filepath.Base(f.Name), false // its folder differs from copy to copy
		for _, t := range f.Tests {
			fails = fails || t.Status == "failed"
			tests = append(tests, failure.Test{
				Suite: file, File: f.Name, Name: file + "::" + t.Name, Outcome: outcome(t.Status), Message: strings.Join(t.Messages, "\n"),
				Duration: time.Duration(t.MS * float64(time.Millisecond)),
			})
		}
		if f.Status == "failed" && !fails { // none of its tests, so the file itself, or a hook in it
			t := failure.Test{Suite: file, File: f.Name, Name: file, Outcome: failure.Failed, Kind: failure.Load, Message: f.Message}
			if len(f.Tests) > 0 {
				t.Kind = failure.Hook
			}
			tests = append(tests, t)
		}
	}
	return tests, nil
}

// outcome is that of a word for one, as the most runners say it.
func outcome(word string) failure.Outcome {
	if o := failure.Outcome(word); o == failure.Passed || o == failure.Failed {
		return o
	}
	return failure.Skipped
}

// readRSpec reads what RSpec's formatter json writes.
func readRSpec(r io.Reader) (failure.Ran, error) {
	var doc struct {
		Messages []string `json:"messages"`
		Examples []struct {
			Name      string  `json:"full_description"`
			File      string  `json:"file_path"`
			Line      int     `json:"line_number"`
			Status    string  `json:"status"`
			Seconds   float64 `json:"run_time"`
			Exception struct {
				Message string `json:"message"`
			} `json:"exception"`
		} `json:"examples"`
		Summary *struct {
			Count   int `json:"example_count"`
			Outside int `json:"errors_outside_of_examples_count"`
		} `json:"summary"`
	}
	if err := json.NewDecoder(r).Decode(&doc); err != nil {
		return nil, err
	}
	if doc.Summary == nil || doc.Summary.Count != len(doc.Examples) {
		return nil, errors.New("no summary of all examples")
	}
	tests := failure.Ran{}
	for _, e := range doc.Examples {
		tests = append(tests, failure.Test{
			Suite: e.File, Name: e.File + "::" + e.Name, Outcome: outcome(e.Status), Message: e.Exception.Message,
			File: strings.TrimPrefix(e.File, "./"), Line: e.Line, Duration: seconds(e.Seconds),
		})
	}
	if doc.Summary.Outside > 0 {
		t := failure.Test{Name: "outside of examples", Outcome: failure.Failed, Kind: failure.Hook}
		if t.Message = strings.Join(doc.Messages, "\n"); len(tests) == 0 { // it runs none then
			t.Kind = failure.Load
		}
		tests = append(tests, t)
	}
	return tests, nil
}

func seconds(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }

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

// readJUnit reads the XML that many runners write. Some write more than one result of
// a test.
func readJUnit(r io.Reader) (failure.Ran, error) {
	tests := failure.Ran{}
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
func (c testcase) test(suites []string) failure.Test {
	t := failure.Test{Suite: c.Class, Outcome: failure.Passed, File: c.File}
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
		t.Outcome = failure.Skipped
	case len(bad) > 0:
		t.Outcome, t.Message = failure.Failed, cmp.Or(bad[0].Message, strings.TrimSpace(bad[0].Text))
		switch {
		case bad[0].Type == "hook" || bad[0].Type == "hookFailed":
			t.Kind = failure.Hook
		case bad[0].Type == "load" || c.Class == "test" && filepath.IsAbs(c.Name):
			t.Kind, t.Name = failure.Load, filepath.Base(c.Name)
		}
	}
	return t
}

// readPytest reads pytest's JUnit XML, in which an error is no failure of a test. What
// fails on teardown beside a test that passed is reported in that test's place.
func readPytest(r io.Reader) (failure.Ran, error) {
	tests, err := readJUnit(r)
	seen := map[string]int{}
	for _, t := range tests {
		seen[t.Name]++
	}
	for i := range tests {
		t := &tests[i]
		switch {
		case t.Message == "collection failure":
			t.Kind = failure.Load
		case strings.HasPrefix(t.Message, "failed on setup with "):
			t.Kind = failure.Hook
		case strings.HasPrefix(t.Message, "failed on teardown with "):
			t.Kind = failure.Hook
			if seen[t.Name] == 1 {
				tests = append(tests, failure.Test{Suite: t.Suite, Name: t.Name, Outcome: failure.Passed})
			}
		}
	}
	return tests, err
}

// readVitest reads vitest's JUnit XML, which has a testcase for a file that could not be
// loaded, and for a suite of which a hook failed.
func readVitest(r io.Reader) (failure.Ran, error) {
	tests, err := readJUnit(r)
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
		case t.Outcome != failure.Failed:
		case t.Name == t.Suite+"::"+t.Suite:
			tests[i].Kind, tests[i].Name = failure.Load, t.Suite
		case holds[t.Name]:
			tests[i].Kind = failure.Hook
		}
	}
	return tests, err
}
