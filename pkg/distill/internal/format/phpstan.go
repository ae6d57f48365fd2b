package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

var (
	rePHPStanRow = core.Lazy(`^  (\d+)\s{2,}(.+)$`)
	rePHPStanTop = core.Lazy(`^  Line\s{3,}(.+?)\s*$`)
	rePHPcsItem  = core.Lazy(`^ +(\d+) \| (ERROR|WARNING) +\| (?:\[.\] )?(.+)$`)
)

// readPHPStan reads PHPStan's table and PHP_CodeSniffer's.
func readPHPStan(d *stream.Doc, f *core.Found) {
	file, cs := "", ""
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used || l.S == "" {
			continue
		}
		if m := rePHPStanTop().FindStringSubmatch(l.S); m != nil && strings.Contains(l.S, ".php") {
			file = m[1]
			continue
		}
		if strings.HasPrefix(l.S, "FILE: ") {
			cs = strings.TrimSpace(l.S[6:])
			continue
		}
		if cs != "" {
			if m := rePHPcsItem().FindStringSubmatch(l.S); m != nil {
				l.Used = true
				x := core.Failure{File: cs, Line: core.Atoi(m[1]), Message: m[3], Kind: core.KindLint, Runner: "phpcs"}
				if m[2] == "WARNING" {
					f.Warnings = append(f.Warnings, x)
				} else {
					f.Fail(x)
				}
			}
			continue
		}
		if file == "" {
			continue
		}
		if strings.HasPrefix(l.S, " [") || strings.HasPrefix(l.S, "[") {
			file = ""
			continue
		}
		if m := rePHPStanRow().FindStringSubmatch(l.S); m != nil {
			l.Used = true
			x := core.Failure{File: file, Line: core.Atoi(m[1]), Message: strings.TrimSpace(m[2]), Kind: core.KindType, Runner: "PHPStan"}
			for j := i + 1; j < len(d.Lines) && strings.HasPrefix(d.Lines[j].S, "         ") && strings.TrimSpace(d.Lines[j].S) != ""; j++ {
				t := strings.TrimSpace(d.Lines[j].S)
				d.Lines[j].Used = true
				if strings.HasPrefix(t, "💡") || strings.HasPrefix(t, "🪪") || strings.HasPrefix(t, "✏️") {
					x.Detail = append(x.Detail, t)
					continue
				}
				x.Message += " " + t
			}
			f.Fail(x)
		}
	}
}
