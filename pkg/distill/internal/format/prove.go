package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

var (
	rePerlTest = text.Lazy(`^(\s*)#\s+Failed (?:\(TODO\) )?test(?: '(.*)')?(?: +(?:in|at) (\S+)` +
		`(?: at)? line (\d+)\.?)?$`)
	rePerlPlace = text.Lazy(`^\s*#\s+(?:in|at) (\S+)(?: at)? line (\d+)\.?$`)
	reProveEnd  = text.Lazy(`^Files=\d+, Tests=(\d+),`)
	reProveBad  = text.Lazy(`^Failed (\d+)/(\d+) subtests`)
)

// readProve reads what Perl's test libraries say of a failure, which comes on
// another stream than the results, and the sum of prove.
func readProve(d *stream.Doc, f *core.Found) {
	bad, results := 0, false
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used || l.S == "" {
			continue
		}
		s := l.S
		switch {
		case strings.Contains(s, "# ") && strings.Contains(s, " Failed ") &&
			strings.HasPrefix(strings.TrimLeft(s, " "), "#"):
			if m := rePerlTest().FindStringSubmatch(s); m != nil && !strings.Contains(s, "(TODO)") {
				i = perlBlock(d, f, i, m) - 1
			}
		case strings.HasSuffix(s, ".") && strings.Contains(s, " line ") && s[0] != '#' && perlDied(d, i):
			if m := core.RePerlDie().FindStringSubmatch(s); m != nil {
				l.Used = true
				f.Fail(core.Failure{File: m[2], Line: text.Atoi(m[3]), Message: m[1], Kind: core.KindCrash,
					Runner: "prove"})
			}
		case strings.HasPrefix(s, "ok ") || strings.HasPrefix(s, "not ok "):
			results = true
		case strings.HasPrefix(s, "Failed "):
			if m := reProveBad().FindStringSubmatch(s); m != nil {
				bad += text.Atoi(m[1])
				l.Used = true
			}
		case strings.HasPrefix(s, "Files="):
			if m := reProveEnd().FindStringSubmatch(s); m != nil {
				f.Format = "prove"
				f.Saw("prove")
				if !results {
					f.Total(max(0, text.Atoi(m[1])-bad), bad, -1)
				}
				if m[1] == "0" {
					f.NoTests = true
				}
			}
		}
	}
}

// perlDied tells whether a script ended with the message at line i.
func perlDied(d *stream.Doc, i int) bool {
	for k := i + 1; k < len(d.Lines) && k < i+6; k++ {
		if s := d.Lines[k].S; strings.HasPrefix(s, "# Looks like your test exited") ||
			strings.HasPrefix(s, "# Tests were run but no plan") ||
			strings.HasPrefix(s, "# Looks like you planned") ||
			strings.HasPrefix(s, "Dubious, test returned") {
			return true
		}
	}
	return false
}

func perlBlock(d *stream.Doc, f *core.Found, i int, m []string) int {
	x := core.Failure{Test: m[2], File: m[3], Line: text.Atoi(m[4]), Kind: core.KindTest, Runner: "prove"}
	d.Lines[i].Used = true
	j := i + 1
	for ; j < len(d.Lines); j++ {
		s := d.Lines[j].S
		if !strings.HasPrefix(strings.TrimLeft(s, " "), "#") || rePerlTest().MatchString(s) ||
			strings.Contains(s, "# Looks like you ") {
			break
		}
		d.Lines[j].Used = true
		if p := rePerlPlace().FindStringSubmatch(s); p != nil && x.File == "" {
			x.File, x.Line = p[1], text.Atoi(p[2])
			continue
		}
		x.Detail = append(x.Detail, strings.TrimPrefix(strings.TrimLeft(s, " "), "#"))
	}
	x.Detail = text.TrimBlock(x.Detail)
	if len(x.Detail) > 0 {
		x.Message, x.Detail = x.Detail[0], x.Detail[1:]
	} else {
		x.Message = strings.TrimLeft(strings.TrimSpace(d.Lines[i].S), "# ")
	}
	if x.Test == "" { // a test without a name
		x.Test = text.Place(x.File, x.Line, 0)
	}
	f.Fail(x)
	return j
}
