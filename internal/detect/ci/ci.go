package ci

import (
	"io"
	"io/fs"
	"slices"
	"strings"
)

// Run is one job as it would run on Linux for a pull request.
type Run struct {
	File, Job string
	// Services are what runs beside it: databases and the like.
	Services []string
	// Submodules says that the checkout brings them.
	Submodules bool
	Steps      []Step
}

// Step is one simple command, or one use of somebody's action.
type Step struct {
	// Dir is a slash path from the root, "" where it is not known.
	Dir string
	// Background is a command that is left running.
	Background bool
	// Text is the command; for an action it is empty.
	Text string
	Uses string
	With map[string]string
}

const (
	maxFile = 256 << 10
	maxRuns = 400
	// maxSteps bounds all that is looked at: what refers to itself ends.
	maxSteps = 4000
)

// Read gives what the CI of a repository runs, in the order of its files.
func Read(fsys fs.FS) []Run {
	r := reader{fsys: fsys, left: maxSteps}
	r.github()
	r.gitlab()
	r.circle()
	return r.runs
}

// Commands gives the simple commands of a script that is run in a folder.
func Commands(script, dir string) []Step {
	sh := shell{env: map[string]string{}, dir: dir}
	return sh.steps(script)
}

type reader struct {
	fsys fs.FS
	runs []Run
	left int
}

// more says whether one more step may be looked at.
func (r *reader) more() bool {
	r.left--
	return r.left > 0
}

// add keeps a run that is not there yet.
func (r *reader) add(run Run) {
	same := func(o Run) bool {
		return slices.EqualFunc(o.Steps, run.Steps, func(a, b Step) bool {
			return a.Text == b.Text && a.Dir == b.Dir && a.Uses == b.Uses
		})
	}
	if len(run.Steps) > 0 && len(r.runs) < maxRuns && !slices.ContainsFunc(r.runs, same) {
		r.runs = append(r.runs, run)
	}
}

func (r *reader) text(name string) string {
	f, err := r.fsys.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close() //nolint:errcheck // only read
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
		return ""
	}
	b, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return ""
	}
	return strings.ReplaceAll(strings.TrimPrefix(string(b), "\ufeff"), "\r\n", "\n")
}
