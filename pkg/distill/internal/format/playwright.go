package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

var (
	rePlayHead  = core.Lazy(`^ +(\d+)\) (?:(\[[^\]]+\]) › )?(\S+\.\w+):(\d+):(\d+) › (.+?)(?: [─━]+)?$`)
	rePlayCount = core.Lazy(`^ +(\d+) (failed|passed|skipped|flaky|interrupted|did not run)(?: \([^)]*\))?$`)
	rePlayRun   = core.Lazy(`^Running \d+ tests? using \d+ workers?`)
)

// readPlaywright reads Playwright's list, line and dot reporters.
func readPlaywright(d *stream.Doc, f *core.Found) {
	n := map[string]int{}
	play := false
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used || l.S == "" {
			continue
		}
		switch {
		case strings.HasPrefix(l.S, "Running "):
			if rePlayRun().MatchString(l.S) {
				play = true
				f.Saw("playwright")
			}
		case l.S[0] != ' ':
		case strings.Contains(l.S, " › "):
			if m := rePlayHead().FindStringSubmatch(l.S); m != nil {
				play = true
				i = playBlock(d, f, i, m) - 1
			}
		case play:
			if m := rePlayCount().FindStringSubmatch(l.S); m != nil {
				n[m[2]] += core.Atoi(m[1])
				l.Used = true
			}
		}
	}
	if play {
		playNames(d, f)
	}
	if play && len(n) > 0 {
		f.Format = "playwright"
		f.Total(n["passed"]+n["flaky"], n["failed"]+n["interrupted"], n["skipped"])
	}
}

// playNames takes the steps off the names: a failure's head gives the test and
// the step in it, the list at the end the test alone.
func playNames(d *stream.Doc, f *core.Found) {
	listed := map[string]bool{}
	for i := range d.Lines {
		if m := rePlayItem().FindStringSubmatch(d.Lines[i].S); m != nil && len(d.Lines[i].S) < 1000 {
			listed[core.NameKey(m[1])] = true
		}
	}
	for i := range f.Failures {
		x := &f.Failures[i]
		if x.Runner != "playwright" || listed[core.NameKey(x.Test)] {
			continue
		}
		for name := x.Test; ; {
			k := strings.LastIndex(name, " > ")
			if k < 0 {
				break
			}
			if name = name[:k]; listed[core.NameKey(name)] {
				x.Test = name
				break
			}
		}
	}
}

var rePlayItem = core.Lazy(`^ {2,}(?:[✘✖x×] +\d+ )?(?:\[[^\]]+\] › )?\S+\.\w+:\d+:\d+ › (.+?)(?: [─━]+| \([\d.]+m?s\)| \(retry #\d+\))*$`)

func playBlock(d *stream.Doc, f *core.Found, i int, m []string) int {
	var lines []string
	d.Lines[i].Used = true
	j := i + 1
	for ; j < len(d.Lines); j++ {
		s := d.Lines[j].S
		if s != "" && !strings.HasPrefix(s, "    ") {
			break
		}
		d.Lines[j].Used = true
		if strings.Contains(s, "Retry #1") || strings.Contains(s, "attachment #") {
			for j++; j < len(d.Lines) && (d.Lines[j].S == "" || strings.HasPrefix(d.Lines[j].S, "    ")); j++ {
				d.Lines[j].Used = true
			}
			break
		}
		lines = append(lines, s)
	}
	x := core.Failure{Test: strings.Join(strings.Split(m[6], " › "), " > "), Kind: core.KindTest, Runner: "playwright"}
	jsBlock(&x, lines)
	f.PlaceOf(&x)
	if x.File == "" {
		x.File, x.Line, x.Column = m[3], core.Atoi(m[4]), core.Atoi(m[5])
	}
	if strings.HasPrefix(x.Message, "Test timeout of") {
		x.Kind = core.KindTimeout
	}
	f.Fail(x)
	return j
}
