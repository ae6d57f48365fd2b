package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

var (
	reNpmLine = text.Lazy(`^npm (?:ERR!|error)(?: (.*))?$`)
	reNpmCode = text.Lazy(`^code ([A-Z][A-Z0-9_]+)$`)
)

// readNpm reads what npm itself complains of. That a script failed is not told
// here: the script has said more.
func readNpm(d *stream.Doc, f *core.Found) {
	for i := 0; i < len(d.Lines); i++ {
		if !strings.HasPrefix(d.Lines[i].S, "npm ") {
			continue
		}
		m := reNpmLine().FindStringSubmatch(d.Lines[i].S)
		if m == nil {
			continue
		}
		code := reNpmCode().FindStringSubmatch(m[1])
		if code == nil || code[1] == "ELIFECYCLE" {
			continue
		}
		x := core.Failure{Message: d.Lines[i].S, Kind: core.KindError, Runner: "npm"}
		j := i + 1
		for ; j < len(d.Lines) && len(x.Detail) < 16; j++ {
			k := reNpmLine().FindStringSubmatch(d.Lines[j].S)
			if k == nil || strings.HasPrefix(k[1], "Usage:") || strings.HasPrefix(k[1], "A complete log") ||
				strings.HasPrefix(k[1], "Options:") {
				break
			}
			if t := strings.TrimSpace(k[1]); t != "" {
				x.Detail = append(x.Detail, t)
			}
		}
		f.Wrapped = append(f.Wrapped, x)
		i = j - 1
	}
}
