package format

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
)

// recordsOf gives the objects of a document that are no report of a known form: what they
// hold under which key. One that is told by its key has that for a name.
func recordsOf(v any, at int, key string, depth int) (out core.Records) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			out = append(out, recordsOf(e, at, "", depth+1)...)
		}
	case map[string]any:
		r := core.Record{At: at, Cells: cellsOf(v, 0)}
		if _, told := v["name"]; key != "" && !told {
			r.Cells = append(r.Cells, core.Cell{Key: "name", Value: key})
		}
		if len(r.Cells) > 1 {
			out = append(out, r)
		}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if depth < 6 {
				out = append(out, recordsOf(v[k], at, k, depth+1)...)
			}
		}
	}
	return out
}

// cellsOf gives the texts and numbers of an object and of those within it.
func cellsOf(m map[string]any, depth int) (out []core.Cell) {
	for _, k := range slices.Sorted(maps.Keys(m)) {
		switch v := m[k].(type) {
		case string, float64, bool:
			if k != tagKey {
				out = append(out, core.Cell{Key: strings.ToLower(k), Value: cleanLines(fmt.Sprint(v))})
			}
		case map[string]any:
			if depth < 2 && (v["message"] != nil || v["stack"] != nil || v["line"] != nil) {
				out = append(out, cellsOf(v, depth+1)...)
			}
		}
	}
	return out
}
