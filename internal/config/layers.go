package config

import (
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"github.com/spf13/viper"
)

// setting is a value, and where it stands.
type setting struct {
	value  any
	origin Origin
}

// layer is what one source says, by key.
type layer map[string]setting

// The layers, from the weakest to the strongest.
const (
	user = iota
	project
	environment
	flags
)

// stack is the layers on top of each other.
type stack struct {
	layers [4]layer
	// notes say why a key is not simply that of the strongest layer.
	notes map[string]string
}

// winner gives what decides a key, and its layer; -1 where only the default is left.
func (s *stack) winner(name string) (setting, int) {
	for i, l := range slices.Backward(s.layers[:]) {
		if w, is := l[name]; is {
			return w, i
		}
	}
	return setting{}, -1
}

// drop takes a key out of a layer, and notes why.
func (s *stack) drop(from int, name, note string) {
	delete(s.layers[from], name)
	if s.notes[name] == "" {
		s.notes[name] = note
	}
}

// settle has viper put the layers above the defaults, and fills in the settings.
func (s *stack) settle(l *Loaded, table []key) error {
	v := viper.New()
	for _, k := range table {
		if k.def != nil {
			v.SetDefault(k.name, k.def)
		}
	}
	for _, one := range s.layers {
		m := map[string]any{}
		for name, set := range one {
			nest(m, name, set.value)
		}
		if err := v.MergeConfigMap(m); err != nil {
			return err
		}
	}
	for _, k := range table {
		o := Origin{Source: FromDefault}
		if w, at := s.winner(k.name); at >= 0 {
			o = w.origin
		}
		o.Note = s.notes[k.name]
		l.Origins[k.name] = o
		if val := v.Get(k.name); val != nil {
			assign(k.field(&l.Config), val)
		}
	}
	return nil
}

func nest(m map[string]any, name string, v any) {
	head, rest, deeper := strings.Cut(name, ".")
	if !deeper {
		m[head] = v
		return
	}
	sub, ok := m[head].(map[string]any)
	if !ok {
		sub = map[string]any{}
		m[head] = sub
	}
	nest(sub, rest, v)
}

// layer gives what stands in the file.
func (d *document) layer(table []key, source Source) layer {
	l := layer{}
	for _, k := range table {
		if d.has(k.name) {
			if v := deref(k.field(&d.cfg)); v != nil {
				l[k.name] = setting{v, Origin{Source: source, File: d.path, Line: d.lines[k.name]}}
			}
		}
	}
	return l
}

// variables are the names obeyed for a key, the first that is set counts.
func (k key) variables() []string {
	if !k.scalar() {
		return nil
	}
	return append([]string{variable(k.name)}, k.env...)
}

func variable(key string) string {
	return "BOOTY_" + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
}

// fromEnvironment reads the variables; an empty one is unset.
func fromEnvironment(table []key, getenv func(string) string) (l layer, problems []problem) {
	l = layer{}
	for _, k := range table {
		for _, name := range k.variables() {
			if text := getenv(name); text != "" {
				l.put(k, text, "$"+name, Origin{Source: FromEnvironment, Name: name}, &problems)
				break
			}
		}
	}
	return l, problems
}

// fromFlags reads the flags that the user has set.
func fromFlags(table []key, set *pflag.FlagSet) (l layer, problems []problem) {
	l = layer{}
	if set == nil {
		return l, nil
	}
	for _, k := range table {
		if name, text := k.flagText(set); name != "" {
			l.put(k, text, "--"+name, Origin{Source: FromFlag, Name: name}, &problems)
		}
	}
	return l, problems
}

// put reads a text that stands for a key.
func (l layer) put(k key, text, where string, o Origin, problems *[]problem) {
	v, msg := k.read(text, "")
	if msg == "" {
		msg = k.valid(v)
	}
	if msg != "" {
		*problems = append(*problems, problem{where: where, text: msg})
		return
	}
	l[k.name] = setting{v, o}
}

// flagText gives the key's flag, if it was set, and its text. A flag --no-x says the
// opposite of --x.
func (k key) flagText(set *pflag.FlagSet) (name, text string) {
	changed := func(name string) *pflag.Flag {
		if f := set.Lookup(name); f != nil && f.Changed {
			return f
		}
		return nil
	}
	if k.flag == "" {
		return "", ""
	}
	if f := changed(k.flag); f != nil {
		return f.Name, f.Value.String()
	}
	if f := changed("no-" + k.flag); f != nil {
		return f.Name, map[string]string{"true": "false", "false": "true"}[f.Value.String()]
	}
	return "", ""
}

// deref gives the value at a field's place; nil for an unset pointer.
func deref(p any) any {
	if f, ok := p.(**float64); ok {
		if *f == nil {
			return nil
		}
		return **f
	}
	return reflect.ValueOf(p).Elem().Interface()
}

// assign puts a value of the field's type at its place.
func assign(p, v any) {
	switch v := v.(type) {
	case []string:
		reflect.ValueOf(p).Elem().Set(reflect.ValueOf(slices.Clone(v))) // a default is everybody's
		return
	case float64:
		if f, ok := p.(**float64); ok {
			*f = &v
			return
		}
	}
	reflect.ValueOf(p).Elem().Set(reflect.ValueOf(v))
}
