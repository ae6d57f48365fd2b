package check

import (
	"bufio"
	"io"
	"os"
	"regexp"
	"strings"
	"sync"
)

// maxRan bounds the names that are kept of the tests that passed.
const maxRan = 20_000

// ran names the tests that passed in a full run of "go test -v", with their
// packages; nil where the log does not name all that were counted.
func ran(res Result) []string {
	if res.Kind != Test || res.Summary.Runner != "go test" || res.Summary.Passed == nil || res.Truncated {
		return nil
	}
	f, err := os.Open(res.Log)
	if err != nil {
		return nil
	}
	defer f.Close()
	names := goPassed(f)
	if len(names) != *res.Summary.Passed {
		return nil // a line of a test's own hides some, or there are too many
	}
	return names
}

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

// ranInAll joins the names of several commands; nil where one does not tell.
func ranInAll(results []Result) []string {
	var all []string
	for _, res := range results {
		if res.ran == nil {
			return nil
		}
		for _, n := range res.ran {
			if len(results) > 1 {
				n = strings.Join([]string{res.Name, n}, ": ")
			}
			all = append(all, n)
		}
	}
	return all
}
