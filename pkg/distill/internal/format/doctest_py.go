package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

var reDoctestFile = core.Lazy(`^File "([^"]+)", line (\d+), in (.+)$`)

// readDoctest reads python -m doctest.
func readDoctest(d *stream.Doc, f *core.Found) {
	for i := 0; i+2 < len(d.Lines); i++ {
		if d.Lines[i].Used || !strings.HasPrefix(d.Lines[i].S, "**********") {
			continue
		}
		m := reDoctestFile().FindStringSubmatch(d.Lines[i+1].S)
		if m == nil || !strings.HasPrefix(d.Lines[i+2].S, "Failed example:") {
			continue
		}
		x := core.Failure{Test: m[3], File: m[1], Line: core.Atoi(m[2]), Kind: core.KindTest, Runner: "doctest"}
		part := ""
		j := i + 2
		for ; j < len(d.Lines) && !strings.HasPrefix(d.Lines[j].S, "**********"); j++ {
			s := d.Lines[j].S
			x.Detail = append(x.Detail, s)
			d.Lines[j].Used = true
			t := strings.TrimSpace(s)
			switch {
			case strings.HasPrefix(s, " ") && part == "Expected:":
				x.Expected = strings.TrimPrefix(x.Expected+"\n"+t, "\n")
			case strings.HasPrefix(s, " ") && part == "Got:":
				x.Actual = strings.TrimPrefix(x.Actual+"\n"+t, "\n")
			case strings.HasPrefix(s, " ") && strings.HasPrefix(part, "Exception raised"):
				x.Message = t
			case !strings.HasPrefix(s, " "):
				part = t
			}
		}
		if x.Message == "" {
			x.Message = "expected " + core.FirstLine(x.Expected) + ", got " + core.FirstLine(x.Actual)
		}
		f.Fail(x)
		i = j - 1
	}
}
