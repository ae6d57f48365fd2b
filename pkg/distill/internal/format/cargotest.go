package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

var (
	reRustTest   = core.Lazy(`^test (\S.*?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)`)
	reRustStdout = core.Lazy(`^---- (\S.*?) (?:stdout|stderr) ----$`)
	reRustPanic  = core.Lazy(`^thread '([^']*)'(?: \(\d+\))? panicked at (?:'(.*)', )?((?:[A-Za-z]:)?[^:]+):(\d+):(\d+):?$`)
	reRustResult = core.Lazy(`^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored`)
	reNextLine   = core.Lazy(`^\s+(PASS|FAIL|SIGSEGV|SIGABRT|TIMEOUT|ABORT|LEAK-FAIL|TRY \d+ FAIL|FLAKY \d+/\d+|SKIP|LEAK|SLOW|SIG\w+) \[[^\]]*\](?: \([^)]*\))? +(\S+)(?: (\S.*))?$`)
	reNextSum    = core.Lazy(`^\s+Summary \[[^\]]*\] +(\d+)(?:/\d+)? tests? run: (\d+) passed(?: \([^)]*\))?(?:, (\d+) failed)?(?:, (\d+) timed out)?(?:, (\d+) skipped)?`)
	reDocPlace   = core.Lazy(`^(\S+\.(?:rs|md)) - (?:\S+ )?\(line (\d+)\)`)
)

// readCargoTest reads cargo test and cargo nextest.
func readCargoTest(d *stream.Doc, f *core.Found) {
	c := &cargoReader{d: d, f: f, failed: map[string]bool{}, at: map[string]int{}}
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used || l.S == "" {
			continue
		}
		i = c.line(i)
	}
	c.finish()
}

type cargoReader struct {
	d        *stream.Doc
	f        *core.Found
	failed   map[string]bool
	order    []string
	at       map[string]int // test to its failure in f.failures
	seen     bool
	captured bool // inside the captured output of a test
	next     bool
	open     []core.Failure // panics outside of a captured block
	pending  string         // a test whose result has not come yet
	totals   []core.Total   // of cargo test; inside nextest each test has its own
	unit     string         // the file of the test binary
}

