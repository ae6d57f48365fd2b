package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

var (
	reBunFail  = core.Lazy(`^\((fail)\) (.+?)(?: \[[\d.]+m?s\])?$`)
	reBunFail2 = core.Lazy(`^✗ (.+?)(?: \[[\d.]+m?s\])?$`)
	reBunCount = core.Lazy(`^ ?(\d+) (pass|fail|skip|todo|expect\(\) calls|errors?)$`)
	reBunFile  = core.Lazy(`^(\S+\.(?:[cm]?[jt]sx?)):$`)
)

// readBun reads bun test: the error stands above the line with the name.
func readBun(d *stream.Doc, f *core.Found) {
	bun := false
	n := map[string]int{}
	file := ""
	var above []string
	for i := range d.Lines {
		l := &d.Lines[i]
		s := l.S
		switch {
		case l.Used:
			above = nil
		case strings.HasPrefix(s, "bun test v"):
			bun = true
			f.Saw("bun test")
		case !bun:
		case strings.HasPrefix(s, "(fail) ") || strings.HasPrefix(s, "✗ "):
			name := ""
			if m := reBunFail().FindStringSubmatch(s); m != nil {
				name = m[2]
			} else if m := reBunFail2().FindStringSubmatch(s); m != nil {
				name = m[1]
			}
			x := core.Failure{Test: name, Kind: core.KindTest, Runner: "bun test"}
			jsBlock(&x, codeFrames(above))
			x.Message = strings.TrimPrefix(x.Message, "error: ")
			x.Weak = x.Message == ""
			f.PlaceOf(&x)
			if x.File == "" {
				x.File = file
			}
			f.Fail(x)
			above = nil
			l.Used = true
		case strings.HasPrefix(s, "(pass) ") || strings.HasPrefix(s, "✓ ") || strings.HasPrefix(s, "(skip) ") || strings.HasPrefix(s, "(todo) "):
			above = nil
			l.Used = true
		case s != "" && (s[0] == ' ' || s[0] >= '0' && s[0] <= '9') && reBunCount().MatchString(s):
			m := reBunCount().FindStringSubmatch(s)
			n[m[2]] += core.Atoi(m[1])
			l.Used = true
		case strings.HasPrefix(s, "Ran ") && strings.Contains(s, " tests across "):
			f.Format = "bun test"
			f.Total(n["pass"], n["fail"]+n["error"]*0, n["skip"])
			n = map[string]int{}
		case reBunFile().MatchString(s):
			file = strings.TrimSuffix(s, ":")
			above = nil
		default:
			if len(above) < 500 {
				above = append(above, s)
			}
		}
	}
	if bun && len(above) > 0 && len(f.Failures) == 0 {
		bunLoose(f, above, file)
	}
}

// bunLoose reports an error between tests, such as a module that is not found.
func bunLoose(f *core.Found, lines []string, file string) {
	for i, s := range lines {
		if strings.HasPrefix(s, "error: ") || jsErrorHead(s) {
			x := core.Failure{Kind: core.KindLoad, Test: file, Runner: "bun test"}
			jsBlock(&x, lines[i:])
			f.PlaceOf(&x)
			f.Fail(x)
			return
		}
	}
}
