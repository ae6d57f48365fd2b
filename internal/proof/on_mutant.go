package proof

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/proof/mutant"
	"github.com/booty-cli/booty/pkg/edit"
)

// killers is what can notice a mutant.
type killers struct {
	// alone are failures of the tests that show the change, and were seen to pass alone. soon says
	// that they run first.
	alone []failure.Failure
	soon  bool
	// passing are the tests that pass without the mutant, if these are known; the others are to be
	// ignored.
	passing []string
	ignore  []failure.ID
	*controls
}

// controls is what is known of ways to run tests without a mutant.
type controls struct {
	mu     sync.Mutex
	passes map[string]bool
}

// way is a way to run the tests: those of Files, or all if there are no files. first ends at the
// first failure.
type way struct {
	files []string
	first bool
}

func (w way) String() string {
	return strings.Join(w.files, "\n") + map[bool]string{true: " first"}[w.first]
}

// plain reports whether it is the test command as it is, which passes without a mutant.
func (w way) plain() bool { return len(w.files) == 0 && !w.first }

func (w way) run(ctx context.Context, t Tree) (r Result, ran bool, err error) {
	switch {
	case w.first:
		return t.UntilFailure(ctx, w.files)
	case len(w.files) > 0:
		return t.Files(ctx, w.files)
	}
	r, err = t.Test(ctx)
	return r, true, err
}

// try runs tests on a mutant until one notices it: those that show the change, then those that are
// likely to touch the mutant's file, then all.
func (s Subject) try(ctx context.Context, t Tree, m mutant.Mutant, k killers) (f mutantResult, err error) {
	files := []string{m.Path}
	for _, c := range s.NewTests {
		files = append(files, c.Path)
	}
	if s.TestFiles != nil {
		tests, err := s.TestFiles(ctx)
		if err != nil {
			return f, err
		}
		files = append(files, namedLike(m.Path, tests)...)
	}
	for {
		var by way
		f, err = with(ctx, t, []edit.Change{s.changeOf(m)}, func(ctx context.Context) (f mutantResult, err error) {
			f, by, err = k.notice(ctx, t, files)
			return f, err
		})
		if err != nil || !f.killed || by.plain() || k.passAlone(f) {
			return f, err
		}
		if passes, err := k.control(ctx, t, by); err != nil || passes {
			return f, err
		}
	}
}

// notice runs tests on a mutant. by is how those ran that noticed it.
func (k killers) notice(ctx context.Context, t Tree, files []string) (f mutantResult, by way, err error) {
	if k.soon && len(k.alone) > 0 {
		r, ran, err := t.Alone(ctx, k.alone)
		if f, _ = resultOn(r, k.ignore, k.passing); err != nil || ran && f.certain(r) {
			return f, way{}, err
		}
	}
	for _, some := range [][]string{files, nil} {
		for _, by = range []way{{some, true}, {some, false}} {
			if passes, known := k.known(by); known && !passes {
				continue
			}
			r, ran, err := by.run(ctx, t)
			if err != nil {
				return f, by, err
			}
			if !ran {
				continue
			}
			var done bool
			if f, done = resultOn(r, k.ignore, k.passing); r.Passed {
				break // the others may notice it
			}
			// What ended the run may be a test that fails anyway.
			if done && (!by.first || f.certain(r)) {
				return f, by, nil
			}
		}
	}
	return f, by, nil
}

// certain reports whether the rest of a run that ended at the first failure cannot change the result.
func (f mutantResult) certain(r Result) bool {
	return f.killed || f.unbuilt && slices.ContainsFunc(r.Failures, failure.Failure.NotLoaded)
}

// passAlone reports whether a test that noticed a mutant was seen to pass alone.
func (k killers) passAlone(f mutantResult) bool {
	return len(f.tests) == 0 || slices.ContainsFunc(f.tests,
		func(name string) bool { return slices.Contains(failure.Tests(k.alone), name) })
}

// known reports whether tests pass in a way without a mutant, where that was tried.
func (c *controls) known(w way) (passes, known bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	passes, known = c.passes[w.String()]
	return passes, known
}

// control runs tests without a mutant in the way in which they noticed one: code that reads the
// arguments of its process may notice those of the runner.
func (k killers) control(ctx context.Context, t Tree, w way) (bool, error) {
	if passes, known := k.known(w); known {
		return passes, nil
	}
	r, _, err := w.run(ctx, t)
	if err != nil {
		return false, err
	}
	f, _ := resultOn(r, k.ignore, k.passing)
	passes := r.Passed || !f.killed && !f.unbuilt
	k.mu.Lock()
	defer k.mu.Unlock()
	k.passes[w.String()] = passes
	return passes, nil
}
