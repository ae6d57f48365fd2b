package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

var (
	reZig      = core.Lazy(`^(?:\d+/\d+ )?(\S.*?)\.\.\.(?:FAIL \(\w+\)|(.*))$`)
	reZigFrame = core.Lazy(`^([^\s:]+\.zig):(\d+):(\d+): 0x[0-9a-f]+ in (\S+)`)
	reZigSum   = core.Lazy(`^(\d+) passed; (\d+) skipped; (\d+) failed\.`)
)

// readZig reads zig test.
func readZig(d *stream.Doc, f *core.Found) {
	for i := 0; i < len(d.Lines); i++ {
		s := d.Lines[i].S
		switch {
		case d.Lines[i].Used:
		case strings.Contains(s, "...") && strings.Contains(s, "test."):
			i = zigBlock(d, f, i)
		case strings.HasSuffix(s, " failed."):
			if m := reZigSum().FindStringSubmatch(s); m != nil {
				f.Total(core.Atoi(m[1]), core.Atoi(m[3]), core.Atoi(m[2]))
			}
		}
	}
}

// zigBlock reads "1/2 mod.test.name...FAIL (Error)" and the trace below it.
func zigBlock(d *stream.Doc, f *core.Found, i int) int {
	m := reZig().FindStringSubmatch(d.Lines[i].S)
	if m == nil || strings.HasSuffix(d.Lines[i].S, "...OK") || strings.HasSuffix(d.Lines[i].S, "...SKIP") {
		return i
	}
	failed := strings.Contains(d.Lines[i].S, "...FAIL (")
	x := core.Failure{Test: m[1], Message: m[2], Kind: core.KindTest, Runner: "zig test"}
	j := i + 1
	for ; j < len(d.Lines) && j < i+80; j++ {
		s := d.Lines[j].S
		if strings.HasPrefix(s, "FAIL (") {
			failed = true
			continue
		}
		if strings.Contains(s, "test.") && strings.Contains(s, "...") || reZigSum().MatchString(s) {
			break
		}
		if k := reZigFrame().FindStringSubmatch(s); k != nil {
			x.Frames = append(x.Frames, core.Frame{File: k[1], Line: core.Atoi(k[2]), Column: core.Atoi(k[3]), Func: k[4]})
		}
	}
	if !failed {
		return i
	}
	for k := i; k < j; k++ {
		d.Lines[k].Used = true
	}
	if x.Message == "" {
		x.Message = "FAIL"
		if k := strings.LastIndex(d.Lines[i].S, "FAIL"); k >= 0 {
			x.Message = d.Lines[i].S[k:]
		}
	}
	f.PlaceOf(&x)
	f.Fail(x)
	return j - 1
}
