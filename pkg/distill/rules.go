package distill

import (
	"regexp"
	"strings"
	"sync"
)

// blockRule describes the failures of a runner whose form is a head and a
// block of lines below or above it. The groups name, file, line and msg of the
// head are taken for what they say.
type blockRule struct {
	runner string
	mark   string // must stand in the line; saves the expression
	head   func() *regexp.Regexp
	// stop tells the line after the block.
	stop func() *regexp.Regexp
	// after is a line without which the rule does not hold, such as the title
	// of the list of failures.
	after string
	until string // and the one from which it does no longer
	// above takes the lines above the head, back to one that stop tells.
	above bool
	// suite names the group that is open; its name goes in front.
	suite func() *regexp.Regexp
	open  string // with which the line of a group begins
	// inner failures are better: the runner wraps other frameworks.
	wraps bool
	// weak ones give way to those that say more of the same test.
	weak bool
}

// sumRule describes the line with the counts of a runner. Groups: passed,
// failed, errors, skipped, total.
type sumRule struct {
	runner string
	mark   string
	expr   func() *regexp.Regexp
	last   bool // printed again and again; the last one counts
}

var blockRules = []blockRule{
	{runner: "CppUnit", mark: ") test: ", head: lazy(`^\d+\) test: (?P<name>\S+) \([EF]\)(?: line: (?P<line>\d+) (?P<file>\S+))?`), stop: lazy(`^$`)},
	{runner: "CUnit", mark: "FAILED", after: "CUnit - A unit testing framework", head: lazy(`^\s+Test: (?P<name>.+?) ?\.\.\. ?FAILED$`), stop: lazy(`^$|^\s+Test: |^Suite: `)},
	{runner: "Criterion", mark: "[FAIL] ", head: lazy(`^\[FAIL\] (?P<name>\S+::\S+?): (?:\(|CRASH|TIMEOUT)`), stop: lazy(`^\[(?:FAIL|PASS|SKIP|====|RUN )\]|^[^\[]`), above: true},
	{runner: "cmocka", mark: " [", head: lazy(`^(?:failure|error): (?P<name>.+?) \[$`), stop: lazy(`^\]$`)},
	{runner: "EUnit", mark: "*failed*", head: lazy(`^\s*(?:\S+\.erl:\d+: ?)?(?P<name>[\w@]+:(?:\d+:)? ?[\w@]+)(?:/\d+)?[^.]*\.\.\.(?:\[[\d.]+ s\] ?)?\*failed\*$`), stop: lazy(`^$`)},
	{runner: "EUnit", mark: ") ", after: "Failures:", head: lazy(`^\s+\d+\) (?P<name>[a-z][\w@]*:[\w@]+)/\d+(?:: .*)?$`), stop: lazy(`^\s+\d+\) [a-z][\w@]*:|^Finished in |^\d+ tests`)},
	{runner: "LuaUnit", mark: ") ", after: "-------", head: lazy(`^\d+\) (?P<name>[A-Za-z_][\w.]*)$`), stop: lazy(`^$|^\d+\) [A-Za-z_][\w.]*$`)},
	{runner: "tcltest", mark: "==== ", head: lazy(`^==== (?P<name>\S+) (?P<msg>\S.*) FAILED$`), stop: lazy(`^==== \S+ FAILED$`)},
	{runner: "Alcotest", mark: "[FAIL]", head: lazy(`^│ \[FAIL\]\s+(?P<suite>\S.*?)\s{2,}\d+\s+(?P<name>.+?)\.\s*│$`), stop: lazy(`^ ?─{20,}$|^┌──`)},
	{runner: "Alcotest", mark: "[FAIL]", head: lazy(`^[> ] \[FAIL\]\s+(?P<suite>\S.*?)\s{2,}\d+\s+(?P<name>.+?)\.$`), stop: lazy(`^`), weak: true},
	{runner: "OUnit", mark: "Error: ", after: "=======", head: lazy(`^Error: (?P<name>[^"]+:\d+.*?)\.$`), stop: lazy(`^-{20,}$|^={20,}$`)},
	{runner: "HUnit", mark: "### ", head: lazy(`### (?:Failure|Error) in: (?:\d+:)*(?P<name>.+)$`), stop: lazy(`^Cases: |^.*### `)},
	{runner: "RackUnit", mark: "-------", head: lazy(`^-{20}$`), stop: lazy(`^-{20}$`)},
	{runner: "SRFI-64", mark: ": FAIL ", head: lazy(`^(?P<file>\S+\.(?:scm|sld)):(?P<line>\d+): FAIL (?P<name>.+)$`), stop: lazy(`^`)},
	{runner: "Nim unittest", mark: "[FAILED] ", head: lazy(`^\s+\[FAILED\] (?P<name>.+)$`), stop: lazy(`^\s*\[(?:OK|Suite|FAILED|SKIPPED)\]`), above: true, suite: lazy(`^\[Suite\] (.+)$`), open: "[Suite] "},
	{runner: "cucumber", mark: " # ", head: lazy(`^\d+\) Scenario(?: Outline)?: (?P<name>.+?)(?: \(attempt \d+.*?\))? # (?P<file>\S+\.feature):(?P<line>\d+)$`), stop: lazy(`^\d+\) |^\d+ scenarios?|^Warnings:`)},
	{runner: "jasmine", mark: ") ", after: "*                    Failures", until: "*                    Pending", head: lazy(`^\d+\) (?P<name>\S.*)$`), stop: lazy(`^$|^\d+\) `)},
	{runner: "japa", mark: "❯ ", after: " ERRORS", head: lazy(`^\s+❯ (?P<name>\S.*)$`), stop: lazy(`^\[\d+/\d+\]|^\s+❯ [^\d\s]`)},
	{runner: "shUnit2", mark: "ASSERT:", head: lazy(`^ASSERT:(?P<msg>.+)$`), stop: lazy(`^`), suite: lazy(`^(test\w+)(?: \(\))?$`), open: "test"},
	{runner: "trial", mark: "[FAIL]", after: "=======", head: lazy(`^\[(?:FAIL|ERROR)\]$`), stop: lazy(`^(?:=|-){20,}$`)},
	{runner: "trial", mark: "[ERROR]", after: "=======", head: lazy(`^\[(?:FAIL|ERROR)\]$`), stop: lazy(`^(?:=|-){20,}$`)},
	{runner: "rspec", mark: "_spec.rb:", head: lazy(`^(?P<file>\.?[\w./-]+_spec\.rb):(?P<line>\d+):(?P<name>[^:\d\s].*)$`), stop: lazy(`^`)},
	{runner: "buck2", mark: "✗ Fail: ", head: lazy(`^✗ Fail: (?:\S+ - )?(?P<name>.+?) \([\d.]+m?s\)$`), stop: lazy(`^[✓✗] |^Tests finished|^\d+ TESTS FAILED`)},
	{runner: "MUnit", mark: "==> X ", head: lazy(`^(?:\[\w+\] )?==> X (?P<name>\S.*?)\s+[\d.]+s (?P<msg>.*)$`), stop: lazy(`^(?:\[\w+\] )?(?:==> X |  \+ |\S+:$)|^\[error\] `)},
	{runner: "specs2", mark: " x ", head: lazy(`^\[(?:error|info)\]\s+x (?P<name>\S.*)$`), stop: lazy(`^\[info\]|^\[error\]\s+[x!] `)},
	{runner: "Meson", mark: "FAIL ", head: lazy(`^\s*\d+/\d+ (?:.* / )?(?P<name>\S.*?)\s{1,}(?P<msg>(?:FAIL|ERROR|TIMEOUT|INTERRUPT|UNEXPECTEDPASS)\s+[\d.]+ ?s.*)$`), stop: lazy(`^\s*\d+/\d+ |^Summary of Failures|^Ok: `), wraps: true},
	{runner: "Meson", mark: "ERROR ", head: lazy(`^\s*\d+/\d+ (?:.* / )?(?P<name>\S.*?)\s{1,}(?P<msg>(?:FAIL|ERROR|TIMEOUT|INTERRUPT|UNEXPECTEDPASS)\s+[\d.]+ ?s.*)$`), stop: lazy(`^\s*\d+/\d+ |^Summary of Failures|^Ok: `), wraps: true},
	{runner: "Meson", mark: "TIMEOUT ", head: lazy(`^\s*\d+/\d+ (?:.* / )?(?P<name>\S.*?)\s{1,}(?P<msg>(?:FAIL|ERROR|TIMEOUT|INTERRUPT|UNEXPECTEDPASS)\s+[\d.]+ ?s.*)$`), stop: lazy(`^\s*\d+/\d+ |^Summary of Failures|^Ok: `), wraps: true},
	{runner: "Meson", mark: "INTERRUPT ", head: lazy(`^\s*\d+/\d+ (?:.* / )?(?P<name>\S.*?)\s{1,}(?P<msg>(?:FAIL|ERROR|TIMEOUT|INTERRUPT|UNEXPECTEDPASS)\s+[\d.]+ ?s.*)$`), stop: lazy(`^\s*\d+/\d+ |^Summary of Failures|^Ok: `), wraps: true},
	{runner: "Meson", mark: "UNEXPECTEDPASS ", head: lazy(`^\s*\d+/\d+ (?:.* / )?(?P<name>\S.*?)\s{1,}(?P<msg>(?:FAIL|ERROR|TIMEOUT|INTERRUPT|UNEXPECTEDPASS)\s+[\d.]+ ?s.*)$`), stop: lazy(`^\s*\d+/\d+ |^Summary of Failures|^Ok: `), wraps: true},
	{runner: "dejagnu", mark: "FAIL: ", after: "Schedule of variations", head: lazy(`^FAIL: (?P<name>\S.*)$`), stop: lazy(`^`)},
	{runner: "ant junit", mark: "Testcase: ", head: lazy(`^Testcase: (?P<name>[^\s(]+)(?:\((?P<class>[^)]+)\))?(?: took [\d.,]+ sec|:\s*(?:FAILED|Caused an ERROR).*)?$`), stop: lazy(`^Testcase: |^Testsuite: |^Test \S+ FAILED|^Running `), suite: lazy(`^Testsuite: (\S+)`), open: "Testsuite: "},
}

