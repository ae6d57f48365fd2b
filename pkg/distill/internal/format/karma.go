package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

var reKarmaSum = core.Lazy(`: Executed (\d+) of (\d+)(?: \((\d+) FAILED\))?(?: \(skipped (\d+)\))?`)

var reKarma = core.Lazy(`^(?:.+? )?\d[\d.]* \([^)]*\) (?:LOG: |)(.+) FAILED$`)

// karmaBlock reads "Chrome 120.0 (Linux x86_64) Suite name FAILED".
func karmaBlock(d *stream.Doc, f *core.Found, i int) int {
	m := reKarma().FindStringSubmatch(d.Lines[i].S)
	if m == nil || strings.Contains(d.Lines[i].S, "Executed ") {
		return i + 1
	}
	var lines []string
	j := i + 1
	for ; j < len(d.Lines) && strings.HasPrefix(d.Lines[j].S, "\t"); j++ {
		d.Lines[j].Used = true
		lines = append(lines, strings.TrimPrefix(d.Lines[j].S, "\t"))
	}
	x := core.Failure{Test: m[1], Kind: core.KindTest, Runner: "karma"}
	jsBlock(&x, lines)
	f.PlaceOf(&x)
	f.Fail(x)
	d.Lines[i].Used = true
	return j
}
