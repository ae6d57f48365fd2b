package config

import (
	"path"
	"reflect"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

func join(name, k string) string {
	if name == "" {
		return k
	}
	return name + "." + k
}

func child(n *yaml.Node, name string) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	for i := 0; i+1 < len(n.Content) && n.Kind == yaml.MappingNode; i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i+1]
		}
	}
	return nil
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "keys and values"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return describe(n.Alias)
	}
	return strconv.Quote(n.Value)
}

// listHint says how to write as a list what stands there as one text.
func listHint(n *yaml.Node, t reflect.Type, name string) string {
	switch {
	case n.Kind != yaml.ScalarNode:
		return ""
	case t == reflect.TypeFor[[]Gate]():
		return "; write [" + asGate(n.Value) + "]"
	case lastPart(name) == "command":
		return "; write " + asWords(n.Value)
	}
	return "; write [" + strconv.Quote(n.Value) + "]"
}

// mappingHint says how to write as a section what stands there as one value: a
// gate of which only the command is given, a section's most wanted key.
func mappingHint(n *yaml.Node, t reflect.Type) string {
	if n.Kind != yaml.ScalarNode || isNull(n) {
		return ""
	}
	switch t {
	case reflect.TypeFor[Gate]():
		return "; write " + asGate(n.Value)
	case reflect.TypeFor[SpecPattern]():
		return ""
	}
	wanted := map[reflect.Type]string{
		reflect.TypeFor[Model](): "name", reflect.TypeFor[RoleModel](): "name", reflect.TypeFor[Budget](): "run_usd",
		reflect.TypeFor[Limits](): "max_diff_lines",
	}
	name := wanted[t]
	var all []string
	var kind reflect.Type
	for f := range fieldsOf(t) {
		if all = append(all, f.name); name == "" {
			name = f.name
		}
		if f.name == name {
			kind = f.typ
		}
	}
	if fits := reflect.New(kind); n.Decode(fits.Interface()) != nil {
		return "; its keys are " + strings.Join(all, ", ")
	}
	value := n.Value
	if n.Tag == "!!str" && strings.ContainsAny(value, ":#{}[],&*!|>'\"%@` ") {
		value = strconv.Quote(value)
	}
	return "; write {" + name + ": " + value + "}"
}

func asGate(command string) string {
	name := "check"
	if words := strings.Fields(command); len(words) > 0 {
		name = path.Base(words[len(words)-1])
	}
	if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz-") != "" || strings.HasPrefix(name, "-") {
		name = "check"
	}
	return "{name: " + name + ", command: " + strconv.Quote(command) + "}"
}

// asWords is a command line as the list of its words; what only a shell
// understands is left to one.
func asWords(command string) string {
	words := strings.Fields(command)
	if strings.ContainsAny(command, "'\"\\$`|&;<>()*?") {
		words = []string{"sh", "-c", command}
	}
	for i, w := range words {
		words[i] = strconv.Quote(w)
	}
	return "[" + strings.Join(words, ", ") + "]"
}

// fieldType finds the type of the field with a yaml name.
func fieldType(t reflect.Type, name string) (reflect.Type, bool) {
	for f := range fieldsOf(t) {
		if f.name == name {
			return f.typ, true
		}
	}
	return nil, false
}

type field struct {
	name string
	typ  reflect.Type
}

func fieldsOf(t reflect.Type) func(func(field) bool) {
	return func(yield func(field) bool) {
		for i := range t.NumField() {
			f := t.Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
			typ := f.Type
			if typ.Kind() == reflect.Pointer {
				typ = typ.Elem()
			}
			if !yield(field{name, typ}) {
				return
			}
		}
	}
}
