package format

import (
	"bytes"
	"cmp"
	"encoding/json"
	"html"
	"strings"

	"github.com/booty-cli/booty/internal/testreport"
	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// known reads the reports of jest, vitest and RSpec, and returns false for any other. One that is cut off
// counts as far as it goes.
func (r *jsonReport) known(v any) bool {
	m, _ := v.(map[string]any)
	read := testreport.Jest
	switch {
	case m["testResults"] != nil:
	case m["examples"] != nil:
		read = testreport.RSpec
	default:
		return false
	}
	again, err := json.Marshal(m)
	if err != nil {
		return false
	}
	tests, err := read(bytes.NewReader(again))
	if err != nil && len(tests) == 0 {
		return false
	}
	for _, t := range tests {
		r.tested(t)
	}
	summary, _ := m["summary"].(map[string]any)
	for _, in := range []map[string]any{m, summary} {
		if s, ok := jsonCounts(in); ok {
			r.sums, r.onlyTests = append(r.sums, s), true
		}
	}
	return true
}

// reLintCase is a finding that eslint writes as a failing test.
var reLintCase = text.Lazy(`^\s*line (\d+), col (\d+), (\w+) - (.+)`)

// tested files a test with its failures.
func (r *jsonReport) tested(t testreport.Test) {
	ran := core.Ran{Test: t}
	if t.Outcome == testreport.Failed || len(t.Problems) > 0 {
		ran.Failures = r.failuresOf(t)
	}
	r.ran = append(r.ran, ran)
}

// failuresOf returns one failure for each problem of a test.
func (r *jsonReport) failuresOf(t testreport.Test) (fails []core.Failure) {
	if len(t.Problems) == 0 {
		t.Problems = []testreport.Problem{{}}
	}
	title := cmp.Or(t.Title, t.Name)
	if rel, ok := r.f.Root.Resolve(title, ""); ok && t.Kind != "" { // a file
		title = rel
	}
	for _, p := range t.Problems {
		if g := reLintCase().FindStringSubmatch(p.Text); g != nil && t.Group != "" {
			if g[3] == "Error" {
				fails = append(fails, core.Failure{File: t.Group, Line: text.Atoi(g[1]), Column: text.Atoi(g[2]),
					Message: html.UnescapeString(g[4]), Kind: core.KindLint, Runner: "eslint"})
			}
			continue
		}
		x := core.Failure{Test: title, Kind: cmp.Or(t.Kind, core.KindTest), Runner: r.runner, Pkg: t.Suite}
		body := strings.Split(cleanLines(p.Text), "\n")
		msg, more, _ := strings.Cut(cleanLines(p.Message), "\n")
		if x.Message = strings.TrimSpace(msg); more != "" {
			body = append(strings.Split(more, "\n"), body...)
		}
		core.Explain(&x, body)
		if len(x.Frames) == 0 {
			x.Frames = framesIn(p.Stack)
		}
		x.Weak = reStepsFailed().MatchString(x.Message) // only through a test inside
		if r.f.PlaceOf(&x); x.File == "" {
			x.File, x.Line = t.File, t.Line
		}
		fails = append(fails, x)
	}
	return fails
}
