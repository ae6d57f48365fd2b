package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

var (
	reSpecItem  = core.Lazy(`^  (\d+)\) (.+)$`)
	reParallel  = core.Lazy(`^\d+ processes? for \d+ specs?`)
	reSpecCount = core.Lazy(`^(\d+) examples?, (\d+) failures?(?:, (\d+) pending)?(?:, (\d+) errors? occurred outside of examples)?`)
	reSpecRerun = core.Lazy(`^rspec (\S+?):(\d+) # (.+)$`)
)

// readRSpec reads RSpec's progress and documentation formats.
func readRSpec(d *stream.Doc, f *core.Found) {
	var whole core.Total // what the processes of parallel_tests said so far
	parallel := false
	part := ""
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used || l.S == "" {
			continue
		}
		s := l.S
		switch {
		case s == "Failures:":
			if nextSpecItem(d, i+1) {
				part = "failures"
				l.Used = true
				f.Saw("rspec")
			}
		case strings.HasPrefix(s, "Pending: ("):
			part = "pending"
		case strings.HasPrefix(s, "Finished in ") || strings.HasPrefix(s, "Failed examples:"):
			part = ""
		case strings.HasPrefix(s, "An error occurred while loading ") || strings.HasPrefix(s, "An error occurred in "):
			i = specLoad(d, f, i) - 1
		case part != "" && strings.HasPrefix(s, "  "):
			if m := reSpecItem().FindStringSubmatch(s); m != nil {
				i = specBlock(d, f, i, m[2], part == "pending") - 1
			}
		case s[0] >= '0' && s[0] <= '9':
			if m := reSpecCount().FindStringSubmatch(s); m != nil {
				l.Used = true
				all, fail, pend := core.Atoi(m[1]), core.Atoi(m[2]), core.Atoi(m[3])
				f.Format = "rspec"
				if all == 0 && m[4] == "" {
					f.NoTests = true
				}
				if fail == 0 && m[4] != "" {
					fail = -1
				}
				t := core.NewTotal(max(0, all-max(fail, 0)-pend), fail, pend)
				if whole != (core.Total{}) && t == whole {
					continue // parallel_tests adds up what each process said
				}
				whole = core.NewTotal(whole.Passed+t.Passed, whole.Failed+t.Failed, whole.Skipped+t.Skipped)
				if !parallel {
					whole = core.Total{}
				}
				f.Total(t.Passed, t.Failed, t.Skipped)
			} else if reParallel().MatchString(s) {
				parallel = true
			}
		case strings.HasPrefix(s, "rspec "):
			if m := reSpecRerun().FindStringSubmatch(s); m != nil {
				l.Used = true
				f.Fail(core.Failure{Test: m[3], File: m[1], Line: core.Atoi(m[2]), Kind: core.KindTest, Weak: true, Runner: "rspec"})
			}
		}
	}
}

func nextSpecItem(d *stream.Doc, i int) bool {
	for ; i < len(d.Lines); i++ {
		if d.Lines[i].S != "" {
			// hspec puts the place in front.
			return reSpecItem().MatchString(d.Lines[i].S) || strings.Contains(d.Lines[i].S, ".hs:")
		}
	}
	return false
}

func specBlock(d *stream.Doc, f *core.Found, i int, name string, pending bool) int {
	var lines []string
	j := i + 1
	for ; j < len(d.Lines); j++ {
		s := d.Lines[j].S
		if s != "" && (s[0] != ' ' || reSpecItem().MatchString(s) || strings.HasPrefix(s, "  To rerun use:")) {
			break
		}
		lines = append(lines, s)
	}
	for k := i; k < j; k++ {
		d.Lines[k].Used = true
	}
	if pending && !strings.HasSuffix(name, " FIXED") {
		return j
	}
	x := core.Failure{Test: strings.TrimSuffix(name, " FIXED"), Kind: core.KindTest, Runner: "rspec"}
	if i > 0 && strings.Contains(d.Lines[i-1].S, ".hs:") {
		if g, ok := core.CutPlace(strings.TrimSpace(d.Lines[i-1].S), f.Root); ok {
			x.File, x.Line, x.Column, x.Runner = g.File, g.Line, g.Col, "hspec"
		}
	}
	specBody(&x, lines)
	f.PlaceOf(&x)
	f.Fail(x)
	return j
}

