package check

import (
	"path/filepath"
	"strings"

	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/testfile"
	"github.com/booty-cli/booty/internal/testreport"
)

// identify says of the failures of a step which tests they are of. Where no report tells the
// files of tests, that of the failure is it, if it is one of tests. A rerun knows no order,
// and no more than its names.
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

// located gives tests with their files as the repository names them, and the folder of a
// file where its runner leaves that out of the test's name.
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
