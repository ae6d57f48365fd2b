package distill

import "strings"

var (
	reNetFail   = lazy(`^\s+(?:Failed|X) (\S.*?)(?: \[[^\]]*\])?$`)
	reNetXunit  = lazy(`^\[xUnit\.net [\d:.]+\]\s+(\S.*?) \[FAIL\]$`)
	reNetLine   = lazy(`^(?:Failed!|Passed!|Skipped!) +- Failed: +(\d+), Passed: +(\d+), Skipped: +(\d+), Total: +(\d+)`)
	reNetTotal  = lazy(`^(?:Test summary: |Test Run Summary.*|)\s*(?:total|Total tests): (\d+)(?:[,;] *failed: (\d+)[,;] *succeeded: (\d+)[,;] *skipped: (\d+))?`)
	reNetPart   = lazy(`^\s+(Passed|Failed|Skipped): (\d+)$`)
	reNetPlace  = lazy(`^((?:[A-Za-z]:)?[^(]+\.(?:cs|fs|vb))\((\d+)(?:,(\d+))?\): error (\S+?) ?: ?(.*)$`)
	reNUnitItem = lazy(`^(\d+)\) (Failed|Error|Invalid) : (\S.*)$`)
)

// readDotnet reads dotnet test (VSTest and the newer terminal logger) with xUnit,
// NUnit and MSTest.
func readDotnet(d *doc, f *found) {
	net := false
	part := map[string]int{}
	for i := range d.lines {
		s := d.lines[i].s
		if strings.Contains(s, "Test run for ") || strings.Contains(s, "[xUnit.net ") || strings.HasPrefix(s, "Failed!  - ") || strings.HasPrefix(s, "Passed!  - ") ||
			strings.Contains(s, "Error Message:") || strings.HasPrefix(s, "Test summary: total:") || strings.HasPrefix(s, "NUnit Console") || strings.Contains(s, "Determining projects to restore") ||
			strings.Contains(s, "error TESTERROR:") || strings.HasPrefix(s, "Total tests: ") {
			net = true
			break
		}
	}
	if !net {
		return
	}
	f.saw("dotnet test")
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used || l.s == "" {
			continue
		}
		s := l.s
		switch {
		case strings.HasPrefix(s, "[xUnit.net"):
			if m := reNetXunit().FindStringSubmatch(s); m != nil {
				f.fail(Failure{Test: m[1], Kind: KindTest, weak: true, runner: "dotnet test"})
			}
			l.used = true
		case strings.HasPrefix(s, "Failed!") || strings.HasPrefix(s, "Passed!") || strings.HasPrefix(s, "Skipped!"):
			if m := reNetLine().FindStringSubmatch(s); m != nil {
				l.used = true
				f.format = "dotnet test"
				f.total(atoi(m[2]), atoi(m[1]), atoi(m[3]))
			}
		case strings.HasPrefix(s, "Test summary: ") || strings.HasPrefix(s, "Total tests: "):
			if m := reNetTotal().FindStringSubmatch(s); m != nil {
				l.used = true
				f.format = "dotnet test"
				if m[2] != "" {
					f.total(atoi(m[3]), atoi(m[2]), atoi(m[4]))
				} else {
					part["total"] = atoi(m[1])
				}
			}
		case part["total"] > 0 && reNetPart().MatchString(s):
			m := reNetPart().FindStringSubmatch(s)
			part[m[1]] = atoi(m[2])
			l.used = true
		case strings.Contains(s, "error TESTERROR") || strings.Contains(s, ": error VSTEST"):
			i = dotnetTerminal(d, f, i) - 1
		case strings.HasPrefix(s, "  "):
			m := reNetFail().FindStringSubmatch(s)
			if m == nil || i+1 >= len(d.lines) || !strings.Contains(d.lines[i+1].s, "Error Message:") && !strings.Contains(d.lines[i+1].s, "Stack Trace:") && !strings.Contains(d.lines[i+1].s, "Standard Output") {
				continue
			}
			i = dotnetBlock(d, f, i, m[1]) - 1
		case s[0] >= '1' && s[0] <= '9':
			if m := reNUnitItem().FindStringSubmatch(s); m != nil {
				i = nunitBlock(d, f, i, m) - 1
			}
		}
	}
	if part["total"] > 0 {
		f.format = "dotnet test"
		f.total(part["Passed"], part["Failed"], part["Skipped"])
	}
}

