package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

var (
	reUnitHead = core.Lazy(`^(FAIL|ERROR|UNEXPECTED SUCCESS): (\S+)(?: \(([^)]*)\))?(.*)$`)
	reUnitRan  = core.Lazy(`^Ran (\d+) tests? in [\d.]+ ?s(?:econds)?$`)
	reUnitEnd  = core.Lazy(`^(?:FAILED|OK)(?: \((.*)\))?$`)
	reUnitPart = core.Lazy(`(failures|errors|skipped|expected failures|unexpected successes)=(\d+)`)
)

// readUnittest reads Python's unittest and what is built on it (Django, nose2,
// testtools, green's plain form).
func readUnittest(d *stream.Doc, f *core.Found) {
	ran := -1
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used || l.S == "" {
			continue
		}
		switch {
		case strings.HasPrefix(l.S, "======") && i+1 < len(d.Lines):
			if m := reUnitHead().FindStringSubmatch(d.Lines[i+1].S); m != nil {
				i = unittestBlock(d, f, i+1, m) - 1
			}
		case strings.HasPrefix(l.S, "Ran "):
			if m := reUnitRan().FindStringSubmatch(l.S); m != nil {
				ran = core.Atoi(m[1])
				l.Used = true
			}
		case ran >= 0:
			if m := reUnitEnd().FindStringSubmatch(l.S); m != nil {
				l.Used = true
				n := map[string]int{}
				for _, p := range reUnitPart().FindAllStringSubmatch(m[1], -1) {
					n[p[1]] = core.Atoi(p[2])
				}
				failed := n["failures"] + n["errors"] + n["unexpected successes"]
				f.Format = "unittest"
				if ran == 0 && failed == 0 {
					f.NoTests = true
				}
				f.Total(max(0, ran-failed-n["skipped"]-n["expected failures"]), failed, n["skipped"])
				ran = -1
			}
		}
	}
}

// unittestBlock reads one failure, whose head is line i, and gives the index
// of the line after it.
func unittestBlock(d *stream.Doc, f *core.Found, i int, m []string) int {
	start := i
	var lines []string
	body := false
	j := i + 1
	for ; j < len(d.Lines); j++ {
		s := d.Lines[j].S
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
		d.Lines[k].Used = true
	}
	x := core.Failure{Test: unittestName(m), Kind: core.KindTest, Runner: "unittest"}
	if m[1] == "UNEXPECTED SUCCESS" {
		x.Message = "unexpected success"
	}
	for k, s := range lines { // buffered output of the test
		if s == "Stdout:" || s == "Stderr:" {
			x.Output, lines = lines[k:], lines[:k]
			break
		}
	}
	core.Explain(&x, lines)
	for _, s := range lines {
		if strings.HasPrefix(s, "ImportError: Failed to import test module") {
			x.Kind = core.KindLoad
			x.Detail = append([]string{s}, x.Detail...)
		}
	}
	f.Format = "unittest"
	f.Fail(x)
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
