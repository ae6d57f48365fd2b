package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

var (
	reShellHead = text.Lazy(`^In (.+) line (\d+):$`)
	reShellItem = text.Lazy(`\^-*\^? *(SC\d+)(?: \((error|warning|info|style)\))?: (.+)$`)
)

// readShellcheck reads shellcheck's form for terminals.
func readShellcheck(d *stream.Doc, f *core.Found) {
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used || !strings.HasPrefix(l.S, "In ") {
			continue
		}
		m := reShellHead().FindStringSubmatch(l.S)
		if m == nil {
			continue
		}
		l.Used = true
		src := ""
		for j := i + 1; j < len(d.Lines); j++ {
			s := d.Lines[j].S
			if s == "" || strings.HasPrefix(s, "Did you mean") {
				i = j
				break
			}
			d.Lines[j].Used = true
			k := reShellItem().FindStringSubmatch(s)
			if k == nil {
				src = s
				continue
			}
			sev := k[2]
			if sev != "" {
				sev = " (" + sev + ")"
			}
			f.Fail(core.Failure{File: m[1], Line: text.Atoi(m[2]), Column: strings.IndexByte(s, '^') + 1,
				Message: k[1] + sev + ": " + k[3], Detail: []string{src}, Kind: core.KindLint,
				Runner: "shellcheck"})
			i = j
		}
	}
}
