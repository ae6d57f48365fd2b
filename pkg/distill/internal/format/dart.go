package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

var (
	reDart = core.Lazy(`^\d\d:\d\d \+(\d+)(?: ~(\d+))?(?: -(\d+))?: (.*?)( \[E\])?$`)
)

// readDart reads dart test and flutter test.
func readDart(d *stream.Doc, f *core.Found) {
	var last []string
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used || len(l.S) < 9 || l.S[2] != ':' {
			continue
		}
		m := reDart().FindStringSubmatch(l.S)
		if m == nil {
			continue
		}
		l.Used = true
		last = m
		if m[5] == "" {
			continue
		}
		x := core.Failure{Test: m[4], Kind: core.KindTest, Runner: "dart test"}
		lines, end := below(d, i+1, func(s string) bool { return s != "" && s[0] != ' ' })
		var body []string
		for _, s := range lines {
			if t := strings.TrimSpace(s); !strings.HasPrefix(t, "package:") && !strings.HasPrefix(t, "dart:") {
				body = append(body, s)
			}
		}
		core.Explain(&x, body)
		if strings.HasPrefix(x.Message, "Test failed. See exception logs above") {
			flutterAbove(d, &x, i)
		}
		f.Fail(x)
		i = end - 1
	}
	if last != nil {
		f.Format = "dart test"
		f.Total(core.Atoi(last[1]), core.Atoi(last[3]), core.Atoi(last[2]))
	}
}

// flutterAbove reads the exception that Flutter prints before the result.
func flutterAbove(d *stream.Doc, x *core.Failure, i int) {
	for k := i - 1; k >= 0 && k > i-300; k-- {
		if !strings.Contains(d.Lines[k].S, "EXCEPTION CAUGHT BY") {
			continue
		}
		var lines []string
		for _, l := range d.Lines[k+1 : i] {
			if strings.HasPrefix(l.S, "══") {
				break
			}
			lines = append(lines, l.S)
		}
		if body := core.TrimBlock(lines); strings.HasPrefix(body[0], "The following ") {
			lines = body[1:]
		}
		x.Message, x.Detail, x.Frames = "", nil, nil
		core.Explain(x, lines)
		return
	}
}
