package distill

import "strings"

// below gives the lines from i on up to one that stops.
func below(d *doc, i int, stop func(s string) bool) ([]string, int) {
	var out []string
	for ; i < len(d.lines) && !stop(d.lines[i].s) && len(out) < 300; i++ {
		d.lines[i].used = true
		out = append(out, d.lines[i].s)
	}
	return out, i
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }

// explain fills in the message and the details from a block.
func explain(x *Failure, lines []string) {
	body := trimBlock(lines)
	if len(body) == 0 {
		return
	}
	x.Message, x.detail = strings.TrimSpace(body[0]), body[1:]
	for _, s := range body {
		t := strings.TrimSpace(s)
		if v, ok := cutAny(t, "Expected: ", "expected: "); ok && x.Expected == "" {
			x.Expected = v
		} else if v, ok := cutAny(t, "Actual: ", "actual: ", "got: ", "but got: "); ok && x.Actual == "" {
			x.Actual = v
		}
	}
}

var (
	reGinkgo    = lazy(`^• \[(FAILED|PANICKED|TIMEDOUT)\]`)
	reGinkgoSum = lazy(`^(?:FAIL|SUCCESS)! -- (\d+) Passed \| (\d+) Failed \| (?:\d+ Flaked \| )?(\d+) Pending \| (\d+) Skipped`)
	reGinkgoAt  = lazy(`\bat: (\S+\.go):(\d+)`)
)

// readGinkgo reads Ginkgo, which runs inside one test of go test.
func readGinkgo(d *doc, f *found) {
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used {
			continue
		}
		if m := reGinkgoSum().FindStringSubmatch(l.s); m != nil {
			l.used = true
			f.format = "ginkgo"
			f.total(atoi(m[1]), atoi(m[2]), atoi(m[3])+atoi(m[4]))
			if i+1 < len(d.lines) && strings.HasPrefix(d.lines[i+1].s, "--- FAIL: ") {
				d.lines[i+1].used = true
			}
			continue
		}
		if strings.HasPrefix(l.s, "• Failure") || strings.HasPrefix(l.s, "• Panic") {
			i = ginkgoOld(d, f, i) - 1
			continue
		}
		if !strings.HasPrefix(l.s, "• [") || i+1 >= len(d.lines) || !reGinkgo().MatchString(l.s) {
			continue
		}
		l.used = true
		x := Failure{Kind: KindTest, runner: "ginkgo"}
		name := d.lines[i+1].s
		for _, k := range []string{"[It] ", "[BeforeEach] ", "[AfterEach] ", "[BeforeAll] ", "[JustBeforeEach] "} {
			name = strings.Replace(name, k, "", 1)
		}
		x.Test = strings.TrimSpace(name)
		lines, end := below(d, i+2, func(s string) bool { return strings.HasPrefix(s, "-----") })
		d.lines[i+1].used = true
		for _, s := range lines {
			if m := reGinkgoAt().FindStringSubmatch(s); m != nil && x.File == "" {
				x.File, x.Line = m[1], atoi(m[2])
			}
		}
		if len(lines) > 0 {
			if g, ok := cutPlace(lines[0], f.root); ok && g.text == "" {
				lines = lines[1:]
				if x.File == "" {
					x.File, x.Line = g.file, g.line
				}
			}
		}
		explain(&x, lines)
		x.Message = strings.TrimPrefix(x.Message, "[FAILED] ")
		f.fail(x)
		i = end - 1
	}
}

// ginkgoOld reads a failure of Ginkgo 1: titles with their places, then the
// message and its place.
func ginkgoOld(d *doc, f *found, i int) int {
	lines, end := below(d, i+1, func(s string) bool { return strings.HasPrefix(s, "-----") })
	d.lines[i].used = true
	x := Failure{Kind: KindTest, runner: "ginkgo"}
	var names []string
	for len(lines) > 1 {
		g, ok := cutPlace(strings.TrimSpace(lines[1]), f.root)
		if !ok || g.text != "" {
			break
		}
		name := strings.TrimSpace(lines[0])
		for _, k := range []string{" [It]", " [BeforeEach]", " [AfterEach]", " [Measurement]"} {
			name = strings.TrimSuffix(name, k)
		}
		names, lines = append(names, name), lines[2:]
	}
	body := lines[:0:0]
	for _, s := range lines {
		if g, ok := cutPlace(strings.TrimSpace(s), f.root); ok && g.text == "" {
			x.File, x.Line = g.file, g.line
			continue
		}
		body = append(body, s)
	}
	x.Test = strings.Join(names, " > ")
	explain(&x, body)
	if x.Test != "" {
		f.fail(x)
	}
	for k := end; k < len(d.lines); k++ { // the list at the end says the same
		if strings.HasPrefix(d.lines[k].s, "[Fail] ") || strings.HasPrefix(d.lines[k].s, "[Panic!] ") {
			d.lines[k].used = true
		}
		if strings.HasPrefix(d.lines[k].s, "--- FAIL: ") {
			break
		}
	}
	return max(end, i+1)
}

