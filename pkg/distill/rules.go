package distill

import (
	"regexp"
	"strings"
	"sync"
)

// ruleWords finds in one pass the lines that a rule may be about.
var ruleWords = sync.OnceValue(func() *matcher {
	words := []string{"ran ", "# of ", "test run ", "failed", "passed: ", "skipped: ", "timeout: ", "ok: ", "pass: ", "fail: "}
	for i := range sumRules {
		words = append(words, strings.ToLower(sumRules[i].mark))
	}
	for i := range blockRules {
		b := &blockRules[i]
		for _, w := range []string{b.mark, b.after, b.until, b.open} {
			if w = strings.TrimLeft(w, " "); w != "" && w != "test" {
				words = append(words, strings.ToLower(w))
			}
		}
	}
	return newMatcher(words)
})

// readRules reads the runners of the tables above.
func readRules(d *doc, f *found) {
	r := &ruleReader{d: d, f: f, seen: map[string]bool{}, suites: map[string]string{}, sums: map[string]total{}}
	words := ruleWords()
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.s == "" || len(l.s) > 1000 {
			continue
		}
		if l.s != "OK" && !words.match([]byte(l.s)) && !(strings.HasPrefix(l.s, "test") && len(l.s) < 100) {
			continue
		}
		r.notice(l.s)
		if l.used {
			continue
		}
		r.twoLines(l.s)
		i = r.line(i)
	}
	r.finish()
}

type ruleReader struct {
	d      *doc
	f      *found
	seen   map[string]bool   // the lines that rules wait for
	suites map[string]string // the open group of each runner
	sums   map[string]total
	order  []string
	ant    string
	ran    int
}

func (r *ruleReader) notice(s string) {
	for k := range blockRules {
		b := &blockRules[k]
		if b.after != "" && strings.HasPrefix(strings.TrimLeft(s, " "), strings.TrimLeft(b.after, " ")) {
			r.seen[b.runner] = true
		} else if b.until != "" && strings.HasPrefix(s, b.until) {
			r.seen[b.runner] = false
		}
		if b.suite != nil && strings.HasPrefix(s, b.open) {
			if m := b.suite().FindStringSubmatch(s); m != nil {
				r.suites[b.runner] = m[1]
			}
		}
	}
}

func (r *ruleReader) line(i int) int {
	s := r.d.lines[i].s
	for k := range sumRules {
		x := &sumRules[k]
		if !strings.Contains(s, x.mark) {
			continue
		}
		if m := x.expr().FindStringSubmatch(s); m != nil {
			r.sum(x, groups(x.expr(), m))
			r.d.lines[i].used = true
			return i
		}
	}
	for k := range blockRules {
		b := &blockRules[k]
		if !strings.Contains(s, b.mark) || b.after != "" && !r.seen[b.runner] {
			continue
		}
		if m := b.head().FindStringSubmatch(s); m != nil {
			if end := r.block(i, b, groups(b.head(), m)); end > i {
				return end - 1
			}
		}
	}
	return i
}

func groups(re *regexp.Regexp, m []string) map[string]string {
	out := map[string]string{}
	for i, n := range re.SubexpNames() {
		if n != "" {
			out[n] = m[i]
		}
	}
	return out
}

// twoLines reads sums that take two lines or more.
func (r *ruleReader) twoLines(s string) {
	switch {
	case strings.HasPrefix(s, "Ran "):
		if m := reRanDot().FindStringSubmatch(s); m != nil { // shUnit2
			r.ran = atoi(m[1])
		}
	case r.ran > 0 && (s == "OK" || strings.HasPrefix(s, "FAILED (failures=") || strings.HasPrefix(s, "OK (skipped=")):
		bad, skip := 0, 0
		if m := reFailuresEq().FindStringSubmatch(s); m != nil {
			bad = atoi(m[1])
		}
		if _, v, ok := strings.Cut(s, "skipped="); ok {
			skip = atoi(v[:leadingDigits(v)])
		}
		r.f.format = "shUnit2"
		r.f.total(max(0, r.ran-bad), bad, skip)
		r.ran = 0
	case s == "TEST RUN FAILED" || s == "TEST RUN PASSED":
		r.seen["elm-test"] = true
	case r.seen["elm-test"] && (strings.HasPrefix(s, "Passed: ") || strings.HasPrefix(s, "Failed: ") || strings.HasPrefix(s, "Skipped: ")):
		t := r.sums["elm-test"]
		k, v, _ := strings.Cut(s, ": ")
		*map[string]*int{"Passed": &t.passed, "Failed": &t.failed, "Skipped": &t.skipped}[k] += atoi(strings.TrimSpace(v))
		r.put("elm-test", t)
	case strings.HasPrefix(s, "# of "):
		if m := reDejagnu().FindStringSubmatch(s); m != nil {
			t := r.sums["dejagnu"]
			switch m[1] {
			case "expected passes":
				t.passed += atoi(m[2])
			case "unexpected failures":
				t.failed += atoi(m[2])
			case "unsupported tests", "untested testcases", "skipped tests":
				t.skipped += atoi(m[2])
			}
			r.put("dejagnu", t)
		}
	case len(s) < 60 && s[0] >= 'A' && s[0] <= 'U':
		if m := reMesonSum().FindStringSubmatch(s); m != nil {
			t := r.sums["Meson"]
			switch m[1] {
			case "Ok", "Expected Fail":
				t.passed += atoi(m[2])
			case "Fail", "Unexpected Pass", "Timeout":
				t.failed += atoi(m[2])
			case "Skipped":
				t.skipped += atoi(m[2])
			}
			r.put("Meson", t)
		}
	}
}

