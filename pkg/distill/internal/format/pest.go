package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

var (
	rePestItem = core.Lazy(`^\s+FAILED\s+(\S+) > (.+?)(?:\s{2,}\S*)?$`)
	rePestSum  = core.Lazy(`^\s+Tests:\s+(.+)$`)
)

// readPest reads Pest and Laravel's test runner, which share their output.
func readPest(d *stream.Doc, f *core.Found) {
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used || l.S == "" || l.S[0] != ' ' {
			continue
		}
		if m := rePestItem().FindStringSubmatch(l.S); m != nil && !strings.Contains(m[1], ".ts") && !strings.Contains(m[1], ".js") {
			var lines []string
			j := i + 1
			for ; j < len(d.Lines); j++ {
				s := d.Lines[j].S
				if strings.Contains(s, "───") || rePestItem().MatchString(s) || rePestSum().MatchString(s) {
					break
				}
				d.Lines[j].Used = true
				lines = append(lines, s)
			}
			l.Used = true
			x := core.Failure{Test: m[1] + " > " + m[2], Kind: core.KindTest, Runner: "Pest"}
			var body []string
			for _, s := range lines {
				t := strings.TrimSpace(s)
				if t2, ok := strings.CutPrefix(t, "at "); ok {
					if g, ok := core.CutPlace(t2, f.Root); ok {
						x.Frames = append(x.Frames, core.Frame{File: g.File, Line: g.Line})
						continue
					}
				}
				if len(t) > 2 && t[0] >= '0' && t[0] <= '9' {
					if g, ok := core.CutPlace(strings.TrimLeft(strings.TrimLeft(t, "0123456789"), " "), f.Root); ok {
						x.Frames = append(x.Frames, core.Frame{File: g.File, Line: g.Line})
						continue
					}
				}
				if !strings.Contains(s, "▕") || strings.Contains(s, "➜") {
					body = append(body, s)
				}
			}
			body = core.TrimBlock(body)
			if len(body) > 0 {
				x.Message, x.Detail = strings.TrimSpace(body[0]), body[1:]
			}
			f.PlaceOf(&x)
			f.Fail(x)
			i = j - 1
			continue
		}
		if m := rePestSum().FindStringSubmatch(l.S); m != nil && strings.Contains(l.S, "assertions)") {
			l.Used = true
			n := countWords(m[1])
			f.Format = "Pest"
			f.Total(n["passed"], n["failed"], n["skipped"]+n["todo"]*0)
		}
	}
}
