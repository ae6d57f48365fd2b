package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

var (
	rePHPError = core.Lazy(`^(?:PHP )?(Parse error|Fatal error|Warning|Uncaught \S+)(?: ?: +|: )(.*?) in ((?:[A-Za-z]:)?\S+\.php)(?: on line |:)(\d+)`)
)

// readPHPErrors reads what PHP itself says, from php -l or a dying script.
func readPHPErrors(d *stream.Doc, f *core.Found) {
	for i := range d.Lines {
		l := &d.Lines[i]
		if l.Used || !strings.Contains(l.S, ".php") || !strings.Contains(l.S, "error") && !strings.Contains(l.S, "Uncaught") {
			continue
		}
		m := rePHPError().FindStringSubmatch(l.S)
		if m == nil || m[1] == "Warning" {
			continue
		}
		l.Used = true
		x := core.Failure{File: m[3], Line: core.Atoi(m[4]), Message: m[1] + ": " + m[2], Kind: core.KindCrash, Runner: "php"}
		if m[1] == "Parse error" {
			x.Kind = core.KindCompile
		}
		for k := i + 1; k < len(d.Lines) && k < i+30; k++ {
			t := strings.TrimSpace(d.Lines[k].S)
			if !strings.HasPrefix(t, "#") && !strings.HasPrefix(t, "Stack trace") && !strings.HasPrefix(t, "thrown in") {
				break
			}
			if fr, ok := core.ParseFrame(t); ok {
				x.Frames = append(x.Frames, fr)
			}
			d.Lines[k].Used = true
		}
		f.Fail(x)
	}
}
