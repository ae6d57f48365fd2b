package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

var (
	reScalaItem = core.Lazy(`^(?:\[info\] )?( *)- (.+?) \*\*\* FAILED \*\*\*(?: \([^)]*\))?$`)
	reScalaSum  = core.Lazy(`^(?:\[info\] )?Tests: succeeded (\d+), failed (\d+), canceled (\d+), ignored (\d+), pending (\d+)`)
	reScalaTail = core.Lazy(`^(.*) \(([\w$-]+\.scala):(\d+)\)$`)
	reMunitItem = core.Lazy(`^==> X (\S+) +[\d.]+s (.*)$`)
)

// readScalaTest reads ScalaTest and MUnit, alone and inside sbt.
func readScalaTest(d *stream.Doc, f *core.Found) {
	suite := ""
	var scope []tapName
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used || l.S == "" {
			continue
		}
		s := strings.TrimPrefix(strings.TrimPrefix(l.S, "[info] "), "[error] ")
		if m := reScalaSum().FindStringSubmatch(l.S); m != nil {
			l.Used = true
			f.Format = "ScalaTest"
			f.Total(core.Atoi(m[1]), core.Atoi(m[2]), core.Atoi(m[3])+core.Atoi(m[4])+core.Atoi(m[5]))
			continue
		}
		if strings.HasPrefix(s, "==> X ") {
			if m := reMunitItem().FindStringSubmatch(s); m != nil {
				x := core.Failure{Test: m[1], Message: m[2], Kind: core.KindTest, Runner: "MUnit"}
				x.Detail = sbtBlock(d, i+1, &x)
				f.PlaceOf(&x)
				f.Fail(x)
				l.Used = true
			}
			continue
		}
		m := reScalaItem().FindStringSubmatch(l.S)
		if m == nil {
			if strings.HasSuffix(s, ":") && !strings.Contains(s, " ") {
				suite, scope = strings.TrimSuffix(s, ":"), nil
			} else if suite != "" && !strings.HasPrefix(strings.TrimSpace(s), "-") && !strings.Contains(s, "***") {
				n := len(s) - len(strings.TrimLeft(s, " "))
				for len(scope) > 0 && scope[len(scope)-1].indent >= n {
					scope = scope[:len(scope)-1]
				}
				scope = append(scope, tapName{n, strings.TrimSpace(s)})
			}
			continue
		}
		x := core.Failure{Kind: core.KindTest, Runner: "ScalaTest"}
		parts := []string{suite}
		for _, p := range scope {
			if p.indent <= len(m[1]) {
				parts = append(parts, p.name)
			}
		}
		x.Test = strings.TrimPrefix(strings.Join(append(parts, m[2]), " "), " ")
		l.Used = true
		body := sbtBlock(d, i+1, &x)
		if len(body) > 0 {
			x.Message, x.Detail = body[0], body[1:]
			if t := reScalaTail().FindStringSubmatch(x.Message); t != nil {
				x.Message = t[1]
				x.File, x.Line = t[2], core.Atoi(t[3])
			}
		}
		x.Pkg = suite
		f.PlaceOf(&x)
		f.Fail(x)
	}
}

// sbtBlock takes the deeper lines below a failing test.
func sbtBlock(d *stream.Doc, i int, x *core.Failure) []string {
	var out []string
	for ; i < len(d.Lines) && len(out) < 200; i++ {
		s := strings.TrimPrefix(strings.TrimPrefix(d.Lines[i].S, "[info] "), "[error] ")
		if !strings.HasPrefix(s, "  ") || strings.HasPrefix(strings.TrimSpace(s), "- ") {
			break
		}
		d.Lines[i].Used = true
		if fr, ok := core.ParseFrame(s); ok {
			x.Frames = append(x.Frames, fr)
			continue
		}
		out = append(out, strings.TrimSpace(s))
	}
	return out
}
