package testreport

import (
	"bufio"
	"io"
	"strings"
)

// GoLines reads the tests that a program of Go's tells, line by line. A package's own
// line comes after those of its tests; a subtest's line is indented.
type GoLines struct {
	// Marked says that only lines count that the testing package marks for test2json: a
	// test's own words have no such mark. Marks counts those.
	Marked bool
	Marks  int
	// Max bounds the tests that are kept.
	Max   int
	Tests Run
	// Ended are the packages whose programs came to the end of their tests, Cut those that
	// passed without.
	Ended, Cut []string

	began int  // where the tests of the package under way begin in Tests
	whole bool // its program has come to the end of its tests, and passes
}

// goMark is what the testing package puts before its own lines.
const goMark = "\x16"

// Go reads the log of a "go test -v", and keeps at most max tests.
func Go(log io.Reader, max int) *GoLines {
	g := &GoLines{Max: max}
	lines := bufio.NewReader(log)
	for {
		line, err := lines.ReadString('\n')
		g.read(line)
		if err != nil {
			return g
		}
	}
}

// Tap takes the lines as they come, and gives them as people read them.
func (g *GoLines) Tap(lines []byte) []byte {
	var out strings.Builder
	for line := range strings.Lines(string(lines)) {
		g.read(line)
		text := strings.ReplaceAll(line, goMark, "")
		if text != line && strings.TrimSpace(text) == "=== NAME" {
			continue
		}
		out.WriteString(text)
	}
	return []byte(out.String())
}

func (g *GoLines) read(line string) {
	own := !g.Marked
	if g.Marked {
		if _, text, is := strings.Cut(line, goMark); is {
			own, line = true, text
			g.Marks++
		}
	}
	result, name, _ := GoResult(line)
	switch pkg, ends := EndOfGoPackage(line); {
	case own && name != "" && len(g.Tests) < g.Max:
		g.add(result, name)
	case own && strings.TrimSpace(line) == "PASS":
		g.whole = true
	case ends:
		g.endPackage(pkg, strings.HasPrefix(line, "ok"))
	}
}

func (g *GoLines) add(result, name string) {
	t := Test{Name: name, Outcome: map[string]Outcome{
		"PASS": Passed, "FAIL": Failed, "SKIP": Skipped,
	}[result]}
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		t.Of = name[:i]
	}
	g.Tests = append(g.Tests, t)
}

// endPackage gives the tests of a package their whole names.
func (g *GoLines) endPackage(pkg string, passes bool) {
	fails := false
	for ; g.began < len(g.Tests); g.began++ {
		t := &g.Tests[g.began]
		fails = fails || t.Outcome == Failed
		t.Suite, t.Name = pkg, pkg+"."+t.Name
		if t.Of != "" {
			t.Of = pkg + "." + t.Of
		}
	}
	switch {
	case g.whole:
		g.Ended = append(g.Ended, pkg)
	case passes:
		g.Cut = append(g.Cut, pkg)
	}
	g.whole = false
}

// blanks are what ends a word.
const blanks = " \t\n\f\r"

// GoResult reads "--- PASS: TestName (0.01s)", or "--- FAIL: BenchmarkName"; name is empty
// where a line is none. A test that printed no line end has its own text before it. Only
// rows are indented: else a line is a test's own words.
func GoResult(line string) (result, name, before string) {
	s, timed := cutSeconds(strings.TrimRight(line, blanks))
	at := strings.LastIndexAny(s, blanks) + 1
	if s, name = s[:at], s[at:]; name == "" || !timed && !strings.HasPrefix(name, "Benchmark") {
		return "", "", ""
	}
	for _, result := range []string{"PASS", "FAIL", "SKIP"} {
		before, ok := strings.CutSuffix(s, "--- "+result+": ")
		own := strings.TrimLeft(before, " ")
		indented := len(own) < len(before)
		if ok && !strings.HasSuffix(own, " ") && (!indented || strings.Contains(name, "/")) {
			return result, name, own
		}
	}
	return "", "", ""
}

// cutSeconds removes how long a test took, " (0.01s)".
func cutSeconds(s string) (before string, found bool) {
	before, found = strings.CutSuffix(s, "s)")
	at := strings.LastIndex(before, " (")
	if !found || at < 0 || at+2 == len(before) || strings.Trim(before[at+2:], ".0123456789") != "" {
		return s, false
	}
	return before[:at], true
}

// EndOfGoPackage reads the line that ends a package's results, "ok  	example.com/a	0.01s".
func EndOfGoPackage(line string) (name string, ok bool) {
	rest, ok := strings.CutPrefix(line, "ok  \t")
	if !ok {
		rest, ok = strings.CutPrefix(line, "FAIL\t")
	}
	end := strings.IndexAny(rest, blanks)
	if !ok || end <= 0 || rest[end] != '\t' {
		return "", false
	}
	return rest[:end], true
}
