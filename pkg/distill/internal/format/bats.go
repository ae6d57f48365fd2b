package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

var (
	reBatsPlace = core.Lazy(`^ {3,}\((?:from function .* )?in (?:test )?file ([^,]+), line (\d+)[,)]`)
	reBatsCount = core.Lazy(`^(\d+) tests?, (\d+) failures?(?:, (\d+) skipped)?`)
)

// readBatsPretty reads bats' form for terminals.
func readBatsPretty(d *stream.Doc, f *core.Found) {
	passed := 0
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used || l.S == "" {
			continue
		}
		if strings.HasPrefix(l.S, " ✓ ") {
			passed++
		}
		if m := reBatsCount().FindStringSubmatch(l.S); m != nil && f.Format == "bats pretty" {
			l.Used = true
			f.Total(max(0, core.Atoi(m[1])-core.Atoi(m[2])-core.Atoi(m[3])), core.Atoi(m[2]), core.Atoi(m[3]))
			continue
		}
		name, ok := strings.CutPrefix(l.S, " ✗ ")
		if !ok || i+1 >= len(d.Lines) {
			continue
		}
		m := reBatsPlace().FindStringSubmatch(d.Lines[i+1].S)
		if m == nil {
			continue
		}
		if k := strings.LastIndex(name, " ["); k > 0 && strings.HasSuffix(name, "]") {
			name = name[:k]
		}
		f.Format = "bats pretty"
		x := core.Failure{Test: name, File: m[1], Line: core.Atoi(m[2]), Kind: core.KindTest, Runner: "bats"}
		j := i + 1
		for ; j < len(d.Lines) && strings.HasPrefix(d.Lines[j].S, "   "); j++ {
			d.Lines[j].Used = true
			if !reBatsPlace().MatchString(d.Lines[j].S) {
				x.Detail = append(x.Detail, d.Lines[j].S)
			}
		}
		x.Detail = core.TrimBlock(x.Detail)
		if len(x.Detail) > 0 {
			x.Message, x.Detail = strings.TrimSpace(x.Detail[0]), x.Detail[1:]
		}
		l.Used = true
		f.Fail(x)
		i = j - 1
	}
}
