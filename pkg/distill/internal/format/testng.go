package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

var (
	reTestNG    = core.Lazy(`^(PASSED|FAILED|SKIPPED|FAILED CONFIGURATION): (?:@\w+ )?([\w.$]+)(?:\((.*)\))?$`)
	reTestNGSum = core.Lazy(`^ *(?:Total t|T)ests run: (\d+), (?:Passes: \d+, )?Failures: (\d+), Skips: (\d+)`)
)

// readTestNG reads TestNG's console reporter.
func readTestNG(d *stream.Doc, f *core.Found) {
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used || l.S == "" {
			continue
		}
		if m := reTestNGSum().FindStringSubmatch(l.S); m != nil {
			l.Used = true
			all, bad, skip := core.Atoi(m[1]), core.Atoi(m[2]), core.Atoi(m[3])
			f.Format = "TestNG"
			dup := false
			for _, t := range f.Totals { // the suite repeats what the command said
				dup = dup || t == core.NewTotal(all-bad-skip, bad, skip)
			}
			if !dup {
				f.Total(max(0, all-bad-skip), bad, skip)
			}
			continue
		}
		m := reTestNG().FindStringSubmatch(l.S)
		if m == nil || !strings.HasPrefix(m[1], "FAILED") {
			continue
		}
		var lines []string
		j := i + 1
		for ; j < len(d.Lines); j++ {
			s := d.Lines[j].S
			if s == "" || reTestNG().MatchString(s) || strings.HasPrefix(s, "=====") {
				break
			}
			d.Lines[j].Used = true
			lines = append(lines, s)
		}
		l.Used = true
		x := core.Failure{Test: m[2], Kind: core.KindTest, Runner: "TestNG"}
		core.Explain(&x, lines)
		for _, fr := range x.Frames {
			// The console names the method alone; the stack knows the class.
			if !strings.Contains(m[2], ".") && strings.HasSuffix(fr.Func, "."+m[2]) {
				x.Test = fr.Func
			}
		}
		f.Fail(x)
		i = j - 1
	}
}
