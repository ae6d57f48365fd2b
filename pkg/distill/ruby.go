package distill

import (
	"strings"
)

var (
	reSpecItem   = lazy(`^  (\d+)\) (.+)$`)
	reParallel   = lazy(`^\d+ processes? for \d+ specs?`)
	reSpecCount  = lazy(`^(\d+) examples?, (\d+) failures?(?:, (\d+) pending)?(?:, (\d+) errors? occurred outside of examples)?`)
	reSpecRerun  = lazy(`^rspec (\S+?):(\d+) # (.+)$`)
	reMiniItem   = lazy(`^ +(\d+)\) (Failure|Error|Skipped):$`)
	reMiniPlace  = lazy(`^(.+?#.+?) \[((?:[A-Za-z]:)?[^\]]+):(\d+)\]:?$`)
	reMiniCount  = lazy(`^(\d+) (?:runs|tests), (\d+) assertions, (\d+) failures?, (\d+) errors?(?:, (\d+) pendings?, (\d+) omissions?)?(?:, (\d+) skips?)?`)
	reMiniInline = lazy(`^(Failure|Error):$`)
	reUnitRuby   = lazy(`^(Failure|Error): (\S+\([\w:]+\))(?::? ?(.*))?$`)
)

// readRSpec reads RSpec's progress and documentation formats.
func readRSpec(d *doc, f *found) {
	var whole total // what the processes of parallel_tests said so far
	parallel := false
	part := ""
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used || l.s == "" {
			continue
		}
		s := l.s
		switch {
		case s == "Failures:":
			if nextSpecItem(d, i+1) {
				part = "failures"
				l.used = true
				f.saw("rspec")
			}
		case strings.HasPrefix(s, "Pending: ("):
			part = "pending"
		case strings.HasPrefix(s, "Finished in ") || strings.HasPrefix(s, "Failed examples:"):
			part = ""
		case strings.HasPrefix(s, "An error occurred while loading ") || strings.HasPrefix(s, "An error occurred in "):
			i = specLoad(d, f, i) - 1
		case part != "" && strings.HasPrefix(s, "  "):
			if m := reSpecItem().FindStringSubmatch(s); m != nil {
				i = specBlock(d, f, i, m[2], part == "pending") - 1
			}
		case s[0] >= '0' && s[0] <= '9':
			if m := reSpecCount().FindStringSubmatch(s); m != nil {
				l.used = true
				all, fail, pend := atoi(m[1]), atoi(m[2]), atoi(m[3])
				f.format = "rspec"
				if all == 0 && m[4] == "" {
					f.noTests = true
				}
				if fail == 0 && m[4] != "" {
					fail = -1
				}
				t := total{max(0, all-max(fail, 0)-pend), fail, pend}
				if whole != (total{}) && t == whole {
					continue // parallel_tests adds up what each process said
				}
				whole = total{whole.passed + t.passed, whole.failed + t.failed, whole.skipped + t.skipped}
				if !parallel {
					whole = total{}
				}
				f.total(t.passed, t.failed, t.skipped)
			} else if reParallel().MatchString(s) {
				parallel = true
			}
		case strings.HasPrefix(s, "rspec "):
			if m := reSpecRerun().FindStringSubmatch(s); m != nil {
				l.used = true
				f.fail(Failure{Test: m[3], File: m[1], Line: atoi(m[2]), Kind: KindTest, weak: true, runner: "rspec"})
			}
		}
	}
}

func nextSpecItem(d *doc, i int) bool {
	for ; i < len(d.lines); i++ {
		if d.lines[i].s != "" {
			// hspec puts the place in front.
			return reSpecItem().MatchString(d.lines[i].s) || strings.Contains(d.lines[i].s, ".hs:")
		}
	}
	return false
}

