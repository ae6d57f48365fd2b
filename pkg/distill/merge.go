package distill

import "strings"

// merge puts together what several formats say about one failure and finds the
// files on disk.
func (f *found) merge() {
	for i := range f.failures {
		f.place(&f.failures[i])
	}
	f.failures = dropDoubles(f.failures)
	f.failures = dropParents(f.failures)
	if f.exit == nil && f.onlyDiagnostics() && f.green() && !f.gaveUp() {
		f.failures = nil // lines of a test's own output
	}
	f.checkEmpty()
	if len(f.failures) == 0 && (f.exit == nil || *f.exit != 0) {
		f.lastResort()
	}
}

// lastResort reports what counts for a failure only if there is no other: bare
// traces, warnings of a run that is known to have failed, and what a wrapper
// says. A run that is not known to have failed and counts no failure passed,
// whatever its log holds.
func (f *found) lastResort() {
	green := f.exit == nil && f.green()
	for _, list := range [][]Failure{f.loose, f.warnings, f.wrapped} {
		if len(f.failures) > 0 || f.noTests || green {
			return
		}
		if len(list) == 0 {
			continue
		}
		if &list[0] == f.firstWarning() && f.exit == nil {
			continue
		}
		for i := range list {
			f.place(&list[i])
			f.fail(list[i])
		}
		f.failures = dropParents(dropDoubles(f.failures))
	}
}

func (f *found) firstWarning() *Failure {
	if len(f.warnings) == 0 {
		return nil
	}
	return &f.warnings[0]
}

// green tells whether a runner has counted tests and no failure among them.
func (f *found) green() bool {
	for _, t := range f.totals {
		if t.failed > 0 {
			return false
		}
	}
	return len(f.totals) > 0
}

// onlyDiagnostics tells whether all that was found are findings of compilers
// and linters, which a passing test may print as well.
func (f *found) onlyDiagnostics() bool {
	for i := range f.failures {
		if x := &f.failures[i]; x.Test != "" || x.Kind != KindLint && x.Kind != KindType && x.Kind != KindCompile {
			return false
		}
	}
	return len(f.failures) > 0
}

// gaveUp looks for signs that a command failed: the sum of a compiler or
// linter, or what a wrapper says.
func (f *found) gaveUp() bool {
	for _, d := range f.docs {
		for i := range d.lines {
			s := d.lines[i].s
			for _, sign := range []string{
				": *** ", " failed]", "could not compile", "npm ERR!", "npm error", "ELIFECYCLE", "exit code ", "exit status ", "BUILD FAILURE", "BUILD FAILED", "Build failed", "Build FAILED",
				"errors generated", "error generated", " error found", " errors found", " problems (", " problem (", "collect2: error", "Compilation failed", "error(s)",
			} {
				if strings.Contains(s, sign) {
					return true
				}
			}
			if strings.HasPrefix(s, "Found ") && strings.Contains(s, " error") || s == "1 error" || strings.HasSuffix(s, " errors") && onlyDigits(strings.TrimSuffix(s, " errors")) {
				return true
			}
		}
	}
	return false
}

// checkEmpty notes that runners counted and came to nothing, and forgets that
// one had nothing to do where another had.
func (f *found) checkEmpty() {
	sum, known := 0, true
	for _, t := range f.totals {
		known = known && t.passed >= 0 && t.failed >= 0
		sum += max(t.passed, 0) + max(t.failed, 0) + max(t.skipped, 0)
	}
	switch {
	case sum > 0:
		f.noTests = false
	case known && len(f.totals) > 0 && len(f.failures) == 0:
		f.noTests = true
	}
}

// place resolves the paths of a failure against the tree and drops frames that
// are not the project's.
func (f *found) place(x *Failure) {
	frames := x.Frames[:0:0]
	for _, fr := range x.Frames {
		if rel, ok := f.root.resolve(fr.File, x.pkg); ok {
			fr.File = rel
			if n := len(frames); n > 0 && frames[n-1].File == fr.File && frames[n-1].Line == fr.Line {
				continue
			}
			frames = append(frames, fr)
		}
	}
	x.Frames = frames
	rel, ok := f.root.resolve(x.File, x.pkg)
	switch {
	case ok:
		x.File = rel
	case x.File == "" || foreign(cleanPath(x.File)):
		// The innermost frame inside the project is the place.
		x.File, x.Line, x.Column = "", 0, 0
		if len(frames) > 0 {
			x.File, x.Line, x.Column = frames[0].File, frames[0].Line, frames[0].Column
		}
	default:
		x.File = rel
	}
	related := x.related[:0:0]
	for _, fr := range x.related {
		if rel, ok := f.root.resolve(fr.File, x.pkg); ok {
			fr.File = rel
			related = append(related, fr)
		}
	}
	x.related = related
}
