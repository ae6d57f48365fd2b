package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

var (
	reMakeFail = core.Lazy(`^\w*make(?:\[\d+\])?: \*\*\* (.+)$`)
	reMakeFile = core.Lazy(`^([\w./-]*(?:[Mm]akefile|\.mk)):(\d+): \*\*\* (.+)$`)
	reCMake    = core.Lazy(`^CMake Error(?: at ([^:\s]+):(\d+) \(([^)]*)\))?:?(.*)$`)
	reShellErr = core.Lazy(`^(?:/bin/|/usr/bin/)?(?:ba|da|z|k|a)?sh: (?:line )?(\d+): (.+)$|^(\S+\.(?:sh|bash|bats)): (?:line )?(\d+): (.+)$`)
)

// readMake reads make, CMake and the shell. Make mostly passes on that
// something else failed; that is told only if nothing else is known.
func readMake(d *stream.Doc, f *core.Found) {
	for i := range d.Lines {
		l := &d.Lines[i]
		if l.Used || l.S == "" {
			continue
		}
		s := l.S
		switch {
		case strings.HasPrefix(s, "CMake Error"):
			m := reCMake().FindStringSubmatch(s)
			if m == nil {
				continue
			}
			x := core.Failure{File: m[1], Line: core.Atoi(m[2]), Kind: core.KindCompile, Message: strings.TrimSpace(m[4]), Runner: "CMake"}
			for k := i + 1; k < len(d.Lines) && k < i+40 && (d.Lines[k].S == "" || d.Lines[k].S[0] == ' '); k++ {
				x.Detail = append(x.Detail, d.Lines[k].S)
				d.Lines[k].Used = true
			}
			x.Detail = core.TrimBlock(x.Detail)
			if x.Message == "" && len(x.Detail) > 0 {
				x.Message, x.Detail = x.Detail[0], x.Detail[1:]
			}
			l.Used = true
			f.Fail(x)
		case strings.Contains(s, ": *** "):
			if m := reMakeFile().FindStringSubmatch(s); m != nil {
				l.Used = true
				f.Fail(core.Failure{File: m[1], Line: core.Atoi(m[2]), Message: m[3], Kind: core.KindError, Runner: "make"})
			} else if m := reMakeFail().FindStringSubmatch(s); m != nil {
				l.Used = true
				f.Saw("make")
				x := core.Failure{Message: s, Kind: core.KindError, Runner: "make"}
				for k := max(0, i-8); k < i; k++ { // what failed stands above
					if !d.Lines[k].Used && d.Lines[k].S != "" {
						x.Detail = append(x.Detail, d.Lines[k].S)
					}
				}
				f.Wrapped = append(f.Wrapped, x)
			}
		case strings.Contains(s, "sh: ") || strings.Contains(s, ".sh: "):
			if m := reShellErr().FindStringSubmatch(s); m != nil {
				x := core.Failure{Message: s, Kind: core.KindError, Runner: "shell"}
				if m[3] != "" {
					x.File, x.Line = m[3], core.Atoi(m[4])
				}
				f.Loose = append(f.Loose, x)
			}
		}
	}
}
