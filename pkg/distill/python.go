package distill

import "strings"

// traceback is one Python traceback.
type traceback struct {
	frames  []Frame // innermost first
	message string
	rest    []string
	end     int // index of the line after it
}

// readTraceback reads the traceback whose first line is lines[i]. The lines
// come without indentation in common.
func readTraceback(lines []string, i int) *traceback {
	tb := &traceback{}
	ind := len(lines[i]) - len(strings.TrimLeft(lines[i], " "))
	cut := func(s string) string {
		if len(s) >= ind && strings.TrimSpace(s[:ind]) == "" {
			return s[ind:]
		}
		return s
	}
	j := i + 1
	for ; j < len(lines); j++ {
		s := cut(lines[j])
		if strings.HasPrefix(s, "  ") {
			if fr, ok := parseFrame(s); ok && strings.HasPrefix(strings.TrimSpace(s), `File "`) {
				tb.frames = append([]Frame{fr}, tb.frames...)
			}
			continue
		}
		if s == "" {
			continue
		}
		break
	}
	if j < len(lines) {
		tb.message = cut(lines[j])
		j++
	}
	for ; j < len(lines); j++ {
		s := cut(lines[j])
		if s == "" && j+1 < len(lines) && (strings.HasPrefix(cut(lines[j+1]), "The above exception") || strings.HasPrefix(cut(lines[j+1]), "During handling")) {
			break
		}
		tb.rest = append(tb.rest, s)
	}
	tb.end = j
	return tb
}

// lastTraceback reads the last traceback of a chain.
func lastTraceback(lines []string) *traceback {
	for i := len(lines) - 1; i >= 0; i-- {
		if strings.HasPrefix(strings.TrimSpace(lines[i]), "Traceback (most recent call last)") {
			tb := readTraceback(lines, i)
			return tb
		}
	}
	return nil
}

var (
	reUnitHead = lazy(`^(FAIL|ERROR|UNEXPECTED SUCCESS): (\S+)(?: \(([^)]*)\))?(.*)$`)
	reUnitRan  = lazy(`^Ran (\d+) tests? in [\d.]+ ?s(?:econds)?$`)
	reUnitEnd  = lazy(`^(?:FAILED|OK)(?: \((.*)\))?$`)
	reUnitPart = lazy(`(failures|errors|skipped|expected failures|unexpected successes)=(\d+)`)
)

// readUnittest reads Python's unittest and what is built on it (Django, nose2,
// testtools, green's plain form).
func readUnittest(d *doc, f *found) {
	ran := -1
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used || l.s == "" {
			continue
		}
		switch {
		case strings.HasPrefix(l.s, "======") && i+1 < len(d.lines):
			if m := reUnitHead().FindStringSubmatch(d.lines[i+1].s); m != nil {
				i = unittestBlock(d, f, i+1, m) - 1
			}
		case strings.HasPrefix(l.s, "Ran "):
			if m := reUnitRan().FindStringSubmatch(l.s); m != nil {
				ran = atoi(m[1])
				l.used = true
			}
		case strings.HasPrefix(l.s, "NO TESTS RAN"):
			f.noTests = true
			f.saw("unittest")
		case ran >= 0:
			if m := reUnitEnd().FindStringSubmatch(l.s); m != nil {
				l.used = true
				n := map[string]int{}
				for _, p := range reUnitPart().FindAllStringSubmatch(m[1], -1) {
					n[p[1]] = atoi(p[2])
				}
				failed := n["failures"] + n["errors"] + n["unexpected successes"]
				f.format = "unittest"
				if ran == 0 && failed == 0 {
					f.noTests = true
				}
				f.total(max(0, ran-failed-n["skipped"]-n["expected failures"]), failed, n["skipped"])
				ran = -1
			}
		}
	}
}