func dotnetBlock(d *doc, f *found, i int, name string) int {
	x := Failure{Test: name, Kind: KindTest, runner: "dotnet test"}
	part := ""
	var body []string
	d.lines[i].used = true
	j := i + 1
	for ; j < len(d.lines); j++ {
		s := d.lines[j].s
		t := strings.TrimSpace(s)
		// xUnit does not indent the second line of a message.
		if s != "" && s[0] != ' ' && (part != "Error Message:" || len(body) > 60 || strings.HasPrefix(s, "Failed! ")) || reNetFail().MatchString(s) && indentOf(s) <= indentOf(d.lines[i].s) || strings.HasPrefix(s, "  Passed ") || strings.HasPrefix(s, "  Skipped ") {
			break
		}
		d.lines[j].used = true
		switch t {
		case "Error Message:", "Stack Trace:", "Standard Output Messages:", "Standard Error Messages:", "Debug Trace:":
			part = t
			continue
		}
		switch part {
		case "Error Message:":
			body = append(body, s)
		case "Stack Trace:":
			if fr, ok := parseFrame(s); ok {
				x.Frames = append(x.Frames, fr)
			}
		}
	}
	netBody(&x, body)
	f.placeOf(&x)
	f.fail(x)
	return j
}

func netBody(x *Failure, body []string) {
	body = trimBlock(body)
	if len(body) > 0 {
		x.Message, x.detail = strings.TrimSpace(body[0]), body[1:]
	}
	for _, s := range body {
		t := strings.TrimSpace(s)
		if v, ok := cutAny(t, "Expected: "); ok {
			x.Expected = strings.TrimSpace(v)
		} else if v, ok := cutAny(t, "Actual: ", "But was: "); ok {
			x.Actual = strings.TrimSpace(v)
		}
	}
}

// dotnetTerminal reads the terminal logger: "path(12): error TESTERROR: Name
// (5ms): Error Message: ...".
func dotnetTerminal(d *doc, f *found, i int) int {
	s := strings.TrimSpace(d.lines[i].s)
	m := reNetPlace().FindStringSubmatch(s)
	x := Failure{Kind: KindTest, runner: "dotnet test"}
	if m != nil {
		x.File, x.Line, x.Column = m[1], atoi(m[2]), atoi(m[3])
		s = m[5]
	} else if _, rest, ok := strings.Cut(s, "TESTERROR"); ok {
		s = strings.TrimLeft(rest, " :")
	}
	d.lines[i].used = true
	var body []string
	j := i + 1
	if m != nil && m[5] == "" && j < len(d.lines) {
		s = strings.TrimSpace(d.lines[j].s)
		d.lines[j].used = true
		j++
	}
	if name, msg, ok := strings.Cut(s, ": Error Message: "); ok {
		if k := strings.LastIndex(name, " ("); k > 0 {
			name = name[:k]
		}
		x.Test = strings.TrimSpace(name)
		body = append(body, msg)
	} else {
		body = append(body, s)
	}
	for ; j < len(d.lines) && strings.HasPrefix(d.lines[j].s, "      "); j++ {
		d.lines[j].used = true
		if fr, ok := parseFrame(d.lines[j].s); ok {
			x.Frames = append(x.Frames, fr)
		} else if !strings.HasPrefix(strings.TrimSpace(d.lines[j].s), "Stack Trace:") {
			body = append(body, d.lines[j].s)
		}
	}
	netBody(&x, body)
	f.placeOf(&x)
	f.fail(x)
	return j
}

