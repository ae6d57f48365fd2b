package detect

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode"
)

//go:embed booty.yml.tmpl
var fileTemplate string

// Render writes the result as a commented .booty.yml. Without a test command
// the file says so, and the strict decoder refuses it; see Result.Err.
func Render(r Result) []byte {
	// One pass: what is put in is not looked at for places again.
	return []byte(strings.NewReplacer(
		"<<found>>", foundLines(r),
		"<<setup>>", orExample("setup_command", r.SetupCommand, "#setup_command: make deps   # an example"),
		"<<test>>", orExample("test_command", r.TestCommand, "test_command: ''   # say here how the tests run"),
		"<<gates>>", gateLines(r.Gates),
	).Replace(fileTemplate))
}

func foundLines(r Result) string {
	var b strings.Builder
	for _, p := range r.Projects {
		if p.Test != "" {
			fmt.Fprintf(&b, "# found: %s in %s (%s), tests by %s\n", oneLine(p.Language), oneLine(p.Dir), oneLine(p.Why), oneLine(p.Tool))
		}
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "# note: %s\n", oneLine(n))
	}
	return b.String()
}

func orExample(key, value, example string) string {
	if value == "" {
		return example
	}
	return key + ": " + yamlScalar(value)
}

func gateLines(gates []Gate) string {
	if len(gates) == 0 {
		return "#gates: [{name: lint, command: make lint, fix_command: make fmt}]   # an example"
	}
	var b strings.Builder
	b.WriteString("gates:")
	for _, g := range gates {
		fmt.Fprintf(&b, "\n  - name: %s\n    command: %s", yamlFlow(g.Name), yamlFlow(g.Command))
		if g.FixCommand != "" {
			fmt.Fprintf(&b, "\n    fix_command: %s", yamlFlow(g.FixCommand))
		}
	}
	return b.String()
}

// plainScalar is text that YAML takes as it is, outside and, without commas
// and brackets, inside of [] and {}.
var plainScalar = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z./(][A-Za-z0-9 ./()&|=_+@'"*<>$;-]*$`)
})

// otherTypes are words that YAML does not take for text.
var otherTypes = map[string]bool{
	"true": true, "false": true, "yes": true, "no": true, "on": true, "off": true, "null": true, "y": true, "n": true, "nan": true, ".inf": true, ".nan": true,
}

// yamlScalar quotes what would mean something else to YAML.
func yamlScalar(s string) string {
	if plainScalar().MatchString(s) && !otherTypes[strings.ToLower(s)] && !strings.HasSuffix(s, " ") && !startsNumber(s) {
		return s
	}
	return quoted(s)
}

// yamlFlow is yamlScalar inside of [] and {}: the same characters are plain
// there, since none of them ends a flow value.
func yamlFlow(s string) string { return yamlScalar(s) }

func startsNumber(s string) bool {
	return s[0] == '.' && len(s) > 1 && s[1] >= '0' && s[1] <= '9'
}

func quoted(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) < 0 && strings.ToValidUTF8(s, "") == s {
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// oneLine keeps foreign text within its comment.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, s)
}
