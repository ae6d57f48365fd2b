package distill

import (
	"strings"
)

var (
	reGtest     = lazy(`^\[ +(RUN|OK|FAILED|ERROR|SKIPPED|DISABLED|PASSED) +\] (.*)$`)
	reGtestName = lazy(`^(\S+)(?:, where (?:GetParam|TypeParam)\(?\)? = .*?)?(?: \((\d+) ms(?: total)?\))?$`)
	reGtestFile = lazy(`^((?:[A-Za-z]:)?[^\s:(][^:(]*)(?::(\d+)|\((\d+)\)|): (?:Failure|error: ?(.*)|Skipped|Fatal failure|Non-?fatal failure)$`)
	reGtestSum  = lazy(`^\[  (PASSED|FAILED|SKIPPED)  ?\] (\d+) test(?:s|\(s\))?(?:, listed below:|\.)?$`)
	reGtestRan  = lazy(`^\[==========\] (\d+) tests? from \d+ test (?:suites?|cases?) ran\.`)
	reSignal    = lazy(`(?i)segmentation fault|aborted|SIGSEGV|SIGABRT|bus error|floating point exception|illegal instruction|killed|stack overflow|core dumped`)
)

// readGtest reads GoogleTest, also inside CTest.
func readGtest(d *doc, f *found) {
	g := &gtestReader{d: d, f: f}
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used {
			continue
		}
		if strings.HasPrefix(l.s, "[") {
			if rest, ok := cutAny(l.s, "[  ERROR   ] --- ", "[   LINE   ] --- "); ok { // cmocka
				l.s = rest
				g.body = append(g.body, i)
				continue
			}
			if m := reGtest().FindStringSubmatch(l.s); m != nil {
				l.used = true
				g.mark(i, m[1], m[2])
				continue
			}
			if reGtestRan().MatchString(l.s) {
				g.ran = true
				l.used = true
			}
		}
		// Brief output has no line where a test begins.
		if g.test != "" || !g.listed && len(g.body) < 2000 {
			g.body = append(g.body, i)
		}
	}
	g.finish()
}

type gtestReader struct {
	d          *doc
	f          *found
	test       string
	body       []int // lines of the test that runs
	pass, fail int
	skip       int
	sumPass    int
	sumFail    int
	seen, ran  bool
	listed     bool
}

func (g *gtestReader) mark(i int, what, rest string) {
	g.seen = true
	if strings.Contains(rest, " test") && (what == "PASSED" || what == "FAILED" || what == "SKIPPED") {
		if m := reGtestSum().FindStringSubmatch(g.d.lines[i].s); m != nil {
			switch m[1] {
			case "PASSED":
				g.sumPass += atoi(m[2])
			case "FAILED":
				g.sumFail += atoi(m[2])
			case "SKIPPED":
				g.skip += atoi(m[2])
			}
			g.listed = true
			g.test = ""
			return
		}
	}
	if what == "ERROR" { // busted
		if strings.HasSuffix(rest, "listed below:") {
			return
		}
		what = "FAILED"
	}
	name := rest
	if _, after, ok := strings.Cut(rest, ": "); ok && strings.Contains(rest, " @ ") {
		if k := strings.LastIndex(after, " ("); k > 0 && strings.HasSuffix(after, " ms)") {
			after = after[:k]
		}
		name = after
	} else if m := reGtestName().FindStringSubmatch(rest); m != nil {
		name = m[1]
	}
	switch what {
	case "RUN":
		if g.test != "" {
			g.died()
		}
		g.test, g.body = name, nil
	case "OK", "SKIPPED":
		if what == "OK" {
			g.pass++
		}
		g.test, g.body = "", nil
	case "FAILED":
		if g.test == name {
			g.fail++
			g.report(name)
		} else if g.test != "" {
			return
		} else if !g.listed && g.tells() {
			g.fail++
			g.report(strings.TrimSuffix(name, ","))
		} else {
			g.f.format = "GoogleTest"
			g.f.fail(Failure{Test: strings.TrimSuffix(name, ","), Kind: KindTest, weak: true, runner: "GoogleTest"})
		}
		g.test, g.body = "", nil
	}
}

// tells looks for a failed assertion among the lines since the last mark.
func (g *gtestReader) tells() bool {
	for n, i := range g.body {
		if s := g.d.lines[i].s; strings.HasSuffix(s, ": Failure") || strings.Contains(s, ": error: ") {
			g.body = g.body[n:]
			return true
		}
	}
	return false
}

