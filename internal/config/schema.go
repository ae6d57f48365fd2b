package config

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
)

// A third of the schema would be blanks: they are put in when it is asked for.
//
//go:embed schema.json
var schema []byte

// Schema gives the JSON Schema of .booty.yml. It is made from the types and
// the table by a test (go test ./internal/config -run Generated -update), so
// that the generator is not part of the binary.
func Schema() ([]byte, error) {
	var b bytes.Buffer
	if err := json.Indent(&b, schema, "", "  "); err != nil {
		return nil, fmt.Errorf("the schema of the settings: %w", err)
	}
	return b.Bytes(), nil
}
