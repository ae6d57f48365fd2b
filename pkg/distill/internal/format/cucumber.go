package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

var (
	reScenario = text.Lazy(`^(?:cucumber (?:-\S+ \S+ )?)?\s*(\S+\.feature):(\d+)(?: +#? *(?:Scenario: |` +
		`Scenario Outline: )?(.*))?$`)
)

// readCucumber reads cucumber and behave.
func readCucumber(d *stream.Doc, f *core.Found) {
	for i := 0; i < len(d.Lines); i++ {
		s := d.Lines[i].S
		if strings.EqualFold(s, "Failing scenarios:") || s == "--- Failed scenarios:" {
			i = scenarios(d, f, i)
		}
	}
}

// maxExplained is the number of failing scenarios whose messages are looked for.
const maxExplained = 60

// scenarios reads the list of failing scenarios of behave and cucumber; the
// messages stand above, below their steps.
func scenarios(d *stream.Doc, f *core.Found, i int) int {
	j := i + 1
	if j < len(d.Lines) && d.Lines[j].S == "" {
		j++
	}
	for ; j < len(d.Lines); j++ {
		m := reScenario().FindStringSubmatch(d.Lines[j].S)
		if m == nil {
			break
		}
		d.Lines[j].Used = true
		x := core.Failure{Test: m[3], File: m[1], Line: text.Atoi(m[2]), Kind: core.KindTest,
			Runner: "cucumber"}
		if len(f.Failures) > maxExplained { // looking for each takes a pass over all lines
			f.Fail(x)
			continue
		}
		at := m[1] + ":" + m[2]
		for k := range d.Lines[:i] {
			if !strings.Contains(d.Lines[k].S, "# "+at) {
				continue
			}
			if _, name, ok := strings.Cut(d.Lines[k].S, "Scenario: "); ok && x.Test == "" {
				x.Test = strings.TrimSpace(name[:max(0, strings.LastIndex(name, "#"))])
			}
			var body []string
			for _, l := range d.Lines[k+1 : i] {
				if strings.Contains(l.S, "Scenario") || strings.Contains(l.S, "Failing") {
					break
				}
				if strings.Contains(l.S, " # ") {
					body = body[:0] // a step; what counts is below the last
				}
				body = append(body, l.S)
			}
			if len(body) > 1 {
				core.Explain(&x, body[1:])
				x.Detail = append(x.Detail, strings.TrimSpace(body[0]))
			}
			break
		}
		if x.Message == "" {
			plainScenario(d, &x, i)
		}
		f.Fail(x)
	}
	return j - 1
}

// plainScenario finds the message where no place stands behind the scenario:
// below the step that failed.
func plainScenario(d *stream.Doc, x *core.Failure, end int) {
	for k := range d.Lines[:end] {
		t := strings.TrimSpace(d.Lines[k].S)
		if x.Test == "" || !strings.HasPrefix(t, "Scenario") || !strings.HasSuffix(t, ": "+x.Test) {
			continue
		}
		for j := k + 1; j < end && !strings.Contains(d.Lines[j].S, "Scenario"); j++ {
			if !strings.Contains(d.Lines[j].S, " ... failed") {
				continue
			}
			var body []string
			for _, l := range d.Lines[j+1 : end] {
				if l.S == "" || strings.Contains(l.S, "Scenario") {
					break
				}
				body = append(body, l.S)
			}
			core.Explain(x, body)
			x.Detail = append(x.Detail, strings.TrimSpace(d.Lines[j].S))
			return
		}
	}
}
