package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

var (
	reBullet   = text.Lazy(`^\s*(error|warning|info) [•-] (.+?) [•-] (\S.*?:\d+:\d+) [•-] (\S+)$`)
	reBullet2  = text.Lazy(`^\s*(error|warning|info) - (\S.*?:\d+:\d+) - (.+) - (\S+)$`)
	rePsalm    = text.Lazy(`^(ERROR|INFO): (\w+) - (\S+?):(\d+):(\d+) - (.+)$`)
	reCredo    = text.Lazy(`^┃ \[(\w)\] \S+ (.+)$`)
	reOnLine   = text.Lazy(`^[│|]?\s*on (\S.*?) line (\d+)(?:, in .*)?:?$`)
	reBoxError = text.Lazy(`^(?:[│|] )?Error: (.+)$`)
)

// boxed reads findings that a tool sets in a box or puts between bullets.
func (r *shapeReader) boxed(i int, s string) (int, bool) {
	switch {
	case strings.Contains(s, " • ") || strings.Contains(s, " - "):
		m := reBullet2().FindStringSubmatch(s)
		if m != nil {
			m[2], m[3] = m[3], m[2]
		} else {
			m = reBullet().FindStringSubmatch(s)
		}
		if m != nil {
			if g, ok := core.CutPlace(m[3], r.f.Root); ok {
				r.report(i, i+1, core.Failure{File: g.File, Line: g.Line, Column: g.Col, Message: m[2] +
					"  (" + m[4] + ")"}, m[1] != "error")
				return i, true
			}
		}
		if m := rePsalm().FindStringSubmatch(s); m != nil {
			r.report(i, i+1, core.Failure{File: m[3], Line: text.Atoi(m[4]), Column: text.Atoi(m[5]),
				Message: m[2] + ": " + m[6], Kind: core.KindType}, m[1] == "INFO")
			return i, true
		}
	case strings.HasPrefix(s, "┃ ["):
		if m := reCredo().FindStringSubmatch(s); m != nil && i+1 < len(r.d.Lines) {
			if g, ok := core.CutPlace(strings.TrimLeft(r.d.Lines[i+1].S, "┃ "), r.f.Root); ok && g.Line > 0 {
				r.report(i, i+2, core.Failure{File: g.File, Line: g.Line, Column: g.Col, Message: m[2],
					Runner: "credo"}, false)
				return i + 1, true
			}
		}
	case strings.HasPrefix(s, "│ Error: ") || strings.HasPrefix(s, "Error: "):
		m := reBoxError().FindStringSubmatch(s)
		for j := i + 1; m != nil && j < len(r.d.Lines) && j < i+6; j++ {
			k := reOnLine().FindStringSubmatch(r.d.Lines[j].S)
			if k == nil {
				continue
			}
			lines, end := r.take(j+1, func(t string) bool {
				return strings.HasPrefix(t, "╵") || strings.HasPrefix(t, "Error: ") ||
					strings.HasPrefix(t, "│ Error: ")
			})
			for n := range lines {
				lines[n] = strings.TrimPrefix(lines[n], "│")
			}
			r.report(i, end, core.Failure{File: k[1], Line: text.Atoi(k[2]), Message: m[1], Detail: lines,
				Kind: core.KindCompile, Runner: "terraform"}, false)
			return end - 1, true
		}
	}
	return i, false
}
