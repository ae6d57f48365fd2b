package core

import (
	"slices"

	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/tree"
)

// Merge combines what several formats say about one failure, and finds the files on disk.
func (f *Result) Merge() {
	for i := range f.Failures {
		f.finish(&f.Failures[i])
	}
	f.Failures = dropDoubles(f.Failures)
	f.Failures = dropParents(f.Failures)
	if f.exit == nil && f.onlyDiagnostics() && f.green() {
		f.Failures = f.behindCounts(f.Failures) // those before are lines of a test's own output
	}
	f.checkEmpty()
	if len(f.Failures) == 0 && (f.exit == nil || *f.exit != 0) {
		f.lastResort()
	}
}

// lastResort reports what only counts as a failure if there is no other: bare traces,
// warnings of a run known to have failed, and messages of wrappers. A run that is not known
// to have failed and counts no failure passed, whatever its log contains.
func (f *Result) lastResort() {
	green := f.exit == nil && f.green()
	for n, list := range [][]Failure{f.Loose, f.Warnings, f.Wrapped} {
		if len(f.Failures) > 0 || f.NoTests || f.exit != nil && f.Cut() {
			return
		}
		if n == 1 && !f.Red() { // not known to have failed
			continue
		}
		if green {
			list = f.behindCounts(list)
		}
		if n == 1 { // the last good run had them and passed
			list = slices.DeleteFunc(slices.Clone(list), func(x Failure) bool { return x.Old })
		}
		for i := range list {
			f.place(&list[i])
			f.Fail(list[i])
		}
		f.Failures = dropParents(dropDoubles(f.Failures))
	}
}

// behindCounts returns the failures that stand behind the last count of a stream.
func (f *Result) behindCounts(all []Failure) []Failure {
	return slices.DeleteFunc(slices.Clone(all), func(x Failure) bool { return x.At <= f.counted })
}

// ReadsLikeFailure reports whether lines read like errors and no runner has counted none.
func (f *Result) ReadsLikeFailure() bool {
	return f.Red() || !f.green() && slices.ContainsFunc(f.streams, func(d *stream.Stream) bool {
		return slices.ContainsFunc(d.Lines, func(l stream.Line) bool { return ErrorLike(l.S) > 3 })
	})
}

// onlyDiagnostics reports whether all failures are findings of compilers and linters, which
// a passing test may print as well.
func (f *Result) onlyDiagnostics() bool {
	for i := range f.Failures {
		if x := &f.Failures[i]; x.Test != "" ||
			x.Kind != KindLint && x.Kind != KindType && x.Kind != KindCompile && x.Kind != KindVet {
			return false
		}
	}
	return len(f.Failures) > 0
}

// checkEmpty records that runners counted nothing, and forgets that one had nothing to do
// if another had.
func (f *Result) checkEmpty() {
	sum, known := f.Todo, true
	for _, t := range f.Totals {
		known = known && t.Passed >= 0 && t.Failed >= 0
		sum += max(t.Passed, 0) + max(t.Failed, 0) + max(t.Skipped, 0)
	}
	switch {
	case sum > 0:
		f.NoTests = false
	case known && len(f.Totals) > 0 && len(f.Failures) == 0:
		f.NoTests = true
	}
}

// place resolves the paths of a failure against the tree and drops foreign frames.
func (f *Result) place(x *Failure) {
	x.Frames, x.Related = f.inTree(x.Frames, x.Pkg), f.inTree(x.Related, x.Pkg)
	rel, ok := f.Root.Resolve(x.File, x.Pkg)
	switch {
	case ok:
		x.File = rel
	case x.File == "" || tree.Foreign(tree.CleanPath(x.File)):
		// The innermost frame inside the project is the place.
		x.File, x.Line, x.Column = "", 0, 0
		if len(x.Frames) > 0 {
			x.File, x.Line, x.Column = x.Frames[0].File, x.Frames[0].Line, x.Frames[0].Column
		}
	default:
		x.File = rel
	}
}

// inTree returns the frames that are in the tree, without repetitions in a row.
func (f *Result) inTree(all []Frame, pkg string) []Frame {
	var out []Frame
	for _, fr := range all {
		if rel, ok := f.Root.Resolve(fr.File, pkg); ok {
			fr.File = rel
			out = append(out, fr)
		}
	}
	return slices.CompactFunc(out, func(a, b Frame) bool { return a.File == b.File && a.Line == b.Line })
}
