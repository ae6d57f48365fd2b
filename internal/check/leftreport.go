package check

import (
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/regular"
	"github.com/booty-cli/booty/internal/testreport"
)

// Some runners say nothing of tests that pass, and leave JUnit XML in the work tree that
// says it all: Gradle, Maven, CTest if asked.

const (
	// maxLeft and maxLeftSize bound how many such files are read, and how large each may be.
	maxLeft     = 5000
	maxLeftSize = 16 << 20
	// maxLooked bounds how many entries of the tree are looked at.
	maxLooked = 300_000
	// clockSlack is how far the file system's clock may be behind.
	clockSlack = 20 * time.Millisecond
)

// leftReport is a file of JUnit XML that a step has left.
type leftReport struct {
	written time.Time
	tests   testreport.Run
}

// takeLeft counts the tests in reports that a step left which printed none. If the step passed,
// tests that failed in between do not count.
func (r *Runner) takeLeft(res *Result) {
	tests, fresh := r.leftReports(res.baseName(), res.began)
	res.silent = !fresh
	if res.ExitCode == 0 {
		tests = slices.DeleteFunc(tests,
			func(t testreport.Test) bool { return t.Outcome == testreport.Failed })
	}
	if len(tests) > 0 {
		res.tests, res.as = tests, failure.LeftReport
	}
}

// ofClasses sets the classes of tests as their places: the output may leave out a class's package.
func ofClasses(tests testreport.Run) testreport.Run {
	tests = slices.Clone(tests)
	for i := range tests {
		if t := &tests[i]; t.File == "" {
			t.Program = t.Suite
		}
	}
	return tests
}

// leftReports returns the tests of the JUnit XML that a step wrote since it began, and of what an
// earlier run wrote and this one left: a build tool does not rerun what is up to date. fresh says
// that something was written now.
func (r *Runner) leftReports(step string, began time.Time) (tests testreport.Run, fresh bool) {
	r.reported.mu.Lock()
	defer r.reported.mu.Unlock()
	before, now := r.reported.left[step], map[string]leftReport{}
	looked := 0
	for _, root := range append([]string{r.c.Dir}, r.c.Beside...) {
		_ = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if looked++; looked > maxLooked || len(now) > maxLeft {
				return fs.SkipAll
			}
			if err != nil {
				return nil //nolint:nilerr // what cannot be read is no report
			}
			if e.IsDir() && slices.Contains([]string{".git", "node_modules"}, e.Name()) {
				return fs.SkipDir
			}
			if filepath.Ext(path) != ".xml" || !e.Type().IsRegular() {
				return nil
			}
			info, err := e.Info()
			if err != nil || info.Size() > maxLeftSize {
				return nil //nolint:nilerr // it has gone again
			}
			if old, ok := before[path]; ok && info.ModTime().Equal(old.written) {
				now[path] = old
			} else if !info.ModTime().Before(began.Add(-clockSlack)) {
				if list := readLeft(path); len(list) > 0 {
					now[path], fresh = leftReport{info.ModTime(), list}, true
				}
			}
			return nil
		})
	}
	r.reported.left[step] = now
	paths := make([]string, 0, len(now))
	for path := range now {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		tests = append(tests, now[path].tests...)
	}
	return tests, fresh
}

// readLeft reads a file that may be a report.
func readLeft(path string) testreport.Run {
	f, err := regular.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	tests, err := testreport.JUnit(io.LimitReader(f, maxLeftSize))
	if err != nil {
		return nil
	}
	return tests
}
