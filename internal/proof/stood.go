package proof

import (
	"context"
	"slices"

	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/testfile"
	"github.com/booty-cli/booty/pkg/edit"
)

// Stood is how the tests as they stood end on the new code.
type Stood struct {
	Result
	// Builds says that they pass only with the changed build files, Libraries only with the
	// changed third-party code.
	Builds, Libraries bool
	// Data says that they fail, but pass with the changed data as it stood.
	Data bool
}

// Swap holds the changes that put the tests as they stood on the new code.
type Swap struct {
	// Tests put back every test file, Builds every build file that configures tests, Libraries
	// third-party code, and Data data that product code may use as well.
	Tests, Builds, Libraries, Data []edit.Change
	// Moved put each renamed product module at its old path, too, for tests that load it by its old
	// name.
	Moved []edit.Change
	// Shared are those test files that product code uses as well.
	Shared []string
}

// None reports whether nothing changed that requires the old tests to run.
func (s Swap) None() bool { return len(s.Tests)+len(s.Builds)+len(s.Libraries) == 0 }

// Run runs the tests as they stood in a tree of the new code. If they fail, they run again with
// less put back. If they pass, they run once more with the new version of files that product code
// may use, too: a file's name alone does not decide whose it is. before and after are the tests of
// the old code and of the new.
func (s Swap) Run(ctx context.Context, t Tree, before, after Result) (out Stood, err error) {
	run := func(changes []edit.Change) (Result, error) {
		if len(changes) == 0 { // these tests ran with the new code
			return after, nil
		}
		return with(ctx, t, changes, t.Test)
	}
	fails := func(r Result) bool {
		broken, why := StoodFails(before, after, r)
		return len(broken) > 0 || why != ""
	}
	var w putBack
	for i, next := range s.waysBack() {
		if i > 0 && (!fails(out.Result) || next.newBuilds && !out.noneRan()) {
			continue
		}
		w = next
		if out.Result, err = run(w.changes); err != nil {
			return out, err
		}
	}
	if rest := s.testsOnly(w.changes); !fails(out.Result) && len(rest) > 0 && len(rest) < len(w.changes) {
		w.changes = rest
		if out.Result, err = run(rest); err != nil {
			return out, err
		}
	}
	failed := fails(out.Result)
	out.Builds, out.Libraries = w.newBuilds && !failed, w.newLibraries && !failed
	if failed && len(s.Data) > 0 {
		r, err := run(slices.Concat(w.changes, s.Data))
		out.Data = err == nil && !fails(r)
		return out, err
	}
	return out, nil
}

// putBack is a way to put the old tests on the new code.
type putBack struct {
	changes []edit.Change
	// newBuilds and newLibraries say that build files and third-party code are left as they are.
	newBuilds, newLibraries bool
}

// waysBack are the ways to put the old tests on the new code, in the order in which they are
// tried: all as it stood first.
func (s Swap) waysBack() []putBack {
	all, moved := slices.Concat(s.Tests, s.Builds, s.Libraries), s.Moved
	ways := []putBack{{changes: all}}
	if len(moved) > 0 {
		ways = append(ways, putBack{changes: slices.Concat(all, moved)})
	}
	if len(s.Builds) > 0 {
		ways = append(ways, putBack{changes: slices.Concat(s.Tests, s.Libraries, moved), newBuilds: true})
	}
	if len(s.Libraries) > 0 {
		ways = append(ways, putBack{changes: slices.Concat(s.Tests, s.Builds, moved), newLibraries: true})
	}
	if len(s.Builds) > 0 && len(s.Libraries) > 0 {
		ways = append(ways, putBack{changes: slices.Concat(s.Tests, moved), newBuilds: true,
			newLibraries: true})
	}
	return ways
}

// testsOnly leaves out of changes what product code may use as well.
func (s Swap) testsOnly(changes []edit.Change) []edit.Change {
	shared := slices.Concat(s.Shared, PathsOf(s.Libraries))
	return slices.DeleteFunc(slices.Clone(changes),
		func(c edit.Change) bool { return slices.Contains(shared, c.Path) })
}

// Words describe what a person should look at in the result of the old tests.
func (s Swap) Words(r Stood) (look []string) {
	for _, c := range []struct {
		is      bool
		text    string
		changes []edit.Change
	}{
		{r.Builds, "the old tests pass only with the changed build files", s.Builds},
		{r.Libraries, "the old tests pass only with the changed third-party code", s.Libraries},
		{r.Data, "the old tests pass with these files as they stood", s.Data},
	} {
		if c.is {
			look = append(look, c.text+": "+some(PathsOf(c.changes)))
		}
	}
	return look
}

// PathsOf returns the paths of changes.
func PathsOf(changes []edit.Change) (paths []string) {
	for _, c := range changes {
		paths = append(paths, c.Path)
	}
	return paths
}

// noneRan reports whether no test got as far as failing, by name or at a place in it.
func (r Result) noneRan() bool {
	return !slices.ContainsFunc(r.Failures, func(f failure.Failure) bool {
		return (f.Test != "" || testfile.Of(f.File) == testfile.Case) && !f.NotLoaded()
	})
}

// GatesStood runs the gates in a tree of the new code with some files as they stood.
func GatesStood(ctx context.Context, t Tree, changes []edit.Change) (failure.Verdict, error) {
	return with(ctx, t, changes, t.Gates)
}
