package check

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// ownReport is what a runner's report says.
type ownReport struct {
	passed, failed, skipped int
	names                   []string // of those that passed
}

// maxReport bounds how much of a report is read.
const maxReport = 256 << 20

// readReport reads a report; one that is not whole is none.
func readReport(path string, read func(io.Reader) (*ownReport, error)) (*ownReport, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return read(io.LimitReader(f, maxReport))
}

// count notes one test: "passed", "failed", or another word for one that did not run.
func (o *ownReport) count(status, name string) {
	switch status {
	case "passed":
		o.passed++
		o.names = append(o.names, name)
	case "failed":
		o.failed++
	default:
		o.skipped++
	}
}

// readJest reads what jest writes with --json.
func readJest(r io.Reader) (*ownReport, error) {
	var doc struct {
		Total *int `json:"numTotalTests"`
		Files []struct {
			Name  string `json:"name"`
			Tests []struct {
				Name   string `json:"fullName"`
				Status string `json:"status"`
			} `json:"assertionResults"`
		} `json:"testResults"`
	}
	if err := json.NewDecoder(r).Decode(&doc); err != nil {
		return nil, err
	}
	if doc.Total == nil {
		return nil, errors.New("no numTotalTests")
	}
	var out ownReport
	for _, f := range doc.Files {
		for _, t := range f.Tests {
			out.count(t.Status, filepath.Base(f.Name)+"::"+t.Name) // its folder differs from copy to copy
		}
	}
	return &out, nil
}

// readRSpec reads what RSpec's formatter json writes.
func readRSpec(r io.Reader) (*ownReport, error) {
	var doc struct {
		Examples []struct {
			Name   string `json:"full_description"`
			File   string `json:"file_path"`
			Status string `json:"status"`
		} `json:"examples"`
		Summary *struct {
			Count int `json:"example_count"`
		} `json:"summary"`
	}
	if err := json.NewDecoder(r).Decode(&doc); err != nil {
		return nil, err
	}
	if doc.Summary == nil || doc.Summary.Count != len(doc.Examples) {
		return nil, errors.New("no summary of all examples")
	}
	var out ownReport
	for _, e := range doc.Examples {
		out.count(e.Status, e.File+"::"+e.Name)
	}
	return &out, nil
}

// readJUnit reads the XML that many runners write.
func readJUnit(r io.Reader) (*ownReport, error) {
	var out ownReport
	dec := xml.NewDecoder(r)
	var name string
	var suites []string
	var bad, skipped bool
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return &out, nil
		}
		if err != nil {
			return nil, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "testsuite":
				suites = append(suites, attribute(t, "name"))
			case "testcase":
				name, bad, skipped = testcaseName(t, suites), false, false
			case "failure", "error":
				bad = true
			case "skipped":
				skipped = true
			}
		case xml.EndElement:
			switch {
			case t.Name.Local == "testsuite":
				suites = suites[:len(suites)-1]
			case t.Name.Local != "testcase":
			case bad:
				out.count("failed", name)
			case skipped:
				out.count("skipped", name)
			default:
				out.count("passed", name)
			}
		}
	}
}

// testcaseName is a test's class and name. Node's runner says the same class of all,
// and tells the tests around one as suites.
func testcaseName(e xml.StartElement, suites []string) string {
	class := attribute(e, "classname")
	if class == "test" {
		class = strings.Join(suites, " > ")
	}
	return class + "::" + attribute(e, "name")
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
