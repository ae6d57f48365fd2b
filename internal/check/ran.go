package check

import (
	"bufio"
	"context"
	"io"
	"os"
	"regexp"
	"strings"
	"sync"

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
	names := goPassed(f)
	if len(names) != *passed {
		return Ran{} // a line of a test's own hides some
	}
	return Ran{names, goRunner}
}

const goRunner = "go test"

// goPassed reads the names out of a log. A package's own line comes after those
// of its tests; a subtest's line is indented.
func goPassed(log io.Reader) []string {
	names, begun := []string{}, 0
	lines := bufio.NewReader(log)
	for {
		line, err := lines.ReadString('\n')
		if m := goPass().FindStringSubmatch(line); m != nil && len(names) < maxRan {
			names = append(names, m[1])
		} else if m := goPackageLine().FindStringSubmatch(line); m != nil {
			for ; begun < len(names); begun++ {
				names[begun] = m[1] + "." + names[begun]
			}
		}
		if err != nil {
			return names
		}
	}
}

var (
	// A test that printed no line end has its own text before it.
	goPass        = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:.*[^ ])?--- PASS: ([^\s/]+) \([\d.]+s\)\s*$`) })
	goPackageLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:ok  |FAIL)\t(\S+)\t`) })
)

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
