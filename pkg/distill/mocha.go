package distill

import (
	"strings"
)

var (
	reMochaCount = lazy(`^ +(\d+) (passing|failing|pending)(?: \([\d.]+ ?\w+\))?$`)
	reNumbered   = lazy(`^( *)(\d+)\) (.+)$`)
	reJasmineSum = lazy(`^(\d+) specs?, (\d+) failures?(?:, (\d+) pending specs?)?`)
)

// readMocha reads mocha, also inside Cypress and others that use it.
func readMocha(d *doc, f *found) {
	tail := -1
	counts := map[string]int{}
	flush := func() {
		if len(counts) > 0 {
			f.format = "mocha"
			f.total(counts["passing"], counts["failing"], counts["pending"])
			counts = map[string]int{}
		}
	}
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.s == "Failed tests:" { // lab
			tail = i
		}
		if l.used || l.s == "" || l.s[0] != ' ' {
			continue
		}
		if m := reMochaCount().FindStringSubmatch(l.s); m != nil {
			if _, dup := counts[m[2]]; dup || m[2] == "passing" {
				flush()
			}
			counts[m[2]] = atoi(m[1])
			l.used = true
			tail = i
			continue
		}
		if tail < 0 || !strings.HasPrefix(l.s, "  ") {
			continue
		}
		if m := reNumbered().FindStringSubmatch(l.s); m != nil && len(m[1]) <= 3 {
			i = mochaBlock(d, f, i, m) - 1
		}
	}
	flush()
}

// mochaBlock reads a numbered failure: the path of titles, the last of which
// ends with a colon, then the error.
func mochaBlock(d *doc, f *found, i int, m []string) int {
	var path []string
	t := m[3]
	j := i
	for {
		t = strings.TrimSpace(t)
		if strings.HasSuffix(t, ":") {
			path = append(path, strings.TrimSuffix(t, ":"))
			j++
			break
		}
		path = append(path, t)
		if j++; j >= len(d.lines) || j > i+12 || d.lines[j].s == "" {
			break
		}
		t = d.lines[j].s
	}
	start := j
	for ; j < len(d.lines); j++ {
		s := d.lines[j].s
		if s != "" && s[0] != ' ' && !mochaGoesOn(d, j) {
			break
		}
		if k := reNumbered().FindStringSubmatch(s); k != nil && len(k[1]) == len(m[1]) && (atoi(k[2]) == atoi(m[2])+1 || atoi(k[2]) > atoi(m[2]) && strings.HasSuffix(s, ":") && d.lines[j-1].s == "") {
			break
		}
		if reMochaCount().MatchString(s) || strings.HasPrefix(s, "  (Results)") || strings.HasPrefix(s, "  (Screenshots)") {
			break
		}
	}
	var lines []string
	for k := i; k < j; k++ {
		d.lines[k].used = true
		if k >= start {
			lines = append(lines, d.lines[k].s)
		}
	}
	x := Failure{Test: strings.Join(path, " > "), Kind: KindTest, runner: "mocha"}
	jsBlock(&x, lines)
	mochaDiff(&x)
	if strings.Contains(x.Message, "Timeout of ") {
		x.Kind = KindTimeout
	}
	f.format = "mocha"
	f.placeOf(&x)
	f.fail(x)
	return j
}

// mochaGoesOn tells whether a line at the margin is a part of a message of
// several lines: then the stack or the diff still follows.
func mochaGoesOn(d *doc, j int) bool {
	blank := 0
	for k := j + 1; k < len(d.lines) && k < j+40; k++ {
		s := d.lines[k].s
		switch {
		case s == "":
			if blank++; blank > 1 {
				return false
			}
			continue
		case strings.HasPrefix(s, "      at ") || strings.HasPrefix(s, "      + expected"):
			return true
		case strings.HasPrefix(s, "  ") && reNumbered().MatchString(s):
			return false
		}
		blank = 0
	}
	return false
}

// mochaDiff reads "+ expected - actual".
func mochaDiff(x *Failure) {
	for i, s := range x.detail {
		if strings.TrimSpace(s) != "+ expected - actual" {
			continue
		}
		for _, t := range x.detail[i+1:] {
			t = strings.TrimSpace(t)
			if strings.HasPrefix(t, "-") && x.Actual == "" {
				x.Actual = t[1:]
			} else if strings.HasPrefix(t, "+") && x.Expected == "" {
				x.Expected = t[1:]
			}
		}
	}
}

