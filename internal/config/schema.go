package config

import _ "embed"

//go:embed schema.json
var schema []byte

// Schema gives the JSON Schema of .booty.yml. It is made from the types and
// the table by a test (go test ./internal/config -run Generated -update), so
// that the generator is not part of the binary.
func Schema() []byte { return append([]byte(nil), schema...) }
