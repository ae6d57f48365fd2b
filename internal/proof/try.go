package proof

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/proof/mutant"
	"github.com/booty-cli/booty/pkg/edit"
)

// applier is what changes can be applied to.
type applier interface {
	Apply(changes []edit.Change) error
}

// with runs something with some changes applied, and takes them back.
func with[R any](ctx context.Context, t applier, changes []edit.Change,
	run func(context.Context) (R, error)) (r R, err error) {
	if err := t.Apply(changes); err != nil {
		return r, fmt.Errorf("write into a tree of booty's own: %w", err)
	}
	r, err = run(ctx)
	return r, errors.Join(err, t.Apply(backwards(changes)))
}

// backwards undoes changes.
func backwards(changes []edit.Change) []edit.Change {
	var out []edit.Change
	for _, c := range slices.Backward(changes) {
		switch c.Op {
		case edit.Create:
			c.Op, c.Old, c.New = edit.Delete, c.New, nil
		case edit.Delete:
			c.Op, c.Old, c.New = edit.Create, nil, c.Old
		default:
			c.Old, c.New = c.New, c.Old
		}
		out = append(out, c)
	}
	return out
}

// mutantResult is the result of a mutant.
type mutantResult struct {
	// tests noticed it; unbuilt says that it does not compile or load, late that it could
	// not be tried in time. Else it survived.
	tests   []string
	told    []failure.Failure
	killed  bool
	unbuilt bool
	late    bool
}

// resultOn returns what a run shows about a mutant; done is false if it passed. Only tests that
// pass without the mutant, if these are known, can notice it, and none that failed anyway: a runner
// may name a file that no longer loads as a test.
func resultOn(r Result, ignore []failure.ID, passing []string) (f mutantResult, done bool) {
	if r.TimedOut { // an endless loop is noticed
		return mutantResult{killed: true}, true
	}
	if r.Passed {
		return f, false
	}
	for _, x := range r.Failures {
		if x.Test == "" || x.ID().Among(ignore) || slices.Contains(r.Flaky, x.Test) ||
			!passes(x.Test, passing) {
			continue
		}
		if f.told = append(f.told, x); !slices.Contains(f.tests, x.Test) {
			f.tests = append(f.tests, x.Test)
		}
	}
	unloaded := slices.ContainsFunc(r.Failures, failure.Failure.NotLoaded)
	switch {
	case unloaded, r.Trouble != "", r.NoTests:
		return mutantResult{unbuilt: true}, true
	case len(f.tests) > 0:
		f.killed = true
		return f, true
	case len(r.Failures) > 0 && allAmong(r.Failures, ignore): // only what fails anyway
		return mutantResult{}, false
	}
	return mutantResult{unbuilt: true}, true
}

func allAmong(failures []failure.Failure, ids []failure.ID) bool {
	return !slices.ContainsFunc(failures,
		func(f failure.Failure) bool { return f.Test == "" || !f.ID().Among(ids) })
}

// changeOf is what makes a mutant of a file.
func (s Subject) changeOf(m mutant.Mutant) edit.Change {
	c := edit.Change{Op: edit.Modify, Path: m.Path, New: m.Text()}
	for _, f := range s.Sources {
		if f.Path == m.Path {
			c.Old, c.Mode = f.New, f.Mode
		}
	}
	return c
}

// maxConfirm bounds the mutants by which a test is asked whether it runs changed code.
const maxConfirm = 6

