package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

var (
	reCatchFile = text.Lazy(`^((?:[A-Za-z]:)?[^\s:(][^:(]*)(?::(\d+)|\((\d+)\)): (FAILED|PASSED|SKIPPED|` +
		`warning|ERROR|FATAL ERROR|error): ?(.*)$`)
	reCatchSum = text.Lazy(`^test cases: +(\d+)(?: \| +(\d+) passed)?(?: \| +(\d+) failed)?(?: \| +(\d+)` +
		` skipped)?(?: \| +(\d+) failed as expected)?`)
	reCatchAll = text.Lazy(`^All tests passed \((\d+) assertions? in (\d+) test cases?\)`)
)

// readCatch reads Catch2's console reporter.
func readCatch(d *stream.Doc, f *core.Found) {
	var names []string
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used || l.S == "" {
			continue
		}
		s := l.S
		switch {
		case strings.HasPrefix(s, "--------------------"):
			var above []string
			k := i + 1
			for ; k < len(d.Lines) && k < i+20 && d.Lines[k].S != "" &&
				!strings.HasPrefix(d.Lines[k].S, "------"); k++ {
				above = append(above, strings.TrimSpace(d.Lines[k].S))
			}
			if len(above) > 0 && k < len(d.Lines) && strings.HasPrefix(d.Lines[k].S, "------") {
				names = above
				i = k
			}
		case strings.HasSuffix(s, ": FAILED:") || strings.Contains(s, ": FAILED: "):
			m := reCatchFile().FindStringSubmatch(s)
			if m == nil {
				continue
			}
			x := core.Failure{File: m[1], Line: text.Atoi(m[2] + m[3]), Kind: core.KindTest, Runner: "Catch2"}
			if len(names) > 0 {
				x.Test = strings.Join(names, " > ")
			}
			j := i + 1
			for ; j < len(d.Lines); j++ {
				t := d.Lines[j].S
				if strings.HasPrefix(t, "------") || strings.HasPrefix(t, "======") ||
					reCatchFile().MatchString(t) {
					break
				}
				d.Lines[j].Used = true
				x.Detail = append(x.Detail, t)
			}
			x.Detail = text.TrimBlock(x.Detail)
			if len(x.Detail) > 0 {
				x.Message, x.Detail = strings.TrimSpace(x.Detail[0]), x.Detail[1:]
			}
			for k, t := range x.Detail {
				if strings.HasPrefix(t, "with expansion:") && k+1 < len(x.Detail) {
					if a, b, ok := strings.Cut(strings.TrimSpace(x.Detail[k+1]), " == "); ok {
						x.Actual, x.Expected = a, b
					}
				}
				if reSignal().MatchString(t) {
					x.Kind = core.KindCrash
				}
			}
			l.Used = true
			f.Fail(x)
			i = j - 1
		case strings.HasPrefix(s, "test cases:"):
			if m := reCatchSum().FindStringSubmatch(s); m != nil {
				l.Used = true
				f.Format = "Catch2"
				f.Total(text.Atoi(m[2]), text.Atoi(m[3]), text.Atoi(m[4]))
			}
		case strings.HasPrefix(s, "All tests passed ("):
			if m := reCatchAll().FindStringSubmatch(s); m != nil {
				l.Used = true
				f.Format = "Catch2"
				f.Total(text.Atoi(m[2]), 0, 0)
			}
		}
	}
}
