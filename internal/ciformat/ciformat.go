// Package ciformat writes what distill has found in the forms that editors and
// build services show: workflow commands of GitHub Actions, SARIF and JUnit XML.
// A report comes in, text goes out; nothing is read, judged or left out here.
package ciformat

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/booty-cli/booty/pkg/distill"
)

// Formats are the names of the forms.
var Formats = []string{"github", "sarif", "junit"}

// Kinds of what booty prove shows beside the code.
const (
	Survivor  = "survivor"  // a small change that no test notices: a question
	Attention = "attention" // what a person should look at
)

// Write writes a report of a tool in one of the forms.
func Write(w io.Writer, format, tool string, r *distill.Report) error {
	switch format {
	case "github":
		return workflowCommands(w, r)
	case "sarif":
		return sarif(w, tool, r)
	case "junit":
		return junit(w, r)
	}
	return fmt.Errorf("there is no format %q", format)
}

// level says how grave a failure is, in GitHub's words.
func level(f *distill.Failure) string {
	switch f.Kind {
	case distill.KindLint, Attention:
		return "warning"
	case Survivor:
		return "notice"
	}
	return "error"
}

// sarifLevel is the same in SARIF, which calls a notice a note.
func sarifLevel(f *distill.Failure) string { return strings.Replace(level(f), "notice", "note", 1) }

// workflowCommands writes "::error file=a.go,line=3,col=5,title=TestX::message".
func workflowCommands(w io.Writer, r *distill.Report) error {
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	var b strings.Builder
	for i := range r.Failures {
		f := &r.Failures[i]
		var props []string
		if f.File != "" {
			props = append(props, "file="+property.Replace(f.File))
			if f.Line > 0 {
				props = append(props, fmt.Sprintf("line=%d", f.Line))
			}
			if f.Column > 0 {
				props = append(props, fmt.Sprintf("col=%d", f.Column))
			}
		}
		if f.Test != "" {
			props = append(props, "title="+property.Replace(f.Test))
		}
		head := "::" + level(f)
		if len(props) > 0 {
			head += " " + strings.Join(props, ",")
		}
		b.WriteString(head + "::" + data.Replace(message(f)) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// message is what a failure says, never empty.
func message(f *distill.Failure) string {
	switch {
	case strings.TrimSpace(f.Message) != "":
		return f.Message
	case f.Test != "":
		return f.Test + " failed"
	}
	return "failed"
}

type (
	sarifText struct {
		Text string `json:"text"`
	}
	sarifRule struct {
		ID string `json:"id"`
	}
	sarifURI struct {
		URI string `json:"uri"`
	}
	sarifLogical struct {
		FullyQualifiedName string `json:"fullyQualifiedName"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifURI     `json:"artifactLocation"`
		Region   *sarifRegion `json:"region,omitempty"`
	}
	sarifLocation struct {
		Physical *sarifPhysical `json:"physicalLocation,omitempty"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
	}
	sarifDriver struct {
		Name  string      `json:"name"`
		Rules []sarifRule `json:"rules"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifRun struct {
		Tool    sarifTool     `json:"tool"`
		Results []sarifResult `json:"results"`
	}
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
)

// sarif writes SARIF 2.1.0 with one rule for each kind of failure.
func sarif(w io.Writer, tool string, r *distill.Report) error {
	run := sarifRun{Tool: sarifTool{sarifDriver{Name: tool, Rules: []sarifRule{}}}, Results: []sarifResult{}}
	seen := map[string]bool{}
	for i := range r.Failures {
		f := &r.Failures[i]
		kind := f.Kind
		if kind == "" {
			kind = distill.KindTest
		}
		if !seen[kind] {
			seen[kind] = true
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{kind})
		}
		x := sarifResult{RuleID: kind, Level: sarifLevel(f), Message: sarifText{message(f)}}
		var at sarifLocation
		if f.File != "" {
			at.Physical = &sarifPhysical{Artifact: sarifURI{(&url.URL{Path: f.File}).String()}}
			if f.Line > 0 {
				at.Physical.Region = &sarifRegion{f.Line, f.Column}
			}
		}
		if f.Test != "" {
			at.Logical = []sarifLogical{{f.Test}}
		}
		if at.Physical != nil || at.Logical != nil {
			x.Locations = []sarifLocation{at}
		}
		run.Results = append(run.Results, x)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0",
		Runs: []sarifRun{run}})
}

type (
	junitFailure struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		File    string        `xml:"file,attr,omitempty"`
		Line    int           `xml:"line,attr,omitempty"`
		Failure *junitFailure `xml:"failure,omitempty"`
		Error   *junitFailure `xml:"error,omitempty"`
	}
	junitSuite struct {
		XMLName  xml.Name    `xml:"testsuite"`
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitSuites struct {
		XMLName xml.Name `xml:"testsuites"`
		Suites  []junitSuite
	}
)

// junit writes JUnit XML: failing tests as failures, all else as errors. The
// passed tests are counted, since their names are not known.
func junit(w io.Writer, r *distill.Report) error {
	s := junitSuite{Name: r.Runner}
	for i := range r.Failures {
		f := &r.Failures[i]
		c := junitCase{Name: f.Test, Class: r.Runner, File: f.File, Line: f.Line}
		text := &junitFailure{Message: firstLine(message(f)), Type: f.Kind, Text: body(f)}
		if f.Test != "" && (f.Kind == distill.KindTest || f.Kind == "") {
			c.Failure = text
			s.Failures++
		} else {
			c.Error = text
			s.Errors++
		}
		if c.Name == "" {
			c.Name = firstLine(message(f))
			if f.File != "" {
				c.Name = fmt.Sprintf("%s:%d", f.File, f.Line)
			}
		}
		s.Cases = append(s.Cases, c)
	}
	s.Tests = s.Failures + s.Errors
	if r.Passed != nil {
		s.Tests += *r.Passed
	}
	if r.Skipped != nil {
		s.Skipped = *r.Skipped
		s.Tests += s.Skipped
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(junitSuites{Suites: []junitSuite{s}}); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// body is the message with the place, the values and the frames.
func body(f *distill.Failure) string {
	var b strings.Builder
	b.WriteString(message(f) + "\n")
	if f.File != "" {
		fmt.Fprintf(&b, "at %s:%d\n", f.File, f.Line)
	}
	if f.Expected != "" || f.Actual != "" {
		fmt.Fprintf(&b, "expected: %s\nactual: %s\n", f.Expected, f.Actual)
	}
	for _, fr := range f.Frames {
		fmt.Fprintf(&b, "from %s:%d %s\n", fr.File, fr.Line, fr.Func)
	}
	return b.String()
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
