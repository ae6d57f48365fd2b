package distill

import "strings"

var (
	rePerlTest  = lazy(`^(\s*)#\s+Failed (?:\(TODO\) )?test(?: '(.*)')?(?: +(?:in|at) (\S+)(?: at)? line (\d+)\.?)?$`)
	rePerlPlace = lazy(`^\s*#\s+(?:in|at) (\S+)(?: at)? line (\d+)\.?$`)
	reProveEnd  = lazy(`^Files=\d+, Tests=(\d+),`)
	reProveBad  = lazy(`^Failed (\d+)/(\d+) subtests`)
	reBatsPlace = lazy(`^ {3,}\((?:from function .* )?in (?:test )?file ([^,]+), line (\d+)[,)]`)
	reBatsCount = lazy(`^(\d+) tests?, (\d+) failures?(?:, (\d+) skipped)?`)
)

// readProve reads what Perl's test libraries say of a failure, which comes on
// another stream than the results, and the sum of prove.
func readProve(d *doc, f *found) {
	bad, results := 0, false
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used || l.s == "" {
			continue
		}
		s := l.s
		switch {
		case strings.Contains(s, "# ") && strings.Contains(s, " Failed ") && strings.HasPrefix(strings.TrimLeft(s, " "), "#"):
			if m := rePerlTest().FindStringSubmatch(s); m != nil && !strings.Contains(s, "(TODO)") {
				i = perlBlock(d, f, i, m) - 1
			}
		case strings.HasSuffix(s, ".") && strings.Contains(s, " line ") && s[0] != '#' && perlDied(d, i):
			if m := rePerlDie().FindStringSubmatch(s); m != nil {
				l.used = true
				f.fail(Failure{File: m[2], Line: atoi(m[3]), Message: m[1], Kind: KindCrash, runner: "prove"})
			}
		case strings.HasPrefix(s, "ok ") || strings.HasPrefix(s, "not ok "):
			results = true
		case strings.HasPrefix(s, "Failed "):
			if m := reProveBad().FindStringSubmatch(s); m != nil {
				bad += atoi(m[1])
				l.used = true
			}
		case strings.HasPrefix(s, "Files="):
			if m := reProveEnd().FindStringSubmatch(s); m != nil {
				f.format = "prove"
				f.saw("prove")
				if !results {
					f.total(max(0, atoi(m[1])-bad), bad, -1)
				}
				if m[1] == "0" {
					f.noTests = true
				}
			}
		}
	}
}

// perlDied tells whether a script ended with the message at line i.
func perlDied(d *doc, i int) bool {
	for k := i + 1; k < len(d.lines) && k < i+6; k++ {
		if s := d.lines[k].s; strings.HasPrefix(s, "# Looks like your test exited") || strings.HasPrefix(s, "# Tests were run but no plan") || strings.HasPrefix(s, "# Looks like you planned") || strings.HasPrefix(s, "Dubious, test returned") {
			return true
		}
	}
	return false
}

func perlBlock(d *doc, f *found, i int, m []string) int {
	x := Failure{Test: m[2], File: m[3], Line: atoi(m[4]), Kind: KindTest, runner: "prove"}
	d.lines[i].used = true
	j := i + 1
	for ; j < len(d.lines); j++ {
		s := d.lines[j].s
		if !strings.HasPrefix(strings.TrimLeft(s, " "), "#") || rePerlTest().MatchString(s) || strings.Contains(s, "# Looks like you ") {
			break
		}
		d.lines[j].used = true
		if p := rePerlPlace().FindStringSubmatch(s); p != nil && x.File == "" {
			x.File, x.Line = p[1], atoi(p[2])
			continue
		}
		x.detail = append(x.detail, strings.TrimPrefix(strings.TrimLeft(s, " "), "#"))
	}
	perlValues(&x)
	x.detail = trimBlock(x.detail)
	if len(x.detail) > 0 {
		x.Message, x.detail = x.detail[0], x.detail[1:]
	} else {
		x.Message = strings.TrimLeft(strings.TrimSpace(d.lines[i].s), "# ")
	}
	if x.Test == "" { // a test without a name
		x.Test = place(x.File, x.Line, 0)
	}
	f.fail(x)
	return j
}

// readBatsPretty reads bats' form for terminals.
func readBatsPretty(d *doc, f *found) {
	passed := 0
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used || l.s == "" {
			continue
		}
		if strings.HasPrefix(l.s, " ✓ ") {
			passed++
		}
		if m := reBatsCount().FindStringSubmatch(l.s); m != nil && f.format == "bats pretty" {
			l.used = true
			f.total(max(0, atoi(m[1])-atoi(m[2])-atoi(m[3])), atoi(m[2]), atoi(m[3]))
			continue
		}
		name, ok := strings.CutPrefix(l.s, " ✗ ")
		if !ok || i+1 >= len(d.lines) {
			continue
		}
		m := reBatsPlace().FindStringSubmatch(d.lines[i+1].s)
		if m == nil {
			continue
		}
		if k := strings.LastIndex(name, " ["); k > 0 && strings.HasSuffix(name, "]") {
			name = name[:k]
		}
		f.format = "bats pretty"
		x := Failure{Test: name, File: m[1], Line: atoi(m[2]), Kind: KindTest, runner: "bats"}
		j := i + 1
		for ; j < len(d.lines) && strings.HasPrefix(d.lines[j].s, "   "); j++ {
			d.lines[j].used = true
			if !reBatsPlace().MatchString(d.lines[j].s) {
				x.detail = append(x.detail, d.lines[j].s)
			}
		}
		x.detail = trimBlock(x.detail)
		if len(x.detail) > 0 {
			x.Message, x.detail = strings.TrimSpace(x.detail[0]), x.detail[1:]
		}
		l.used = true
		f.fail(x)
		i = j - 1
	}
}

var reDenoTS = lazy(`^(?:error: )?(TS\d+ \[ERROR\]: .+)$`)

// readDenoCheck reads deno check, which prints the place below the message.
func readDenoCheck(d *doc, f *found) {
	for i := range d.lines {
		l := &d.lines[i]
		if l.used || !strings.Contains(l.s, "[ERROR]") {
			continue
		}
		m := reDenoTS().FindStringSubmatch(l.s)
		if m == nil {
			continue
		}
		x := Failure{Message: m[1], Kind: KindType, runner: "deno check"}
		for j := i + 1; j < len(d.lines) && j < i+20; j++ {
			d.lines[j].used = true
			if fr, ok := parseFrame(d.lines[j].s); ok {
				x.File, x.Line, x.Column = fr.File, fr.Line, fr.Column
				break
			}
			x.detail = append(x.detail, d.lines[j].s)
		}
		l.used = true
		f.fail(x)
	}
}
