package config

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/invopop/jsonschema"
)

var update = flag.Bool("update", false, "write the generated and golden files anew")

func TestGeneratedFilesAreCurrent(t *testing.T) {
	for _, c := range []struct {
		path string
		want []byte
	}{
		{"schema.json", makeSchema(t)},
		{"../../docs/configuration.md", makeDocs()},
	} {
		t.Run(filepath.Base(c.path), func(t *testing.T) { golden(t, c.path, c.want) })
	}
}

// golden compares got with the file, or writes it with -update.
func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// A checkout may have turned line ends.
	want = bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n"))
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s is not current, run the test with -update (- there, + made now):\n%s", path, diff)
	}
}

// makeSchema reflects the types and adds what the table knows.
func makeSchema(t *testing.T) []byte {
	r := jsonschema.Reflector{FieldNameTag: "yaml", DoNotReference: true, RequiredFromJSONSchemaTags: true, Anonymous: true, Mapper: mapType}
	s := r.Reflect(&Config{})
	s.ID = "https://github.com/booty-cli/booty/.booty.yml"
	s.Title = "Settings of booty in a repository (.booty.yml)"
	s.Required = []string{"test_command"}
	s.Properties.Delete("ui") // may stand in the user's file only
	table := keyIndex()
	describeSchema(s, "", table)
	mode, both := find(s, "evidence.mode"), *find(s, "evidence") // a word alone is the mode
	s.Properties.Set("evidence", &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "string", Enum: mode.Enum}, &both}})
	b, err := json.MarshalIndent(s, "", "")
	if err != nil {
		t.Fatal(err)
	}
	return append(b, '\n')
}

func mapType(t reflect.Type) *jsonschema.Schema {
	if t == reflect.TypeFor[Duration]() {
		return &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "string"}, {Type: "number"}}}
	}
	if t == reflect.TypeFor[Commands]() {
		one, text := uint64(1), &jsonschema.Schema{Type: "string"}
		text.MinLength = &one
		return &jsonschema.Schema{OneOf: []*jsonschema.Schema{text, {Type: "array", Items: text, MinItems: &one}}}
	}
	return nil
}

func find(s *jsonschema.Schema, name string) *jsonschema.Schema {
	for part := range strings.SplitSeq(name, ".") {
		s, _ = s.Properties.Get(part)
	}
	return s
}

func describeSchema(s *jsonschema.Schema, name string, table map[string]key) {
	if s.Properties == nil {
		return
	}
	s.AdditionalProperties = jsonschema.FalseSchema
	for p := s.Properties.Oldest(); p != nil; p = p.Next() {
		full := join(name, p.Key)
		k, ok := table[full]
		if rest, role := strings.CutPrefix(full, "model.roles."); role && !ok {
			if _, f, deeper := strings.Cut(rest, "."); deeper {
				k, ok = table["model."+f]
				k.def, k.doc = nil, "as model."+f
			}
		}
		if ok {
			addRow(p.Value, k)
		}
		describeSchema(p.Value, full, table)
		if p.Value.Items != nil {
			describeSchema(p.Value.Items, full+"[]", table)
			switch full {
			case "gates":
				p.Value.Items.Required = []string{"name", "command"}
			case "specs.patterns":
				p.Value.Items.Required = []string{"files", "pending", "active"}
			}
		}
	}
}

func addRow(s *jsonschema.Schema, k key) {
	s.Description = strings.ReplaceAll(k.doc, "`", "")
	if k.def != nil {
		s.Default = k.def
		if d, ok := k.def.(Duration); ok {
			s.Default = d.String()
		}
	}
	for _, e := range k.enum {
		s.Enum = append(s.Enum, e)
	}
	if _, text := k.field(new(Config)).(*string); k.needed && text {
		one := uint64(1)
		s.MinLength = &one
	}
	if _, dur := k.field(new(Config)).(*Duration); k.ranged && !dur {
		s.Minimum = json.Number(formatFloat(k.min))
		if k.max < many {
			s.Maximum = json.Number(formatFloat(k.max))
		}
	}
	if _, null := k.field(new(Config)).(**float64); null {
		s.OneOf = []*jsonschema.Schema{{Type: "number", Minimum: s.Minimum, Maximum: s.Maximum}, {Type: "null"}}
		s.Type, s.Minimum, s.Maximum = "", "", ""
	}
}

func makeDocs() []byte {
	var b bytes.Buffer
	b.WriteString(docsHead)
	for _, k := range keys() {
		if title := docsSections[k.name]; title != "" {
			fmt.Fprintf(&b, "\n### %s\n\n| key | default, or type | what it is for |\n|---|---|---|\n", title)
		}
		writeDocsRow(&b, k)
	}
	return b.Bytes()
}

// docsSections are the titles of the tables of docs/configuration.md, by the first key of each.
var docsSections = map[string]string{
	"schema_version":     "Commands",
	"docs_only":          "What may change",
	"context.max_tokens": "What the model sees",
	"model.provider":     "The model",
	"budget.run_usd":     "Spending and time",
	"baseline":           "When work is green",
	"sandbox.mode":       "The sandbox",
	"github.repo":        "GitHub",
	"specs.label":        "The queue",
}

