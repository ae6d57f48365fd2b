package check

import (
	"path/filepath"
	"strings"

	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/testfile"
	"github.com/booty-cli/booty/internal/testreport"
)

// identify sets the tests that the failures of a step belong to. If no report has the files of
// tests, the file of the failure counts, if it is a test file. A rerun knows only names, no order.
func (r *Result) identify() {
	for i := range r.Summary.Failures {
		f := &r.Summary.Failures[i]
		f.Check = r.baseName()
		if f.Test == "" && f.Kind == testreport.Load && f.File != "" {
			f.Test = f.File // the file is what does not load
		}
	}
	switch {
	case r.Kind == Rerun:
	case r.as == failure.OwnReport:
		failure.Identify(r.Summary.Failures, r.tests)
	case r.as != goRunner:
		for i := range r.Summary.Failures {
			inTest := testfile.Of(r.Summary.Failures[i].File) == testfile.Case ||
				r.Summary.Runner == nextestRunner // Rust's tests stand in product files, too
			if f := &r.Summary.Failures[i]; f.Test != "" && inTest && !strings.HasPrefix(f.Test, f.File) {
				f.Place = f.File
			}
		}
	}
}

// located returns tests with the paths of their files in the repository, and with the folder of a
// file if its runner leaves it out of the test's name.
func (r *Runner) located(tests testreport.Run) testreport.Run {
	for i := range tests {
		t := &tests[i]
		if t.File == "" {
			continue
		}
		name := filepath.ToSlash(filepath.Clean(strings.TrimPrefix(t.File, "file://")))
		for _, root := range []string{r.c.View, r.c.Dir} {
			if rel, ok := strings.CutPrefix(name, filepath.ToSlash(root)+"/"); ok && root != "" {
				name = rel
			}
		}
		base := filepath.Base(t.File)
		t.File = name
		if rest, ok := strings.CutPrefix(t.Name, base); ok && (rest == "" || strings.HasPrefix(rest, "::")) {
			t.Name = name + rest
		}
	}
	return tests
}
