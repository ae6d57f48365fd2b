package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

var reImports = text.Lazy(`^\timports (\S+?)(?: from (\S+?))?(?:: (.+))?$`)

// readGoList reads what the go command prints of packages that it cannot load: the imports that lead to
// one, the last with the reason.
func readGoList(d *stream.Stream, f *core.Result) {
	for i := 0; i < len(d.Lines); i++ {
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
