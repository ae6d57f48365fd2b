package detect

import (
	"encoding/json"

	"github.com/tidwall/jsonc"
)

func lookDeno(d *dir) *Project {
	file := d.has("deno.json", "deno.jsonc")
	if file == "" {
		return nil
	}
	if n := lookNode(d); n != nil && n.Test != "" {
		return nil // the tests are node's
	}
	var m struct {
		Tasks map[string]json.RawMessage `json:"tasks"`
	}
	// A file that is not understood still says that this is Deno.
	_ = json.Unmarshal(jsonc.ToJSON([]byte(d.text(file))), &m)
	p := &Project{Why: file, Test: "deno test -A", covers: everything}
	if _, ok := m.Tasks["test"]; ok {
		p.Test = "deno task test"
	}
	p.Gates = []QualityGate{{"lint", "deno lint", "deno lint --fix"}}
	return p
}
