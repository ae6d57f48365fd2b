package check

import (
	"crypto/rand"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// A runner that writes a report of its own, when it has ended its work, says more
// than its output: code under test can print what it likes, and can end the process
// before the runner has counted.

// reporters are the runners that write JUnit XML. starts are the words that their
// commands begin with, flag takes the file's path.
var reporters = []struct {
	starts [][]string
	flag   string
	unless []string
}{
	{[][]string{{"pytest"}, {"py.test"}, {"python", "-m", "pytest"}, {"python3", "-m", "pytest"},
		{"uv", "run", "pytest"}, {"poetry", "run", "pytest"}, {"pipenv", "run", "pytest"}, {"hatch", "run", "pytest"}},
		"--junitxml=", []string{"--junitxml", "--junit-xml", "--collect-only", "--co", "--version", "-h", "--help"}},
	{[][]string{{"phpunit"}, {"vendor/bin/phpunit"}, {"./vendor/bin/phpunit"}}, "--log-junit=", []string{"--log-junit", "--version", "--list-tests"}},
}

// reporting gives a command that makes its runner write a report to path, "" where
// it cannot or the command is not plain enough.
func reporting(command, path string) string {
	list, ok := words(command)
	if !ok {
		return ""
	}
	var env []string
	for len(list) > 0 && assignment().MatchString(list[0]) {
		env, list = append(env, list[0]), list[1:]
	}
	for _, r := range reporters {
		for _, start := range r.starts {
			if len(list) < len(start) || !slices.Equal(list[:len(start)], start) || has(list, r.unless...) {
				continue
			}
			out, ok := quoteAll(slices.Concat(env, start, []string{r.flag + path}, list[len(start):]))
			if !ok {
				return ""
			}
			return out
		}
	}
	return ""
}

// reportPath is where the next report goes: a name that no code can know before.
func (r *Runner) reportPath() string {
	if r.c.Temp == "" {
		return ""
	}
	return filepath.Join(r.c.Temp, "r"+rand.Text()+".xml")
}

// ownReport is what a runner's report says.
type ownReport struct {
	passed, failed, skipped int
	names                   []string // of those that passed
}

// maxReport bounds how much of a report is read.
const maxReport = 256 << 20

// readReport reads a report; one that is not whole is none.
func readReport(path string) (*ownReport, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out ownReport
	dec := xml.NewDecoder(io.LimitReader(f, maxReport))
	var name string
	var bad, skipped bool
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return &out, nil
		}
		if err != nil {
			return nil, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "testcase":
				name, bad, skipped = testcaseName(t), false, false
			case "failure", "error":
				bad = true
			case "skipped":
				skipped = true
			}
		case xml.EndElement:
			switch {
			case t.Name.Local != "testcase":
			case bad:
				out.failed++
			case skipped:
				out.skipped++
			default:
				out.passed++
				out.names = append(out.names, name)
			}
		}
	}
}

func testcaseName(e xml.StartElement) string {
	var class, name string
	for _, a := range e.Attr {
		switch a.Name.Local {
		case "classname":
			class = a.Value
		case "name":
			name = a.Value
		}
	}
	return class + "::" + name
}

// reported remembers which steps have written a report.
type reported struct {
	mu    sync.Mutex
	steps map[string]bool
}

// believe puts what the runner's own report says in the place of what was printed.
// A passing run without the report that earlier ones wrote ended before its runner
// did, and does not count.
func (r *Runner) believe(res *Result, path string) {
	if path == "" {
		return
	}
	defer os.Remove(path)
	own, err := readReport(path)
	r.reported.mu.Lock()
	defer r.reported.mu.Unlock()
	if err != nil {
		if res.ExitCode == 0 && r.reported.steps[res.baseName()] {
			res.Tampered = "The test command ended with exit code 0 before its runner had written its report, which it did before the change. " +
				"The run does not count: nothing may end the process of the tests but their runner."
		}
		return
	}
	if r.reported.steps == nil {
		r.reported.steps = map[string]bool{}
	}
	r.reported.steps[res.baseName()] = true
	res.Summary.Passed, res.Summary.Failed, res.Summary.Skipped = &own.passed, &own.failed, &own.skipped
	if len(own.names) <= maxRan && res.Kind == Test {
		res.ran = Ran{own.names, "its own report"}
	}
}