var sumRules = []sumRule{
	{runner: "CppUnit", mark: "Failures: ", expr: lazy(`^Run:\s+(?P<total>\d+)\s+Failures: (?P<failed>\d+)\s+Errors: (?P<errors>\d+)`)},
	{runner: "CUnit", mark: " tests ", expr: lazy(`^\s+tests\s+(?P<all>\d+)\s+\d+\s+(?P<passed>\d+)\s+(?P<failed>\d+)\s+(?P<skipped>\d+)$`)},
	{runner: "Criterion", mark: "Synthesis: ", expr: lazy(`Synthesis: Tested: \d+ \| Passing: (?P<passed>\d+) \| Failing: (?P<failed>\d+)`)},
	{runner: "EUnit", mark: "Failed: ", expr: lazy(`^\s+Failed: (?P<failed>\d+)\.\s+Skipped: (?P<skipped>\d+)\.\s+Passed: (?P<passed>\d+)\.`)},
	{runner: "LuaUnit", mark: " seconds, ", expr: lazy(`^(?:# )?Ran \d+ tests in [\d.]+ seconds, (?P<passed>\d+) success(?:es)?, (?P<failed>\d+) failures?(?:, (?P<errors>\d+) errors?)?(?:, (?P<skipped>\d+) skipped)?`)},
	{runner: "tcltest", mark: "Passed", expr: lazy(`^\S+:\s+Total\s+\d+\s+Passed\s+(?P<passed>\d+)\s+Skipped\s+(?P<skipped>\d+)\s+Failed\s+(?P<failed>\d+)`)},
	{runner: "Alcotest", mark: "! in ", expr: lazy(`^(?P<failed>\d+) failures?! in [\d.]+s\. (?P<total>\d+) tests? run\.`)},
	{runner: "Alcotest", mark: "Test Successful", expr: lazy(`^Test Successful in [\d.]+s\. (?P<total>\d+) tests? run\.`)},
	{runner: "OUnit", mark: "Tried: ", expr: lazy(`^FAILED: Cases: (?P<total>\d+) Tried: \d+ Errors: (?P<errors>\d+) Failures: (?P<failed>\d+) Skip: +(?P<skipped>\d+)`)},
	{runner: "HUnit", mark: "Tried: ", expr: lazy(`^Cases: (?P<total>\d+)\s+Tried: \d+\s+Errors: (?P<errors>\d+)\s+Failures: (?P<failed>\d+)$`), last: true},
	{runner: "RackUnit", mark: " test failure", expr: lazy(`^(?P<failed>\d+)/(?P<total>\d+) test failures?$`)},
	{runner: "jasmine", mark: "Executed ", expr: lazy(`^Executed \d+ of (?P<total>\d+) specs?(?: \((?P<failed>\d+) FAILED\))?(?: SUCCESS)?(?: \((?P<skipped>\d+) (?:PENDING|SKIPPED)\))?`)},
	{runner: "japa", mark: "Tests ", expr: lazy(`^Tests\s+(?P<passed>\d+) passed(?:, (?P<failed>\d+) failed)?(?:, \d+ todo)?(?:, (?P<skipped>\d+) skipped)? \(\d+\)$`)},
	{runner: "trial", mark: "successes=", expr: lazy(`^(?:FAILED|PASSED) \((?:skips=(?P<skipped>\d+), )?(?:expectedFailures=\d+, )?(?:failures=(?P<failed>\d+), )?(?:errors=(?P<errors>\d+), )?successes=(?P<passed>\d+)\)`)},
	{runner: "tasty", mark: " tests ", expr: lazy(`^(?P<failed>\d+) out of (?P<total>\d+) tests failed`)},
	{runner: "tasty", mark: " tests passed", expr: lazy(`^All (?P<total>\d+) tests passed \(`)},
	{runner: "lab", mark: " tests failed", expr: lazy(`^(?P<failed>\d+) of (?P<ran>\d+) tests failed(?: \((?P<skipped>\d+) skipped\))?$`)},
	{runner: "buck2", mark: "Tests finished: ", expr: lazy(`^Tests finished: Pass (?P<passed>\d+)\. Fail (?P<failed>\d+)\. Fatal (?P<errors>\d+)\. Skip (?P<skipped>\d+)\.`)},
	{runner: "NUnit", mark: "Test Count: ", expr: lazy(`^\s+Test Count: \d+, (?:Pass|Passed): (?P<passed>\d+), (?:Fail|Failed): (?P<failed>\d+), .*(?:Skip|Skipped): (?P<skipped>\d+)$`)},
	{runner: "testcafe", mark: " failed (", expr: lazy(`^ (?P<failed>\d+)/(?P<total>\d+) failed \([\dms ]+\)$`)},
	{runner: "sbt", mark: ": Total ", expr: lazy(`^\[(?:error|info)\] (?:Failed|Passed): Total \d+, Failed (?P<failed>\d+), Errors (?P<errors>\d+), Passed (?P<passed>\d+)(?:, (?:Ignored|Skipped) (?P<skipped>\d+))?`)},
	{runner: "ant junit", mark: "Errors: ", expr: lazy(`^Tests run: (?P<total>\d+), Failures: (?P<failed>\d+), Errors: (?P<errors>\d+), Skipped: (?P<skipped>\d+), Time elapsed: [\d.,]+ sec$`)},
}

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

