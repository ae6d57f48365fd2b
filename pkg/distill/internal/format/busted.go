package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

var (
	reBustedSum  = core.Lazy(`^(\d+) success(?:es)? / (\d+) failures? / (\d+) errors? / (\d+) pending`)
	reBustedItem = core.Lazy(`^(Failure|Error|Pending) (?:→|->) (\S+) @ (\d+)$`)
)

// readBusted reads busted, the framework of Lua.
func readBusted(d *stream.Doc, f *core.Found) {
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used || l.S == "" {
			continue
		}
		if m := reBustedSum().FindStringSubmatch(l.S); m != nil {
			l.Used = true
			f.Format = "busted"
			f.Total(core.Atoi(m[1]), core.Atoi(m[2])+core.Atoi(m[3]), core.Atoi(m[4]))
			continue
		}
		m := reBustedItem().FindStringSubmatch(l.S)
		if m == nil || i+1 >= len(d.Lines) {
			continue
		}
		var lines []string
		j := i + 2
		for ; j < len(d.Lines) && !reBustedItem().MatchString(d.Lines[j].S); j++ {
			d.Lines[j].Used = true
			lines = append(lines, d.Lines[j].S)
		}
		l.Used, d.Lines[i+1].Used = true, true
		if m[1] == "Pending" {
			i = j - 1
			continue
		}
		x := core.Failure{Test: strings.TrimSpace(d.Lines[i+1].S), Kind: core.KindTest, Runner: "busted"}
		body := core.TrimBlock(lines)
		for k, s := range body {
			if strings.HasPrefix(s, "stack traceback:") {
				x.Frames = core.FramesOf(body[k:])
				body = body[:k]
				break
			}
		}
		if len(body) > 0 {
			x.Message, x.Detail = body[0], body[1:]
			if g, ok := core.CutPlace(body[0], f.Root); ok {
				x.File, x.Line, x.Message = g.File, g.Line, g.Text
			}
		}
		for k, s := range x.Detail {
			if k+1 < len(x.Detail) {
				switch strings.TrimSpace(s) {
				case "Expected:":
					x.Expected = strings.TrimSpace(x.Detail[k+1])
				case "Passed in:":
					x.Actual = strings.TrimSpace(x.Detail[k+1])
				}
			}
		}
		if x.File == "" {
			f.PlaceOf(&x)
		}
		if x.File == "" {
			x.File, x.Line = m[2], core.Atoi(m[3])
		}
		f.Fail(x)
		i = j - 1
	}
}