func nunitBlock(d *doc, f *found, i int, m []string) int {
	x := Failure{Test: m[3], Kind: KindTest, runner: "NUnit"}
	var body []string
	d.lines[i].used = true
	j := i + 1
	for ; j < len(d.lines) && !reNUnitItem().MatchString(d.lines[j].s) && !strings.HasPrefix(d.lines[j].s, "Run Settings"); j++ {
		d.lines[j].used = true
		if fr, ok := parseFrame(d.lines[j].s); ok {
			x.Frames = append(x.Frames, fr)
		} else if !strings.HasPrefix(d.lines[j].s, "at ") {
			body = append(body, d.lines[j].s)
		}
	}
	netBody(&x, body)
	f.placeOf(&x)
	f.fail(x)
	return j
}

var (
	reXCTest   = lazy(`^((?:[A-Za-z]:)?[^:]+\.swift|<EXPR>|<unknown>):(\d+): error: (?:-\[)?([\w.]+)[. ](\w+)\]? : (.*)$`)
	reXCStart  = lazy(`^Test Case '(?:-\[)?([\w.]+)[. ](\w+)\]?' (failed|passed|skipped)`)
	reXCSum    = lazy(`^\s*Executed (\d+) tests?, with (?:(\d+) tests? skipped and )?(\d+) failures? \((\d+) unexpected\)`)
	reSwiftX   = lazy(`^[✘􀢄✗] Test (.+?) (?:recorded an issue at|recorded an issue with \d+ argument.*? at) (\S+?):(\d+):(\d+): (.+)$`)
	reSwiftSum = lazy(`^[✘✔􀢄􁁛✗✓] Test run with (\d+) tests?(?: in \d+ suites?)? (passed|failed) after [\d.]+ seconds(?: with (\d+) issues?)?`)
)

// readSwift reads XCTest and Swift Testing.
func readSwift(d *doc, f *found) {
	var last *total
	failed := map[string]bool{}
	passed, skipped := map[string]bool{}, map[string]bool{}
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used || l.s == "" {
			continue
		}
		s := l.s
		switch {
		case (strings.Contains(s, ".swift:") || strings.HasPrefix(s, "<")) && strings.Contains(s, ": error: ") && strings.Contains(s, " : "):
			if m := reXCTest().FindStringSubmatch(s); m != nil {
				l.used = true
				x := Failure{Test: m[3] + "." + m[4], File: m[1], Line: atoi(m[2]), Message: m[5], Kind: KindTest, runner: "XCTest"}
				if strings.HasPrefix(x.File, "<") {
					x.File, x.Line = "", 0
				}
				for k := i + 1; k < len(d.lines) && k < i+20 && d.lines[k].s != "" && !strings.HasPrefix(d.lines[k].s, "Test Case") && !reXCTest().MatchString(d.lines[k].s) && !strings.HasPrefix(d.lines[k].s, "Test Suite"); k++ {
					x.detail = append(x.detail, d.lines[k].s)
					d.lines[k].used = true
				}
				if a, b, ok := strings.Cut(x.Message, `") is not equal to ("`); ok {
					x.Actual = a[strings.Index(a, `("`)+2:]
					x.Expected, _, _ = strings.Cut(b, `")`)
				}
				f.fail(x)
			}
		case strings.HasPrefix(s, "Test Case '"):
			if m := reXCStart().FindStringSubmatch(s); m != nil {
				l.used = true
				name := m[1] + "." + m[2]
				switch m[3] {
				case "failed":
					failed[name] = true
					f.fail(Failure{Test: name, Kind: KindTest, weak: true, runner: "XCTest"})
				case "passed":
					passed[name] = true
				case "skipped":
					skipped[name] = true
				}
			}
		case strings.Contains(s, "Executed ") && strings.Contains(s, " with "):
			if m := reXCSum().FindStringSubmatch(s); m != nil {
				l.used = true
				// The last sum is that of all suites; it counts assertions, so
				// failing tests are counted by name.
				bad := len(failed)
				if bad == 0 {
					bad = atoi(m[3])
				}
				last = &total{max(0, atoi(m[1])-bad-atoi(m[2])), bad, atoi(m[2])}
			}
		case strings.Contains(s, " recorded an issue "):
			if m := reSwiftX().FindStringSubmatch(s); m != nil {
				l.used = true
				x := Failure{Test: strings.Trim(m[1], `"`), File: m[2], Line: atoi(m[3]), Column: atoi(m[4]), Message: m[5], Kind: KindTest, runner: "Swift Testing"}
				for k := i + 1; k < len(d.lines) && (strings.HasPrefix(d.lines[k].s, "↳") || strings.HasPrefix(d.lines[k].s, "  ")); k++ {
					x.detail = append(x.detail, d.lines[k].s)
					d.lines[k].used = true
				}
				f.fail(x)
			}
		case strings.Contains(s, " Test run with "):
			if m := reSwiftSum().FindStringSubmatch(s); m != nil {
				l.used = true
				n := map[string]bool{}
				for _, x := range f.failures {
					if x.runner == "Swift Testing" {
						n[x.Test] = true
					}
				}
				f.format = "Swift Testing"
				if atoi(m[1]) > 0 {
					f.total(max(0, atoi(m[1])-len(n)), len(n), -1)
				}
			}
		}
	}
	if last != nil {
		f.format = "XCTest"
		f.total(last.passed, last.failed, last.skipped)
	}
}

