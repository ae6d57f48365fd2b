package format

import "github.com/booty-cli/booty/pkg/distill/internal/stream"

// below gives the lines from i on up to one that stops.
func below(d *stream.Doc, i int, stop func(s string) bool) ([]string, int) {
	var out []string
	for ; i < len(d.Lines) && !stop(d.Lines[i].S) && len(out) < 300; i++ {
		d.Lines[i].Used = true
		out = append(out, d.Lines[i].S)
	}
	return out, i
}
