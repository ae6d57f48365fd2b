package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

var reImports = text.Lazy(`^\timports (\S+?)(?: from (\S+?))?(?:: (.+))?$`)

// reNotLoaded is what the go command prints of a package, or of the module, that it cannot load.
var reNotLoaded = text.Lazy(`^(?:package (\S+?)(?:: | )|pattern \S+: |go: )?` +
	`(build constraints exclude all Go files in .+|no (?:non-test )?Go files in .+|is not in std\b.*|` +
	`directory prefix .+ does not contain .+|go\.mod file not found .+|updates to go\.mod needed\b.*|` +
	`inconsistent vendoring in .+)$`)

// goListWords are in such lines, and in those of imports.
var goListWords = []string{"\timports ", " Go files in ", " is not in std", "directory prefix ", "go.mod ", "inconsistent vendoring"}

// readGoList reads what the go command prints of packages that it cannot load: the reason, or the imports
// that lead to one, the last with the reason.
func readGoList(d *stream.Stream, f *core.Result) {
	for i := 0; i < len(d.Lines); i++ {
		if m := reNotLoaded().FindStringSubmatch(d.Lines[i].S); m != nil && !d.Lines[i].Used {
			msg := m[2]
			if m[1] != "" {
				msg = strings.TrimPrefix(d.Lines[i].S, "package ")
			}
			f.Fail(core.Failure{Kind: core.KindLoad, Runner: "go build", At: d.Lines[i].No, Message: msg})
			d.Lines[i].Used = true
			continue
		}
		pkg, ok := strings.CutPrefix(d.Lines[i].S, "package ")
		if !ok || d.Lines[i].Used {
			continue
		}
		x := core.Failure{Kind: core.KindCompile, Runner: "go build", At: d.Lines[i].No}
		for k := i + 1; k < len(d.Lines); k++ {
			m := reImports().FindStringSubmatch(d.Lines[k].S)
			if m == nil {
				break
			}
			if file, in := f.Root.Resolve(m[2], pkg); in && m[2] != "" {
				x.File = file
			}
			x.Detail = append(x.Detail, pkg+" imports "+m[1])
			pkg = m[1]
			if m[3] == "" {
				continue
			}
			x.Message = m[3]
			f.Fail(x)
			for ; i <= k; i++ {
				d.Lines[i].Used = true
			}
			i = k
			break
		}
	}
}