// unittestBlock reads one failure, whose head is line i, and gives the index
// of the line after it.
func unittestBlock(d *doc, f *found, i int, m []string) int {
	start := i
	var lines []string
	body := false
	j := i + 1
	for ; j < len(d.lines); j++ {
		s := d.lines[j].s
		if strings.HasPrefix(s, "------") && len(strings.Trim(s, "-")) == 0 {
			if !body {
				body = true
				continue
			}
			break
		}
		if strings.HasPrefix(s, "======") && len(strings.Trim(s, "=")) == 0 || reUnitRan().MatchString(s) {
			break
		}
		if body {
			if k := strings.Index(s, "_StringException: Traceback"); k >= 0 { // subunit
				s = s[k+len("_StringException: "):]
			}
			lines = append(lines, s)
		}
	}
	if !body {
		return i + 1
	}
	for k := start - 1; k < j; k++ {
		d.lines[k].used = true
	}
	x := Failure{Test: unittestName(m), Kind: KindTest, runner: "unittest"}
	if m[1] == "UNEXPECTED SUCCESS" {
		x.Message = "unexpected success"
	}
	for k, s := range lines { // buffered output of the test
		if s == "Stdout:" || s == "Stderr:" {
			x.output, lines = lines[k:], lines[:k]
			break
		}
	}
	if tb := lastTraceback(lines); tb != nil {
		x.Message, x.detail, x.Frames = tb.message, tb.rest, tb.frames
		if parts := pyChain(lines); len(parts) > 1 {
			if c := lastTraceback(parts[0]); c != nil {
				x.detail = append(x.detail, "cause: "+c.message)
				x.Frames = append(x.Frames, c.frames...)
			}
		}
	} else if b := trimBlock(lines); len(b) > 0 {
		x.Message, x.detail = b[0], b[1:]
	}
	for _, s := range lines {
		if strings.HasPrefix(s, "ImportError: Failed to import test module") {
			x.Kind = KindLoad
			x.detail = append([]string{s}, x.detail...)
		}
	}
	if a, b, ok := strings.Cut(strings.TrimPrefix(x.Message, "AssertionError: "), " != "); ok {
		x.Actual, x.Expected = a, b
	}
	f.format = "unittest"
	f.placeOf(&x)
	f.fail(x)
	return j
}

// unittestName makes module.Class.test of "test (module.Class.test)" and of the
// older "test (module.Class)".
func unittestName(m []string) string {
	name, in, sub := m[2], m[3], strings.TrimSpace(m[4])
	switch {
	case strings.Contains(in, "_FailedTest"):
		return name
	case in == "":
	case strings.HasSuffix(in, "."+name):
		name = in
	default:
		name = in + "." + name
	}
	if strings.HasPrefix(sub, "(") || strings.HasPrefix(sub, "[") {
		name += " " + sub
	}
	return name
}

var reDoctestFile = lazy(`^File "([^"]+)", line (\d+), in (.+)$`)

// readDoctest reads python -m doctest.
func readDoctest(d *doc, f *found) {
	for i := 0; i+2 < len(d.lines); i++ {
		if d.lines[i].used || !strings.HasPrefix(d.lines[i].s, "**********") {
			continue
		}
		m := reDoctestFile().FindStringSubmatch(d.lines[i+1].s)
		if m == nil || !strings.HasPrefix(d.lines[i+2].s, "Failed example:") {
			continue
		}
		x := Failure{Test: m[3], File: m[1], Line: atoi(m[2]), Kind: KindTest, runner: "doctest"}
		part := ""
		j := i + 2
		for ; j < len(d.lines) && !strings.HasPrefix(d.lines[j].s, "**********"); j++ {
			s := d.lines[j].s
			x.detail = append(x.detail, s)
			d.lines[j].used = true
			t := strings.TrimSpace(s)
			switch {
			case strings.HasPrefix(s, " ") && part == "Expected:":
				x.Expected = strings.TrimPrefix(x.Expected+"\n"+t, "\n")
			case strings.HasPrefix(s, " ") && part == "Got:":
				x.Actual = strings.TrimPrefix(x.Actual+"\n"+t, "\n")
			case strings.HasPrefix(s, " ") && strings.HasPrefix(part, "Exception raised"):
				x.Message = t
			case !strings.HasPrefix(s, " "):
				part = t
			}
		}
		if x.Message == "" {
			x.Message = "expected " + firstLine(x.Expected) + ", got " + firstLine(x.Actual)
		}
		f.fail(x)
		i = j - 1
	}
}