var (
	reDart      = lazy(`^\d\d:\d\d \+(\d+)(?: ~(\d+))?(?: -(\d+))?: (.*?)( \[E\])?$`)
	reDartFrame = lazy(`^\s+(\S+\.dart) (\d+):(\d+)\s+(.+)$`)
)

// readDart reads dart test and flutter test.
func readDart(d *doc, f *found) {
	var last []string
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used || len(l.s) < 9 || l.s[2] != ':' {
			continue
		}
		m := reDart().FindStringSubmatch(l.s)
		if m == nil {
			continue
		}
		l.used = true
		last = m
		if m[5] == "" {
			continue
		}
		x := Failure{Test: m[4], Kind: KindTest, runner: "dart test"}
		lines, end := below(d, i+1, func(s string) bool { return s != "" && s[0] != ' ' })
		var body []string
		for _, s := range lines {
			if k := reDartFrame().FindStringSubmatch(s); k != nil {
				x.Frames = append(x.Frames, Frame{File: k[1], Line: atoi(k[2]), Column: atoi(k[3]), Func: k[4]})
			} else if !strings.HasPrefix(strings.TrimSpace(s), "package:") && !strings.HasPrefix(strings.TrimSpace(s), "dart:") {
				body = append(body, s)
			}
		}
		explain(&x, body)
		if strings.HasPrefix(x.Message, "Test failed. See exception logs above") {
			flutterAbove(d, &x, i)
		}
		f.placeOf(&x)
		f.fail(x)
		i = end - 1
	}
	if last != nil {
		f.format = "dart test"
		f.total(atoi(last[1]), atoi(last[3]), atoi(last[2]))
	}
}

// flutterAbove reads the exception that Flutter prints before the result.
func flutterAbove(d *doc, x *Failure, i int) {
	for k := i - 1; k >= 0 && k > i-300; k-- {
		if !strings.Contains(d.lines[k].s, "EXCEPTION CAUGHT BY") {
			continue
		}
		var lines []string
		for _, l := range d.lines[k+1 : i] {
			if strings.HasPrefix(l.s, "══") {
				break
			}
			lines = append(lines, l.s)
		}
		x.Frames = append(framesOf(lines), x.Frames...)
		body := trimBlock(withoutFrames(lines))
		if len(body) > 1 && strings.HasPrefix(body[0], "The following ") {
			body = body[1:]
		}
		x.detail = nil
		explain(x, body)
		return
	}
}

var (
	reClojure    = lazy(`^(FAIL|ERROR) in \(([^)]+)\) \(([^:()]+):(\d+)\)$`)
	reClojureSum = lazy(`^(\d+) failures?, (\d+) errors?\.$`)
	reClojureRan = lazy(`^Ran (\d+) tests containing (\d+) assertions?\.`)
)

// readClojure reads clojure.test and what prints like it.
func readClojure(d *doc, f *found) {
	ran, ns := 0, ""
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used || l.s == "" {
			continue
		}
		if t, ok := strings.CutPrefix(l.s, "Testing "); ok {
			ns = t
		} else if m := reClojureRan().FindStringSubmatch(l.s); m != nil {
			ran = atoi(m[2])
		} else if m := reClojureSum().FindStringSubmatch(l.s); m != nil && ran > 0 {
			bad := atoi(m[1]) + atoi(m[2])
			f.format = "clojure.test"
			f.total(max(0, ran-bad), bad, -1)
		} else if m := reClojure().FindStringSubmatch(l.s); m != nil {
			l.used = true
			x := Failure{Test: m[2], File: m[3], Line: atoi(m[4]), Kind: KindTest, runner: "clojure.test"}
			if ns != "" && !strings.Contains(m[2], ".") {
				x.Test = ns + "/" + m[2]
			}
			lines, end := below(d, i+1, blank)
			x.Frames = framesOf(lines)
			explain(&x, withoutFrames(lines))
			f.fail(x)
			i = end - 1
		}
	}
}

