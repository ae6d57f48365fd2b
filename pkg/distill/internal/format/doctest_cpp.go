package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

var (
	reDocTSum = text.Lazy(`^\[doctest\] test cases: +(\d+) \| +(\d+) passed \| +(\d+) failed \| +(\d+)` +
		` skipped`)
)

// readDoctestCPP reads doctest, the C++ framework.
func readDoctestCPP(d *stream.Doc, f *core.Found) {
	var names []string
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used || l.S == "" {
			continue
		}
		s := l.S
		switch {
		case strings.HasPrefix(s, "[doctest] test cases:"):
			if m := reDocTSum().FindStringSubmatch(s); m != nil {
				l.Used = true
				f.Format = "doctest"
				f.Total(text.Atoi(m[2]), text.Atoi(m[3]), text.Atoi(m[4]))
			}
		case strings.HasPrefix(s, "TEST CASE:") || strings.HasPrefix(s, "TEST SUITE:") ||
			strings.HasPrefix(s, "  Scenario:"):
			if strings.HasPrefix(s, "TEST SUITE:") {
				continue
			}
			names = []string{strings.TrimSpace(s[strings.IndexByte(s, ':')+1:])}
			for k := i + 1; k < len(d.Lines) && strings.HasPrefix(d.Lines[k].S, "  "); k++ {
				names = append(names, strings.TrimSpace(d.Lines[k].S))
			}
		case len(names) > 0 && strings.Contains(s, "ERROR: "):
			m := reCatchFile().FindStringSubmatch(s)
			if m == nil {
				continue
			}
			x := core.Failure{Test: strings.Join(names, " > "), File: m[1], Line: text.Atoi(m[2] + m[3]),
				Message: m[5], Kind: core.KindTest, Runner: "doctest"}
			j := i + 1
			for ; j < len(d.Lines) && d.Lines[j].S != "" && !strings.HasPrefix(d.Lines[j].S, "====="); j++ {
				if reCatchFile().MatchString(d.Lines[j].S) {
					break
				}
				d.Lines[j].Used = true
				x.Detail = append(x.Detail, d.Lines[j].S)
			}
			for _, t := range x.Detail {
				if v, ok := strings.CutPrefix(strings.TrimSpace(t), "values: CHECK( "); ok {
					if a, b, ok := strings.Cut(strings.TrimSuffix(v, " )"), " == "); ok {
						x.Actual, x.Expected = strings.TrimSpace(a), strings.TrimSpace(b)
					}
				}
			}
			l.Used = true
			f.Fail(x)
			i = j - 1
		}
	}
}
