package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

var (
	reGradleItem = core.Lazy(`^(\S.*?) > (.+?) FAILED$`)
	reGradleSum  = core.Lazy(`^(\d+) tests? completed(?:, (\d+) failed)?(?:, (\d+) skipped)?`)
)

// readGradle reads the test log of Gradle.
func readGradle(d *stream.Doc, f *core.Found) {
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used || l.S == "" {
			continue
		}
		if strings.HasSuffix(l.S, " FAILED") && strings.Contains(l.S, " > ") && !strings.HasPrefix(l.S, "> Task") {
			if m := reGradleItem().FindStringSubmatch(l.S); m != nil {
				i = gradleBlock(d, f, i, m) - 1
				continue
			}
		}
		if m := reGradleSum().FindStringSubmatch(l.S); m != nil && strings.Contains(l.S, "completed") {
			l.Used = true
			all, bad, skip := core.Atoi(m[1]), core.Atoi(m[2]), core.Atoi(m[3])
			f.Format = "Gradle"
			f.Total(max(0, all-bad-skip), bad, skip)
		}
	}
}

func gradleBlock(d *stream.Doc, f *core.Found, i int, m []string) int {
	var lines []string
	j := i + 1
	for ; j < len(d.Lines); j++ {
		s := d.Lines[j].S
		if s == "" && j+1 < len(d.Lines) && strings.HasPrefix(d.Lines[j+1].S, "    ") {
			continue
		}
		if s == "" || s[0] != ' ' {
			break
		}
		d.Lines[j].Used = true
		lines = append(lines, s)
	}
	d.Lines[i].Used = true
	parts := append([]string{m[1]}, strings.Split(strings.TrimSuffix(m[2], "()"), " > ")...)
	x := core.Failure{Test: strings.Join(parts, " > "), Kind: core.KindTest, Runner: "Gradle", Pkg: m[1]}
	if len(parts) == 2 && !strings.Contains(parts[0], " ") {
		x.Test = parts[0] + "." + strings.TrimSuffix(parts[1], "()")
	}
	core.JavaBlock(f, &x, lines)
	for _, s := range lines { // the short format: "org.x.Error at ClassTest.java:12"
		if a := reGradleAt().FindStringSubmatch(s); a != nil && len(x.Frames) == 0 {
			x.File, x.Line = a[2], core.Atoi(a[3])
			x.Message = strings.TrimSpace(a[1])
		}
	}
	f.PlaceOf(&x)
	f.Fail(x)
	return j
}

var reGradleAt = core.Lazy(`^\s*([\w.$]+(?:: .*)?) at ([\w$]+\.(?:java|kt|groovy|scala)):(\d+)$`)
