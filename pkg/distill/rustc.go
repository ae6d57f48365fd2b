package distill

import (
	"strings"
)

var (
	reRustHead = lazy(`^(error|warning)(\[[\w:-]+\])?: (.+)$`)
	reArrow    = lazy(`^\s*(?:-->|:::|╭─\[|┌─|,-\[|╭▸|└─) ?((?:[A-Za-z]:)?[^:\]]+?):(\d+):(\d+)`)
	reRuffHead = lazy(`^(?:(?:[A-Z]{1,5}\d{3,4}|[a-z][a-z-]+)(?: \[\*\])? |\s*[×✖⚠x!] )\S`)
)

// readArrows reads diagnostics that print the place in a line of its own under
// the message, with the source in a frame: rustc, clippy, ruff, deno lint,
// biome's and oxlint's boxes.
func readArrows(d *doc, f *found) {
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used || !(strings.Contains(l.s, "--> ") || strings.Contains(l.s, "╭─[") || strings.Contains(l.s, "┌─") || strings.Contains(l.s, ",-[") || strings.Contains(l.s, "└─ ")) {
			continue
		}
		m := reArrow().FindStringSubmatch(l.s)
		if m == nil {
			continue
		}
		i = arrowBlock(d, f, i, m) - 1
	}
	rustLoose(d, f)
}

// arrowBlock reads the block around line at, which holds the arrow.
func arrowBlock(d *doc, f *found, at int, m []string) int {
	head := at - 1
	for head >= 0 && head > at-40 && !d.lines[head].used {
		s := d.lines[head].s
		if s == "" || reRustHead().MatchString(s) || reRuffHead().MatchString(s) || strings.HasPrefix(strings.TrimSpace(s), "error: ") || strings.HasPrefix(strings.TrimSpace(s), "warning: ") {
			break
		}
		head--
	}
	if head < 0 || d.lines[head].s == "" || d.lines[head].used {
		head++
	}
	if head >= at {
		// Nothing above: the message follows or there is none.
		if head = at; strings.Contains(d.lines[at].s, "-->") {
			return at + 1
		}
	}
	first := strings.TrimSpace(d.lines[head].s)
	x := Failure{File: m[1], Line: atoi(m[2]), Column: atoi(m[3]), Message: strings.TrimLeft(first, "×✖⚠ "), Kind: KindCompile, runner: arrowRunner(d.lines[head].s, m[1])}
	warning := strings.HasPrefix(first, "warning") || strings.HasPrefix(first, "⚠") || strings.HasPrefix(first, "!")
	if x.runner != "rustc" {
		x.Kind = KindLint
	}
	if strings.Contains(first, "clippy::") {
		x.runner = "clippy"
	}
	j := head + 1
	for ; j < len(d.lines); j++ {
		s := d.lines[j].s
		if s == "" {
			// Elixir and miette may have a blank line in the frame.
			break
		}
		if j > at && (reRustHead().MatchString(s) && s[0] != ' ') {
			break
		}
		if k := reArrow().FindStringSubmatch(s); k != nil && j != at {
			if rel, ok := f.root.resolve(k[1], ""); ok {
				x.related = append(x.related, Frame{File: rel, Line: atoi(k[2])})
			} else {
				continue
			}
		}
		if strings.Contains(s, "rust-clippy") || strings.Contains(s, "-D clippy::") {
			x.runner, x.Kind = "clippy", KindLint
		}
		if j == at || strings.Contains(s, "/rustc/") || strings.TrimSpace(s) == "|" || strings.Contains(s, "for further information visit") || strings.Contains(s, "to override `") {
			continue
		}
		x.detail = append(x.detail, s)
	}
	for k := head; k < j; k++ {
		d.lines[k].used = true
	}
	if warning {
		f.warnings = append(f.warnings, x)
		return j
	}
	f.fail(x)
	return j
}

func arrowRunner(head, file string) string {
	switch {
	case strings.HasSuffix(file, ".rs"):
		return "rustc"
	case strings.HasSuffix(file, ".py"):
		return "ruff"
	case strings.HasSuffix(file, ".ex") || strings.HasSuffix(file, ".exs"):
		return "elixirc"
	case strings.Contains(head, "eslint(") || strings.Contains(head, "oxc("):
		return "oxlint"
	case strings.HasSuffix(file, ".ts") || strings.HasSuffix(file, ".js") || strings.HasSuffix(file, ".tsx"):
		return "javascript linter"
	}
	return "compiler"
}

