package config

import (
	"fmt"
	"reflect"
	"sort"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// problem is one thing wrong with a file or a value.
type problem struct {
	where string // path of the file, or the name of a flag or variable
	line  int    // 0: of the whole
	text  string
}

func (p problem) String() string {
	if p.line == 0 {
		return p.where + ": " + p.text
	}
	return p.where + ":" + strconv.Itoa(p.line) + ": " + p.text
}

// document is a file as it was written: only keys that stand there are set.
type document struct {
	path     string
	cfg      Config
	lines    map[string]int // key -> line
	problems []problem
	// removed are the keys in it that were settings once, with what became of them.
	removed []problem
}

func (d *document) has(name string) bool {
	_, ok := d.lines[name]
	return ok
}

func (d *document) problemf(line int, format string, args ...any) {
	d.problems = append(d.problems, problem{d.path, line, fmt.Sprintf(format, args...)})
}

// maxNodes bounds the walk over a file: aliases can make a small file large.
const maxNodes = 20000

// decode reads a file strictly. What is wrong with it stands in problems.
func decode(path string, data []byte, user bool) *document {
	d := &document{path: path, lines: map[string]int{}}
	root := d.parse(data)
	if root == nil {
		return d
	}
	wordAsMode(root)
	w := walker{doc: d, user: user, table: keyIndex(), left: maxNodes}
	w.walk(root, reflect.TypeFor[Config](), "")
	if len(d.problems) > 0 {
		return d
	}
	if err := safely(func() error { return root.Decode(&d.cfg) }); err != nil {
		d.yamlError(err, data)
	}
	return d
}

// plainTags are what YAML itself takes values for.
var plainTags = map[string]bool{
	"!!map": true, "!!seq": true, "!!str": true, "!!int": true, "!!float": true, "!!bool": true, "!!timestamp": true,
}

// walker compares a tree of nodes with the types of Config.
type walker struct {
	doc   *document
	user  bool // the file is the user's
	table map[string]key
	left  int
}

var (
	durationType = reflect.TypeFor[Duration]()
	commandsType = reflect.TypeFor[Commands]()
)

func (w *walker) walk(n *yaml.Node, t reflect.Type, name string) {
	if w.left--; w.left == 0 {
		w.doc.problemf(n.Line, "nested too deep or too large")
	}
	if w.left <= 0 {
		return
	}
	if n.Kind == yaml.AliasNode {
		w.walk(n.Alias, t, name)
		return
	}
	if isNull(n) {
		// An empty value is a key left out.
		return
	}
	if !plainTags[n.Tag] {
		// !!binary and the like would be something else than what stands there.
		w.doc.problemf(n.Line, "%s: the tag %s is not understood", name, n.Tag)
		return
	}
	switch {
	case t == durationType:
		w.scalar(n, name)
	case t == commandsType:
		w.commands(n, name)
	case t.Kind() == reflect.Struct:
		w.mapping(n, t, name)
	case t.Kind() == reflect.Slice:
		w.sequence(n, t, name)
	default:
		w.scalar(n, name)
	}
}

// mapping checks the keys of a section.
func (w *walker) mapping(n *yaml.Node, t reflect.Type, name string) {
	if n.Kind != yaml.MappingNode {
		w.doc.problemf(n.Line, "%s: want keys and values, got %s%s", name, describe(n), keysHint(t))
		return
	}
	if _, ok := w.table[name]; ok && len(n.Content) > 0 {
		w.doc.lines[name] = n.Line
	}
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		if k.Kind != yaml.ScalarNode {
			w.doc.problemf(k.Line, "a key must be a plain word")
			continue
		}
		if k.Tag == "!!merge" {
			w.merge(v, t, name)
			continue
		}
		if first, ok := seen[k.Value]; ok {
			w.doc.problemf(k.Line, "key %q is already there in line %d", k.Value, first)
			continue
		}
		seen[k.Value] = k.Line
		ft, ok := fieldType(t, k.Value)
		full := join(name, k.Value)
		if why, was := removedKeys[full]; was {
			w.doc.removed = append(w.doc.removed,
				problem{w.doc.path, k.Line, full + " has no effect any more: " + why + "; delete the line"})
			continue
		}
		if !ok {
			w.doc.problemf(k.Line, "unknown key %q%s", full, suggestion(full, t))
			continue
		}
		if msg := w.outOfPlace(full); msg != "" {
			w.doc.problemf(k.Line, "%s", msg)
			continue
		}
		w.walk(v, ft, full)
		// The line of the key, not that of its value, is what a person looks for.
		if _, ok := w.doc.lines[full]; ok {
			w.doc.lines[full] = k.Line
		}
	}
	w.required(n, t, name, seen)
}

func (w *walker) merge(v *yaml.Node, t reflect.Type, name string) {
	if v.Kind == yaml.SequenceNode {
		for _, e := range v.Content {
			w.walk(e, t, name)
		}
		return
	}
	w.walk(v, t, name)
}

// required asks for what an entry of a list cannot do without.
func (w *walker) required(n *yaml.Node, t reflect.Type, name string, seen map[string]int) {
	var need []string
	switch t {
	case reflect.TypeFor[Gate]():
		need = []string{"name", "command"}
	case reflect.TypeFor[SpecPattern]():
		need = []string{"files", "pending", "active"}
	}
	for _, k := range need {
		if _, ok := seen[k]; !ok {
			w.doc.problemf(n.Line, "%s: %q is missing", name, k)
		}
	}
}

