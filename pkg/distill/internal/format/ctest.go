package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

var (
	reSignal = core.Lazy(`(?i)segmentation fault|aborted|SIGSEGV|SIGABRT|bus error|floating point exception|illegal instruction|killed|stack overflow|core dumped`)
)

var (
	reCtestLine = core.Lazy(`^ *\d+/\d+ Test +#\d+: (\S+) \.* *(\S.*?) +[\d.]+ sec.*$`)
	reCtestSum  = core.Lazy(`^(\d+)% tests passed, (\d+) tests? failed out of (\d+)`)
)

// readCTest reads CTest. What it wraps has been read before; its own tests
// are reported only where nothing better is known.
func readCTest(d *stream.Doc, f *core.Found) {
	before := len(f.Totals) + len(f.Reports)
	inner := len(f.Failures)
	for i := range d.Lines {
		l := &d.Lines[i]
		if l.Used || l.S == "" {
			continue
		}
		if strings.Contains(l.S, " Test ") && strings.Contains(l.S, "#") {
			m := reCtestLine().FindStringSubmatch(l.S)
			if m == nil {
				continue
			}
			l.Used = true
			f.Saw("CTest")
			if m[2] != "Passed" && !strings.Contains(m[2], "Skipped") && !strings.Contains(m[2], "Disabled") {
				x := core.Failure{Test: m[1], Message: strings.Trim(m[2], "* "), Kind: core.KindTest, Weak: true, Runner: "CTest"}
				if strings.Contains(m[2], "Exception") {
					x.Kind = core.KindCrash
				} else if strings.Contains(m[2], "Timeout") {
					x.Kind = core.KindTimeout
				}
				for k := i + 1; k < len(d.Lines) && len(x.Detail) < 60 && !reCtestLine().MatchString(d.Lines[k].S) && !strings.HasPrefix(d.Lines[k].S, "    Start "); k++ {
					if strings.Contains(d.Lines[k].S, "% tests passed") {
						break
					}
					if !d.Lines[k].Used {
						x.Detail = append(x.Detail, d.Lines[k].S)
					}
				}
				x.Detail = core.TrimBlock(x.Detail)
				for _, s := range x.Detail {
					if a := core.ReCAssert().FindStringSubmatch(s); a != nil && x.File == "" {
						x.File, x.Line, x.Message = a[1], core.Atoi(a[2]), s
					}
				}
				if inner == 0 {
					f.Fail(x)
				}
			}
			continue
		}
		if m := reCtestSum().FindStringSubmatch(l.S); m != nil {
			l.Used = true
			if len(f.Totals)+len(f.Reports) == before {
				bad := core.Atoi(m[2])
				f.Format = "CTest"
				if before == 0 {
					f.Total(core.Atoi(m[3])-bad, bad, -1)
				}
			}
		}
	}
}