// rustLoose reads errors of rustc and cargo without a place: a missing crate, a
// linker that fails.
func rustLoose(d *doc, f *found) {
	rust := false
	for _, s := range f.seen {
		rust = rust || s == "rustc" || s == "cargo test"
	}
	for i := range d.lines {
		l := &d.lines[i]
		if l.used || !strings.HasPrefix(l.s, "error") {
			continue
		}
		m := reRustHead().FindStringSubmatch(l.s)
		if m == nil || m[1] != "error" || strings.HasPrefix(m[3], "could not compile") || strings.HasPrefix(m[3], "aborting due to") || strings.HasPrefix(m[3], "test failed") ||
			strings.Contains(m[3], "target failed") || strings.Contains(m[3], "targets failed") || strings.HasPrefix(m[3], "build failed") || strings.HasPrefix(m[3], "process didn't exit") || strings.HasPrefix(m[3], "doctest failed") {
			continue
		}
		isCargo := m[2] != "" || strings.HasPrefix(m[3], "linking with") || strings.HasPrefix(m[3], "failed to") || strings.HasPrefix(m[3], "no matching package") || strings.HasPrefix(m[3], "no such command")
		if !isCargo {
			continue
		}
		x := Failure{Kind: KindCompile, Message: l.s, runner: "cargo", weak: rust}
		for j := i + 1; j < len(d.lines) && j < i+20 && d.lines[j].s != "" && (d.lines[j].s[0] == ' ' || strings.HasPrefix(d.lines[j].s, "Caused by")); j++ {
			x.detail = append(x.detail, d.lines[j].s)
			d.lines[j].used = true
		}
		l.used = true
		f.fail(x)
	}
}

var (
	reRustTest   = lazy(`^test (\S.*?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)`)
	reRustStdout = lazy(`^---- (\S.*?) (?:stdout|stderr) ----$`)
	reRustPanic  = lazy(`^thread '([^']*)'(?: \(\d+\))? panicked at (?:'(.*)', )?((?:[A-Za-z]:)?[^:]+):(\d+):(\d+):?$`)
	reRustResult = lazy(`^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored`)
	reNextLine   = lazy(`^\s+(PASS|FAIL|SIGSEGV|SIGABRT|TIMEOUT|ABORT|LEAK-FAIL|TRY \d+ FAIL|FLAKY \d+/\d+|SKIP|LEAK|SLOW|SIG\w+) \[[^\]]*\](?: \([^)]*\))? +(\S+)(?: (\S.*))?$`)
	reNextSum    = lazy(`^\s+Summary \[[^\]]*\] +(\d+)(?:/\d+)? tests? run: (\d+) passed(?: \([^)]*\))?(?:, (\d+) failed)?(?:, (\d+) timed out)?(?:, (\d+) skipped)?`)
	reDocPlace   = lazy(`^(\S+\.(?:rs|md)) - (?:\S+ )?\(line (\d+)\)`)
)

// readCargoTest reads cargo test and cargo nextest.
func readCargoTest(d *doc, f *found) {
	c := &cargoReader{d: d, f: f, failed: map[string]bool{}, at: map[string]int{}}
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used || l.s == "" {
			continue
		}
		i = c.line(i)
	}
	c.finish()
}

type cargoReader struct {
	d        *doc
	f        *found
	failed   map[string]bool
	order    []string
	at       map[string]int // test to its failure in f.failures
	seen     bool
	captured bool // inside the captured output of a test
	next     bool
	open     []Failure // panics outside of a captured block
	pending  string    // a test whose result has not come yet
	totals   []total   // of cargo test; inside nextest each test has its own
	unit     string    // the file of the test binary
}