var (
	reJulia    = lazy(`^(.+?): (Test Failed|Error During Test) at (.+):(\d+)$`)
	reJuliaSum = lazy(`Some tests did not pass: (\d+) passed, (\d+) failed, (\d+) errored, (\d+) broken`)
	reTestthat = lazy(`^(?:── )?(?:\d+\. )?(Failure|Error) \('?([^:()']+):(\d+)(?::\d+)?'?\): (.*?)(?: ─+)?$`)
	reThatSum  = lazy(`^\[ FAIL (\d+) \| WARN \d+ \| SKIP (\d+) \| PASS (\d+) \]`)
	reUnity    = lazy(`^([^\s:]+\.(?:c|cpp|cc)):(\d+):(\w+):FAIL(?:: ?(.*))?$`)
	reUnitySum = lazy(`^(\d+) Tests (\d+) Failures (\d+) Ignored`)
	reCheck    = lazy(`^([^\s:]+\.(?:c|cpp|cc)):(\d+):[FE]:[^:]*:(\w+):\d+: (.*)$`)
	reCheckSum = lazy(`^\d+%: Checks: (\d+), Failures: (\d+), Errors: (\d+)`)
	reZig      = lazy(`^(?:\d+/\d+ )?(\S.*?)\.\.\.(?:FAIL \(\w+\)|(.*))$`)
	reZigFrame = lazy(`^([^\s:]+\.zig):(\d+):(\d+): 0x[0-9a-f]+ in (\S+)`)
	reZigSum   = lazy(`^(\d+) passed; (\d+) skipped; (\d+) failed\.`)
	reScenario = lazy(`^(?:cucumber (?:-\S+ \S+ )?)?\s*(\S+\.feature):(\d+)(?: +#? *(?:Scenario: |Scenario Outline: )?(.*))?$`)
	reScenSum  = lazy(`^(\d+) scenarios? (?:\((.+)\)|passed, (\d+) failed, (\d+) skipped)`)
	reRobot    = lazy(`^(\S.*?)\s+\| FAIL \|$`)
	reRobotSum = lazy(`^(\d+) tests?, (\d+) passed, (\d+) failed(?:, (\d+) skipped)?$`)
)

