package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

var (
	reGinkgo    = text.Lazy(`^• \[(FAILED|PANICKED|TIMEDOUT)\]`)
	reGinkgoSum = text.Lazy(`^(?:FAIL|SUCCESS)! -- (\d+) Passed \| (\d+)` +
		` Failed \| (?:\d+ Flaked \| )?(\d+) Pending \| (\d+) Skipped`)
	reGinkgoAt = text.Lazy(`\bat: (\S+\.go):(\d+)`)
)

// readGinkgo reads Ginkgo, which runs inside one test of go test.
func readGinkgo(d *stream.Doc, f *core.Found) {
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used {
			continue
		}
		if m := reGinkgoSum().FindStringSubmatch(l.S); m != nil {
			l.Used = true
			f.Format = "ginkgo"
			f.Total(text.Atoi(m[1]), text.Atoi(m[2]), text.Atoi(m[3])+text.Atoi(m[4]))
			if i+1 < len(d.Lines) && strings.HasPrefix(d.Lines[i+1].S, "--- FAIL: ") {
				d.Lines[i+1].Used = true
			}
			continue
		}
		if strings.HasPrefix(l.S, "• Failure") || strings.HasPrefix(l.S, "• Panic") {
			i = ginkgoOld(d, f, i) - 1
			continue
		}
		if !strings.HasPrefix(l.S, "• [") || i+1 >= len(d.Lines) || !reGinkgo().MatchString(l.S) {
			continue
		}
		l.Used = true
		x := core.Failure{Kind: core.KindTest, Runner: "ginkgo"}
		name := d.Lines[i+1].S
		for _, k := range []string{"[It] ", "[BeforeEach] ", "[AfterEach] ", "[BeforeAll] ",
			"[JustBeforeEach] "} {
			name = strings.Replace(name, k, "", 1)
		}
		x.Test = strings.TrimSpace(name)
		lines, end := below(d, i+2, func(s string) bool { return strings.HasPrefix(s, "-----") })
		d.Lines[i+1].Used = true
		for _, s := range lines {
			if m := reGinkgoAt().FindStringSubmatch(s); m != nil && x.File == "" {
				x.File, x.Line = m[1], text.Atoi(m[2])
			}
		}
		if len(lines) > 0 {
			if g, ok := core.CutPlace(lines[0], f.Root); ok && g.Text == "" {
				lines = lines[1:]
				if x.File == "" {
					x.File, x.Line = g.File, g.Line
				}
			}
		}
		core.Explain(&x, lines)
		x.Message = strings.TrimPrefix(x.Message, "[FAILED] ")
		f.Fail(x)
		i = end - 1
	}
}

// ginkgoOld reads a failure of Ginkgo 1: titles with their places, then the
// message and its place.
func ginkgoOld(d *stream.Doc, f *core.Found, i int) int {
	lines, end := below(d, i+1, func(s string) bool { return strings.HasPrefix(s, "-----") })
	d.Lines[i].Used = true
	x := core.Failure{Kind: core.KindTest, Runner: "ginkgo"}
	var names []string
	for len(lines) > 1 {
		g, ok := core.CutPlace(strings.TrimSpace(lines[1]), f.Root)
		if !ok || g.Text != "" {
			break
		}
		name := strings.TrimSpace(lines[0])
		for _, k := range []string{" [It]", " [BeforeEach]", " [AfterEach]", " [Measurement]"} {
			name = strings.TrimSuffix(name, k)
		}
		names, lines = append(names, name), lines[2:]
	}
	body := lines[:0:0]
	for _, s := range lines {
		if g, ok := core.CutPlace(strings.TrimSpace(s), f.Root); ok && g.Text == "" {
			x.File, x.Line = g.File, g.Line
			continue
		}
		body = append(body, s)
	}
	x.Test = strings.Join(names, " > ")
	core.Explain(&x, body)
	if x.Test != "" {
		f.Fail(x)
	}
	for k := end; k < len(d.Lines); k++ { // the list at the end says the same
		if strings.HasPrefix(d.Lines[k].S, "[Fail] ") || strings.HasPrefix(d.Lines[k].S, "[Panic!] ") {
			d.Lines[k].Used = true
		}
		if strings.HasPrefix(d.Lines[k].S, "--- FAIL: ") {
			break
		}
	}
	return max(end, i+1)
}
