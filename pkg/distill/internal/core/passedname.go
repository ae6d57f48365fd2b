package core

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// PassedName gives the name beside a mark that says that a test passed, and the
// template of the mark: equal for lines of the same kind.
func PassedName(line string) (name, mark string, ok bool) {
	m, ok := splitMark(rePercent().ReplaceAllString(line, ""))
	if !ok || m.said != passed || m.name == "" || reDirective().MatchString(line) {
		return "", "", false
	}
	return m.name, strings.TrimSpace(m.key()), true
}

var (
	reDirective = text.Lazy(`(?i) # (?:skip|todo)\b`)
	rePercent   = text.Lazy(`\s+\[ *\d+%\]$`) // pytest's
)
