package distill

import (
	"strings"
)

var (
	reNodeItem  = lazy(`^( *)([✖✔▶﹣⚠]) (.+?)(?: \([\d.]+m?s\))?(?: # (.*))?$`)
	reNodeCount = lazy(`^ℹ (tests|suites|pass|fail|cancelled|skipped|todo) (\d+)$`)
	reNodeAt    = lazy(`^test at (.+?):(\d+):(\d+)$`)
)

// readNodeTest reads the spec reporter of node:test.
func readNodeTest(d *doc, f *found) {
	n := map[string]int{}
	counted := false
	var full []string // names with their suites, from the tree above
	var stack []tapName
	for i := range d.lines {
		l := &d.lines[i]
		if l.used || l.s == "" {
			continue
		}
		s := l.s
		switch {
		case strings.HasPrefix(s, "ℹ "):
			if m := reNodeCount().FindStringSubmatch(s); m != nil {
				if m[1] == "tests" && counted {
					nodeTotal(f, n)
					n = map[string]int{}
				}
				n[m[1]] = atoi(m[2])
				counted = true
				l.used = true
			}
		case s == "✖ failing tests:" || s == "Failed tests:":
			l.used = true
			nodeFailures(d, f, i+1, full)
			full, stack = nil, nil
		case strings.Contains(s, "✖ ") || strings.Contains(s, "▶ ") || strings.Contains(s, "✔ "):
			m := reNodeItem().FindStringSubmatch(s)
			if m == nil {
				continue
			}
			for len(stack) > 0 && stack[len(stack)-1].indent >= len(m[1]) {
				stack = stack[:len(stack)-1]
			}
			if m[2] == "▶" {
				stack = append(stack, tapName{len(m[1]), m[3]})
			} else if m[2] == "✖" {
				var p []string
				for _, x := range stack {
					p = append(p, x.name)
				}
				full = append(full, strings.Join(append(p, m[3]), " > "))
			}
		}
	}
	if counted {
		nodeTotal(f, n)
	}
}

func nodeTotal(f *found, n map[string]int) {
	f.format = "node:test"
	f.total(n["pass"], n["fail"]+n["cancelled"], n["skipped"])
	if n["tests"] == 0 && n["fail"] == 0 {
		f.noTests = true
	}
}

// nodeFailures reads the list at the end: "test at file:1:2", the name and the
// error.
func nodeFailures(d *doc, f *found, i int, full []string) {
	for ; i < len(d.lines); i++ {
		if d.lines[i].s == "" {
			continue
		}
		var atFile []string
		if m := reNodeAt().FindStringSubmatch(d.lines[i].s); m != nil {
			atFile = m
			d.lines[i].used = true
			i++
		}
		if i >= len(d.lines) {
			return
		}
		m := reNodeItem().FindStringSubmatch(d.lines[i].s)
		if m == nil || m[1] != "" || m[2] != "✖" {
			return
		}
		d.lines[i].used = true
		j := i + 1
		var lines []string
		for ; j < len(d.lines); j++ {
			s := d.lines[j].s
			if s != "" && s[0] != ' ' || reNodeAt().MatchString(s) {
				break
			}
			d.lines[j].used = true
			lines = append(lines, s)
		}
		x := Failure{Test: m[3], Kind: KindTest, runner: "node:test"}
		for k, name := range full {
			if name == m[3] || strings.HasSuffix(name, " > "+m[3]) {
				x.Test = name
				full = append(full[:k:k], full[k+1:]...)
				break
			}
		}
		if rel, ok := f.root.resolve(x.Test, ""); ok && strings.Contains(x.Test, "/") {
			x.Test = rel
		}
		nodeError(&x, lines)
		f.format = "node:test"
		f.placeOf(&x)
		if x.File == "" && atFile != nil {
			x.File, x.Line, x.Column = atFile[1], atoi(atFile[2]), atoi(atFile[3])
		}
		x.weak = strings.Contains(x.Message, " subtests failed'") || strings.Contains(x.Message, " subtest failed'")
		if strings.Contains(x.Message, "test timed out") {
			x.Kind = KindTimeout
		}
		f.fail(x)
		i = j - 1
	}
}

// nodeError reads an error as util.inspect prints it, without its properties
// generatedMessage, code and operator.
func nodeError(x *Failure, lines []string) {
	x.Frames = framesOf(lines)
	var body []string
	for _, s := range withoutFrames(lines) {
		t := strings.TrimSpace(s)
		if strings.HasPrefix(t, "generatedMessage:") || strings.HasPrefix(t, "code: 'ERR_") || strings.HasPrefix(t, "operator:") || strings.HasPrefix(t, "diff: 'simple'") || t == "}" || t == "{" {
			continue
		}
		if v, ok := strings.CutPrefix(t, "actual: "); ok && x.Actual == "" {
			x.Actual = strings.TrimSuffix(v, ",")
		} else if v, ok := strings.CutPrefix(t, "expected: "); ok && x.Expected == "" {
			x.Expected = strings.TrimSuffix(v, ",")
		}
		body = append(body, s)
	}
	body = trimBlock(body)
	if len(body) > 0 {
		x.Message, x.detail = strings.TrimSpace(body[0]), body[1:]
	}
}