// report makes one failure of each failed assertion.
func (g *gtestReader) report(name string) {
	var x *Failure
	emit := func() {
		if x == nil {
			return
		}
		x.detail = trimBlock(x.detail)
		if x.Message == "" && len(x.detail) > 0 {
			x.Message, x.detail = x.detail[0], x.detail[1:]
		}
		gtestValues(x)
		g.f.fail(*x)
	}
	var before []string
	for _, i := range g.body {
		l := &g.d.lines[i]
		l.used = true
		if x == nil && len(before) < 8 && l.s != "" {
			before = append(before, l.s)
		}
		if m := reGtestFile().FindStringSubmatch(l.s); m != nil {
			emit()
			x = &Failure{Test: name, File: m[1], Line: atoi(m[2] + m[3]), Message: m[4], Kind: KindTest, runner: "GoogleTest"}
			if m[1] == "unknown file" {
				x.File = ""
			}
			if x.Message == "Failure!" && len(before) > 0 { // cmocka
				x.Message = strings.Join(before[:max(1, len(before)-1)], "\n")
			}
			continue
		}
		if x == nil && !strings.Contains(name, ".") {
			if p, ok := cutPlace(l.s, g.f.root); ok && p.line > 0 {
				x = &Failure{Test: name, File: p.file, Line: p.line, Message: p.text, Kind: KindTest, runner: "busted"}
				continue
			}
		}
		if x != nil {
			if strings.HasPrefix(l.s, "Google Test trace:") || strings.HasPrefix(l.s, "Stack trace:") {
				x.detail = append(x.detail, l.s)
				continue
			}
			x.detail = append(x.detail, l.s)
		}
	}
	if x == nil {
		x = &Failure{Test: name, Kind: KindTest, weak: true, runner: "GoogleTest"}
	}
	emit()
}

func gtestValues(x *Failure) {
	which := []string{}
	for _, s := range x.detail {
		t := strings.TrimSpace(s)
		if v, ok := strings.CutPrefix(t, "Which is: "); ok {
			which = append(which, v)
		} else if v, ok := cutAny(t, "Expected: "); ok {
			x.Expected = v
		} else if v, ok := cutAny(t, "Actual: "); ok {
			x.Actual = v
		}
	}
	if x.Message == "Expected equality of these values:" && len(which) > 0 {
		x.Actual = which[0]
		if len(which) > 1 {
			x.Expected = which[1]
		}
	}
}

// died tells of a test that began and never ended.
func (g *gtestReader) died() {
	x := Failure{Test: g.test, Kind: KindCrash, runner: "GoogleTest", Message: "the process died during this test"}
	for n, i := range g.body {
		l := &g.d.lines[i]
		if reSignal().MatchString(l.s) || strings.Contains(l.s, "terminate called") || strings.Contains(l.s, "ERROR: AddressSanitizer") || strings.Contains(l.s, "Assertion") || strings.Contains(l.s, "runtime error:") {
			x.Message = strings.TrimSpace(l.s)
			var rest []string
			for _, k := range g.body[:min(len(g.body), n+60)] {
				if k != i && g.d.lines[k].s != "" {
					rest = append(rest, g.d.lines[k].s)
					g.d.lines[k].used = true
				}
			}
			x.Frames = framesOf(rest)
			x.detail = withoutFrames(rest)
			if p, ok := cutPlace(strings.TrimPrefix(x.Message, strings.SplitN(x.Message, ": ", 2)[0]+": "), g.f.root); ok {
				x.File, x.Line = p.file, p.line
			}
			l.used = true
			break
		}
	}
	g.fail++
	g.f.placeOf(&x)
	g.f.fail(x)
	g.test, g.body = "", nil
}

func (g *gtestReader) finish() {
	if !g.seen {
		return
	}
	crashed := g.test != ""
	if crashed {
		g.died()
	}
	g.f.format = "GoogleTest"
	switch {
	case g.listed && !crashed:
		g.f.total(g.sumPass, max(g.sumFail, g.fail), g.skip)
	default:
		g.f.saw("GoogleTest")
	}
	if g.ran && g.pass+g.fail+g.skip+g.sumPass == 0 {
		g.f.noTests = true
	}
}

var (
	reCtestLine = lazy(`^ *\d+/\d+ Test +#\d+: (\S+) \.* *(\S.*?) +[\d.]+ sec.*$`)
	reCtestSum  = lazy(`^(\d+)% tests passed, (\d+) tests? failed out of (\d+)`)
)

