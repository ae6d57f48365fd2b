package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

var (
	reMochaCount = core.Lazy(`^ +(\d+) (passing|failing|pending)(?: \([\d.]+ ?\w+\))?$`)
	reNumbered   = core.Lazy(`^( *)(\d+)\) (.+)$`)
)

// readMocha reads mocha, also inside Cypress and others that use it.
func readMocha(d *stream.Doc, f *core.Found) {
	tail := -1
	counts := map[string]int{}
	flush := func() {
		if len(counts) > 0 {
			f.Format = "mocha"
			f.Total(counts["passing"], counts["failing"], counts["pending"])
			counts = map[string]int{}
		}
	}
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.S == "Failed tests:" { // lab
			tail = i
		}
		if l.Used || l.S == "" || l.S[0] != ' ' {
			continue
		}
		if m := reMochaCount().FindStringSubmatch(l.S); m != nil {
			if _, dup := counts[m[2]]; dup || m[2] == "passing" {
				flush()
			}
			counts[m[2]] = core.Atoi(m[1])
			l.Used = true
			tail = i
			continue
		}
		if tail < 0 || !strings.HasPrefix(l.S, "  ") {
			continue
		}
		if m := reNumbered().FindStringSubmatch(l.S); m != nil && len(m[1]) <= 3 {
			i = mochaBlock(d, f, i, m) - 1
		}
	}
	flush()
}

// mochaBlock reads a numbered failure: the path of titles, the last of which
// ends with a colon, then the error.
func mochaBlock(d *stream.Doc, f *core.Found, i int, m []string) int {
	var path []string
	t := m[3]
	j := i
	for {
		t = strings.TrimSpace(t)
		if strings.HasSuffix(t, ":") {
			path = append(path, strings.TrimSuffix(t, ":"))
			j++
			break
		}
		path = append(path, t)
		if j++; j >= len(d.Lines) || j > i+12 || d.Lines[j].S == "" {
			break
		}
		t = d.Lines[j].S
	}
	start := j
	for ; j < len(d.Lines); j++ {
		s := d.Lines[j].S
		if s != "" && s[0] != ' ' && !mochaGoesOn(d, j) {
			break
		}
		if k := reNumbered().FindStringSubmatch(s); k != nil && len(k[1]) == len(m[1]) && (core.Atoi(k[2]) == core.Atoi(m[2])+1 || core.Atoi(k[2]) > core.Atoi(m[2]) && strings.HasSuffix(s, ":") && d.Lines[j-1].S == "") {
			break
		}
		if reMochaCount().MatchString(s) || strings.HasPrefix(s, "  (Results)") || strings.HasPrefix(s, "  (Screenshots)") {
			break
		}
	}
	var lines []string
	for k := i; k < j; k++ {
		d.Lines[k].Used = true
		if k >= start {
			lines = append(lines, d.Lines[k].S)
		}
	}
	x := core.Failure{Test: strings.Join(path, " > "), Kind: core.KindTest, Runner: "mocha"}
	jsBlock(&x, lines)
	mochaDiff(&x)
	if strings.Contains(x.Message, "Timeout of ") {
		x.Kind = core.KindTimeout
	}
	f.Format = "mocha"
	f.PlaceOf(&x)
	f.Fail(x)
	return j
}

// mochaGoesOn tells whether a line at the margin is a part of a message of
// several lines: then the stack or the diff still follows.
func mochaGoesOn(d *stream.Doc, j int) bool {
	blank := 0
	for k := j + 1; k < len(d.Lines) && k < j+40; k++ {
		s := d.Lines[k].S
		switch {
		case s == "":
			if blank++; blank > 1 {
				return false
			}
			continue
		case strings.HasPrefix(s, "      at ") || strings.HasPrefix(s, "      + expected"):
			return true
		case strings.HasPrefix(s, "  ") && reNumbered().MatchString(s):
			return false
		}
		blank = 0
	}
	return false
}

// mochaDiff reads "+ expected - actual".
func mochaDiff(x *core.Failure) {
	for i, s := range x.Detail {
		if strings.TrimSpace(s) != "+ expected - actual" {
			continue
		}
		for _, t := range x.Detail[i+1:] {
			t = strings.TrimSpace(t)
			if strings.HasPrefix(t, "-") && x.Actual == "" {
				x.Actual = t[1:]
			} else if strings.HasPrefix(t, "+") && x.Expected == "" {
				x.Expected = t[1:]
			}
		}
	}
}