// specBody reads "Failure/Error: code", the message and the backtrace. A
// block with several failures ("1.1)", "1.2)") keeps all their messages.
func specBody(x *core.Failure, lines []string) {
	var body []string
	var quoted []core.Frame // the backtrace of an error inside the message
	least := -1
	for _, s := range lines {
		if t := strings.TrimSpace(s); strings.HasPrefix(t, "# ") && (least < 0 || core.IndentOf(s) < least) {
			least = core.IndentOf(s)
		}
	}
	for _, s := range lines {
		t := strings.TrimSpace(s)
		if strings.HasPrefix(t, "# ") {
			if fr, ok := core.ParseFrame(t); ok && core.IndentOf(s) == least {
				x.Frames = append(x.Frames, fr)
			} else if ok {
				quoted = append(quoted, fr)
			}
			continue
		}
		body = append(body, s)
	}
	x.Frames = append(x.Frames, quoted...)
	body = core.TrimBlock(body)
	// The code that failed comes first; the message after a blank line.
	code := 0
	for code < len(body) && body[code] != "" {
		code++
	}
	msg := core.TrimBlock(body[min(code, len(body)):])
	if len(msg) == 0 {
		msg = body
		code = 0
	}
	if len(msg) > 0 {
		x.Message = strings.TrimSpace(msg[0])
		rest := msg[1:]
		if strings.HasSuffix(x.Message, "Error:") && len(rest) > 0 {
			x.Message += " " + strings.TrimSpace(rest[0])
			rest = rest[1:]
		}
		x.Detail = append(append([]string{}, rest...), body[:code]...)
	}
	for _, s := range msg {
		t := strings.TrimSpace(s)
		if v, ok := strings.CutPrefix(t, "expected: "); ok {
			x.Expected = v
		} else if v, ok := strings.CutPrefix(t, "got: "); ok {
			x.Actual = v
		}
	}
}

// specLoad reads an error outside of the examples.
func specLoad(d *stream.Doc, f *core.Found, i int) int {
	var lines []string
	j := i + 1
	for ; j < len(d.Lines); j++ {
		s := d.Lines[j].S
		if strings.HasPrefix(s, "An error occurred") || strings.HasPrefix(s, "Finished in ") || strings.HasPrefix(s, "Run options:") || strings.HasPrefix(s, "No examples found") || strings.HasPrefix(s, "Top ") {
			break
		}
		d.Lines[j].Used = true
		lines = append(lines, s)
	}
	d.Lines[i].Used = true
	x := core.Failure{Kind: core.KindLoad, Runner: "rspec"}
	for k, s := range lines {
		t := strings.TrimSpace(s)
		if strings.HasSuffix(t, "Error:") && !strings.HasPrefix(t, "Failure/") && x.Message == "" && k+1 < len(lines) {
			x.Message = t + " " + strings.TrimSpace(lines[k+1])
		}
		if strings.HasPrefix(t, "# ") {
			if fr, ok := core.ParseFrame(t); ok {
				x.Frames = append(x.Frames, fr)
			}
			continue
		}
		x.Detail = append(x.Detail, s)
	}
	x.Detail = append([]string{d.Lines[i].S}, core.TrimBlock(x.Detail)...)
	if x.Message == "" {
		x.Message, x.Detail = x.Detail[0], x.Detail[1:]
	}
	f.PlaceOf(&x)
	f.Saw("rspec")
	f.Fail(x)
	return j
}
