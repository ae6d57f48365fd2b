package detect

import (
	"encoding/json"
	"strings"
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
	_ = json.Unmarshal(plainJSON(d.text(file)), &m)
	p := &Project{Why: file, Test: "deno test -A", covers: everything}
	if _, ok := m.Tasks["test"]; ok {
		p.Test = "deno task test"
	}
	p.Gates = []QualityGate{{"lint", "deno lint", "deno lint --fix"}}
	return p
}

// plainJSON takes comments and trailing commas out of JSON.
func plainJSON(s string) []byte {
	var b []byte
	inString := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case inString:
			b = append(b, c)
			if c == '\\' && i+1 < len(s) {
				i++
				b = append(b, s[i])
			} else if c == '"' {
				inString = false
			}
		case c == '"':
			inString = true
			b = append(b, c)
		case strings.HasPrefix(s[i:], "//"):
			for i+1 < len(s) && s[i+1] != '\n' {
				i++
			}
		case strings.HasPrefix(s[i:], "/*"):
			end := strings.Index(s[i+2:], "*/")
			if end < 0 {
				return b
			}
			i += end + 3
		case c == '}' || c == ']':
			trimmed := strings.TrimRight(string(b), " \t\r\n")
			if strings.HasSuffix(trimmed, ",") {
				b = []byte(trimmed[:len(trimmed)-1])
			}
			b = append(b, c)
		default:
			b = append(b, c)
		}
	}
	return b
}
