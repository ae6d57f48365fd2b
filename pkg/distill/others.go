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
	failed := strings.Contains(d.lines[i].s, "...FAIL (")
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
		x.Message = "FAIL"
		if k := strings.LastIndex(d.lines[i].s, "FAIL"); k >= 0 {
			x.Message = d.lines[i].s[k:]
		}
	}
	f.placeOf(&x)
	f.fail(x)
	return j - 1
}