// readCTest reads CTest. What it wraps has been read before; its own tests
// are reported only where nothing better is known.
func readCTest(d *doc, f *found) {
	before := len(f.totals) + len(f.reports)
	inner := len(f.failures)
	for i := range d.lines {
		l := &d.lines[i]
		if l.used || l.s == "" {
			continue
		}
		if strings.Contains(l.s, " Test ") && strings.Contains(l.s, "#") {
			m := reCtestLine().FindStringSubmatch(l.s)
			if m == nil {
				continue
			}
			l.used = true
			f.saw("CTest")
			if m[2] != "Passed" && !strings.Contains(m[2], "Skipped") && !strings.Contains(m[2], "Disabled") {
				x := Failure{Test: m[1], Message: strings.Trim(m[2], "* "), Kind: KindTest, weak: true, runner: "CTest"}
				if strings.Contains(m[2], "Exception") {
					x.Kind = KindCrash
				} else if strings.Contains(m[2], "Timeout") {
					x.Kind = KindTimeout
				}
				for k := i + 1; k < len(d.lines) && len(x.detail) < 60 && !reCtestLine().MatchString(d.lines[k].s) && !strings.HasPrefix(d.lines[k].s, "    Start "); k++ {
					if strings.Contains(d.lines[k].s, "% tests passed") {
						break
					}
					if !d.lines[k].used {
						x.detail = append(x.detail, d.lines[k].s)
					}
				}
				x.detail = trimBlock(x.detail)
				for _, s := range x.detail {
					if a := reCAssert().FindStringSubmatch(s); a != nil && x.File == "" {
						x.File, x.Line, x.Message = a[1], atoi(a[2]), s
					}
				}
				if inner == 0 {
					f.fail(x)
				}
			}
			continue
		}
		if m := reCtestSum().FindStringSubmatch(l.s); m != nil {
			l.used = true
			if len(f.totals)+len(f.reports) == before {
				bad := atoi(m[2])
				f.format = "CTest"
				if before == 0 {
					f.total(atoi(m[3])-bad, bad, -1)
				}
			}
		}
	}
}

var (
	reCatchFile = lazy(`^((?:[A-Za-z]:)?[^\s:(][^:(]*)(?::(\d+)|\((\d+)\)): (FAILED|PASSED|SKIPPED|warning|ERROR|FATAL ERROR|error): ?(.*)$`)
	reCatchSum  = lazy(`^test cases: +(\d+)(?: \| +(\d+) passed)?(?: \| +(\d+) failed)?(?: \| +(\d+) skipped)?(?: \| +(\d+) failed as expected)?`)
	reCatchAll  = lazy(`^All tests passed \((\d+) assertions? in (\d+) test cases?\)`)
	reDocTSum   = lazy(`^\[doctest\] test cases: +(\d+) \| +(\d+) passed \| +(\d+) failed \| +(\d+) skipped`)
)

// readCatch reads Catch2's console reporter.
func readCatch(d *doc, f *found) {
	var names []string
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used || l.s == "" {
			continue
		}
		s := l.s
		switch {
		case strings.HasPrefix(s, "--------------------"):
			var above []string
			k := i + 1
			for ; k < len(d.lines) && k < i+20 && d.lines[k].s != "" && !strings.HasPrefix(d.lines[k].s, "------"); k++ {
				above = append(above, strings.TrimSpace(d.lines[k].s))
			}
			if len(above) > 0 && k < len(d.lines) && strings.HasPrefix(d.lines[k].s, "------") {
				names = above
				i = k
			}
		case strings.HasSuffix(s, ": FAILED:") || strings.Contains(s, ": FAILED: "):
			m := reCatchFile().FindStringSubmatch(s)
			if m == nil {
				continue
			}
			x := Failure{File: m[1], Line: atoi(m[2] + m[3]), Kind: KindTest, runner: "Catch2"}
			if len(names) > 0 {
				x.Test = strings.Join(names, " > ")
			}
			j := i + 1
			for ; j < len(d.lines); j++ {
				t := d.lines[j].s
				if strings.HasPrefix(t, "------") || strings.HasPrefix(t, "======") || reCatchFile().MatchString(t) {
					break
				}
				d.lines[j].used = true
				x.detail = append(x.detail, t)
			}
			x.detail = trimBlock(x.detail)
			if len(x.detail) > 0 {
				x.Message, x.detail = strings.TrimSpace(x.detail[0]), x.detail[1:]
			}
			for k, t := range x.detail {
				if strings.HasPrefix(t, "with expansion:") && k+1 < len(x.detail) {
					if a, b, ok := strings.Cut(strings.TrimSpace(x.detail[k+1]), " == "); ok {
						x.Actual, x.Expected = a, b
					}
				}
				if reSignal().MatchString(t) {
					x.Kind = KindCrash
				}
			}
			l.used = true
			f.fail(x)
			i = j - 1
		case strings.HasPrefix(s, "test cases:"):
			if m := reCatchSum().FindStringSubmatch(s); m != nil {
				l.used = true
				f.format = "Catch2"
				f.total(atoi(m[2]), atoi(m[3]), atoi(m[4]))
			}
		case strings.HasPrefix(s, "All tests passed ("):
			if m := reCatchAll().FindStringSubmatch(s); m != nil {
				l.used = true
				f.format = "Catch2"
				f.total(atoi(m[2]), 0, 0)
			}
		case strings.HasPrefix(s, "No test cases matched") || strings.HasPrefix(s, "No tests ran"):
			f.saw("Catch2")
			f.noTests = true
		}
	}
}

