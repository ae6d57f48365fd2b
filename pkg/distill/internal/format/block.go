package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

// below gives the lines from i on up to one that stops.
func below(d *stream.Doc, i int, stop func(s string) bool) ([]string, int) {
	var out []string
	for ; i < len(d.Lines) && !stop(d.Lines[i].S) && len(out) < 300; i++ {
		d.Lines[i].Used = true
		out = append(out, d.Lines[i].S)
	}
	return out, i
}

// explain fills in the message and the details from a block.
func explain(x *core.Failure, lines []string) {
	body := core.TrimBlock(lines)
	if len(body) == 0 {
		return
	}
	x.Message, x.Detail = strings.TrimSpace(body[0]), body[1:]
	for _, s := range body {
		t := strings.TrimSpace(s)
		if v, ok := core.CutAny(t, "Expected: ", "expected: "); ok && x.Expected == "" {
			x.Expected = v
		} else if v, ok := core.CutAny(t, "Actual: ", "actual: ", "got: ", "but got: "); ok && x.Actual == "" {
			x.Actual = v
		}
	}
}
