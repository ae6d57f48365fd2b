package journal

import (
	"bytes"
	"encoding/json"
	"strings"
)

// redactJSON encodes v with every string in it redacted, so that a replaced
// secret cannot break the encoding. Names of fields are left as they are.
func (d *database) redactJSON(v any) (string, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	if !bytes.ContainsRune(raw, '"') {
		return string(raw), nil
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var tree any
	if err := dec.Decode(&tree); err != nil {
		return "", err
	}
	out, err := json.Marshal(d.redactTree(tree))
	return string(out), err
}

func (d *database) redactTree(v any) any {
	switch v := v.(type) {
	case string:
		return d.redact(v)
	case []any:
		for i := range v {
			v[i] = d.redactTree(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = d.redactTree(v[k])
		}
	}
	return v
}

// fill decodes what redactJSON stored; an empty text leaves v alone.
func fill(text string, v any) error {
	if text == "" {
		return nil
	}
	return json.Unmarshal([]byte(text), v)
}

// redactLine redacts the strings of an encoded event and keeps its field order.
func (d *database) redactLine(raw []byte) (string, error) {
	plain := string(raw)
	if d.redact(plain) == plain {
		return strings.TrimSuffix(plain, "\n"), nil
	}
	return d.redactJSON(json.RawMessage(raw))
}