var (
	reRanDot     = lazy(`^Ran (\d+) tests?\.$`)
	reFailuresEq = lazy(`failures=(\d+)`)
	reDejagnu    = lazy(`^# of (expected passes|unexpected failures|unsupported tests|untested testcases|skipped tests)\s+(\d+)$`)
	reMesonSum   = lazy(`^(Ok|Expected Fail|Fail|Unexpected Pass|Skipped|Timeout): +(\d+)$`)
)

func (r *ruleReader) put(runner string, t total) {
	if _, had := r.sums[runner]; !had {
		r.order = append(r.order, runner)
	}
	r.sums[runner] = t
}

func (r *ruleReader) sum(x *sumRule, g map[string]string) {
	bad, skip := atoi(g["failed"])+atoi(g["errors"]), atoi(g["skipped"])
	t := total{atoi(g["passed"]), bad, skip}
	if n, ok := g["total"]; ok {
		t.passed = max(0, atoi(n)-bad-skip)
	}
	if n, ok := g["ran"]; ok {
		t.passed = max(0, atoi(n)-bad)
	}
	if x.runner == "ant junit" && r.ant == r.suites[x.runner] && r.ant != "" {
		return // said twice of one suite
	}
	if x.runner == "ant junit" {
		r.ant = r.suites[x.runner]
	}
	old, had := r.sums[x.runner]
	if !had {
		r.order = append(r.order, x.runner)
	}
	if !x.last {
		t = total{old.passed + t.passed, old.failed + t.failed, old.skipped + t.skipped}
	}
	r.sums[x.runner] = t
}

func (r *ruleReader) finish() {
	for _, n := range r.order {
		t := r.sums[n]
		if (n == "Meson" || n == "sbt") && len(r.f.totals) > 0 {
			continue // what it ran has counted
		}
		r.f.format = n
		r.f.total(t.passed, t.failed, t.skipped)
	}
}

// block reads one failure and gives the line after it.
func (r *ruleReader) block(i int, b *blockRule, g map[string]string) int {
	var lines []string
	end := i + 1
	if b.above {
		k := i - 1
		for ; k >= 0 && k > i-60 && !r.d.lines[k].used && !b.stop().MatchString(r.d.lines[k].s); k-- {
		}
		for _, l := range r.d.lines[k+1 : i] {
			lines = append(lines, l.s)
		}
	} else {
		for ; end < len(r.d.lines) && len(lines) < 200 && !b.stop().MatchString(r.d.lines[end].s); end++ {
			lines = append(lines, r.d.lines[end].s)
		}
	}
	x := Failure{Test: g["name"], File: g["file"], Line: atoi(g["line"]), Message: g["msg"], Kind: KindTest, runner: b.runner}
	all := lines
	lines = r.special(b, &x, g, lines)
	x.weak = b.weak
	if x.Test == "" {
		return i
	}
	r.explain(&x, lines)
	if b.wraps {
		for _, y := range r.f.failures {
			if y.Test != "" {
				return i // what it wraps has said more
			}
		}
	}
	for k := i; k < end; k++ {
		r.d.lines[k].used = true
	}
	if b.above {
		for k := i - len(all); k < i; k++ {
			r.d.lines[max(k, 0)].used = true
		}
	}
	if b.runner == "tcltest" && i > 0 {
		if p, ok := placeAnyExt(r.d.lines[i-1].s); ok {
			x.File, x.Line = p.file, p.line
		}
	}
	r.f.fail(x)
	return end
}

// placeAnyExt reads "file:9: error: text" of a file with any name.
func placeAnyExt(s string) (diag, bool) {
	i := strings.Index(s, ": error: ")
	if i < 0 {
		return diag{}, false
	}
	k := strings.LastIndexByte(s[:i], ':')
	if k < 0 || !onlyDigits(s[k+1:i]) {
		return diag{}, false
	}
	return diag{file: s[:k], line: atoi(s[k+1 : i])}, true
}

// explain fills in message, values and place from the lines of a block.
func (r *ruleReader) explain(x *Failure, lines []string) {
	if tb := lastTraceback(lines); tb != nil && x.Message == "" {
		x.Message, x.Frames, lines = tb.message, tb.frames, tb.rest
	}
	frames := framesOf(lines)
	x.Frames = append(frames, x.Frames...)
	for _, s := range lines {
		if g, ok := cutPlace(strings.TrimSpace(s), r.f.root); ok && x.File == "" && g.line > 0 && len(x.Frames) == 0 {
			x.File, x.Line, x.Column = g.file, g.line, g.col
		}
	}
	body := trimBlock(withoutFrames(lines))
	if len(body) > 0 && x.Message == "" {
		x.Message, body = strings.TrimSpace(body[0]), body[1:]
	}
	x.detail = body
	for _, s := range body {
		t := strings.TrimSpace(s)
		if v, ok := cutAny(t, "Expected: ", "expected: ", "expected:"); ok && x.Expected == "" {
			x.Expected = strings.TrimSpace(v)
		} else if v, ok := cutAny(t, "Actual: ", "actual: ", "actual:", "Actual  : ", "Received: ", "but got: "); ok && x.Actual == "" {
			x.Actual = strings.TrimSpace(v)
		}
	}
	for _, s := range lines {
		if m := reCAssert().FindStringSubmatch(s); m != nil && x.File == "" {
			x.File, x.Line, x.Message = m[1], atoi(m[2]), s
		}
	}
	if len(x.Frames) > 0 && (x.File == "" || strings.HasSuffix(x.File, ".feature")) {
		file := x.File
		x.File = ""
		if r.f.placeOf(x); x.File == "" {
			x.File = file
		}
	}
	for _, s := range append([]string{x.Message}, lines...) {
		if x.File != "" {
			break
		}
		if g, ok := anyPlace(s, r.f.root); ok {
			x.File, x.Line, x.Column = g.file, g.line, g.col
		}
	}
}
