package detect

import "gopkg.in/yaml.v3"

// value is a place in a YAML file; the zero value is a missing one.
type value struct{ n *yaml.Node }

func parseYAML(text string) value {
	var n yaml.Node
	if yaml.Unmarshal([]byte(text), &n) != nil || len(n.Content) == 0 {
		return value{}
	}
	return value{n.Content[0]}
}

// node follows an alias. An alias of an alias is not valid YAML.
func (v value) node() *yaml.Node {
	if v.n != nil && v.n.Kind == yaml.AliasNode {
		return v.n.Alias
	}
	return v.n
}

func (v value) is(kind yaml.Kind) bool { return v.node() != nil && v.node().Kind == kind }

func (v value) ok() bool { return v.n != nil }

// maxMerged bounds the depth and number of merged mappings: a file may reference itself
// many times.
const maxMerged = 4

// get returns the value of a key, including merged ones.
func (v value) get(key string) value { return v.lookup(key, 0) }

func (v value) lookup(key string, depth int) value {
	if !v.is(yaml.MappingNode) || depth > maxMerged {
		return value{}
	}
	pairs := v.node().Content
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i].Value == key {
			return value{pairs[i+1]}
		}
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i].Value != "<<" {
			continue
		}
		merged := (value{pairs[i+1]}).list()
		for _, m := range merged[:min(len(merged), maxMerged)] {
			if got := m.lookup(key, depth+1); got.ok() {
				return got
			}
		}
	}
	return value{}
}

// keys returns the keys of a mapping in order, without merged ones.
func (v value) keys() []string {
	var keys []string
	if v.is(yaml.MappingNode) {
		for i := 0; i+1 < len(v.node().Content); i += 2 {
			keys = append(keys, v.node().Content[i].Value)
		}
	}
	return keys
}

// list returns the items of a sequence; anything else becomes a list of one.
func (v value) list() []value {
	if !v.ok() {
		return nil
	}
	if !v.is(yaml.SequenceNode) {
		return []value{v}
	}
	var out []value
	for _, n := range v.node().Content {
		out = append(out, value{n})
	}
	return out
}

// text returns a scalar.
func (v value) text() string {
	if v.is(yaml.ScalarNode) && v.node().Tag != "!!null" {
		return v.node().Value
	}
	return ""
}

// pairs returns a mapping of scalars.
func (v value) pairs() map[string]string {
	out := map[string]string{}
	for _, k := range v.keys() {
		if x := v.get(k); x.is(yaml.ScalarNode) {
			out[k] = x.text()
		}
	}
	return out
}
