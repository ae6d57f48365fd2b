package ciformat

import (
	"encoding/json"
	"encoding/xml"
	"strings"
	"testing"

	"github.com/booty-cli/booty/pkg/distill"
)

func report() *distill.Report {
	three, one := 3, 1
	return &distill.Report{Runner: "kiln", Passed: &three, Failed: &one, Failures: []distill.Failure{
		{Test: "glaze, blue: melts", File: "src/a b.go", Line: 7, Column: 2, Kind: distill.KindTest, Message: "50% done\nnot 100%", Expected: "<900>", Actual: "870\x00"},
		{File: "src/c.go", Line: 1, Kind: distill.KindLint, Message: "no comment"},
		{Kind: distill.KindError},
	}}
}

func TestWorkflowCommandsEscapeWhatEndsThem(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	if err := Write(&b, "github", "booty distill", report()); err != nil {
		t.Fatal(err)
	}
	want := "::error file=src/a b.go,line=7,col=2,title=glaze%2C blue%3A melts::50%25 done%0Anot 100%25\n" +
		"::warning file=src/c.go,line=1::no comment\n::error::failed\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestSARIFHasAPlaceForEachResult(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	if err := Write(&b, "sarif", "booty distill", report()); err != nil {
		t.Fatal(err)
	}
	var log sarifLog
	if err := json.Unmarshal([]byte(b.String()), &log); err != nil {
		t.Fatal(err)
	}
	results := log.Runs[0].Results
	if log.Version != "2.1.0" || len(results) != 3 || len(log.Runs[0].Tool.Driver.Rules) != 3 {
		t.Fatalf("got %s", b.String())
	}
	at := results[0].Locations[0]
	if at.Physical.Artifact.URI != "src/a%20b.go" || at.Physical.Region.StartLine != 7 || at.Logical[0].FullyQualifiedName != "glaze, blue: melts" {
		t.Errorf("place: got %s", b.String())
	}
	if results[2].Message.Text == "" || results[2].Locations != nil {
		t.Errorf("a failure without words or place: got %+v", results[2])
	}
}

func TestJUnitCountsWhatItDoesNotName(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	if err := Write(&b, "junit", "booty distill", report()); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Suites []junitSuite `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(b.String()), &got); err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	s := got.Suites[0]
	if s.Tests != 6 || s.Failures != 1 || s.Errors != 2 || s.Cases[0].Failure == nil || s.Cases[1].Name != "src/c.go:1" {
		t.Errorf("got %+v", s)
	}
}
