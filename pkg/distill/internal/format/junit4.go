package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

var (
	reJUnit4Item = core.Lazy(`^(\d+)\) ([\w$ \[\]=,.:-]+?)\(([\w.$]+)\)(.*)$`)
	reJUnit4Fail = core.Lazy(`^Tests run: (\d+), +Failures: (\d+)(?:, +Errors: (\d+))?(?:, +Skipped: (\d+))?(.*)$`)
	reJUnit4OK   = core.Lazy(`^OK \((\d+) tests?\)$`)
)

// readJUnit4 reads JUnit's own text runner, versions 3 and 4.
func readJUnit4(d *stream.Doc, f *core.Found) {
	items := false
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used || l.S == "" {
			continue
		}
		s := l.S
		switch {
		case strings.HasPrefix(s, "There was ") || strings.HasPrefix(s, "There were "):
			items = strings.Contains(s, "failure") || strings.Contains(s, "error")
			l.Used = items
		case items && s[0] >= '1' && s[0] <= '9':
			if m := reJUnit4Item().FindStringSubmatch(s); m != nil {
				i = junit4Block(d, f, i, m) - 1
			}
		case strings.HasPrefix(s, "Tests run: "):
			if m := reJUnit4Fail().FindStringSubmatch(s); m != nil && items {
				l.Used = true
				bad := core.Atoi(m[2]) + core.Atoi(m[3])
				f.Format = "JUnit"
				f.Total(max(0, core.Atoi(m[1])-bad), bad, -1)
				items = false
			}
		case strings.HasPrefix(s, "OK ("):
			if m := reJUnit4OK().FindStringSubmatch(s); m != nil {
				l.Used = true
				f.Format = "JUnit"
				f.Total(core.Atoi(m[1]), 0, -1)
			}
		}
	}
}

func junit4Block(d *stream.Doc, f *core.Found, i int, m []string) int {
	lines := []string{}
	if t := strings.TrimSpace(m[4]); t != "" { // JUnit 3 puts the exception in the same line
		lines = append(lines, t)
	}
	j := i + 1
	for ; j < len(d.Lines); j++ {
		s := d.Lines[j].S
		if reJUnit4Item().MatchString(s) || s == "FAILURES!!!" {
			break
		}
		d.Lines[j].Used = true
		lines = append(lines, s)
	}
	d.Lines[i].Used = true
	x := core.Failure{Test: m[3] + "." + m[2], Kind: core.KindTest, Runner: "JUnit", Pkg: m[3]}
	core.JavaBlock(f, &x, lines)
	f.PlaceOf(&x)
	f.Fail(x)
	return j
}