var (
	reBustedSum  = lazy(`^(\d+) success(?:es)? / (\d+) failures? / (\d+) errors? / (\d+) pending`)
	reBustedItem = lazy(`^(Failure|Error|Pending) (?:→|->) (\S+) @ (\d+)$`)
)

// readBusted reads busted, the framework of Lua.
func readBusted(d *doc, f *found) {
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used || l.s == "" {
			continue
		}
		if m := reBustedSum().FindStringSubmatch(l.s); m != nil {
			l.used = true
			f.format = "busted"
			f.total(atoi(m[1]), atoi(m[2])+atoi(m[3]), atoi(m[4]))
			continue
		}
		m := reBustedItem().FindStringSubmatch(l.s)
		if m == nil || i+1 >= len(d.lines) {
			continue
		}
		var lines []string
		j := i + 2
		for ; j < len(d.lines) && !reBustedItem().MatchString(d.lines[j].s); j++ {
			d.lines[j].used = true
			lines = append(lines, d.lines[j].s)
		}
		l.used, d.lines[i+1].used = true, true
		if m[1] == "Pending" {
			i = j - 1
			continue
		}
		x := Failure{Test: strings.TrimSpace(d.lines[i+1].s), Kind: KindTest, runner: "busted"}
		body := trimBlock(lines)
		for k, s := range body {
			if strings.HasPrefix(s, "stack traceback:") {
				x.Frames = framesOf(body[k:])
				body = body[:k]
				break
			}
		}
		if len(body) > 0 {
			x.Message, x.detail = body[0], body[1:]
			if g, ok := cutPlace(body[0], f.root); ok {
				x.File, x.Line, x.Message = g.file, g.line, g.text
			}
		}
		for k, s := range x.detail {
			if k+1 < len(x.detail) {
				switch strings.TrimSpace(s) {
				case "Expected:":
					x.Expected = strings.TrimSpace(x.detail[k+1])
				case "Passed in:":
					x.Actual = strings.TrimSpace(x.detail[k+1])
				}
			}
		}
		if x.File == "" {
			f.placeOf(&x)
		}
		if x.File == "" {
			x.File, x.Line = m[2], atoi(m[3])
		}
		f.fail(x)
		i = j - 1
	}
}
