package check

import (
	"bufio"
	"context"
	"io"
	"os"
	"strings"

	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/pkg/distill"
)

// maxRan bounds the names that are kept of the tests that passed.
const maxRan = 20_000

// Ran names the tests that passed.
type Ran struct {
	Names []string
	// As is the form in which they are told: names told otherwise are not these.
	As string
}

// ran names the tests that passed in a full run; nothing where the log does not
// name all that were counted. Those of "go test -v" have their packages.
func ran(ctx context.Context, res Result) Ran {
	passed := res.Summary.Passed
	if res.Kind != Test || passed == nil || *passed == 0 || *passed > maxRan || res.Truncated {
		return Ran{}
	}
	f, err := os.Open(res.Log)
	if err != nil {
		return Ran{}
	}
	defer f.Close()
	if res.Summary.Runner != goRunner {
		p, err := distill.PassedTests(ctx, f, *passed)
		if err != nil {
			return Ran{}
		}
		return Ran{p.Names, p.Mark}
	}
	names := goTests(f).passed
	if len(names) != *passed {
		return Ran{} // a line of a test's own hides some
	}
	return Ran{names, goRunner}
}

const goRunner = "go test"

// goResults are what the log of "go test -v" tells: the tests that passed, with
// their packages, and how many fail; and the leaves among tests and their rows.
type goResults struct {
	passed []string
	failed int
	leaves map[string]int // by PASS, FAIL and SKIP
	begun  int
	// rows are results and names in the package under way, parents those that hold
	// others, true where one of these fails.
	rows    [][2]string
	parents map[string]bool
}

// goTests reads the results out of a log. A package's own line comes after those
// of its tests; a subtest's line is indented.
func goTests(log io.Reader) goResults {
	r := goResults{passed: []string{}, leaves: map[string]int{}, parents: map[string]bool{}}
	lines := bufio.NewReader(log)
	for {
		line, err := lines.ReadString('\n')
		result, name, indented := goResult(line)
		if indented && !strings.Contains(name, "/") {
			name = "" // a test's own words: only rows are indented
		}
		if name != "" && len(r.rows) < maxRan {
			r.add(result, name)
		} else if name, ok := endOfGoPackage(line); ok {
			r.endPackage(name)
		}
		if err != nil {
			r.endPackage("")
			return r
		}
	}
}

func (r *goResults) add(result, name string) {
	r.rows = append(r.rows, [2]string{result, name})
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		r.parents[name[:i]] = r.parents[name[:i]] || result == "FAIL"
		return
	}
	switch result {
	case "PASS":
		r.passed = append(r.passed, name)
	case "FAIL":
		r.failed++
	}
}

func (r *goResults) endPackage(name string) {
	for ; name != "" && r.begun < len(r.passed); r.begun++ {
		r.passed[r.begun] = name + "." + r.passed[r.begun]
	}
	for _, row := range r.rows {
		rowFails, parent := r.parents[row[1]]
		if !parent || row[0] == "FAIL" && !rowFails { // it fails by itself
			r.leaves[row[0]]++
		}
	}
	r.rows, r.parents = nil, map[string]bool{}
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

// plus is nil where one of two numbers is not told.
func plus(a, b *int) *int {
	if a == nil || b == nil {
		return nil
	}
	n := *a + *b
	return &n
}

// inRows counts as everything else does that tells of failures: a row of a table,
// Go's subtest, is a test, and what only holds others is none. Where the output
// does not tell, a test that is named as failing counts at least.
func inRows(res *Result) {
	s := &res.Summary
	if s.Failed == nil {
		return
	}
	if s.Runner == goRunner && s.Passed != nil && !res.Truncated {
		if f, err := os.Open(res.Log); err == nil {
			r := goTests(f)
			_ = f.Close()
			if len(r.passed) == *s.Passed && r.failed == *s.Failed {
				passed, failed, skipped := r.leaves["PASS"], r.leaves["FAIL"], r.leaves["SKIP"]
				s.Passed, s.Failed, s.Skipped = &passed, &failed, &skipped
			}
		}
	}
	if n := failure.CountTests(s.Failures); n > *s.Failed {
		s.Failed = &n
	}
}

// ranInAll joins the names of several commands; nothing where one does not tell.
func ranInAll(results []Result) Ran {
	var all Ran
	for _, res := range results {
		if res.ran.Names == nil {
			return Ran{}
		}
		all.As = strings.Trim(all.As+", "+res.ran.As, ", ")
		for _, n := range res.ran.Names {
			if len(results) > 1 {
				n = strings.Join([]string{res.Name, n}, ": ")
			}
			all.Names = append(all.Names, n)
		}
	}
	return all
}