// readOthers reads runners whose failures take one line and what is below it.
func readOthers(d *doc, f *found) {
	var robot, that *total
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used || len(l.s) < 6 {
			continue
		}
		s := l.s
		switch {
		case strings.Contains(s, " at ") && (strings.Contains(s, ": Test Failed") || strings.Contains(s, ": Error During")):
			if m := reJulia().FindStringSubmatch(s); m != nil {
				l.used = true
				x := Failure{Test: m[1], File: m[3], Line: atoi(m[4]), Kind: KindTest, runner: "Julia"}
				lines, end := below(d, i+1, func(s string) bool { return blank(s) || strings.HasPrefix(s, "Test Summary") })
				explain(&x, lines)
				f.fail(x)
				i = end - 1
			}
		case strings.Contains(s, "Some tests did not pass"):
			if m := reJuliaSum().FindStringSubmatch(s); m != nil {
				f.format = "Julia"
				f.total(atoi(m[1]), atoi(m[2])+atoi(m[3]), atoi(m[4]))
			}
		case strings.Contains(s, "Failure (") || strings.Contains(s, "Error ("):
			if m := reTestthat().FindStringSubmatch(s); m != nil {
				l.used = true
				x := Failure{Test: m[4], File: m[2], Line: atoi(m[3]), Kind: KindTest, runner: "testthat"}
				lines, end := below(d, i+1, func(s string) bool { return blank(s) || strings.HasPrefix(s, "──") })
				explain(&x, lines)
				f.fail(x)
				i = end - 1
			}
		case strings.HasPrefix(s, "[ FAIL "):
			if m := reThatSum().FindStringSubmatch(s); m != nil {
				that = &total{atoi(m[3]), atoi(m[1]), atoi(m[2])} // progress; the last counts
			}
		case strings.Contains(s, ":FAIL"):
			if m := reUnity().FindStringSubmatch(s); m != nil {
				l.used = true
				f.fail(Failure{Test: m[3], File: m[1], Line: atoi(m[2]), Message: m[4], Kind: KindTest, runner: "Unity"})
			}
		case strings.HasSuffix(s, " Ignored"):
			if m := reUnitySum().FindStringSubmatch(s); m != nil {
				f.format = "Unity"
				f.total(atoi(m[1])-atoi(m[2])-atoi(m[3]), atoi(m[2]), atoi(m[3]))
			}
		case strings.Contains(s, ":F:") || strings.Contains(s, ":E:"):
			if m := reCheck().FindStringSubmatch(s); m != nil {
				l.used = true
				f.fail(Failure{Test: m[3], File: m[1], Line: atoi(m[2]), Message: m[4], Kind: KindTest, runner: "Check"})
			}
		case strings.Contains(s, "%: Checks: "):
			if m := reCheckSum().FindStringSubmatch(s); m != nil {
				bad := atoi(m[2]) + atoi(m[3])
				f.format = "Check"
				f.total(atoi(m[1])-bad, bad, -1)
			}
		case strings.Contains(s, "...") && strings.Contains(s, "test."):
			i = zigBlock(d, f, i)
		case strings.HasSuffix(s, " failed."):
			if m := reZigSum().FindStringSubmatch(s); m != nil {
				f.format = "zig test"
				f.total(atoi(m[1]), atoi(m[3]), atoi(m[2]))
			}
		case strings.EqualFold(s, "Failing scenarios:") || s == "--- Failed scenarios:":
			i = scenarios(d, f, i)
		case strings.Contains(s, " scenario"):
			if m := reScenSum().FindStringSubmatch(s); m != nil {
				f.format = "cucumber"
				if m[2] != "" {
					n := countWords(m[2])
					f.total(n["passed"], n["failed"], n["skipped"]+n["pending"])
				} else {
					f.total(atoi(m[1]), atoi(m[3]), atoi(m[4]))
				}
			}
		case strings.HasSuffix(s, "| FAIL |"):
			m := reRobot().FindStringSubmatch(s)
			if m == nil {
				continue
			}
			l.used = true
			lines, end := below(d, i+1, func(s string) bool { return strings.HasPrefix(s, "-----") || strings.HasPrefix(s, "=====") })
			if n := len(lines); n > 0 && reRobotSum().MatchString(lines[n-1]) {
				k := reRobotSum().FindStringSubmatch(lines[n-1])
				robot = &total{atoi(k[2]), atoi(k[3]), atoi(k[4])} // of a suite; the last is that of all
			} else {
				x := Failure{Test: strings.TrimSpace(strings.Split(m[1], " :: ")[0]), Kind: KindTest, runner: "Robot Framework"}
				explain(&x, lines)
				f.fail(x)
			}
			i = end - 1
		}
	}
	if that != nil {
		f.format = "testthat"
		f.total(that.passed, that.failed, that.skipped)
	}
	if robot != nil {
		f.format = "Robot Framework"
		f.total(robot.passed, robot.failed, robot.skipped)
	}
}

// zigBlock reads "1/2 mod.test.name...FAIL (Error)" and the trace below it.
func zigBlock(d *doc, f *found, i int) int {
	m := reZig().FindStringSubmatch(d.lines[i].s)
	if m == nil || strings.HasSuffix(d.lines[i].s, "...OK") || strings.HasSuffix(d.lines[i].s, "...SKIP") {
		return i
	}
	failed := m[2] == ""
	x := Failure{Test: m[1], Message: m[2], Kind: KindTest, runner: "zig test"}
	j := i + 1
	for ; j < len(d.lines) && j < i+80; j++ {
		s := d.lines[j].s
		if strings.HasPrefix(s, "FAIL (") {
			failed = true
			continue
		}
		if strings.Contains(s, "test.") && strings.Contains(s, "...") || reZigSum().MatchString(s) {
			break
		}
		if k := reZigFrame().FindStringSubmatch(s); k != nil {
			x.Frames = append(x.Frames, Frame{File: k[1], Line: atoi(k[2]), Column: atoi(k[3]), Func: k[4]})
		}
	}
	if !failed {
		return i
	}
	for k := i; k < j; k++ {
		d.lines[k].used = true
	}
	if x.Message == "" {
		x.Message = d.lines[i].s[strings.LastIndex(d.lines[i].s, "FAIL"):]
	}
	f.placeOf(&x)
	f.fail(x)
	return j - 1
}

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
