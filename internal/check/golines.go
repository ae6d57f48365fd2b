package check

import (
	"bufio"
	"io"
	"strings"

	"github.com/booty-cli/booty/internal/failure"
)

const goRunner = "go test"

// goLines reads the tests that a program of Go's tells, line by line. A package's own
// line comes after those of its tests; a subtest's line is indented.
type goLines struct {
	// marked says that only lines count that the testing package marks for test2json: a
	// test's own words have no such mark.
	marked bool
	tests  failure.Ran
	began  int // where the tests of the package under way begin in tests
	marks  int
	whole  bool // its program has come to the end of its tests, and passes
	// ended are the packages whose programs did, cut those that passed without.
	ended, cut []string
}

// goMark is what the testing package puts before its own lines.
const goMark = "\x16"

// readGo reads the log of a "go test -v".
func readGo(log io.Reader) *goLines {
	g := &goLines{}
	lines := bufio.NewReader(log)
	for {
		line, err := lines.ReadString('\n')
		g.read(line)
		if err != nil {
			return g
		}
	}
}

// tap takes the lines as they come, and gives them as people read them.
func (g *goLines) tap(lines []byte) []byte {
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

func (g *goLines) read(line string) {
	own := !g.marked
	if g.marked {
		if _, text, is := strings.Cut(line, goMark); is {
			own, line = true, text
			g.marks++
		}
	}
	result, name, indented := goResult(line)
	if indented && !strings.Contains(name, "/") {
		name = "" // a test's own words: only rows are indented
	}
	switch pkg, ends := endOfGoPackage(line); {
	case own && name != "" && len(g.tests) < maxRan:
		g.add(result, name)
	case own && strings.TrimSpace(line) == "PASS":
		g.whole = true
	case ends:
		g.endPackage(pkg, strings.HasPrefix(line, "ok"))
	}
}

func (g *goLines) add(result, name string) {
	t := failure.Test{Name: name, Outcome: map[string]failure.Outcome{
		"PASS": failure.Passed, "FAIL": failure.Failed, "SKIP": failure.Skipped,
	}[result]}
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		t.Of = name[:i]
	}
	g.tests = append(g.tests, t)
}

// endPackage gives the tests of a package their whole names.
func (g *goLines) endPackage(pkg string, passes bool) {
	fails := false
	for ; g.began < len(g.tests); g.began++ {
		t := &g.tests[g.began]
		fails = fails || t.Outcome == failure.Failed
		t.Suite, t.Name = pkg, pkg+"."+t.Name
		if t.Of != "" {
			t.Of = pkg + "." + t.Of
		}
	}
	switch {
	case g.whole:
		g.ended = append(g.ended, pkg)
	case passes:
		g.cut = append(g.cut, pkg)
	}
	g.whole = false
}

// blanks are what ends a word.
const blanks = " \t\n\f\r"

// goResult reads "--- PASS: TestName (0.01s)"; name is empty where a line is none.
// indented tells that the line begins with blanks. A test that printed no line end
// has its own text before it.
func goResult(line string) (result, name string, indented bool) {
	s, timed := strings.CutSuffix(strings.TrimRight(line, blanks), "s)")
	at := strings.LastIndex(s, " (")
	if !timed || at < 0 || at+2 == len(s) || strings.Trim(s[at+2:], ".0123456789") != "" {
		return "", "", false
	}
	s = s[:at]
	at = strings.LastIndexAny(s, blanks) + 1
	s, name = s[:at], s[at:]
	for _, result := range []string{"PASS", "FAIL", "SKIP"} {
		before, ok := strings.CutSuffix(s, "--- "+result+": ")
		own := strings.TrimLeft(before, " ")
		if ok && name != "" && !strings.HasSuffix(own, " ") {
			return result, name, len(own) < len(before)
		}
	}
	return "", "", false
}

// endOfGoPackage reads the line that ends a package's results, "ok  	example.com/a	0.01s".
func endOfGoPackage(line string) (name string, ok bool) {
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
