package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

var (
	reSurefire  = core.Lazy(`^(?:\[(?:ERROR|INFO|WARNING)\] +)?(\S.*?)(?:  Time elapsed: [\d.,]+ s(?:ec)?| -- Time elapsed: [\d.]+ s)? +<<< (FAILURE|ERROR)!(?: - in (.+))?$`)
	reMavenSum  = core.Lazy(`^(?:\[(?:ERROR|WARNING|INFO)\] )?Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)(.*)$`)
	reMavenItem = core.Lazy(`^\[ERROR\] +([\w$.]+)\.([\w$\[\] ,{}=:-]+?)(?::(\d+))?(?:->[\w.$:>-]+?(?::\d+)?)* +(?:» )?(.*)$`)
)

// readMaven reads surefire and failsafe, and what Maven itself says.
func readMaven(d *stream.Doc, f *core.Found) {
	results := false
	sum := core.NewTotal(-1, -1, -1)
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used || l.S == "" {
			continue
		}
		s := l.S
		switch {
		case strings.Contains(s, "<<< FAILURE!") || strings.Contains(s, "<<< ERROR!"):
			if m := reSurefire().FindStringSubmatch(s); m != nil && !strings.Contains(s, "Tests run:") {
				i = surefireBlock(d, f, i, m) - 1
			}
		case strings.Contains(s, "Tests run: ") && strings.Contains(s, "Skipped: "):
			// One line for each class, and the sum at the end without a time.
			if m := reMavenSum().FindStringSubmatch(s); m != nil && !strings.Contains(m[5], "Time elapsed") {
				bad := core.Atoi(m[2]) + core.Atoi(m[3])
				t := core.NewTotal(core.Atoi(m[1])-bad-core.Atoi(m[4]), bad, core.Atoi(m[4]))
				if sum.Passed < 0 {
					sum = core.Total{}
				}
				sum.Passed, sum.Failed, sum.Skipped = sum.Passed+t.Passed, sum.Failed+t.Failed, sum.Skipped+t.Skipped
				l.Used = true
				results = false
			}
		case strings.HasPrefix(s, "[ERROR] Failures:") || strings.HasPrefix(s, "[ERROR] Errors:"):
			results = true
			l.Used = true
		case results && strings.HasPrefix(s, "[ERROR]   "):
			if m := reMavenItem().FindStringSubmatch(s); m != nil {
				l.Used = true
				f.Fail(core.Failure{Test: m[1] + "." + m[2], File: m[1] + ".java", Line: core.Atoi(m[3]), Message: m[4], Kind: core.KindTest, Weak: true, Runner: "Maven"})
			}
		}
	}
	if sum.Passed >= 0 {
		f.Format = "Maven"
		f.Total(sum.Passed, sum.Failed, sum.Skipped)
	}
}

func surefireBlock(d *stream.Doc, f *core.Found, i int, m []string) int {
	var lines []string
	j := i + 1
	for ; j < len(d.Lines); j++ {
		s := d.Lines[j].S
		if s == "" || strings.HasPrefix(s, "[INFO]") || strings.Contains(s, "<<< ") || strings.HasPrefix(s, "[ERROR] ") || strings.HasPrefix(s, "Running ") {
			if s == "" && j+1 < len(d.Lines) && (strings.HasPrefix(strings.TrimSpace(d.Lines[j+1].S), "at ") || strings.HasPrefix(d.Lines[j+1].S, "Expecting") || strings.HasPrefix(d.Lines[j+1].S, "  ") || strings.HasPrefix(d.Lines[j+1].S, "but was")) {
				continue
			}
			break
		}
		d.Lines[j].Used = true
		lines = append(lines, s)
	}
	d.Lines[i].Used = true
	// "method(org.demo.ClassTest)" before 3.0, "org.demo.ClassTest.method" since.
	name := m[1]
	if k := strings.LastIndexByte(name, '('); k > 0 && strings.HasSuffix(name, ")") && strings.Contains(name[k:], ".") {
		name = name[k+1:len(name)-1] + "." + name[:k]
	}
	x := core.Failure{Test: strings.TrimSuffix(name, "()"), Kind: core.KindTest, Runner: "Maven"}
	core.Explain(&x, lines)
	f.Fail(x)
	return j
}
