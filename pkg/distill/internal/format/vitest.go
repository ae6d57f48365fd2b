package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

var (
	reViteFail  = core.Lazy(`^ ?(?:FAIL|❯) +(?:\|[^|]*\| |[\w-]+ )?(\S.*\.\w+)(?: \[ .* \]|( > .+))?$`)
	reViteTests = core.Lazy(`^ +Tests +(.+?)(?: \((\d+)\))?$`)
	reViteRule  = core.Lazy(`^⎯+\[\d+/\d+\]⎯$`)
	reViteHead  = core.Lazy(`^⎯+ (.+?) ⎯+$`)
)

// readVitest reads vitest.
func readVitest(d *stream.Doc, f *core.Found) {
	seen := false
	for i := range d.Lines {
		if s := d.Lines[i].S; strings.HasPrefix(s, " Test Files  ") || strings.HasPrefix(s, "⎯⎯⎯") || strings.HasPrefix(s, " RUN  v") || strings.HasPrefix(s, " DEV  v") {
			seen = true
			break
		}
	}
	if !seen {
		return
	}
	var last []string
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		s := l.S
		switch {
		case l.Used || s == "":
		case strings.HasPrefix(s, " FAIL "):
			i = vitestBlock(d, f, i) - 1
		case strings.HasPrefix(s, "⎯"):
			if m := reViteHead().FindStringSubmatch(s); m != nil && (strings.HasPrefix(m[1], "Uncaught") || strings.HasPrefix(m[1], "Unhandled Rejection") || strings.HasPrefix(m[1], "Unhandled Source")) {
				i = vitestUnhandled(d, f, i) - 1
			}
		case strings.HasPrefix(strings.TrimLeft(s, " "), "Tests  "):
			if m := reViteTests().FindStringSubmatch(s); m != nil {
				last = m // a terminal shows the total many times
				l.Used = true
			}
		case strings.HasPrefix(s, " RUN  v"):
			f.Saw("vitest")
		}
	}
	if last != nil && last[1] != "no tests" {
		n := countWords(last[1])
		f.Format = "vitest"
		f.Total(n["passed"], n["failed"], n["skipped"])
	}
}

// vitestBlock reads one error and the tests it belongs to: vitest prints an
// error once that several tests share.
func vitestBlock(d *stream.Doc, f *core.Found, i int) int {
	var tests []string
	j := i
	for ; j < len(d.Lines) && strings.HasPrefix(d.Lines[j].S, " FAIL "); j++ {
		if m := reViteFail().FindStringSubmatch(d.Lines[j].S); m != nil {
			tests = append(tests, m[1]+m[2])
		} else {
			tests = append(tests, strings.TrimSpace(d.Lines[j].S[5:]))
		}
	}
	start := j
	for ; j < len(d.Lines); j++ {
		s := d.Lines[j].S
		if reViteRule().MatchString(s) || strings.HasPrefix(s, " FAIL ") || strings.HasPrefix(s, " Test Files ") || reViteHead().MatchString(s) {
			break
		}
	}
	lines := make([]string, 0, j-start)
	for k := i; k < j; k++ {
		d.Lines[k].Used = true
		if k >= start {
			lines = append(lines, d.Lines[k].S)
		}
	}
	f.Format = "vitest"
	for _, t := range tests {
		x := core.Failure{Test: t, Kind: core.KindTest, Runner: "vitest"}
		if !strings.Contains(t, " > ") {
			x.Kind = core.KindLoad
		}
		jsBlock(&x, lines)
		if x.Message == "" {
			x.Weak = true
		}
		if strings.Contains(x.Message, "Test timed out") || strings.Contains(x.Message, "Hook timed out") {
			x.Kind = core.KindTimeout
		}
		f.PlaceOf(&x)
		if x.File == "" {
			x.File, _, _ = strings.Cut(t, " > ")
		}
		f.Fail(x)
	}
	return j
}

func vitestUnhandled(d *stream.Doc, f *core.Found, i int) int {
	j := i + 1
	var lines []string
	for ; j < len(d.Lines) && !strings.HasPrefix(d.Lines[j].S, "⎯") && !strings.HasPrefix(d.Lines[j].S, " Test Files "); j++ {
		d.Lines[j].Used = true
		lines = append(lines, d.Lines[j].S)
	}
	x := core.Failure{Kind: core.KindError, Runner: "vitest"}
	jsBlock(&x, lines)
	f.PlaceOf(&x)
	if x.Message != "" {
		f.Fail(x)
	}
	return j
}
