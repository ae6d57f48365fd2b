package config

import (
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

// keysHint says which keys a section has, or each entry of a list; "" where there are none.
func keysHint(t reflect.Type) string {
	before := "; its keys are "
	if t.Kind() == reflect.Slice {
		t, before = t.Elem(), ", each with the keys "
	}
	if t.Kind() != reflect.Struct {
		return ""
	}
	var all []string
	for f := range fieldsOf(t) {
		all = append(all, f.name)
	}
	return before + strings.Join(all, ", ")
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
			name, inline, _ := strings.Cut(f.Tag.Get("yaml"), ",")
			typ := f.Type
			if inline == "inline" {
				for inner := range fieldsOf(typ) {
					if !yield(inner) {
						return
					}
				}
				continue
			}
			if typ.Kind() == reflect.Pointer {
				typ = typ.Elem()
			}
			if !yield(field{name, typ}) {
				return
			}
		}
	}
}
