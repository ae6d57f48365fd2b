package distill

import "strings"

var (
	reExItem    = lazy(`^ {2,4}(\d+)\) (test|property|doctest|feature) (.+) \(([\w.]+)\)$`)
	reExPlace   = lazy(`^\s+((?:test|apps|lib)/\S+\.exs?):(\d+)$`)
	reExSum     = lazy(`^(?:(\d+) doctests?, )?(?:(\d+) propert(?:y|ies), )?(\d+) tests?, (\d+) failures?(?:, (\d+) (?:excluded))?(?:, (\d+) skipped)?(?:, (\d+) invalid)?`)
	reExCompile = lazy(`^\*\* \((\w*(?:Error|Exception))\) (?:((?:[\w./-]+)\.(?:exs?|eex|heex)):(\d+)(?::\d+)?: )?(.*)$`)
)

// readExUnit reads ExUnit, and the errors of Elixir's compiler.
func readExUnit(d *doc, f *found) {
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used || l.s == "" {
			continue
		}
		if m := reExItem().FindStringSubmatch(l.s); m != nil {
			i = exunitBlock(d, f, i, m) - 1
			continue
		}
		if strings.HasPrefix(l.s, "** (") {
			if m := reExCompile().FindStringSubmatch(l.s); m != nil {
				l.used = true
				x := Failure{File: m[2], Line: atoi(m[3]), Message: "** (" + m[1] + ") " + m[4], Kind: KindCompile, runner: "elixirc"}
				for k := i + 1; k < len(d.lines) && k < i+30 && strings.HasPrefix(d.lines[k].s, " "); k++ {
					if fr, ok := parseFrame(d.lines[k].s); ok {
						x.Frames = append(x.Frames, fr)
					} else {
						x.detail = append(x.detail, d.lines[k].s)
					}
					d.lines[k].used = true
				}
				x.weak = x.File == "" && len(f.failures) > 0
				if !(x.weak && strings.Contains(m[4], "cannot compile module") && len(f.failures) > 0) {
					f.fail(x)
				}
			}
			continue
		}
		if l.s[0] >= '0' && l.s[0] <= '9' {
			if m := reExSum().FindStringSubmatch(l.s); m != nil && (strings.Contains(l.s, "failure") && !strings.Contains(l.s, "assertions")) {
				l.used = true
				all := atoi(m[1]) + atoi(m[2]) + atoi(m[3])
				bad, skip := atoi(m[4])+atoi(m[7]), atoi(m[6])
				f.format = "ExUnit"
				if all == 0 {
					f.noTests = true
				}
				f.total(max(0, all-bad-skip-atoi(m[5])), bad, skip)
			}
		}
	}
}

func exunitBlock(d *doc, f *found, i int, m []string) int {
	var lines []string
	j := i + 1
	for ; j < len(d.lines); j++ {
		s := d.lines[j].s
		if s != "" && !strings.HasPrefix(s, "     ") {
			break
		}
		d.lines[j].used = true
		lines = append(lines, s)
	}
	d.lines[i].used = true
	x := Failure{Test: m[2] + " " + m[3] + " (" + m[4] + ")", Kind: KindTest, runner: "ExUnit"}
	x.Test = m[4] + "." + m[2] + " " + m[3]
	var body []string
	stack := false
	at := Frame{}
	for _, s := range lines {
		t := strings.TrimSpace(s)
		if p := reExPlace().FindStringSubmatch(s); p != nil && at.File == "" {
			at = Frame{File: p[1], Line: atoi(p[2])}
			continue
		}
		if t == "stacktrace:" {
			stack = true
			continue
		}
		if stack {
			if fr, ok := parseFrame(s); ok {
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
	body = trimBlock(body)
	if len(body) > 0 {
		x.Message, x.detail = strings.TrimSpace(body[0]), body[1:]
	}
	f.placeOf(&x)
	if x.File == "" {
		x.File, x.Line = at.File, at.Line
	}
	f.fail(x)
	return j
}
