package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

var (
	reClojure    = core.Lazy(`^(FAIL|ERROR) in \(([^)]+)\) \(([^:()]+):(\d+)\)$`)
	reClojureSum = core.Lazy(`^(\d+) failures?, (\d+) errors?\.$`)
	reClojureRan = core.Lazy(`^Ran (\d+) tests containing (\d+) assertions?\.`)
)

// readClojure reads clojure.test and what prints like it.
func readClojure(d *stream.Doc, f *core.Found) {
	ran, ns := 0, ""
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used || l.S == "" {
			continue
		}
		if t, ok := strings.CutPrefix(l.S, "Testing "); ok {
			ns = t
		} else if m := reClojureRan().FindStringSubmatch(l.S); m != nil {
			ran = core.Atoi(m[2])
		} else if m := reClojureSum().FindStringSubmatch(l.S); m != nil && ran > 0 {
			bad := core.Atoi(m[1]) + core.Atoi(m[2])
			f.Format = "clojure.test"
			f.Total(max(0, ran-bad), bad, -1)
		} else if m := reClojure().FindStringSubmatch(l.S); m != nil {
			l.Used = true
			x := core.Failure{Test: m[2], File: m[3], Line: core.Atoi(m[4]), Kind: core.KindTest, Runner: "clojure.test"}
			if ns != "" && !strings.Contains(m[2], ".") {
				x.Test = ns + "/" + m[2]
			}
			lines, end := below(d, i+1, blank)
			x.Frames = core.FramesOf(lines)
			explain(&x, core.WithoutFrames(lines))
			f.Fail(x)
			i = end - 1
		}
	}
}
