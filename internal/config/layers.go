package config

import (
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// setting is a value that a variable gives.
type setting struct {
	variable string
	value    any
}

// environ is the environment layer, by key.
type environ map[string]setting

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

// environment reads the variables; an empty one is unset.
func environment(table []key, getenv func(string) string, problems *[]problem) environ {
	env := environ{}
	for _, k := range table {
		for _, name := range k.variables() {
			text := getenv(name)
			if text == "" {
				continue
			}
			v, msg := k.read(text, "")
			if msg == "" {
				msg = k.valid(v)
			}
			if msg != "" {
				*problems = append(*problems, problem{where: "$" + name, text: msg})
			} else {
				env[k.name] = setting{name, v}
			}
			break
		}
	}
	if getenv("NO_COLOR") != "" {
		env["ui.color"] = setting{"NO_COLOR", "never"}
	}
	return env
}

func (e environ) values() map[string]any {
	m := map[string]any{}
	for name, s := range e {
		nest(m, name, s.value)
	}
	return m
}

// values gives what stands in the file as viper wants it.
func (d *document) values(table []key) map[string]any {
	m := map[string]any{}
	for _, k := range table {
		if d.has(k.name) {
			if v := deref(k.field(&d.cfg)); v != nil {
				nest(m, k.name, v)
			}
		}
	}
	return m
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

// flagValue is a changed flag as viper wants it.
type flagValue struct{ name, text string }

func (f *flagValue) HasChanged() bool    { return true }
func (f *flagValue) Name() string        { return f.name }
func (f *flagValue) ValueString() string { return f.text }

// ValueType is always text: the table knows the type, and viper's own casts
// would turn a wrong value into zero.
func (f *flagValue) ValueType() string { return "string" }

// changed gives the key's flag where the user has set it. A flag --no-x says
// the opposite of --x.
func (k key) changed(flags *pflag.FlagSet, problems *[]problem) *flagValue {
	if flags == nil {
		return nil
	}
	name, text, ok := k.flagText(flags)
	if !ok {
		return nil
	}
	v, msg := k.read(text, "")
	if msg == "" {
		msg = k.valid(v)
	}
	if msg != "" {
		*problems = append(*problems, problem{where: "--" + name, text: msg})
		return nil
	}
	return &flagValue{name, text}
}

func (k key) flagText(flags *pflag.FlagSet) (name, text string, ok bool) {
	if k.name == "ui.color" {
		f := flags.Lookup("no-color")
		if f == nil || !f.Changed || f.Value.String() != "true" {
			return "", "", false
		}
		return "no-color", "never", true
	}
	if k.flag == "" {
		return "", "", false
	}
	if f := flags.Lookup(k.flag); f != nil && f.Changed {
		return k.flag, f.Value.String(), true
	}
	if _, isBool := k.field(new(Config)).(*bool); isBool {
		if f := flags.Lookup("no-" + k.flag); f != nil && f.Changed {
			opposite := "true"
			if f.Value.String() == "true" {
				opposite = "false"
			}
			return "no-" + k.flag, opposite, true
		}
	}
	return "", "", false
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

// assign puts a value of the field's type, or the text of one, at its place.
func assign(p, v any) {
	if text, ok := v.(string); ok {
		k := key{field: func(*Config) any { return p }}
		parsed, msg := k.read(text, "")
		if msg != "" {
			return // refused before it came here
		}
		v = parsed
	}
	if f, ok := p.(**float64); ok {
		if n, ok := v.(float64); ok {
			*f = &n
		}
		return
	}
	if list, ok := v.([]string); ok {
		v = slices.Clone(list) // a default is everybody's
	}
	dst, src := reflect.ValueOf(p).Elem(), reflect.ValueOf(v)
	if src.Type().AssignableTo(dst.Type()) {
		dst.Set(src)
	}
}