// readJasmine reads jasmine's console reporter and karma's.
func readJasmine(d *doc, f *found) {
	inside, karmaRan := false, false
	var karma total
	defer func() {
		if karmaRan {
			f.format = "karma"
			f.total(karma.passed, karma.failed, karma.skipped)
		}
	}()
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used || l.s == "" {
			continue
		}
		switch {
		case l.s == "Failures:" || l.s == "Suite error:" || strings.HasPrefix(l.s, "Suite error: "):
			inside = true
		case l.s == "Pending:":
			inside = false
		case inside && i+1 < len(d.lines) && d.lines[i+1].s == "  Message:":
			i = jasmineBlock(d, f, i) - 1
		case l.s[0] >= '0' && l.s[0] <= '9':
			if m := reJasmineSum().FindStringSubmatch(l.s); m != nil {
				l.used = true
				all, fail, pend := atoi(m[1]), atoi(m[2]), atoi(m[3])
				f.format = "jasmine"
				if all == 0 {
					f.noTests = true
				}
				f.total(max(0, all-fail-pend), fail, pend)
			}
		case l.s == "No specs found":
			f.saw("jasmine")
			f.noTests = true
		case strings.HasSuffix(l.s, " FAILED") && strings.Contains(l.s, ") "):
			i = karmaBlock(d, f, i) - 1
		case strings.Contains(l.s, ": Executed "):
			if m := reKarmaSum().FindStringSubmatch(l.s); m != nil && m[1] == m[2] {
				karma = total{max(0, atoi(m[1])-atoi(m[3])-atoi(m[4])), atoi(m[3]), atoi(m[4])}
				karmaRan = true
				l.used = true
			}
		}
	}
}

func jasmineBlock(d *doc, f *found, i int) int {
	name := d.lines[i].s
	if m := reNumbered().FindStringSubmatch(name); m != nil {
		name = m[3]
	}
	j := i + 1
	part := ""
	var x *Failure
	emit := func() {
		if x != nil {
			f.format = "jasmine"
			f.placeOf(x)
			f.fail(*x)
		}
	}
	for ; j < len(d.lines); j++ {
		s := d.lines[j].s
		if s == "" || s[0] != ' ' {
			break
		}
		d.lines[j].used = true
		switch s {
		case "  Message:":
			emit()
			x = &Failure{Test: name, Kind: KindTest, runner: "jasmine"}
			part = "message"
			continue
		case "  Stack:":
			part = "stack"
			continue
		}
		if part == "message" {
			if t := strings.TrimSpace(s); x.Message == "" {
				x.Message = t
			} else {
				x.detail = append(x.detail, s)
			}
		} else if fr, ok := parseFrame(s); ok {
			x.Frames = append(x.Frames, fr)
		}
	}
	d.lines[i].used = true
	emit()
	return j
}

var reKarmaSum = lazy(`: Executed (\d+) of (\d+)(?: \((\d+) FAILED\))?(?: \(skipped (\d+)\))?`)

var reKarma = lazy(`^(?:.+? )?\d[\d.]* \([^)]*\) (?:LOG: |)(.+) FAILED$`)

// karmaBlock reads "Chrome 120.0 (Linux x86_64) Suite name FAILED".
func karmaBlock(d *doc, f *found, i int) int {
	m := reKarma().FindStringSubmatch(d.lines[i].s)
	if m == nil || strings.Contains(d.lines[i].s, "Executed ") {
		return i + 1
	}
	var lines []string
	j := i + 1
	for ; j < len(d.lines) && strings.HasPrefix(d.lines[j].s, "\t"); j++ {
		d.lines[j].used = true
		lines = append(lines, strings.TrimPrefix(d.lines[j].s, "\t"))
	}
	x := Failure{Test: m[1], Kind: KindTest, runner: "karma"}
	jsBlock(&x, lines)
	f.placeOf(&x)
	f.fail(x)
	d.lines[i].used = true
	return j
}
