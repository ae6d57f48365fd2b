package config

import (
	"fmt"
	"reflect"
	"strings"

	"gopkg.in/yaml.v3"
)

// Commands are one or several shell commands: a text, or a list of texts.
type Commands []string

// String gives them as one line each.
func (c Commands) String() string { return strings.Join(c, "\n") }

// UnmarshalYAML reads a scalar or a list.
func (c *Commands) UnmarshalYAML(n *yaml.Node) error {
	var list []string
	if n.Kind != yaml.SequenceNode {
		list = []string{""}
		if err := n.Decode(&list[0]); err != nil {
			return err
		}
	} else if err := n.Decode(&list); err != nil {
		return err
	}
	*c = list
	return nil
}

// MarshalYAML writes one command as the text that it is.
func (c Commands) MarshalYAML() (any, error) {
	if len(c) == 1 {
		return c[0], nil
	}
	return []string(c), nil
}

// commands checks a text or a list of texts.
func (w *walker) commands(n *yaml.Node, name string) {
	if n.Kind != yaml.SequenceNode {
		w.scalar(n, name)
		return
	}
	if len(n.Content) == 0 {
		w.doc.problemf(n.Line, "%s: must not be empty", name)
		return
	}
	for i, e := range n.Content {
		item := fmt.Sprintf("%s[%d]", name, i)
		if isNull(e) {
			w.doc.problemf(e.Line, "%s: is empty", item)
			continue
		}
		w.walk(e, reflect.TypeFor[string](), item)
		delete(w.doc.lines, item)
	}
	w.doc.lines[name] = n.Line
}
