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
		"<<setup>>", setupLines(r),
		"<<test>>", testLines(r),
		"<<gates>>", gateLines(r),
	).Replace(fileTemplate))
}

func foundLines(r Result) string {
	var b strings.Builder
	for _, p := range r.Projects {
		if p.Test != "" {
			fmt.Fprintf(&b, "# found: %s in %s (%s), tests by %s\n", oneLine(p.Language), oneLine(p.Dir), oneLine(p.Why),
				oneLine(p.Tool))
		}
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "# note: %s\n", oneLine(n))
	}
	return b.String()
}

func setupLines(r Result) string {
	var b strings.Builder
	switch {
	case r.SetupCommand != "":
		b.WriteString("setup_command: " + yamlScalar(r.SetupCommand))
	case len(r.SetupLeft) == 0:
		return "#setup_command: make deps   # an example"
	}
	for _, l := range r.SetupLeft {
		comment(&b, "setup_command: "+yamlScalar(oneLine(l.Command)), l.Why)
	}
	return strings.TrimPrefix(b.String(), "\n")
}

// testLines write one command as it is and several as a list; what was left
// out can be made an item of it.
func testLines(r Result) string {
	var b strings.Builder
	b.WriteString("test_command:")
	switch {
	case len(r.TestCommands) == 0:
		b.WriteString(" ''   # say here how the tests run")
	case len(r.TestCommands) == 1 && len(r.Left) == 0:
		b.WriteString(" " + yamlScalar(r.TestCommands[0]))
	default:
		for _, c := range r.TestCommands {
			b.WriteString("\n  - " + yamlScalar(c))
		}
	}
	for _, l := range r.Left {
		comment(&b, "  - "+yamlScalar(oneLine(l.Command)), l.Why)
	}
	return b.String()
}

// comment adds a line that is not in force, with the reason.
func comment(b *strings.Builder, line, why string) {
	fmt.Fprintf(b, "\n#%s   # %s", line, oneLine(why))
}

func gateLines(r Result) string {
	if len(r.Gates) == 0 && len(r.GatesLeft) == 0 {
		return "#gates: [{name: lint, command: make lint, fix_command: make fmt}]   # an example"
	}
	var b strings.Builder
	b.WriteString("gates:")
	if len(r.Gates) == 0 {
		b.WriteString(" []")
	}
	for _, g := range r.Gates {
		fmt.Fprintf(&b, "\n  - name: %s\n    command: %s", yamlFlow(g.Name), yamlFlow(g.Command))
		if g.FixCommand != "" {
			fmt.Fprintf(&b, "\n    fix_command: %s", yamlFlow(g.FixCommand))
		}
	}
	for _, g := range r.GatesLeft {
		comment(&b, fmt.Sprintf("  - {name: %s, command: %s}", flow(g.Name), flow(oneLine(g.Command))), g.Why)
	}
	return b.String()
}

// flow quotes what would end a value inside of { }.
func flow(s string) string {
	if strings.ContainsAny(s, ",{}[]") {
		return quoted(s)
	}
	return yamlScalar(s)
}

// plainScalar is text that YAML takes as it is, outside and, without commas
// and brackets, inside of [] and {}.
var plainScalar = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z./(][A-Za-z0-9 ./()&|=_+@'"*<>$;-]*$`)
})

// otherTypes are words that YAML does not take for text.
var otherTypes = map[string]bool{
	"true": true, "false": true, "yes": true, "no": true, "on": true, "off": true, "null": true, "y": true,
	"n": true, "nan": true, ".inf": true, ".nan": true,
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
