package testreport

import (
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Jest reads what jest writes with --json, and vitest with its reporter json. A report without the sum of
// its tests gives an error, and what it holds.
func Jest(r io.Reader) (Run, error) {
	var doc struct {
		Total *int `json:"numTotalTests"`
		Files []struct {
			Name    string `json:"name"`
			Status  string `json:"status"`
			Message string `json:"message"`
			Tests   []struct {
				Name     string   `json:"fullName"`
				Groups   []string `json:"ancestorTitles"`
				Title    string   `json:"title"`
				Status   string   `json:"status"`
				Messages []string `json:"failureMessages"`
				MS       float64  `json:"duration"`
				Location struct {
					Line int `json:"line"`
				} `json:"location"`
			} `json:"assertionResults"`
		} `json:"testResults"`
	}
	if err := json.NewDecoder(r).Decode(&doc); err != nil {
		return nil, err
	}
	tests := Run{}
	for _, f := range doc.Files {
		file, fails := filepath.Base(f.Name), false // its folder differs from copy to copy
		for _, t := range f.Tests {
			test := Test{
				Suite: file, File: f.Name, Line: t.Location.Line, Name: file + "::" + t.Name,
				Title:   strings.Join(slices.DeleteFunc(append(t.Groups, t.Title), func(s string) bool { return s == "" }), " > "),
				Outcome: outcomeOf(t.Status), Message: strings.Join(t.Messages, "\n"),
				Duration: time.Duration(t.MS * float64(time.Millisecond)),
			}
			if test.Outcome == Failed {
				fails = true
				for _, m := range t.Messages {
					test.Problems = append(test.Problems, Problem{Text: m})
				}
			}
			tests = append(tests, test)
		}
		if f.Status == "failed" && !fails { // none of its tests, so the file itself, or a hook in it
			t := Test{Suite: file, File: f.Name, Name: file, Title: f.Name, Outcome: Failed, Kind: Load, Message: f.Message,
				Problems: []Problem{{Text: f.Message}}}
			if len(f.Tests) > 0 {
				t.Kind = Hook
			}
			tests = append(tests, t)
		}
	}
	if doc.Total == nil {
		return tests, errors.New("no numTotalTests")
	}
	return tests, nil
}

// outcomeOf is that of a word for one, as the most runners say it.
func outcomeOf(word string) Outcome {
	if o := Outcome(word); o == Passed || o == Failed {
		return o
	}
	return Skipped
}

// RSpec reads what RSpec's formatter json writes. A report without the sum of its examples
// gives an error, and what it holds.
func RSpec(r io.Reader) (Run, error) {
	var doc struct {
		Messages []string `json:"messages"`
		Examples []struct {
			Name      string  `json:"full_description"`
			File      string  `json:"file_path"`
			Line      int     `json:"line_number"`
			Status    string  `json:"status"`
			Seconds   float64 `json:"run_time"`
			Exception struct {
				Class     string   `json:"class"`
				Message   string   `json:"message"`
				Backtrace []string `json:"backtrace"`
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
	tests := Run{}
	for _, e := range doc.Examples {
		t := Test{
			Suite: e.File, Name: e.File + "::" + e.Name, Title: e.Name, Outcome: outcomeOf(e.Status), Message: e.Exception.Message,
			File: strings.TrimPrefix(e.File, "./"), Line: e.Line, Duration: seconds(e.Seconds),
		}
		if t.Outcome == Failed {
			p := Problem{Type: e.Exception.Class, Message: e.Exception.Message, Stack: e.Exception.Backtrace}
			if strings.HasSuffix(p.Type, "Error") && !strings.HasPrefix(p.Type, "RSpec::") {
				p.Message = p.Type + ": " + strings.TrimLeft(p.Message, "\n")
			}
			t.Problems = []Problem{p}
		}
		tests = append(tests, t)
	}
	if doc.Summary == nil || doc.Summary.Count != len(doc.Examples) {
		return tests, errors.New("no summary of all examples")
	}
	if doc.Summary.Outside > 0 {
		t := Test{Name: "outside of examples", Outcome: Failed, Kind: Hook}
		if t.Message = strings.Join(doc.Messages, "\n"); len(tests) == 0 { // it runs none then
			t.Kind = Load
		}
		t.Problems = []Problem{{Text: t.Message}}
		tests = append(tests, t)
	}
	return tests, nil
}

func seconds(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }

// Node reads what the reporter writes.
func Node(r io.Reader) (Run, error) {
	var doc struct {
		Tests []struct {
			Name, Within, File, Message, Kind string
			Outcome                           Outcome
			Line                              int
			MS                                float64
		}
	}
	if err := json.NewDecoder(r).Decode(&doc); err != nil {
		return nil, err
	}
	tests := Run{}
	for _, t := range doc.Tests {
		test := Test{
			Suite: t.Within, Name: t.Name, Outcome: t.Outcome, Kind: t.Kind, Message: t.Message, File: t.File, Line: t.Line,
			Duration: seconds(t.MS / 1000),
		}
		if t.Within != "" {
			test.Name = t.Within + "::" + t.Name
		}
		tests = append(tests, test)
	}
	return tests, nil
}
