package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

var reDenoTS = core.Lazy(`^(?:error: )?(TS\d+ \[ERROR\]: .+)$`)

// readDenoCheck reads deno check, which prints the place below the message.
func readDenoCheck(d *stream.Doc, f *core.Found) {
	for i := range d.Lines {
		l := &d.Lines[i]
		if l.Used || !strings.Contains(l.S, "[ERROR]") {
			continue
		}
		m := reDenoTS().FindStringSubmatch(l.S)
		if m == nil {
			continue
		}
		x := core.Failure{Message: m[1], Kind: core.KindType, Runner: "deno check"}
		for j := i + 1; j < len(d.Lines) && j < i+20; j++ {
			d.Lines[j].Used = true
			if fr, ok := core.ParseFrame(d.Lines[j].S); ok {
				x.File, x.Line, x.Column = fr.File, fr.Line, fr.Column
				break
			}
			x.Detail = append(x.Detail, d.Lines[j].S)
		}
		l.Used = true
		f.Fail(x)
	}
}