func specBlock(d *doc, f *found, i int, name string, pending bool) int {
	var lines []string
	j := i + 1
	for ; j < len(d.lines); j++ {
		s := d.lines[j].s
		if s != "" && (s[0] != ' ' || reSpecItem().MatchString(s) || strings.HasPrefix(s, "  To rerun use:")) {
			break
		}
		lines = append(lines, s)
	}
	for k := i; k < j; k++ {
		d.lines[k].used = true
	}
	if pending && !strings.HasSuffix(name, " FIXED") {
		return j
	}
	x := Failure{Test: strings.TrimSuffix(name, " FIXED"), Kind: KindTest, runner: "rspec"}
	if i > 0 && strings.Contains(d.lines[i-1].s, ".hs:") {
		if g, ok := cutPlace(strings.TrimSpace(d.lines[i-1].s), f.root); ok {
			x.File, x.Line, x.Column, x.runner = g.file, g.line, g.col, "hspec"
		}
	}
	specBody(&x, lines)
	f.placeOf(&x)
	f.fail(x)
	return j
}

// specBody reads "Failure/Error: code", the message and the backtrace. A
// block with several failures ("1.1)", "1.2)") keeps all their messages.
func specBody(x *Failure, lines []string) {
	var body []string
	var quoted []Frame // the backtrace of an error inside the message
	least := -1
	for _, s := range lines {
		if t := strings.TrimSpace(s); strings.HasPrefix(t, "# ") && (least < 0 || indentOf(s) < least) {
			least = indentOf(s)
		}
	}
	for _, s := range lines {
		t := strings.TrimSpace(s)
		if strings.HasPrefix(t, "# ") {
			if fr, ok := parseFrame(t); ok && indentOf(s) == least {
				x.Frames = append(x.Frames, fr)
			} else if ok {
				quoted = append(quoted, fr)
			}
			continue
		}
		body = append(body, s)
	}
	x.Frames = append(x.Frames, quoted...)
	body = trimBlock(body)
	// The code that failed comes first; the message after a blank line.
	code := 0
	for code < len(body) && body[code] != "" {
		code++
	}
	msg := trimBlock(body[min(code, len(body)):])
	if len(msg) == 0 {
		msg = body
		code = 0
	}
	if len(msg) > 0 {
		x.Message = strings.TrimSpace(msg[0])
		rest := msg[1:]
		if strings.HasSuffix(x.Message, "Error:") && len(rest) > 0 {
			x.Message += " " + strings.TrimSpace(rest[0])
			rest = rest[1:]
		}
		x.detail = append(append([]string{}, rest...), body[:code]...)
	}
	for _, s := range msg {
		t := strings.TrimSpace(s)
		if v, ok := strings.CutPrefix(t, "expected: "); ok {
			x.Expected = v
		} else if v, ok := strings.CutPrefix(t, "got: "); ok {
			x.Actual = v
		}
	}
}

// specLoad reads an error outside of the examples.
func specLoad(d *doc, f *found, i int) int {
	var lines []string
	j := i + 1
	for ; j < len(d.lines); j++ {
		s := d.lines[j].s
		if strings.HasPrefix(s, "An error occurred") || strings.HasPrefix(s, "Finished in ") || strings.HasPrefix(s, "Run options:") || strings.HasPrefix(s, "No examples found") || strings.HasPrefix(s, "Top ") {
			break
		}
		d.lines[j].used = true
		lines = append(lines, s)
	}
	d.lines[i].used = true
	x := Failure{Kind: KindLoad, runner: "rspec"}
	for k, s := range lines {
		t := strings.TrimSpace(s)
		if strings.HasSuffix(t, "Error:") && !strings.HasPrefix(t, "Failure/") && x.Message == "" && k+1 < len(lines) {
			x.Message = t + " " + strings.TrimSpace(lines[k+1])
		}
		if strings.HasPrefix(t, "# ") {
			if fr, ok := parseFrame(t); ok {
				x.Frames = append(x.Frames, fr)
			}
			continue
		}
		x.detail = append(x.detail, s)
	}
	x.detail = append([]string{d.lines[i].s}, trimBlock(x.detail)...)
	if x.Message == "" {
		x.Message, x.detail = x.detail[0], x.detail[1:]
	}
	f.placeOf(&x)
	f.saw("rspec")
	f.fail(x)
	return j
}