func writeDocsRow(b *bytes.Buffer, k key) {
	doc := strings.Replace(k.doc, "in a repository's file: needs consent", "[consent](#consent)", 1)
	value := strings.TrimPrefix(k.kind(), "a ")
	if k.def != nil {
		c := new(Config)
		assign(k.field(c), k.def)
		if def := format(k.field(c)); def != "" {
			value = "`" + def + "`"
		}
	}
	if k.ranged && k.max < many && k.min < k.max {
		lo, hi := formatFloat(k.min), formatFloat(k.max)
		if _, ok := k.field(new(Config)).(*Duration); ok {
			lo, hi = Duration(k.min).String(), Duration(k.max).String()
		}
		value += fmt.Sprintf(" (%s–%s)", lo, hi)
	}
	switch others := slices.DeleteFunc(slices.Clone(k.enum), func(e string) bool {
		return strings.Contains(value+doc, "`"+e+"`")
	}); {
	case k.name == "model.provider":
		value += " or [another](providers.md#which-provider-is-used)"
	case len(others) > 0:
		value += " or `" + strings.Join(others, "`, `") + "`"
	}
	var by []string // besides BOOTY_ and the name
	if k.flag != "" {
		by = append(by, "`--"+k.flag+"`")
	}
	if k.name == "review.enabled" {
		by = append(by, "`--no-review`")
	}
	for _, v := range k.env {
		by = append(by, "`"+v+"`")
	}
	if len(by) > 0 {
		doc += " (" + strings.Join(by, ", ") + ")"
	}
	fmt.Fprintf(b, "| `%s` | %s | %s |\n", k.name, value, doc)
}

const docsHead = `# Configuration

<!-- Made from keys.go and generated_test.go in internal/config: go test ./internal/config -run Generated -update -->

` + "`" + `.booty.yml` + "`" + ` in the repository's root says how booty works there; ` + "`" + `booty init` + "`" + ` writes it. The first of these layers
that sets a key wins:

1. flags (` + "`" + `--model` + "`" + `),
2. the environment: ` + "`" + `BOOTY_` + "`" + ` and the key in capitals (` + "`" + `BOOTY_MODEL_NAME` + "`" + ` for ` + "`" + `model.name` + "`" + `), for keys with a single
   value,
3. the repository's ` + "`" + `.booty.yml` + "`" + ` (or ` + "`" + `.booty.yaml` + "`" + `),
4. your own ` + "`" + `$XDG_CONFIG_HOME/booty/config.yml` + "`" + ` (or ` + "`" + `~/.config/booty/config.yml` + "`" + `), for ` + "`" + `model` + "`" + `, ` + "`" + `budget` + "`" + ` and
   ` + "`" + `sandbox` + "`" + ` only,
5. defaults.

A budget in ` + "`" + `.booty.yml` + "`" + ` can only lower your own limits. ` + "`" + `base_url` + "`" + `, ` + "`" + `api_key_env` + "`" + ` and ` + "`" + `command` + "`" + ` belong to the provider of the
layer that sets them: if a stronger layer selects another one, they do not count (` + "`" + `auto` + "`" + `, ` + "`" + `openai` + "`" + ` and ` + "`" + `custom` + "`" + `, and
` + "`" + `OPENAI_BASE_URL` + "`" + `, are one family).

Lists are not merged. Durations are written ` + "`" + `90s` + "`" + `, ` + "`" + `5m` + "`" + `, ` + "`" + `1h30m` + "`" + ` or as seconds. Invalid settings are errors (exit code 2).
` + "`" + `booty config show` + "`" + ` prints every setting and where it comes from, ` + "`" + `booty config schema` + "`" + ` the JSON Schema, for editors.

## Consent

These settings in ` + "`" + `.booty.yml` + "`" + ` can send your model key elsewhere, replace the model with a program, or widen the sandbox. They
need your consent once: at a prompt, with ` + "`" + `--yes` + "`" + `, or by the same setting in your own file.

- ` + "`" + `base_url` + "`" + `, ` + "`" + `command` + "`" + ` and ` + "`" + `api_key_env` + "`" + ` of ` + "`" + `model` + "`" + ` and its roles;
- ` + "`" + `model.provider` + "`" + ` if it is ` + "`" + `exec` + "`" + ` or ` + "`" + `agent` + "`" + `, or if you named another provider's key;
- ` + "`" + `sandbox.mode: off` + "`" + `, ` + "`" + `sandbox.env` + "`" + `, and ` + "`" + `sandbox.read` + "`" + ` and ` + "`" + `sandbox.write` + "`" + ` outside the work tree or in ` + "`" + `.git` + "`" + `.

Consent is stored in ` + "`" + `$XDG_STATE_HOME/booty/consent.json` + "`" + ` for these values and this checkout. Without it booty refuses (exit
code 8). The commands of ` + "`" + `.booty.yml` + "`" + ` need none.

## Keys
`
