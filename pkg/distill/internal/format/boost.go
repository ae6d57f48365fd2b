package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

var (
	reBoostFail = core.Lazy(`^((?:[A-Za-z]:)?[^\s:(][^:(]*)(?:\((\d+)\)|:(\d+)): (?:fatal )?error: in "([^"]+)": (.*)$`)
)

// readBoost reads Boost.Test.
func readBoost(d *stream.Doc, f *core.Found) {
	for i := range d.Lines {
		l := &d.Lines[i]
		if l.Used || !strings.Contains(l.S, `error: in "`) {
			continue
		}
		if m := reBoostFail().FindStringSubmatch(l.S); m != nil {
			l.Used = true
			x := core.Failure{Test: m[4], File: m[1], Line: core.Atoi(m[2] + m[3]), Message: m[5], Kind: core.KindTest, Runner: "Boost.Test"}
			if i+1 < len(d.Lines) && strings.Contains(d.Lines[i+1].S, "last checkpoint") {
				x.Detail = append(x.Detail, d.Lines[i+1].S)
				if g, ok := core.CutPlace(d.Lines[i+1].S, f.Root); ok && x.Line == 0 {
					x.File, x.Line = g.File, g.Line
				}
			}
			f.Fail(x)
		}
	}
}