// readMinitest reads Minitest, test-unit and Rails' test runner.
func readMinitest(d *doc, f *found) {
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used || l.s == "" {
			continue
		}
		s := l.s
		switch {
		case s[0] == ' ' && strings.HasSuffix(s, ":"):
			if m := reMiniItem().FindStringSubmatch(s); m != nil {
				i = miniBlock(d, f, i+1, m[2]) - 1
			}
		case s == "Failure:" || s == "Error:":
			// Rails prints failures in place.
			if i+1 < len(d.lines) && strings.Contains(d.lines[i+1].s, "#") {
				i = miniBlock(d, f, i+1, strings.TrimSuffix(s, ":")) - 1
			}
		case strings.HasPrefix(s, "Failure: ") || strings.HasPrefix(s, "Error: "):
			if m := reUnitRuby().FindStringSubmatch(s); m != nil {
				i = testUnitBlock(d, f, i, m) - 1
			}
		case s[0] >= '0' && s[0] <= '9':
			if m := reMiniCount().FindStringSubmatch(s); m != nil {
				l.used = true
				all, bad, skip := atoi(m[1]), atoi(m[3])+atoi(m[4]), atoi(m[5])+atoi(m[6])+atoi(m[7])
				f.format = "minitest"
				if all == 0 {
					f.noTests = true
				}
				f.total(max(0, all-bad-skip), bad, skip)
			}
		}
	}
}

func miniBlock(d *doc, f *found, i int, kind string) int {
	var lines []string
	j := i
	for ; j < len(d.lines); j++ {
		s := d.lines[j].s
		if reMiniItem().MatchString(s) || reMiniCount().MatchString(s) || j > i && reMiniInline().MatchString(s) || strings.HasPrefix(s, "bin/rails test ") || strings.HasPrefix(s, "rails test ") {
			break
		}
		lines = append(lines, s)
	}
	if len(lines) == 0 {
		return i
	}
	for k := i - 1; k < j; k++ {
		d.lines[k].used = true
	}
	if kind == "Skipped" {
		return j
	}
	x := Failure{Kind: KindTest, runner: "minitest"}
	head := strings.TrimSpace(lines[0])
	if m := reMiniPlace().FindStringSubmatch(head); m != nil {
		x.Test, x.File, x.Line = m[1], m[2], atoi(m[3])
	} else {
		x.Test = strings.TrimSuffix(head, ":")
	}
	body := trimBlock(withoutFrames(lines[1:]))
	if len(body) > 0 {
		x.Message, x.detail = strings.TrimSpace(body[0]), body[1:]
	}
	x.Frames = framesOf(lines[1:])
	for _, s := range body {
		t := strings.TrimSpace(s)
		if v, ok := strings.CutPrefix(t, "Expected: "); ok {
			x.Expected = v
		} else if v, ok := strings.CutPrefix(t, "Actual: "); ok {
			x.Actual = v
		}
	}
	f.placeOf(&x)
	f.fail(x)
	return j
}

// testUnitBlock reads test-unit's "Failure: test_x(TestClass): message".
func testUnitBlock(d *doc, f *found, i int, m []string) int {
	name, class, _ := strings.Cut(strings.TrimSuffix(m[2], ")"), "(")
	x := Failure{Test: class + "#" + name, Kind: KindTest, Message: m[3], runner: "test-unit"}
	var lines []string
	j := i + 1
	for ; j < len(d.lines) && !strings.HasPrefix(d.lines[j].s, "====="); j++ {
		d.lines[j].used = true
		lines = append(lines, d.lines[j].s)
	}
	d.lines[i].used = true
	for _, s := range lines {
		if fr, ok := parseFrame(s); ok {
			x.Frames = append(x.Frames, fr)
			continue
		}
		if t := strings.TrimSpace(s); x.Message == "" && t != "" {
			x.Message = t
			continue
		}
		x.detail = append(x.detail, s)
	}
	f.placeOf(&x)
	f.fail(x)
	return j
}