// special does what a table cannot say.
func (r *ruleReader) special(b *blockRule, x *Failure, g map[string]string, lines []string) []string {
	switch b.runner {
	case "Alcotest":
		x.Test = g["suite"] + " > " + x.Test
		if len(lines) > 0 && strings.HasPrefix(lines[0], "└") {
			lines = lines[1:]
		}
	case "EUnit":
		for _, m := range reErlPair().FindAllStringSubmatch(strings.Join(lines, " "), 20) {
			x.Frames = append(x.Frames, Frame{File: m[1], Line: atoi(m[2])})
		}
		x.Test = strings.Join(strings.Fields(reErlLine().ReplaceAllString(x.Test, ": ")), "")
	case "rspec": // -f failures; else a frame or a warning
		if w, _, _ := strings.Cut(x.Test, " "); w == "in" || w == "warning:" || strings.HasPrefix(w, "[") {
			x.Test = ""
		}
		x.Message = "failed"
	case "Nim unittest":
		if s := r.suites[b.runner]; s != "" {
			x.Test = s + " > " + x.Test
		}
	case "shUnit2":
		x.Test = r.suites[b.runner]
	case "Criterion":
		for k, s := range lines {
			lines[k] = strings.TrimPrefix(strings.TrimPrefix(s, "[----]"), " ")
		}
	case "ant junit":
		x.pkg = g["class"]
		if x.pkg == "" {
			x.pkg = r.suites[b.runner]
		}
		if x.pkg != "" {
			x.Test = x.pkg + "." + x.Test
		}
		bad := g["class"] != ""
		for k, s := range lines {
			if t := strings.TrimSpace(s); t == "FAILED" || strings.HasPrefix(t, "Caused an ERROR") {
				bad, lines = true, lines[k+1:]
				break
			}
		}
		if !bad || len(trimBlock(lines)) == 0 {
			x.Test = ""
		}
	case "RackUnit":
		if len(lines) < 3 || lines[1] != "FAILURE" && lines[1] != "ERROR" {
			if len(lines) > 1 && (lines[0] == "FAILURE" || lines[0] == "ERROR") {
				x.Test = "check"
				return lines[1:]
			}
			return lines
		}
		x.Test, lines = lines[0], lines[2:]
	case "MUnit":
		if k := strings.LastIndex(g["msg"], " /"); k >= 0 {
			if p, ok := cutPlace(g["msg"][k+1:], r.f.root); ok {
				x.File, x.Line = p.file, p.line
			}
		}
	case "specs2":
		for k, s := range lines {
			lines[k] = strings.TrimPrefix(s, "[error]")
		}
		for _, s := range lines {
			if m := reScalaAt().FindStringSubmatch(s); m != nil && x.File == "" {
				x.File, x.Line = m[1], atoi(m[2])
			}
		}
	case "trial":
		body := trimBlock(lines)
		for len(body) > 0 && x.Test == "" {
			if t := body[len(body)-1]; t != "" && !strings.Contains(t, " ") {
				x.Test = t
			}
			body = body[:len(body)-1]
		}
		if tb := lastTraceback(body); tb != nil {
			x.Message, x.Frames = tb.message, tb.frames
			return tb.rest
		}
		return body
	}
	return lines
}

var reErlPair = lazy(`\{file,"([^"]+)"\},\s*\{line,(\d+)\}`)

var reScalaAt = lazy(`\((\w+\.scala):(\d+)\)$`)

var reErlLine = lazy(`:\d+: ?|: `)

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
