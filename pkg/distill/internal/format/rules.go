package format

import (
	"strings"
	"sync"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// ruleWords finds in one pass the lines that a rule may be about.
var ruleWords = sync.OnceValue(func() *stream.Matcher {
	words := []string{"ran ", "# of ", "test run ", "failed", "passed: ", "skipped: ", "timeout: ", "ok: ",
		"pass: ", "fail: "}
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
	return stream.NewMatcher(words)
})

// readRules reads the runners of the tables above.
func readRules(d *stream.Doc, f *core.Found) {
	r := &ruleReader{d: d, f: f, seen: map[string]bool{}, suites: map[string]string{},
		sums: map[string]core.Total{}}
	words := ruleWords()
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.S == "" || len(l.S) > 1000 {
			continue
		}
		if l.S != "OK" && !words.Match([]byte(l.S)) && !(strings.HasPrefix(l.S, "test") && len(l.S) < 100) {
			continue
		}
		r.notice(l.S)
		if l.Used {
			continue
		}
		r.twoLines(l.S)
		i = r.line(i)
	}
	r.finish()
}

type ruleReader struct {
	d      *stream.Doc
	f      *core.Found
	seen   map[string]bool   // the lines that rules wait for
	suites map[string]string // the open group of each runner
	sums   map[string]core.Total
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
	s := r.d.Lines[i].S
	for k := range blockRules {
		b := &blockRules[k]
		if !strings.Contains(s, b.mark) || b.after != "" && !r.seen[b.runner] {
			continue
		}
		if m := text.Groups(b.head(), s); m != nil {
			if end := r.block(i, b, m); end > i {
				return end - 1
			}
		}
	}
	for k := range sumRules {
		x := &sumRules[k]
		if !strings.Contains(s, x.mark) {
			continue
		}
		if m := text.Groups(x.expr(), s); m != nil {
			r.sum(x, m)
			r.d.Lines[i].Used = true
			return i
		}
	}
	return i
}

// twoLines reads sums that take two lines or more.
func (r *ruleReader) twoLines(s string) {
	switch {
	case strings.HasPrefix(s, "Ran "):
		if m := reRanDot().FindStringSubmatch(s); m != nil { // shUnit2
			r.ran = text.Atoi(m[1])
		}
	case r.ran > 0 && (s == "OK" || strings.HasPrefix(s, "FAILED (failures=") ||
		strings.HasPrefix(s, "OK (skipped=")):
		bad, skip := 0, 0
		if m := reFailuresEq().FindStringSubmatch(s); m != nil {
			bad = text.Atoi(m[1])
		}
		if _, v, ok := strings.Cut(s, "skipped="); ok {
			skip = text.Atoi(v[:text.LeadingDigits(v)])
		}
		r.f.Format = "shUnit2"
		r.f.Total(max(0, r.ran-bad), bad, skip)
		r.ran = 0
	case s == "TEST RUN FAILED" || s == "TEST RUN PASSED":
		r.seen["elm-test"] = true
	case r.seen["elm-test"] && (strings.HasPrefix(s, "Passed: ") || strings.HasPrefix(s, "Failed: ") ||
		strings.HasPrefix(s, "Skipped: ")):
		t := r.sums["elm-test"]
		k, v, _ := strings.Cut(s, ": ")
		*map[string]*int{"Passed": &t.Passed, "Failed": &t.Failed,
			"Skipped": &t.Skipped}[k] += text.Atoi(strings.TrimSpace(v))
		r.put("elm-test", t)
	case strings.HasPrefix(s, "# of "):
		if m := reDejagnu().FindStringSubmatch(s); m != nil {
			t := r.sums["dejagnu"]
			switch m[1] {
			case "expected passes":
				t.Passed += text.Atoi(m[2])
			case "unexpected failures":
				t.Failed += text.Atoi(m[2])
			case "unsupported tests", "untested testcases", "skipped tests":
				t.Skipped += text.Atoi(m[2])
			}
			r.put("dejagnu", t)
		}
	case len(s) < 60 && s[0] >= 'A' && s[0] <= 'U':
		if m := reMesonSum().FindStringSubmatch(s); m != nil {
			t := r.sums["Meson"]
			switch m[1] {
			case "Ok", "Expected Fail":
				t.Passed += text.Atoi(m[2])
			case "Fail", "Unexpected Pass", "Timeout":
				t.Failed += text.Atoi(m[2])
			case "Skipped":
				t.Skipped += text.Atoi(m[2])
			}
			r.put("Meson", t)
		}
	}
}

