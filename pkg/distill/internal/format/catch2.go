package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

var (
	reCatchFile = text.Lazy(`^((?:[A-Za-z]:)?[^\s:(][^:(]*)(?::(\d+)|\((\d+)\)): ` +
		`(FAILED|PASSED|SKIPPED|warning|ERROR|FATAL ERROR|error): ?(.*)$`)
	reCatchSum = text.Lazy(`^(\[doctest\] )?test cases: +(\d+)(?: \| +(\d+) passed)?(?: \| +(\d+) failed)?` +
		`(?: \| +(\d+) skipped)?(?: \| +(\d+) failed as expected)?`)
	reCatchAll = text.Lazy(`^All tests passed \((\d+) assertions? in (\d+) test cases?\)`)
)

// readCatch reads the console reporters of Catch2 and doctest: the names of the
// sections that are open stand above, then a place, and below it the assertion.
func readCatch(d *stream.Doc, f *core.Found) {
	c := &catchReader{d: d, f: f}
	for i := 0; i < len(d.Lines); i++ {
		if l := &d.Lines[i]; !l.Used && l.S != "" && !c.sum(i) {
			i = c.line(i)
		}
	}
}

type catchReader struct {
	d     *stream.Doc
	f     *core.Found
	names []string // of the sections that are open
}

// sum reads the counts of a run.
func (c *catchReader) sum(i int) bool {
	s := c.d.Lines[i].S
	if m := reCatchAll().FindStringSubmatch(s); strings.HasPrefix(s, "All tests") && m != nil {
		c.f.Format = "Catch2"
		c.f.Total(text.Atoi(m[2]), 0, 0)
	} else if m := reCatchSum().FindStringSubmatch(s); strings.Contains(s, "test cases:") && m != nil {
		c.f.Format = "Catch2"
		if m[1] != "" {
			c.f.Format = "doctest"
		}
		c.f.Total(text.Atoi(m[3]), text.Atoi(m[4]), text.Atoi(m[5]))
	} else {
		return false
	}
	c.d.Lines[i].Used = true
	return true
}

// line reads a head or a failed assertion and gives its last line.
func (c *catchReader) line(i int) int {
	lines := c.d.Lines
	s := lines[i].S
	switch {
	case strings.HasPrefix(s, "--------------------"):
		above, k := []string{}, i+1
		for ; k < len(lines) && k < i+20 && lines[k].S != "" && !strings.HasPrefix(lines[k].S, "------"); k++ {
			above = append(above, strings.TrimSpace(lines[k].S))
		}
		if len(above) > 0 && k < len(lines) && strings.HasPrefix(lines[k].S, "------") {
			c.names = above
			return k
		}
	case strings.HasPrefix(s, "TEST CASE:"), strings.HasPrefix(s, "  Scenario:"):
		c.names = []string{strings.TrimSpace(s[strings.IndexByte(s, ':')+1:])}
		for k := i + 1; k < len(lines) && strings.HasPrefix(lines[k].S, "  "); k++ {
			c.names = append(c.names, strings.TrimSpace(lines[k].S))
		}
	case strings.HasSuffix(s, ": FAILED:"), strings.Contains(s, ": FAILED: "), len(c.names) > 0 && strings.Contains(s, "ERROR: "):
		if m := reCatchFile().FindStringSubmatch(s); m != nil {
			return c.assertion(i, m)
		}
	}
	return i
}

func (c *catchReader) assertion(i int, m []string) int {
	x := core.Failure{Test: strings.Join(c.names, " > "), File: m[1], Line: text.Atoi(m[2] + m[3]),
		Kind: core.KindTest, Runner: "Catch2"}
	if strings.HasSuffix(m[4], "ERROR") {
		x.Runner, x.Message = "doctest", m[5]
	}
	c.d.Lines[i].Used = true
	body, end := below(c.d, i+1, func(t string) bool {
		return strings.HasPrefix(t, "------") || strings.HasPrefix(t, "======") || reCatchFile().MatchString(t) ||
			t == "" && x.Runner == "doctest"
	})
	core.Explain(&x, body)
	c.f.Fail(x)
	return end - 1
}
