package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

var reAvaCount = text.Lazy(`^\s+(\d+) (tests? passed|tests? failed|tests? skipped|tests? todo|` +
	`uncaught exceptions?|unhandled rejections?|known failures?|previous failures?|hooks? failed)`)

// readAva reads ava's default reporter: failures stand between rules.
func readAva(d *stream.Doc, f *core.Found) {
	n := map[string]int{}
	ticks := 0
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used || l.S == "" || l.S[0] != ' ' {
			continue
		}
		if strings.HasPrefix(l.S, "  ✔ ") {
			ticks++
		}
		if strings.TrimSpace(l.S) == "─" {
			i = avaBlocks(d, f, i)
			continue
		}
		if m := reAvaCount().FindStringSubmatch(l.S); m != nil {
			n[strings.Replace(strings.TrimSuffix(m[2], "s"), "tests ", "test ", 1)] += text.Atoi(m[1])
			l.Used = true
		}
	}
	if len(n) > 0 {
		f.Format = "ava"
		if _, told := n["test passed"]; !told { // only where all passed
			n["test passed"] = ticks
		}
		f.Total(n["test passed"], n["test failed"]+n["uncaught exception"]+n["hook failed"],
			n["test skipped"])
	}
}

// avaBlocks reads from one rule to the next.
func avaBlocks(d *stream.Doc, f *core.Found, i int) int {
	j := i + 1
	for ; j < len(d.Lines) && strings.TrimSpace(d.Lines[j].S) != "─"; j++ {
	}
	if j == len(d.Lines) {
		return i
	}
	// Several failures stand between two rules, three blank lines apart.
	var lines []string
	blank := 0
	for k := i + 1; k < j; k++ {
		s := d.Lines[k].S
		d.Lines[k].Used = true
		if s == "" {
			if blank++; blank == 3 {
				avaFailure(f, lines)
				lines = nil
			}
		} else {
			blank = 0
		}
		lines = append(lines, s)
	}
	avaFailure(f, lines)
	return j - 1
}

func avaFailure(f *core.Found, lines []string) {
	body := text.TrimBlock(lines)
	if len(body) == 0 {
		return
	}
	x := core.Failure{Test: strings.Join(strings.Split(body[0], " › "), " > "), Kind: core.KindTest,
		Runner: "ava"}
	if _, file, ok := strings.Cut(body[0], "Uncaught exception in "); ok {
		x.Test, x.Kind = file, core.KindLoad
	}
	var rest []string
	for _, s := range body[1:] {
		t := strings.TrimPrefix(strings.TrimSpace(s), "file://")
		if g, ok := core.CutPlace(t, f.Root); ok && g.Text == "" && x.File == "" {
			x.File, x.Line = g.File, g.Line
		} else if t, ok := strings.CutPrefix(t, "› "); ok {
			rest = append(rest, "at "+t)
		} else if !reAvaSource().MatchString(s) {
			rest = append(rest, strings.ReplaceAll(s, `\'`, "'"))
		}
	}
	core.Explain(&x, rest)
	f.Fail(x)
}

var reAvaSource = text.Lazy(`^\s*\d+: `)
