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
	Key    string `json:"key"`
	Value  string `json:"value"`
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
		rows = append(rows, Row{Key: k.name, Value: mask(v), Origin: o.String(), Source: o.Source})
	}
	return rows
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