func (c *cargoReader) line(i int) int {
	l := &c.d.Lines[i]
	s := l.S
	switch {
	case c.pending != "" && (s == "ok" || s == "FAILED" || s == "ignored"):
		// With --nocapture the result stands behind the output.
		l.Used, c.seen = true, true
		if s == "FAILED" {
			c.failTest(c.pending)
		}
		c.pending = ""
	case strings.HasPrefix(s, "test "):
		if name, rest, ok := strings.Cut(s[5:], " ..."); ok && !reRustTest().MatchString(s) {
			c.pending = strings.TrimSuffix(name, " - should panic")
			c.seen = true
			if t := strings.TrimSpace(rest); strings.HasPrefix(t, "Error: ") {
				c.open = append(c.open, core.Failure{Test: c.pending, Message: t, Kind: core.KindTest, Runner: "cargo test"})
			}
			return i
		}
		if m := reRustTest().FindStringSubmatch(s); m != nil {
			l.Used, c.seen = true, true
			if m[2] == "FAILED" {
				c.failTest(m[1])
			}
			return i
		}
		if m := reRustResult().FindStringSubmatch(s); m != nil {
			l.Used, c.seen = true, true
			c.totals = append(c.totals, core.NewTotal(core.Atoi(m[1]), core.Atoi(m[2]), core.Atoi(m[3])))
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
			before, seen := len(c.f.Failures), len(c.f.Seen)
			next := c.panic(i, m, m[1])
			c.f.Seen = c.f.Seen[:seen]
			if n := len(c.f.Failures); n > before {
				c.open = append(c.open, c.f.Failures[n-1])
				c.f.Failures = c.f.Failures[:before]
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
			l.Used, c.next = true, true
			c.f.Format = "cargo nextest"
			c.f.Total(core.Atoi(m[2]), core.Atoi(m[3])+core.Atoi(m[4]), core.Atoi(m[5]))
		} else if m := reNextLine().FindStringSubmatch(s); m != nil && m[3] != "" {
			l.Used, c.next = true, true
			if st := m[1]; st != "PASS" && st != "SKIP" && st != "LEAK" && st != "SLOW" && !strings.HasPrefix(st, "FLAKY") && !strings.HasPrefix(st, "TRY") {
				c.failTest(m[3])
				if st != "FAIL" {
					c.f.Fail(core.Failure{Test: m[3], Message: st, Kind: core.KindCrash, Weak: true, Runner: "cargo nextest"})
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
	c.d.Lines[i].Used = true
	j := i + 1
	end := len(c.d.Lines)
	for k := j; k < len(c.d.Lines); k++ {
		s := c.d.Lines[k].S
		if reRustStdout().MatchString(s) || s == "failures:" || strings.HasPrefix(s, "test result: ") {
			end = k
			break
		}
	}
	x := core.Failure{Test: test, Kind: core.KindTest, Runner: "cargo test"}
	found := false
	for k := j; k < end; k++ {
		if m := reRustPanic().FindStringSubmatch(c.d.Lines[k].S); m != nil {
			// The last panic of the test is the one that ended it; an earlier
			// one may have been caught.
			next := c.panic(k, m, test)
			found = true
			k = next
		} else if s := c.d.Lines[k].S; found && strings.HasPrefix(s, "note: ") && strings.Contains(s, "panic") && !strings.Contains(s, "RUST_BACKTRACE") {
			// should_panic with another message
			if n := len(c.f.Failures); n > 0 {
				y := &c.f.Failures[n-1]
				for ; k < end && c.d.Lines[k].S != ""; k++ {
					y.Detail = append(y.Detail, c.d.Lines[k].S)
				}
			}
		}
	}
	if !found {
		var rest []string
		for k := j; k < end; k++ {
			rest = append(rest, c.d.Lines[k].S)
		}
		rest = core.TrimBlock(rest)
		if m := reDocPlace().FindStringSubmatch(test); m != nil {
			x.File, x.Line = m[1], core.Atoi(m[2])
		}
		if len(rest) > 0 {
			x.Message, x.Detail = rest[0], rest[1:]
			for _, s := range rest {
				if strings.HasPrefix(s, "Error: ") || strings.HasPrefix(s, "note: test did not panic") || strings.HasPrefix(s, "error") {
					x.Message = s
					break
				}
			}
		}
		x.Frames = core.FramesOf(rest)
		c.f.Fail(x)
		c.at[test] = len(c.f.Failures)
	}
	for k := i; k < end; k++ {
		c.d.Lines[k].Used = true
	}
	return end - 1
}

// panic reads a panic message: the place, the text, left and right, and the
// backtrace if there is one.
func (c *cargoReader) panic(i int, m []string, test string) int {
	x := core.Failure{Test: test, File: m[3], Line: core.Atoi(m[4]), Column: core.Atoi(m[5]), Kind: core.KindTest, Runner: "cargo test"}
	if test == "main" || test == "<unnamed>" {
		x.Test, x.Kind = "", core.KindCrash
	}
	if strings.Contains(test, "::") && x.Test == "" {
		x.Test = test
	}
	var body []string
	if m[2] != "" {
		body = append(body, m[2])
	}
	c.d.Lines[i].Used = true
	j := i + 1
	for ; j < len(c.d.Lines); j++ {
		s := c.d.Lines[j].S
		if strings.HasPrefix(strings.TrimLeft(s, " "), "note: run with `RUST_BACKTRACE") || strings.HasPrefix(s, "stack backtrace:") || strings.HasPrefix(s, "thread '") ||
			reRustStdout().MatchString(s) || strings.HasPrefix(s, "test ") && reRustTest().MatchString(s) || s == "failures:" || strings.HasPrefix(s, "test result:") {
			break
		}
		if s == "" && !c.captured {
			break
		}
		if s == "" && j+1 < len(c.d.Lines) && (c.d.Lines[j+1].S == "" || strings.HasPrefix(c.d.Lines[j+1].S, "----") || c.d.Lines[j+1].S == "failures:") {
			break
		}
		if len(body) < 200 {
			body = append(body, s)
		}
		// Without a frame around it, what follows may be another tool's.
		c.d.Lines[j].Used = c.d.Lines[j].Used || c.captured
	}
	body = core.TrimBlock(body)
	if len(body) > 0 {
		x.Message, x.Detail = body[0], body[1:]
	}
	for _, s := range body {
		t := strings.TrimSpace(s)
		if v, ok := strings.CutPrefix(t, "left: "); ok {
			x.Actual = strings.Trim(strings.TrimSuffix(v, ","), "`")
		} else if v, ok := strings.CutPrefix(t, "right: "); ok {
			x.Expected = strings.Trim(v, "`")
		}
	}
	if j < len(c.d.Lines) && strings.HasPrefix(c.d.Lines[j].S, "stack backtrace:") {
		fn := ""
		for j++; j < len(c.d.Lines); j++ {
			s := c.d.Lines[j].S
			if s == "" || s[0] != ' ' {
				break
			}
			if fr, ok := core.ParseFrame(s); ok {
				fr.Func = fn
				x.Frames = append(x.Frames, fr)
			} else if _, name, ok := strings.Cut(strings.TrimSpace(s), ": "); ok {
				fn = name
			}
			c.d.Lines[j].Used = true
		}
	}
	if x.Test == "" && len(x.Frames) == 0 && c.seen {
		// A thread of a test: which one, the blocks tell.
		x.Weak = true
	}
	c.f.Fail(x)
	if x.Test != "" {
		c.at[x.Test] = len(c.f.Failures)
	}
	return j - 1
}

func (c *cargoReader) finish() {
	if !c.next {
		c.f.Format = "cargo test"
		for _, t := range c.totals {
			c.f.Total(t.Passed, t.Failed, t.Skipped)
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
			c.f.Fail(x)
			c.at[short] = len(c.f.Failures)
		case !c.seen && !c.next:
			c.f.Loose = append(c.f.Loose, x)
		}
	}
	for _, t := range c.order {
		if c.at[t] == 0 {
			runner := "cargo test"
			if c.next {
				runner = "cargo nextest"
			}
			x := core.Failure{Test: t, Kind: core.KindTest, Weak: true, Runner: runner}
			if m := reDocPlace().FindStringSubmatch(t); m != nil {
				x.File, x.Line = m[1], core.Atoi(m[2])
			}
			c.f.Fail(x)
		}
	}
}
