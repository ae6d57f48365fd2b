package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

var (
	reBiomeHead = text.Lazy(`^((?:[A-Za-z]:)?[^\s:]+\.\w+)(?::(\d+):(\d+))? ((?:lint|format|parse|assist|` +
		`suppressions|organizeImports|syntax|check|i18n)(?:/\S*)?)(?: +[A-Z]+)?(?:\s+━+)?$`)
)

// readBiome reads biome: a head with the place, then the message in a frame.
func readBiome(d *stream.Doc, f *core.Found) {
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used || l.S == "" || l.S[0] == ' ' || !strings.Contains(l.S, "━━") {
			continue
		}
		m := reBiomeHead().FindStringSubmatch(l.S)
		if m == nil {
			continue
		}
		l.Used = true
		x := core.Failure{File: m[1], Line: text.Atoi(m[2]), Column: text.Atoi(m[3]), Kind: core.KindLint,
			Runner: "biome"}
		warn := false
		j := i + 1
		for ; j < len(d.Lines); j++ {
			s := d.Lines[j].S
			if s != "" && s[0] != ' ' {
				break
			}
			d.Lines[j].Used = true
			t := strings.TrimSpace(s)
			if v, ok := text.CutAny(t, "× ", "✖ ", "! ", "i ", "⚠ "); ok && x.Message == "" {
				x.Message = m[4] + ": " + v
				warn = strings.HasPrefix(t, "! ") || strings.HasPrefix(t, "i ") || strings.HasPrefix(t, "⚠ ")
				continue
			}
			x.Detail = append(x.Detail, s)
		}
		if x.Message == "" {
			x.Message = m[4]
		}
		if x.Line == 0 { // a format error shows the first difference
			for _, s := range x.Detail {
				t := strings.TrimSpace(s)
				if n := strings.IndexByte(t, ' '); n > 0 && stream.OnlyDigits(t[:n]) &&
					strings.Contains(t, "│") {
					x.Line = text.Atoi(t[:n])
					break
				}
			}
		}
		if warn {
			f.Warnings = append(f.Warnings, x)
		} else {
			f.Fail(x)
		}
		i = j - 1
	}
}
