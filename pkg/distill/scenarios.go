package distill

import "strings"

// maxExplained is the number of failing scenarios whose messages are looked for.
const maxExplained = 60

// scenarios reads the list of failing scenarios of behave and cucumber; the
// messages stand above, below their steps.
func scenarios(d *doc, f *found, i int) int {
	j := i + 1
	if j < len(d.lines) && d.lines[j].s == "" {
		j++
	}
	for ; j < len(d.lines); j++ {
		m := reScenario().FindStringSubmatch(d.lines[j].s)
		if m == nil {
			break
		}
		d.lines[j].used = true
		x := Failure{Test: m[3], File: m[1], Line: atoi(m[2]), Kind: KindTest, runner: "cucumber"}
		if len(f.failures) > maxExplained { // looking for each takes a pass over all lines
			f.fail(x)
			continue
		}
		at := m[1] + ":" + m[2]
		for k := range d.lines[:i] {
			if !strings.Contains(d.lines[k].s, "# "+at) {
				continue
			}
			if _, name, ok := strings.Cut(d.lines[k].s, "Scenario: "); ok && x.Test == "" {
				x.Test = strings.TrimSpace(name[:max(0, strings.LastIndex(name, "#"))])
			}
			var body []string
			for _, l := range d.lines[k+1 : i] {
				if strings.Contains(l.s, "Scenario") || strings.Contains(l.s, "Failing") {
					break
				}
				if strings.Contains(l.s, " # ") {
					body = body[:0] // a step; what counts is below the last
				}
				body = append(body, l.s)
			}
			x.Frames = framesOf(body)
			if len(body) > 1 {
				explain(&x, withoutFrames(body[1:]))
				x.detail = append(x.detail, strings.TrimSpace(body[0]))
			}
			break
		}
		if x.Message == "" {
			plainScenario(d, &x, i)
		}
		if x.Message == "" {
			failedStep(d, f.root, &x, i)
		}
		f.fail(x)
	}
	return j - 1
}

// failedStep finds the message in the list of failed steps that cucumber's
// progress form prints: it ends with the place of the step in the feature.
func failedStep(d *doc, root *tree, x *Failure, end int) {
	var body []string
	best := 0
	for k := range d.lines[:end] {
		s := d.lines[k].s
		if s == "" || strings.HasPrefix(s, "(::)") {
			body = nil
			continue
		}
		g, ok := cutPlace(s, root)
		if ok && strings.HasSuffix(g.file, ".feature") {
			// The scenario is the last one that begins above the step.
			if g.file == x.File && g.line > x.Line && (best == 0 || g.line < best) && len(body) > 0 {
				best = g.line
				x.Frames = framesOf(body)
				x.detail = nil
				explain(x, withoutFrames(body))
			}
			body = nil
			continue
		}
		body = append(body, s)
	}
}

// plainScenario finds the message where no place stands behind the scenario:
// below the step that failed.
func plainScenario(d *doc, x *Failure, end int) {
	for k := range d.lines[:end] {
		t := strings.TrimSpace(d.lines[k].s)
		if x.Test == "" || !strings.HasPrefix(t, "Scenario") || !strings.HasSuffix(t, ": "+x.Test) {
			continue
		}
		for j := k + 1; j < end && !strings.Contains(d.lines[j].s, "Scenario"); j++ {
			if !strings.Contains(d.lines[j].s, " ... failed") {
				continue
			}
			var body []string
			for _, l := range d.lines[j+1 : end] {
				if l.s == "" || strings.Contains(l.s, "Scenario") {
					break
				}
				body = append(body, l.s)
			}
			x.Frames = framesOf(body)
			explain(x, withoutFrames(body))
			x.detail = append(x.detail, strings.TrimSpace(d.lines[j].s))
			return
		}
	}
}
