package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

var (
	reConsoleItem = text.Lazy(`^ *(?:JUnit (?:Jupiter|Vintage|Platform Suite)|Spock|Cucumber|jqwik|` +
		`Kotest):(.+)$`)
	reConsoleEnd = text.Lazy(`^\[ +(\d+) (containers|tests) (\w+) +\]$`)
)

// readJUnitConsole reads the console launcher of JUnit 5.
func readJUnitConsole(d *stream.Doc, f *core.Found) {
	n := map[string]int{}
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used || l.S == "" {
			continue
		}
		switch {
		case strings.Contains(l.S, "caught: ") && strings.Contains(l.S, "│"):
			i = consoleCaught(d, f, i) - 1
		case strings.Contains(l.S, "JUnit ") && strings.Contains(l.S, ":"):
			if m := reConsoleItem().FindStringSubmatch(l.S); m != nil {
				i = consoleBlock(d, f, i, m[1]) - 1
			}
		case l.S[0] == '[':
			if m := reConsoleEnd().FindStringSubmatch(l.S); m != nil {
				l.Used = true
				if m[2] == "tests" {
					n[m[3]] = text.Atoi(m[1])
				}
			}
		}
	}
	if _, ok := n["found"]; ok {
		f.Format = "JUnit"
		f.Total(n["successful"], n["failed"], n["skipped"]+n["aborted"])
		if n["found"] == 0 {
			f.NoTests = true
		}
	}
}

// consoleCaught reads a failure in the verbose tree, whose lines have the
// branches in front.
func consoleCaught(d *stream.Doc, f *core.Found, i int) int {
	bare := func(s string) string { return strings.TrimLeft(s, "│├└─╷ ") }
	x := core.Failure{Kind: core.KindTest, Runner: "JUnit"}
	for k := i - 1; k >= 0 && k > i-8; k-- {
		if _, src, ok := strings.Cut(d.Lines[k].S, "source: "); ok {
			if m := reMethodSource().FindStringSubmatch(src); m != nil {
				x.Test = m[1] + "." + m[2]
			}
		}
	}
	lines := []string{strings.TrimPrefix(bare(d.Lines[i].S), "caught: ")}
	j := i + 1
	for ; j < len(d.Lines); j++ {
		s := bare(d.Lines[j].S)
		if strings.HasPrefix(s, "duration: ") || strings.HasPrefix(s, "status: ") {
			break
		}
		d.Lines[j].Used = true
		lines = append(lines, s)
	}
	d.Lines[i].Used = true
	core.Explain(&x, lines)
	f.Fail(x)
	return j
}

var reMethodSource = text.Lazy(`^\s*MethodSource \[className = '([^']+)', methodName = '([^']+)` +
	`', methodParameterTypes = '([^']*)'\]`)

func consoleBlock(d *stream.Doc, f *core.Found, i int, name string) int {
	var lines []string
	j := i + 1
	for ; j < len(d.Lines); j++ {
		s := d.Lines[j].S
		if reConsoleItem().MatchString(s) || strings.HasPrefix(s, "Test run finished") ||
			s == "" && j+1 < len(d.Lines) && strings.HasPrefix(d.Lines[j+1].S, "Test run finished") {
			break
		}
		d.Lines[j].Used = true
		lines = append(lines, s)
	}
	d.Lines[i].Used = true
	x := core.Failure{Test: strings.Join(strings.Split(name, ":"), " > "), Kind: core.KindTest,
		Runner: "JUnit"}
	var body []string
	for _, s := range lines {
		if m := reMethodSource().FindStringSubmatch(s); m != nil {
			x.Test = m[1] + "." + m[2]
			if k := strings.LastIndexByte(name, ':'); k >= 0 && !strings.HasPrefix(name[k+1:], m[2]+"(") &&
				!strings.HasSuffix(name, m[2]+"()") && strings.HasPrefix(name[k+1:], "[") {
				n, _, _ := strings.Cut(name[k+1:], "]")
				x.Test += n + "]" // which of the parametrised calls
			}
			continue
		}
		body = append(body, s)
	}
	for k, s := range body {
		body[k] = strings.TrimPrefix(s, "    => ")
	}
	core.Explain(&x, body)
	f.Fail(x)
	return j
}
