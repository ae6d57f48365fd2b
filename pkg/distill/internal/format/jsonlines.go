package format

import (
	"encoding/json"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

// readJSONLines unfolds a stream whose lines come one by one in JSON, as go test
// -json and the logs of containers print them: what they wrap is read as if it
// had been printed as it is, package by package.
func readJSONLines(d *stream.Doc, f *core.Found) {
	type wrapped struct{ Output, Log, Package string }
	text := map[string]*strings.Builder{}
	var order []string
	var at []int
	for i := range d.Lines {
		l := &d.Lines[i]
		if l.Used || !strings.HasPrefix(l.S, "{") || !strings.HasSuffix(l.S, "}") {
			continue
		}
		var w wrapped
		whole := strings.Contains(l.S, `"Output":"`) || strings.Contains(l.S, `"log":"`)
		if !whole && !strings.Contains(l.S, `"Action":"`) || json.Unmarshal([]byte(l.S), &w) != nil {
			continue
		}
		at = append(at, i)
		if !whole {
			continue
		}
		if text[w.Package] == nil {
			text[w.Package] = &strings.Builder{}
			order = append(order, w.Package)
		}
		text[w.Package].WriteString(w.Output + w.Log)
	}
	n := 0
	for _, p := range order {
		for s := range strings.Lines(text[p].String()) {
			if n < len(at) {
				d.Lines[at[n]].S = strings.TrimRight(s, "\r\n")
				n++
			}
		}
	}
	for ; len(order) > 0 && n < len(at); n++ {
		d.Lines[at[n]].S = ""
	}
}
