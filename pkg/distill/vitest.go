package distill

import "strings"

var (
	reViteFail  = lazy(`^ ?(?:FAIL|❯) +(?:\|[^|]*\| |[\w-]+ )?(\S.*\.\w+)(?: \[ .* \]|( > .+))?$`)
	reViteTests = lazy(`^ +Tests +(.+?)(?: \((\d+)\))?$`)
	reViteRule  = lazy(`^⎯+\[\d+/\d+\]⎯$`)
	reViteHead  = lazy(`^⎯+ (.+?) ⎯+$`)
)

// readVitest reads vitest.
func readVitest(d *doc, f *found) {
	seen := false
	for i := range d.lines {
		if s := d.lines[i].s; strings.HasPrefix(s, " Test Files  ") || strings.HasPrefix(s, "⎯⎯⎯") || strings.HasPrefix(s, " RUN  v") || strings.HasPrefix(s, " DEV  v") {
			seen = true
			break
		}
	}
	if !seen {
		return
	}
	var last []string
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		s := l.s
		switch {
		case l.used || s == "":
		case strings.HasPrefix(s, " FAIL "):
			i = vitestBlock(d, f, i) - 1
		case strings.HasPrefix(s, "⎯"):
			if m := reViteHead().FindStringSubmatch(s); m != nil && (strings.HasPrefix(m[1], "Uncaught") || strings.HasPrefix(m[1], "Unhandled Rejection") || strings.HasPrefix(m[1], "Unhandled Source")) {
				i = vitestUnhandled(d, f, i) - 1
			}
		case strings.HasPrefix(strings.TrimLeft(s, " "), "Tests  "):
			if m := reViteTests().FindStringSubmatch(s); m != nil {
				last = m // a terminal shows the total many times
				l.used = true
			}
		case strings.HasPrefix(s, "No test files found"):
			f.saw("vitest")
			f.noTests = true
		case strings.HasPrefix(s, " RUN  v"):
			f.saw("vitest")
		}
	}
	if last != nil && last[1] != "no tests" {
		n := countWords(last[1])
		f.format = "vitest"
		f.total(n["passed"], n["failed"], n["skipped"])
	}
}

// vitestBlock reads one error and the tests it belongs to: vitest prints an
// error once that several tests share.
func vitestBlock(d *doc, f *found, i int) int {
	var tests []string
	j := i
	for ; j < len(d.lines) && strings.HasPrefix(d.lines[j].s, " FAIL "); j++ {
		if m := reViteFail().FindStringSubmatch(d.lines[j].s); m != nil {
			tests = append(tests, m[1]+m[2])
		} else {
			tests = append(tests, strings.TrimSpace(d.lines[j].s[5:]))
		}
	}
	start := j
	for ; j < len(d.lines); j++ {
		s := d.lines[j].s
		if reViteRule().MatchString(s) || strings.HasPrefix(s, " FAIL ") || strings.HasPrefix(s, " Test Files ") || reViteHead().MatchString(s) {
			break
		}
	}
	lines := make([]string, 0, j-start)
	for k := i; k < j; k++ {
		d.lines[k].used = true
		if k >= start {
			lines = append(lines, d.lines[k].s)
		}
	}
	f.format = "vitest"
	for _, t := range tests {
		x := Failure{Test: t, Kind: KindTest, runner: "vitest"}
		if !strings.Contains(t, " > ") {
			x.Kind = KindLoad
		}
		jsBlock(&x, lines)
		if x.Message == "" {
			x.weak = true
		}
		if strings.Contains(x.Message, "Test timed out") || strings.Contains(x.Message, "Hook timed out") {
			x.Kind = KindTimeout
		}
		f.placeOf(&x)
		if x.File == "" {
			x.File, _, _ = strings.Cut(t, " > ")
		}
		f.fail(x)
	}
	return j
}

func vitestUnhandled(d *doc, f *found, i int) int {
	j := i + 1
	var lines []string
	for ; j < len(d.lines) && !strings.HasPrefix(d.lines[j].s, "⎯") && !strings.HasPrefix(d.lines[j].s, " Test Files "); j++ {
		d.lines[j].used = true
		lines = append(lines, d.lines[j].s)
	}
	x := Failure{Kind: KindError, runner: "vitest"}
	jsBlock(&x, lines)
	f.placeOf(&x)
	if x.Message != "" {
		f.fail(x)
	}
	return j
}
