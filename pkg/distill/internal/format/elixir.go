package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

var (
	reExItem    = core.Lazy(`^ {2,4}(\d+)\) (test|property|doctest|feature) (.+) \(([\w.]+)\)$`)
	reExPlace   = core.Lazy(`^\s+((?:test|apps|lib)/\S+\.exs?):(\d+)$`)
	reExSum     = core.Lazy(`^(?:(\d+) doctests?, )?(?:(\d+) propert(?:y|ies), )?(\d+) tests?, (\d+) failures?(?:, (\d+) (?:excluded))?(?:, (\d+) skipped)?(?:, (\d+) invalid)?`)
	reExCompile = core.Lazy(`^\*\* \((\w*(?:Error|Exception))\) (?:((?:[\w./-]+)\.(?:exs?|eex|heex)):(\d+)(?::\d+)?: )?(.*)$`)
)

// readExUnit reads ExUnit, and the errors of Elixir's compiler.
func readExUnit(d *stream.Doc, f *core.Found) {
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used || l.S == "" {
			continue
		}
		if m := reExItem().FindStringSubmatch(l.S); m != nil {
			i = exunitBlock(d, f, i, m) - 1
			continue
		}
		if strings.HasPrefix(l.S, "** (") {
			if m := reExCompile().FindStringSubmatch(l.S); m != nil {
				l.Used = true
				x := core.Failure{File: m[2], Line: core.Atoi(m[3]), Message: "** (" + m[1] + ") " + m[4], Kind: core.KindCompile, Runner: "elixirc"}
				for k := i + 1; k < len(d.Lines) && k < i+30 && strings.HasPrefix(d.Lines[k].S, " "); k++ {
					if fr, ok := core.ParseFrame(d.Lines[k].S); ok {
						x.Frames = append(x.Frames, fr)
					} else {
						x.Detail = append(x.Detail, d.Lines[k].S)
					}
					d.Lines[k].Used = true
				}
				x.Weak = x.File == "" && len(f.Failures) > 0
				if !(x.Weak && strings.Contains(m[4], "cannot compile module") && len(f.Failures) > 0) {
					f.Fail(x)
				}
			}
			continue
		}
		if l.S[0] >= '0' && l.S[0] <= '9' {
			if m := reExSum().FindStringSubmatch(l.S); m != nil && (strings.Contains(l.S, "failure") && !strings.Contains(l.S, "assertions")) {
				l.Used = true
				all := core.Atoi(m[1]) + core.Atoi(m[2]) + core.Atoi(m[3])
				bad, skip := core.Atoi(m[4])+core.Atoi(m[7]), core.Atoi(m[6])
				f.Format = "ExUnit"
				if all == 0 {
					f.NoTests = true
				}
				f.Total(max(0, all-bad-skip-core.Atoi(m[5])), bad, skip)
			}
		}
	}
}

func exunitBlock(d *stream.Doc, f *core.Found, i int, m []string) int {
	var lines []string
	j := i + 1
	for ; j < len(d.Lines); j++ {
		s := d.Lines[j].S
		if s != "" && !strings.HasPrefix(s, "     ") {
			break
		}
		d.Lines[j].Used = true
		lines = append(lines, s)
	}
	d.Lines[i].Used = true
	x := core.Failure{Test: m[2] + " " + m[3] + " (" + m[4] + ")", Kind: core.KindTest, Runner: "ExUnit"}
	x.Test = m[4] + "." + m[2] + " " + m[3]
	var body []string
	stack := false
	at := core.Frame{}
	for _, s := range lines {
		t := strings.TrimSpace(s)
		if p := reExPlace().FindStringSubmatch(s); p != nil && at.File == "" {
			at = core.Frame{File: p[1], Line: core.Atoi(p[2])}
			continue
		}
		if t == "stacktrace:" {
			stack = true
			continue
		}
		if stack {
			if fr, ok := core.ParseFrame(s); ok {
				x.Frames = append(x.Frames, fr)
				continue
			}
			if t == "" || strings.HasPrefix(t, "(") {
				continue
			}
			if strings.HasPrefix(t, "The following output was logged") {
				break
			}
		}
		if v, ok := strings.CutPrefix(t, "left: "); ok {
			x.Actual = strings.TrimSpace(v)
		} else if v, ok := strings.CutPrefix(t, "right: "); ok {
			x.Expected = strings.TrimSpace(v)
		}
		body = append(body, s)
	}
	body = core.TrimBlock(body)
	if len(body) > 0 {
		x.Message, x.Detail = strings.TrimSpace(body[0]), body[1:]
	}
	f.PlaceOf(&x)
	if x.File == "" {
		x.File, x.Line = at.File, at.Line
	}
	f.Fail(x)
	return j
}
