package distill

import "strings"

var (
	reBullet   = lazy(`^\s*(error|warning|info) [•-] (.+?) [•-] (\S.*?:\d+:\d+) [•-] (\S+)$`)
	reBullet2  = lazy(`^\s*(error|warning|info) - (\S.*?:\d+:\d+) - (.+) - (\S+)$`)
	rePsalm    = lazy(`^(ERROR|INFO): (\w+) - (\S+?):(\d+):(\d+) - (.+)$`)
	reCredo    = lazy(`^┃ \[(\w)\] \S+ (.+)$`)
	reOnLine   = lazy(`^[│|]?\s*on (\S.*?) line (\d+)(?:, in .*)?:?$`)
	reBoxError = lazy(`^(?:[│|] )?Error: (.+)$`)
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
			if g, ok := cutPlace(m[3], r.f.root); ok {
				r.report(i, i+1, Failure{File: g.file, Line: g.line, Column: g.col, Message: m[2] + "  (" + m[4] + ")"}, m[1] != "error")
				return i, true
			}
		}
		if m := rePsalm().FindStringSubmatch(s); m != nil {
			r.report(i, i+1, Failure{File: m[3], Line: atoi(m[4]), Column: atoi(m[5]), Message: m[2] + ": " + m[6], Kind: KindType}, m[1] == "INFO")
			return i, true
		}
	case strings.HasPrefix(s, "┃ ["):
		if m := reCredo().FindStringSubmatch(s); m != nil && i+1 < len(r.d.lines) {
			if g, ok := cutPlace(strings.TrimLeft(r.d.lines[i+1].s, "┃ "), r.f.root); ok && g.line > 0 {
				r.report(i, i+2, Failure{File: g.file, Line: g.line, Column: g.col, Message: m[2], runner: "credo"}, false)
				return i + 1, true
			}
		}
	case strings.HasPrefix(s, "│ Error: ") || strings.HasPrefix(s, "Error: "):
		m := reBoxError().FindStringSubmatch(s)
		for j := i + 1; m != nil && j < len(r.d.lines) && j < i+6; j++ {
			k := reOnLine().FindStringSubmatch(r.d.lines[j].s)
			if k == nil {
				continue
			}
			lines, end := r.take(j+1, func(t string) bool {
				return strings.HasPrefix(t, "╵") || strings.HasPrefix(t, "Error: ") || strings.HasPrefix(t, "│ Error: ")
			})
			for n := range lines {
				lines[n] = strings.TrimPrefix(lines[n], "│")
			}
			r.report(i, end, Failure{File: k[1], Line: atoi(k[2]), Message: m[1], detail: lines, Kind: KindCompile, runner: "terraform"}, false)
			return end - 1, true
		}
	}
	return i, false
}
