package journal

import (
	"bytes"
	"encoding/json"
)

// redactJSON encodes v with every string in it redacted, so that a replaced
// secret cannot break the encoding. Names of fields are left as they are.
func (j *Journal) redactJSON(v any) (string, error) {
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
	out, err := json.Marshal(j.redactTree(tree))
	return string(out), err
}

func (j *Journal) redactTree(v any) any {
	switch v := v.(type) {
	case string:
		return j.redact(v)
	case []any:
		for i := range v {
			v[i] = j.redactTree(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = j.redactTree(v[k])
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
