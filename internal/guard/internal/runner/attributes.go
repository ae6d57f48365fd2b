package runner

import (
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/pattern"
)

// harmlessAttribute is one that says nothing of which files git has and what a checkout
// writes but the ends of lines: what an archive leaves out, how a site shows a file, how
// git shows the heads of hunks, what it says about blanks. Any other may run a filter,
// or take a file out of a diff or a merge.
var harmlessAttribute = pattern.Lazy(`^([-!]?(export-ignore|export-subst|text|crlf|whitespace|delta)|` +
	`text=auto|crlf=input|eol=(lf|crlf)|whitespace=[\w,=-]+|conflict-marker-size=\d+|encoding=[\w-]+|` +
	`[-!]?(linguist|gitlab)-[\w-]+(=[\w#+.-]+)?|` +
	`diff=(ada|bash|bibtex|cpp|csharp|css|dts|elixir|fortran|fountain|golang|html|java|kotlin|markdown|` +
	`matlab|objc|pascal|perl|php|python|ruby|rust|scheme|tex))$`)

// attributesOf parts a line of an attribute file into its pattern and what it says of
// files; a new name for some attributes may reach any file.
func attributesOf(line string) (glob string, attributes []string) {
	if quoted, rest, ends := strings.Cut(strings.TrimPrefix(line, `"`), `"`); ends && line[0] == '"' {
		return quoted, strings.Fields(rest)
	}
	words := strings.Fields(line)
	if strings.HasPrefix(line, "[attr]") {
		return "**", words[1:]
	}
	return words[0], words[1:]
}

// isHarmless tells attributes none of which hides a file, or changes more of it than the
// ends of its lines.
func isHarmless(attributes []string) bool {
	if len(attributes) == 1 && attributes[0] == "binary" {
		return true
	}
	for _, a := range attributes {
		if !harmlessAttribute().MatchString(a) {
			return false
		}
	}
	return true
}