// Confirm checks a proof whose tests use names that the old code lacks: on a small change to the
// rest of the change one of them must fail. A missing name alone is no proof. open returns a tree
// of the new code.
func (s Subject) Confirm(ctx context.Context, open func(context.Context) (Tree, error),
	c Claim) (Claim, error) {
	if c.State != event.StateProven {
		return c, nil
	}
	missing := s.newNames()
	if len(missing) == 0 {
		return c, nil
	}
	all := mutant.Choose(besides(s.mutantsForTests(), missing), maxConfirm, s.seed())
	if len(all) == 0 {
		return c.unless(missing, "no changed line holds anything to try a small change on"), nil
	}
	t, err := open(ctx)
	if err != nil {
		return c, err
	}
	asked, err := c.runAlone(ctx, t)
	if err != nil {
		return c, err
	}
	tried := 0
	for _, m := range all {
		f, err := s.ask(ctx, t, m, asked)
		if err != nil {
			return c, err
		}
		if f.unbuilt {
			continue
		}
		if tried++; c.shownBy(f) {
			return c, nil
		}
	}
	if len(c.told) > 0 {
		return c.byTold(), nil
	}
	if tried == 0 {
		return c.unless(missing, "no small change to the rest of it builds"), nil
	}
	c.State, c.Tests, c.Failures = event.StateNotShown, []string{}, nil
	c.Reason = fmt.Sprintf("the new tests fail on the old code because it lacks %s; %s to the rest of the change made none of them fail",
		some(missing), smallChanges(tried))
	return c, nil
}

// runAlone are the failures whose tests are asked about mutants. Where the new tests did not build,
// they are those that can show the claim, if these pass alone.
func (c Claim) runAlone(ctx context.Context, t Tree) ([]failure.Failure, error) {
	var theirs []failure.Failure
	for _, name := range slices.Concat(c.fresh, c.changed) {
		theirs = append(theirs, failure.Failure{Test: name})
	}
	if len(c.Tests) > 0 || len(theirs) == 0 {
		return c.Failures, nil
	}
	if r, ran, err := t.Alone(ctx, theirs); err != nil || ran && r.Passed {
		return theirs, err
	}
	return c.Failures, nil
}

func smallChanges(n int) string {
	if n == 1 {
		return "1 small change"
	}
	return fmt.Sprintf("%d small changes", n)
}

// unless keeps what is proven where a test fails for more than want of some names.
func (c Claim) unless(missing []string, why string) Claim {
	for _, f := range c.Failures {
		if f.Test != "" && !slices.ContainsFunc(word().FindAllString(f.Message, -1),
			func(w string) bool { return slices.Contains(missing, w) }) {
			return c
		}
	}
	c.State, c.Reason = event.StateUntried,
		"the new tests fail on the old code because it lacks "+some(missing)+", and "+why
	return c
}

// shownBy reports whether the tests that noticed a mutant, and those before it, are those that
// show the claim. Where the new tests did not build, and have names, old tests that notice show
// nothing: they pass without the change as well. Those that expect something else all have to.
func (c *Claim) shownBy(f mutantResult) bool {
	if len(c.Tests) > 0 {
		return slices.ContainsFunc(f.tests, func(name string) bool { return slices.Contains(c.Tests, name) })
	}
	theirs := slices.Concat(c.fresh, c.changed)
	for _, x := range f.told {
		if (len(theirs) == 0 || failure.NamedIn(x.Test, theirs)) &&
			!slices.Contains(failure.Tests(c.told), x.Test) {
			c.told = append(c.told, x)
		}
	}
	noticed := failure.Tests(c.told)
	if len(noticed) == 0 || slices.ContainsFunc(c.changed,
		func(name string) bool { return !failure.NamedIn(name, noticed) }) {
		return false
	}
	*c = c.byTold()
	return true
}

// byTold is the claim as the tests show it that noticed mutants.
func (c Claim) byTold() Claim {
	c.Tests, c.Failures = failure.Tests(c.told), c.told
	return c
}

// ask runs the tests of some failures on a mutant, or the new tests.
func (s Subject) ask(ctx context.Context, t Tree, m mutant.Mutant,
	failures []failure.Failure) (f mutantResult, err error) {
	var files []string
	for _, n := range s.NewTests {
		files = append(files, n.Path)
	}
	_, err = with(ctx, t, []edit.Change{s.changeOf(m)}, func(ctx context.Context) (Result, error) {
		r, alone, err := t.Alone(ctx, failures)
		if err == nil && !alone {
			r, alone, err = t.Files(ctx, files)
		}
		if err == nil && !alone {
			r, err = t.Test(ctx)
		}
		f, _ = resultOn(r, nil, nil)
		return r, err
	})
	return f, err
}