var (
	reRanDot     = text.Lazy(`^Ran (\d+) tests?\.$`)
	reFailuresEq = text.Lazy(`failures=(\d+)`)
	reDejagnu    = text.Lazy(`^# of (expected passes|unexpected failures|unsupported tests|` +
		`untested testcases|skipped tests)\s+(\d+)$`)
	reMesonSum = text.Lazy(`^(Ok|Expected Fail|Fail|Unexpected Pass|Skipped|Timeout): +(\d+)$`)
)

func (r *ruleReader) put(runner string, t core.Total) {
	if _, had := r.sums[runner]; !had {
		r.order = append(r.order, runner)
	}
	r.sums[runner] = t
}

func (r *ruleReader) sum(x *sumRule, g map[string]string) {
	bad, skip := text.Atoi(g["failed"])+text.Atoi(g["errors"]), text.Atoi(g["skipped"])
	t := core.NewTotal(text.Atoi(g["passed"]), bad, skip)
	if n, ok := g["total"]; ok {
		t.Passed = max(0, text.Atoi(n)-bad-skip)
	}
	if n, ok := g["ran"]; ok {
		t.Passed = max(0, text.Atoi(n)-bad)
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
		t = core.NewTotal(old.Passed+t.Passed, old.Failed+t.Failed, old.Skipped+t.Skipped)
	}
	r.sums[x.runner] = t
}

func (r *ruleReader) finish() {
	for _, n := range r.order {
		t := r.sums[n]
		if (n == "Meson" || n == "sbt") && len(r.f.Totals) > 0 {
			continue // what it ran has counted
		}
		r.f.Format = n
		r.f.Total(t.Passed, t.Failed, t.Skipped)
	}
}

// block reads one failure and gives the line after it.
func (r *ruleReader) block(i int, b *blockRule, g map[string]string) int {
	var lines []string
	end := i + 1
	if b.above {
		k := i - 1
		for ; k >= 0 && k > i-60 && !r.d.Lines[k].Used && !b.stop().MatchString(r.d.Lines[k].S); k-- {
		}
		for _, l := range r.d.Lines[k+1 : i] {
			lines = append(lines, l.S)
		}
	} else {
		for ; end < len(r.d.Lines) && len(lines) < 200 && !b.stop().MatchString(r.d.Lines[end].S); end++ {
			lines = append(lines, r.d.Lines[end].S)
		}
	}
	x := core.Failure{Test: core.Qualified(g["name"]), File: g["file"], Line: text.Atoi(g["line"]),
		Message: g["msg"], Kind: core.KindTest, Runner: b.runner}
	all := lines
	if adapt := adaptations[b.runner]; adapt != nil {
		lines = adapt(r, &x, g, lines)
	}
	x.Weak = b.weak
	if x.Test == "" {
		return i
	}
	r.explain(&x, lines)
	if b.wraps {
		for _, y := range r.f.Failures {
			if y.Test != "" {
				return i // what it wraps has said more
			}
		}
	}
	for k := i; k < end; k++ {
		r.d.Lines[k].Used = true
	}
	if b.above {
		for k := i - len(all); k < i; k++ {
			r.d.Lines[max(k, 0)].Used = true
		}
	}
	if b.runner == "tcltest" && i > 0 {
		if p, ok := placeAnyExt(r.d.Lines[i-1].S); ok {
			x.File, x.Line = p.File, p.Line
		}
	}
	r.f.Fail(x)
	return end
}

// placeAnyExt reads "file:9: error: text" of a file with any name.
func placeAnyExt(s string) (core.Diag, bool) {
	i := strings.Index(s, ": error: ")
	if i < 0 {
		return core.Diag{}, false
	}
	k := strings.LastIndexByte(s[:i], ':')
	if k < 0 || !stream.OnlyDigits(s[k+1:i]) {
		return core.Diag{}, false
	}
	return core.Diag{File: s[:k], Line: text.Atoi(s[k+1 : i])}, true
}

// explain fills in message and place from the lines of a block.
func (r *ruleReader) explain(x *core.Failure, lines []string) {
	core.Explain(x, lines)
	for _, s := range lines {
		if g, ok := core.CutPlace(strings.TrimSpace(s), r.f.Root); ok && x.File == "" && g.Line > 0 &&
			len(x.Frames) == 0 {
			x.File, x.Line, x.Column = g.File, g.Line, g.Col
		}
		if m := core.ReCAssert().FindStringSubmatch(s); m != nil && x.File == "" {
			x.File, x.Line, x.Message = m[1], text.Atoi(m[2]), s
		}
	}
	if len(x.Frames) > 0 && strings.HasSuffix(x.File, ".feature") {
		file := x.File
		x.File = ""
		if r.f.PlaceOf(x); x.File == "" {
			x.File = file
		}
	}
}