// outOfPlace says why a key may not stand in this file.
func (w *walker) outOfPlace(full string) string {
	top, _, _ := strings.Cut(full, ".")
	top, _, _ = strings.Cut(top, "[")
	allowed := !w.user
	for name, k := range w.table {
		if (name == top || strings.HasPrefix(name, top+".")) && k.user {
			allowed = true
			break
		}
	}
	if allowed {
		return ""
	}
	return fmt.Sprintf("key %q may not stand in the user's file; only model, budget and sandbox may", full)
}

func (w *walker) sequence(n *yaml.Node, t reflect.Type, name string) {
	if n.Kind != yaml.SequenceNode {
		w.doc.problemf(n.Line, "%s: want a list%s, got %s", name, keysHint(t), describe(n))
		return
	}
	w.doc.lines[name] = n.Line
	names := map[string]bool{}
	for i, e := range n.Content {
		item := fmt.Sprintf("%s[%d]", name, i)
		if isNull(e) {
			w.doc.problemf(e.Line, "%s: is empty", item)
			continue
		}
		w.walk(e, t.Elem(), item)
		delete(w.doc.lines, item)
		if t.Elem() == reflect.TypeFor[Gate]() {
			w.gateName(e, names)
		}
		if t.Elem() == reflect.TypeFor[SpecPattern]() && e.Kind == yaml.MappingNode {
			w.pattern(e, item)
		}
	}
}

func (w *walker) gateName(e *yaml.Node, names map[string]bool) {
	v := child(e, "name")
	if v == nil || v.Kind != yaml.ScalarNode {
		return
	}
	if names[v.Value] {
		w.doc.problemf(v.Line, "gates: the name %q is there twice", v.Value)
	}
	names[v.Value] = true
}

func (w *walker) pattern(e *yaml.Node, item string) {
	var p SpecPattern
	if safely(func() error { return e.Decode(&p) }) != nil {
		return // told already
	}
	bad := checkPattern(p)
	for _, k := range []string{"files", "pending"} {
		if v := child(e, k); v != nil && bad[k] != "" {
			w.doc.problemf(v.Line, "%s.%s: %s", item, k, bad[k])
		}
	}
}

// scalar checks one value against the table.
func (w *walker) scalar(n *yaml.Node, name string) {
	if n.Kind != yaml.ScalarNode {
		w.doc.problemf(n.Line, "%s: want %s, got %s", name, w.want(name), describe(n))
		return
	}
	k, ok := w.lookup(name)
	if !ok {
		return
	}
	if n.Value == "" && !k.needed {
		// An empty text is a key left out, so that `base_url: ""` cannot undo
		// what the user has set.
		return
	}
	v, msg := k.read(n.Value, n.Tag)
	if _, isBool := v.(bool); isBool && n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 {
		msg = fmt.Sprintf("want %s, got the text %q: take its quotes away", k.kind(), n.Value)
	}
	if msg == "" {
		msg = k.valid(v)
	}
	if msg == "" && !w.user && strings.HasSuffix(name, "_usd") && v == 0.0 {
		msg = "0 is no limit, which only the user's own file may say"
	}
	if msg != "" {
		w.doc.problemf(n.Line, "%s: %s", name, msg)
		return
	}
	w.doc.lines[name] = n.Line
}

// lookup finds the row for a name: itself, the list it is an element of, the
// key of model that a role repeats, or the fields of a gate.
func (w *walker) lookup(name string) (key, bool) {
	if k, ok := w.table[name]; ok {
		return k, true
	}
	if rest, ok := strings.CutPrefix(name, "model.roles."); ok {
		_, field, _ := strings.Cut(rest, ".")
		return w.lookup("model." + field)
	}
	if strings.HasPrefix(name, "gates[") {
		return gateKey(lastPart(name)), true
	}
	if strings.HasPrefix(name, "specs.patterns[") {
		return key{name: name, field: func(*Config) any { return new(string) }}, true
	}
	if list, _, ok := strings.Cut(name, "["); ok {
		k, ok := w.table[list]
		k.field = func(*Config) any { return new(string) }
		k.needed = true
		return k, ok
	}
	return key{}, false
}

func gateKey(field string) key {
	if field == "timeout" {
		return key{name: field, field: func(*Config) any { return new(Duration) }, min: second, max: hour,
			ranged: true}
	}
	return key{name: field, field: func(*Config) any { return new(string) }, needed: field != "fix_command"}
}

func (w *walker) want(name string) string {
	if k, ok := w.lookup(name); ok {
		return k.kind()
	}
	return "text"
}

// keyIndex is the table by name.
func keyIndex() map[string]key {
	m := map[string]key{}
	for _, k := range keys() {
		m[k.name] = k
	}
	return m
}

// sorted puts problems into the order of their lines.
func sorted(p []problem) []problem {
	sort.SliceStable(p, func(i, j int) bool { return p[i].where == p[j].where && p[i].line < p[j].line })
	return p
}

// wordAsMode makes `evidence: require` what it stands for, {mode: require}.
func wordAsMode(root *yaml.Node) {
	for i := 0; i+1 < len(root.Content); i += 2 {
		k, v := root.Content[i], root.Content[i+1]
		if k.Kind != yaml.ScalarNode || k.Value != "evidence" || v.Kind != yaml.ScalarNode || isNull(v) {
			continue
		}
		mode := *k
		mode.Value = "mode"
		root.Content[i+1] = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: v.Line,
			Content: []*yaml.Node{&mode, v}}
	}
}
