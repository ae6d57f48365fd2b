package config

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"
)

// Row is one line of `booty config show`.
type Row struct {
	Key string `json:"key"`
	// Value is the effective value in one line of YAML.
	Value string `json:"-"`
	// Typed is the same as a number, true or false, a text, a list or an object; nil
	// where nothing is set.
	Typed  any    `json:"value"`
	Origin string `json:"origin"`
	Source Source `json:"source"`
}

// Show lists every key with its effective value and where it came from. The
// values of keys are never in it: only the names of their variables are known
// here, and what looks like a secret in an address or a command is masked.
func (l *Loaded) Show() []Row {
	var rows []Row
	for _, k := range keys() {
		o := l.Origins[k.name]
		v := format(k.field(&l.Config))
		if k.name == "model.base_url" {
			v = maskURL(v)
		}
		row := Row{Key: k.name, Value: mask(v), Typed: mask(v), Origin: o.String(), Source: o.Source}
		if _, isText := k.field(&l.Config).(*string); !isText {
			row.Typed = typed(k.field(&l.Config))
		}
		rows = append(rows, row)
	}
	return rows
}

// typed gives a value as JSON has it, secrets masked.
func typed(p any) any {
	var n yaml.Node
	var v any
	if n.Encode(p) != nil || n.Decode(&v) != nil {
		return nil
	}
	return masked(v)
}

func masked(v any) any {
	switch v := v.(type) {
	case string:
		return mask(v)
	case []any:
		before := ""
		for i := range v {
			// An option's value is a secret by the word before it.
			word, _ := v[i].(string)
			if pair := before + " " + word; word != "" && mask(pair) != pair && mask(word) == word {
				v[i] = "[REDACTED]"
			}
			before, v[i] = word, masked(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = masked(v[name])
		}
	}
	return v
}

// format writes a value in one line of YAML.
func format(p any) string {
	switch p := p.(type) {
	case *string:
		return *p
	case *Commands:
		if len(*p) == 1 {
			return (*p)[0]
		}
	case *Duration:
		return p.String()
	case **float64:
		if *p == nil {
			return ""
		}
		return formatFloat(**p)
	case *float64:
		return formatFloat(*p)
	case *int, *bool:
		return fmt.Sprint(deref(p))
	}
	var n yaml.Node
	if err := n.Encode(p); err != nil {
		return ""
	}
	flow(&n)
	b, err := yaml.Marshal(&n)
	if err != nil {
		return ""
	}
	// The encoder folds long lines.
	return strings.Join(strings.Fields(string(b)), " ")
}

func flow(n *yaml.Node) {
	n.Style |= yaml.FlowStyle
	for _, c := range n.Content {
		if c.Kind != yaml.ScalarNode {
			flow(c)
		}
	}
}

var secretLike = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)((?:api[-_]?key|token|secret|password|bearer)["']?[\s=:,"']+)[^\s"',\]}]{6,}|\b(?:sk|gh[pousr]|github_pat|xox[abp]|gsk|xai|AIza)[-_]?[A-Za-z0-9_-]{12,}`)
})

func mask(s string) string {
	return secretLike().ReplaceAllString(s, "${1}[REDACTED]")
}

// maskURL hides a password and the values of the query.
func maskURL(s string) string {
	u, err := url.Parse(s)
	if err != nil || s == "" {
		return s
	}
	if u.RawQuery != "" {
		q := u.Query()
		for k := range q {
			q.Set(k, "xxxxx")
		}
		u.RawQuery = q.Encode()
	}
	return u.Redacted()
}