func (c *cargoReader) line(i int) int {
	l := &c.d.lines[i]
	s := l.s
	switch {
	case c.pending != "" && (s == "ok" || s == "FAILED" || s == "ignored"):
		// With --nocapture the result stands behind the output.
		l.used, c.seen = true, true
		if s == "FAILED" {
			c.failTest(c.pending)
		}
		c.pending = ""
	case strings.HasPrefix(s, "test "):
		if name, rest, ok := strings.Cut(s[5:], " ..."); ok && !reRustTest().MatchString(s) {
			c.pending = strings.TrimSuffix(name, " - should panic")
			c.seen = true
			if t := strings.TrimSpace(rest); strings.HasPrefix(t, "Error: ") {
				c.open = append(c.open, Failure{Test: c.pending, Message: t, Kind: KindTest, runner: "cargo test"})
			}
			return i
		}
		if m := reRustTest().FindStringSubmatch(s); m != nil {
			l.used, c.seen = true, true
			if m[2] == "FAILED" {
				c.failTest(m[1])
			}
			return i
		}
		if m := reRustResult().FindStringSubmatch(s); m != nil {
			l.used, c.seen = true, true
			c.totals = append(c.totals, total{atoi(m[1]), atoi(m[2]), atoi(m[3])})
		}
	case strings.HasPrefix(s, "     Running "):
		c.unit = strings.Fields(strings.TrimPrefix(strings.TrimSpace(s[13:]), "unittests ") + " ")[0]
	case strings.HasPrefix(s, "---- "):
		if m := reRustStdout().FindStringSubmatch(s); m != nil {
			return c.block(i, m[1])
		}
	case strings.HasPrefix(s, "thread '") && strings.Contains(s, "panicked at"):
		// Not captured: --nocapture, or a binary that is no test.
		if m := reRustPanic().FindStringSubmatch(s); m != nil {
			// Whether it ended a test is known at the end only.
			before, seen := len(c.f.failures), len(c.f.seen)
			next := c.panic(i, m, m[1])
			c.f.seen = c.f.seen[:seen]
			if n := len(c.f.failures); n > before {
				c.open = append(c.open, c.f.failures[n-1])
				c.f.failures = c.f.failures[:before]
				delete(c.at, m[1])
			}
			return next
		}
	case strings.HasPrefix(s, "    thread '") && strings.Contains(s, "panicked at"):
		if m := reRustPanic().FindStringSubmatch(s[4:]); m != nil {
			return c.panic(i, m, m[1])
		}
	case s[0] == ' ' && strings.Contains(s, " ["):
		if m := reNextSum().FindStringSubmatch(s); m != nil {
			l.used, c.next = true, true
			c.f.format = "cargo nextest"
			c.f.total(atoi(m[2]), atoi(m[3])+atoi(m[4]), atoi(m[5]))
		} else if m := reNextLine().FindStringSubmatch(s); m != nil && m[3] != "" {
			l.used, c.next = true, true
			if st := m[1]; st != "PASS" && st != "SKIP" && st != "LEAK" && st != "SLOW" && !strings.HasPrefix(st, "FLAKY") && !strings.HasPrefix(st, "TRY") {
				c.failTest(m[3])
				if st != "FAIL" {
					c.f.fail(Failure{Test: m[3], Message: st, Kind: KindCrash, weak: true, runner: "cargo nextest"})
				}
			}
		}
	}
	return i
}

func (c *cargoReader) failTest(name string) {
	if !c.failed[name] {
		c.failed[name] = true
		c.order = append(c.order, name)
	}
}

// block reads the captured output of one failing test.
func (c *cargoReader) block(i int, test string) int {
	c.captured = true
	defer func() { c.captured = false }()
	c.d.lines[i].used = true
	j := i + 1
	end := len(c.d.lines)
	for k := j; k < len(c.d.lines); k++ {
		s := c.d.lines[k].s
		if reRustStdout().MatchString(s) || s == "failures:" || strings.HasPrefix(s, "test result: ") {
			end = k
			break
		}
	}
	x := Failure{Test: test, Kind: KindTest, runner: "cargo test"}
	found := false
	for k := j; k < end; k++ {
		if m := reRustPanic().FindStringSubmatch(c.d.lines[k].s); m != nil {
			// The last panic of the test is the one that ended it; an earlier
			// one may have been caught.
			next := c.panic(k, m, test)
			found = true
			k = next
		} else if s := c.d.lines[k].s; found && strings.HasPrefix(s, "note: ") && strings.Contains(s, "panic") && !strings.Contains(s, "RUST_BACKTRACE") {
			// should_panic with another message
			if n := len(c.f.failures); n > 0 {
				y := &c.f.failures[n-1]
				for ; k < end && c.d.lines[k].s != ""; k++ {
					y.detail = append(y.detail, c.d.lines[k].s)
				}
			}
		}
	}
	if !found {
		var rest []string
		for k := j; k < end; k++ {
			rest = append(rest, c.d.lines[k].s)
		}
		rest = trimBlock(rest)
		if m := reDocPlace().FindStringSubmatch(test); m != nil {
			x.File, x.Line = m[1], atoi(m[2])
		}
		if len(rest) > 0 {
			x.Message, x.detail = rest[0], rest[1:]
			for _, s := range rest {
				if strings.HasPrefix(s, "Error: ") || strings.HasPrefix(s, "note: test did not panic") || strings.HasPrefix(s, "error") {
					x.Message = s
					break
				}
			}
		}
		x.Frames = framesOf(rest)
		c.f.fail(x)
		c.at[test] = len(c.f.failures)
	}
	for k := i; k < end; k++ {
		c.d.lines[k].used = true
	}
	return end - 1
}

