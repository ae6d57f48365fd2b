package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

var (
	reMiniItem   = core.Lazy(`^ +(\d+)\) (Failure|Error|Skipped):$`)
	reMiniPlace  = core.Lazy(`^(.+?#.+?) \[((?:[A-Za-z]:)?[^\]]+):(\d+)\]:?$`)
	reMiniCount  = core.Lazy(`^(\d+) (?:runs|tests), (\d+) assertions, (\d+) failures?, (\d+) errors?(?:, (\d+) pendings?, (\d+) omissions?)?(?:, (\d+) skips?)?`)
	reMiniInline = core.Lazy(`^(Failure|Error):$`)
	reUnitRuby   = core.Lazy(`^(Failure|Error): (\S+\([\w:]+\))(?::? ?(.*))?$`)
)

// readMinitest reads Minitest, test-unit and Rails' test runner.
func readMinitest(d *stream.Doc, f *core.Found) {
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used || l.S == "" {
			continue
		}
		s := l.S
		switch {
		case s[0] == ' ' && strings.HasSuffix(s, ":"):
			if m := reMiniItem().FindStringSubmatch(s); m != nil {
				i = miniBlock(d, f, i+1, m[2]) - 1
			}
		case s == "Failure:" || s == "Error:":
			// Rails prints failures in place.
			if i+1 < len(d.Lines) && strings.Contains(d.Lines[i+1].S, "#") {
				i = miniBlock(d, f, i+1, strings.TrimSuffix(s, ":")) - 1
			}
		case strings.HasPrefix(s, "Failure: ") || strings.HasPrefix(s, "Error: "):
			if m := reUnitRuby().FindStringSubmatch(s); m != nil {
				i = testUnitBlock(d, f, i, m) - 1
			}
		case s[0] >= '0' && s[0] <= '9':
			if m := reMiniCount().FindStringSubmatch(s); m != nil {
				l.Used = true
				all, bad, skip := core.Atoi(m[1]), core.Atoi(m[3])+core.Atoi(m[4]), core.Atoi(m[5])+core.Atoi(m[6])+core.Atoi(m[7])
				f.Format = "minitest"
				if all == 0 {
					f.NoTests = true
				}
				f.Total(max(0, all-bad-skip), bad, skip)
			}
		}
	}
}

func miniBlock(d *stream.Doc, f *core.Found, i int, kind string) int {
	var lines []string
	j := i
	for ; j < len(d.Lines); j++ {
		s := d.Lines[j].S
		if reMiniItem().MatchString(s) || reMiniCount().MatchString(s) || j > i && reMiniInline().MatchString(s) || strings.HasPrefix(s, "bin/rails test ") || strings.HasPrefix(s, "rails test ") {
			break
		}
		lines = append(lines, s)
	}
	if len(lines) == 0 {
		return i
	}
	for k := i - 1; k < j; k++ {
		d.Lines[k].Used = true
	}
	if kind == "Skipped" {
		return j
	}
	x := core.Failure{Kind: core.KindTest, Runner: "minitest"}
	head := strings.TrimSpace(lines[0])
	if m := reMiniPlace().FindStringSubmatch(head); m != nil {
		x.Test, x.File, x.Line = m[1], m[2], core.Atoi(m[3])
	} else {
		x.Test = strings.TrimSuffix(head, ":")
	}
	body := core.TrimBlock(core.WithoutFrames(lines[1:]))
	if len(body) > 0 {
		x.Message, x.Detail = strings.TrimSpace(body[0]), body[1:]
	}
	x.Frames = core.FramesOf(lines[1:])
	for _, s := range body {
		t := strings.TrimSpace(s)
		if v, ok := strings.CutPrefix(t, "Expected: "); ok {
			x.Expected = v
		} else if v, ok := strings.CutPrefix(t, "Actual: "); ok {
			x.Actual = v
		}
	}
	f.PlaceOf(&x)
	f.Fail(x)
	return j
}

// testUnitBlock reads test-unit's "Failure: test_x(TestClass): message".
func testUnitBlock(d *stream.Doc, f *core.Found, i int, m []string) int {
	name, class, _ := strings.Cut(strings.TrimSuffix(m[2], ")"), "(")
	x := core.Failure{Test: class + "#" + name, Kind: core.KindTest, Message: m[3], Runner: "test-unit"}
	var lines []string
	j := i + 1
	for ; j < len(d.Lines) && !strings.HasPrefix(d.Lines[j].S, "====="); j++ {
		d.Lines[j].Used = true
		lines = append(lines, d.Lines[j].S)
	}
	d.Lines[i].Used = true
	for _, s := range lines {
		if fr, ok := core.ParseFrame(s); ok {
			x.Frames = append(x.Frames, fr)
			continue
		}
		if t := strings.TrimSpace(s); x.Message == "" && t != "" {
			x.Message = t
			continue
		}
		x.Detail = append(x.Detail, s)
	}
	f.PlaceOf(&x)
	f.Fail(x)
	return j
}
