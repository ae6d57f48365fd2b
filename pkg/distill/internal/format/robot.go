package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

var (
	reRobot    = core.Lazy(`^(\S.*?)\s+\| FAIL \|$`)
	reRobotSum = core.Lazy(`^(\d+) tests?, (\d+) passed, (\d+) failed(?:, (\d+) skipped)?$`)
)

// readRobot reads Robot Framework, which sums up each suite; the last sum is
// that of all.
func readRobot(d *stream.Doc, f *core.Found) {
	var sum []string
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		m := reRobot().FindStringSubmatch(l.S)
		if m == nil || l.Used {
			continue
		}
		l.Used = true
		lines, end := below(d, i+1, func(s string) bool {
			return strings.HasPrefix(s, "-----") || strings.HasPrefix(s, "=====")
		})
		i = end - 1
		if n := len(lines); n > 0 && reRobotSum().MatchString(lines[n-1]) {
			sum = reRobotSum().FindStringSubmatch(lines[n-1])
			continue
		}
		name, _, _ := strings.Cut(m[1], " :: ")
		x := core.Failure{Test: strings.TrimSpace(name), Kind: core.KindTest}
		explain(&x, lines)
		f.Fail(x)
	}
	if sum != nil {
		f.Total(core.Atoi(sum[2]), core.Atoi(sum[3]), core.Atoi(sum[4]))
	}
}
