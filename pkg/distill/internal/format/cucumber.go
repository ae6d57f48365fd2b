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
		for k := range d.Lines[:i] {
			t := strings.TrimSpace(d.Lines[k].S)
			plain := x.Test != "" && strings.HasPrefix(t, "Scenario") && strings.HasSuffix(t, ": "+x.Test)
			if !plain && !strings.Contains(t, "# "+m[1]+":"+m[2]) {
				continue
			}
			if _, name, ok := strings.Cut(t, "Scenario: "); ok && x.Test == "" {
				x.Test = strings.TrimSpace(name[:max(0, strings.LastIndex(name, "#"))])
			}
			if body := lastStep(d.Lines[k+1 : i]); len(body) > 1 {
				core.Explain(&x, body[1:])
				x.Detail = append(x.Detail, strings.TrimSpace(body[0]))
			}
			break
		}
		f.Fail(x)
	}
	return j - 1
}

// lastStep gives the step of a scenario that failed, with what stands below it: the
// last one that has a place, or that says so.
func lastStep(lines []stream.Line) []string {
	var body []string
	for _, l := range lines {
		if strings.Contains(l.S, "Scenario") || strings.Contains(l.S, "Failing") ||
			strings.HasSuffix(l.S, " ... skipped") {
			break
		}
		if strings.Contains(l.S, " # ") || strings.Contains(l.S, " ... failed") {
			body = body[:0]
		}
		body = append(body, l.S)
	}
	return body
}
