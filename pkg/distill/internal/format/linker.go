package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

var (
	reUndefined = core.Lazy(`(?:^|: )(?:ld(?:\.\w+)?: )?(?:error: )?(undefined (?:reference to|symbol:?) .+|duplicate symbol:? .+|multiple definition of .+)$`)
	reLnk       = core.Lazy(`^(\S+) : (?:fatal )?error (LNK\d+): (.+)$`)
)

// readLinker reads what linkers say, which comes in lines that name an object
// file at best.
func readLinker(d *stream.Doc, f *core.Found) {
	for i := range d.Lines {
		l := &d.Lines[i]
		if l.Used {
			continue
		}
		if strings.Contains(l.S, "LNK") {
			if m := reLnk().FindStringSubmatch(l.S); m != nil {
				l.Used = true
				f.Fail(core.Failure{Message: m[2] + ": " + m[3], Detail: []string{l.S}, Kind: core.KindCompile, Runner: "MSVC"})
			}
			continue
		}
		if !strings.Contains(l.S, "undefined ") && !strings.Contains(l.S, "duplicate symbol") && !strings.Contains(l.S, "multiple definition") && !strings.HasPrefix(l.S, "Undefined symbols") {
			continue
		}
		x := core.Failure{Kind: core.KindCompile, Runner: "ld"}
		if strings.HasPrefix(l.S, "Undefined symbols for architecture") {
			x.Message = l.S
		} else if m := reUndefined().FindStringSubmatch(l.S); m != nil {
			x.Message = m[1]
			// "/usr/bin/ld: main.c:11: undefined reference": the place before it.
			head := strings.TrimSuffix(strings.TrimSuffix(l.S, m[1]), ": ")
			if _, rest, ok := strings.Cut(head, "ld: "); ok {
				head = rest
			}
			if g, ok := core.CutPlace(head, f.Root); ok {
				x.File, x.Line = g.File, g.Line
			} else if strings.Contains(head, ".o:") || strings.HasSuffix(head, ".o") {
				x.Detail = append(x.Detail, l.S)
			}
		} else {
			continue
		}
		l.Used = true
		for k := i + 1; k < len(d.Lines) && k < i+12; k++ {
			s := d.Lines[k].S
			if !strings.HasPrefix(s, ">>>") && !strings.HasPrefix(s, "  ") {
				break
			}
			x.Detail = append(x.Detail, s)
			d.Lines[k].Used = true
			t := strings.TrimSpace(strings.TrimPrefix(s, ">>>"))
			t = strings.TrimPrefix(t, "referenced by ")
			if g, ok := core.CutPlace(t, f.Root); ok && x.File == "" {
				x.File, x.Line = g.File, g.Line
			}
		}
		f.Fail(x)
	}
}