// readDoctestCPP reads doctest, the C++ framework.
func readDoctestCPP(d *doc, f *found) {
	var names []string
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used || l.s == "" {
			continue
		}
		s := l.s
		switch {
		case strings.HasPrefix(s, "[doctest] test cases:"):
			if m := reDocTSum().FindStringSubmatch(s); m != nil {
				l.used = true
				f.format = "doctest"
				f.total(atoi(m[2]), atoi(m[3]), atoi(m[4]))
			}
		case strings.HasPrefix(s, "TEST CASE:") || strings.HasPrefix(s, "TEST SUITE:") || strings.HasPrefix(s, "  Scenario:"):
			if strings.HasPrefix(s, "TEST SUITE:") {
				continue
			}
			names = []string{strings.TrimSpace(s[strings.IndexByte(s, ':')+1:])}
			for k := i + 1; k < len(d.lines) && strings.HasPrefix(d.lines[k].s, "  "); k++ {
				names = append(names, strings.TrimSpace(d.lines[k].s))
			}
		case len(names) > 0 && strings.Contains(s, "ERROR: "):
			m := reCatchFile().FindStringSubmatch(s)
			if m == nil {
				continue
			}
			x := Failure{Test: strings.Join(names, " > "), File: m[1], Line: atoi(m[2] + m[3]), Message: m[5], Kind: KindTest, runner: "doctest"}
			j := i + 1
			for ; j < len(d.lines) && d.lines[j].s != "" && !strings.HasPrefix(d.lines[j].s, "====="); j++ {
				if reCatchFile().MatchString(d.lines[j].s) {
					break
				}
				d.lines[j].used = true
				x.detail = append(x.detail, d.lines[j].s)
			}
			for _, t := range x.detail {
				if v, ok := strings.CutPrefix(strings.TrimSpace(t), "values: CHECK( "); ok {
					if a, b, ok := strings.Cut(strings.TrimSuffix(v, " )"), " == "); ok {
						x.Actual, x.Expected = strings.TrimSpace(a), strings.TrimSpace(b)
					}
				}
			}
			l.used = true
			f.fail(x)
			i = j - 1
		}
	}
}

var (
	reBoostFail = lazy(`^((?:[A-Za-z]:)?[^\s:(][^:(]*)(?:\((\d+)\)|:(\d+)): (?:fatal )?error: in "([^"]+)": (.*)$`)
)

// readBoost reads Boost.Test.
func readBoost(d *doc, f *found) {
	for i := range d.lines {
		l := &d.lines[i]
		if l.used || !strings.Contains(l.s, `error: in "`) {
			continue
		}
		if m := reBoostFail().FindStringSubmatch(l.s); m != nil {
			l.used = true
			x := Failure{Test: m[4], File: m[1], Line: atoi(m[2] + m[3]), Message: m[5], Kind: KindTest, runner: "Boost.Test"}
			if i+1 < len(d.lines) && strings.Contains(d.lines[i+1].s, "last checkpoint") {
				x.detail = append(x.detail, d.lines[i+1].s)
				if g, ok := cutPlace(d.lines[i+1].s, f.root); ok && x.Line == 0 {
					x.File, x.Line = g.file, g.line
				}
			}
			f.fail(x)
		}
	}
}
