package distill

import "strings"

var (
	reNpmLine = lazy(`^npm (?:ERR!|error)(?: (.*))?$`)
	reNpmCode = lazy(`^code ([A-Z][A-Z0-9_]+)$`)
)

// readNpm reads what npm itself complains of. That a script failed is not told
// here: the script has said more.
func readNpm(d *doc, f *found) {
	for i := 0; i < len(d.lines); i++ {
		if !strings.HasPrefix(d.lines[i].s, "npm ") {
			continue
		}
		m := reNpmLine().FindStringSubmatch(d.lines[i].s)
		if m == nil {
			continue
		}
		code := reNpmCode().FindStringSubmatch(m[1])
		if code == nil || code[1] == "ELIFECYCLE" {
			continue
		}
		x := Failure{Message: d.lines[i].s, Kind: KindError, runner: "npm"}
		j := i + 1
		for ; j < len(d.lines) && len(x.detail) < 16; j++ {
			k := reNpmLine().FindStringSubmatch(d.lines[j].s)
			if k == nil || strings.HasPrefix(k[1], "Usage:") || strings.HasPrefix(k[1], "A complete log") || strings.HasPrefix(k[1], "Options:") {
				break
			}
			if t := strings.TrimSpace(k[1]); t != "" {
				x.detail = append(x.detail, t)
			}
		}
		f.wrapped = append(f.wrapped, x)
		i = j - 1
	}
}
