package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

var (
	reDenoHead  = core.Lazy(`^(.+?) => ((?:file://)?\S+?):(\d+):(\d+)$`)
	reDenoTotal = core.Lazy(`^(?:ok|FAILED) \| (\d+) passed(?: \(\d+ steps?\))? \| (\d+) failed(?: \(\d+ steps?\))?(?: \| (\d+) ignored)?`)
)

// readDeno reads deno test.
func readDeno(d *stream.Doc, f *core.Found) {
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used || l.S == "" {
			continue
		}
		if m := reDenoTotal().FindStringSubmatch(l.S); m != nil {
			l.Used = true
			f.Format = "deno test"
			f.Total(core.Atoi(m[1]), core.Atoi(m[2]), core.Atoi(m[3]))
			continue
		}
		if !strings.Contains(l.S, " => ") || i+1 >= len(d.Lines) || !strings.HasPrefix(d.Lines[i+1].S, "error: ") {
			continue
		}
		m := reDenoHead().FindStringSubmatch(l.S)
		if m == nil {
			continue
		}
		var lines []string
		l.Used = true
		j := i + 1
		for ; j < len(d.Lines); j++ {
			s := d.Lines[j].S
			if strings.HasPrefix(s, " FAILURES") || reDenoHead().MatchString(s) || strings.HasPrefix(s, "FAILED |") {
				break
			}
			d.Lines[j].Used = true
			lines = append(lines, s)
		}
		x := core.Failure{Test: strings.ReplaceAll(m[1], " ... ", " > "), Kind: core.KindTest, Runner: "deno test"}
		jsBlock(&x, lines)
		x.Message = strings.TrimPrefix(x.Message, "error: ")
		f.PlaceOf(&x)
		if x.File == "" {
			x.File, x.Line, x.Column = m[2], core.Atoi(m[3]), core.Atoi(m[4])
		}
		f.Format = "deno test"
		f.Fail(x)
		i = j - 1
	}
}