// panic reads a panic message: the place, the text, left and right, and the
// backtrace if there is one.
func (c *cargoReader) panic(i int, m []string, test string) int {
	x := Failure{Test: test, File: m[3], Line: atoi(m[4]), Column: atoi(m[5]), Kind: KindTest, runner: "cargo test"}
	if test == "main" || test == "<unnamed>" {
		x.Test, x.Kind = "", KindCrash
	}
	if strings.Contains(test, "::") && x.Test == "" {
		x.Test = test
	}
	var body []string
	if m[2] != "" {
		body = append(body, m[2])
	}
	c.d.lines[i].used = true
	j := i + 1
	for ; j < len(c.d.lines); j++ {
		s := c.d.lines[j].s
		if strings.HasPrefix(strings.TrimLeft(s, " "), "note: run with `RUST_BACKTRACE") || strings.HasPrefix(s, "stack backtrace:") || strings.HasPrefix(s, "thread '") ||
			reRustStdout().MatchString(s) || strings.HasPrefix(s, "test ") && reRustTest().MatchString(s) || s == "failures:" || strings.HasPrefix(s, "test result:") {
			break
		}
		if s == "" && !c.captured {
			break
		}
		if s == "" && j+1 < len(c.d.lines) && (c.d.lines[j+1].s == "" || strings.HasPrefix(c.d.lines[j+1].s, "----") || c.d.lines[j+1].s == "failures:") {
			break
		}
		if len(body) < 200 {
			body = append(body, s)
		}
		// Without a frame around it, what follows may be another tool's.
		c.d.lines[j].used = c.d.lines[j].used || c.captured
	}
	body = trimBlock(body)
	if len(body) > 0 {
		x.Message, x.detail = body[0], body[1:]
	}
	for _, s := range body {
		t := strings.TrimSpace(s)
		if v, ok := strings.CutPrefix(t, "left: "); ok {
			x.Actual = strings.Trim(strings.TrimSuffix(v, ","), "`")
		} else if v, ok := strings.CutPrefix(t, "right: "); ok {
			x.Expected = strings.Trim(v, "`")
		}
	}
	if j < len(c.d.lines) && strings.HasPrefix(c.d.lines[j].s, "stack backtrace:") {
		fn := ""
		for j++; j < len(c.d.lines); j++ {
			s := c.d.lines[j].s
			if s == "" || s[0] != ' ' {
				break
			}
			if fr, ok := parseFrame(s); ok {
				fr.Func = fn
				x.Frames = append(x.Frames, fr)
			} else if _, name, ok := strings.Cut(strings.TrimSpace(s), ": "); ok {
				fn = name
			}
			c.d.lines[j].used = true
		}
	}
	if x.Test == "" && len(x.Frames) == 0 && c.seen {
		// A thread of a test: which one, the blocks tell.
		x.weak = true
	}
	c.f.fail(x)
	if x.Test != "" {
		c.at[x.Test] = len(c.f.failures)
	}
	return j - 1
}

func (c *cargoReader) finish() {
	if !c.next {
		c.f.format = "cargo test"
		for _, t := range c.totals {
			c.f.total(t.passed, t.failed, t.skipped)
		}
	}
	for _, x := range c.open {
		short := x.Test
		for name := range c.failed {
			if name == x.Test || strings.HasSuffix(name, "::"+x.Test) {
				short = name
			}
		}
		switch {
		case c.failed[short] && c.at[short] == 0:
			x.Test = short
			c.f.fail(x)
			c.at[short] = len(c.f.failures)
		case !c.seen && !c.next:
			c.f.loose = append(c.f.loose, x)
		}
	}
	for _, t := range c.order {
		if c.at[t] == 0 {
			runner := "cargo test"
			if c.next {
				runner = "cargo nextest"
			}
			x := Failure{Test: t, Kind: KindTest, weak: true, runner: runner}
			if m := reDocPlace().FindStringSubmatch(t); m != nil {
				x.File, x.Line = m[1], atoi(m[2])
			}
			c.f.fail(x)
		}
	}
}
