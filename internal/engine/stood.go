package engine

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/pkg/edit"
)

// Swap is what makes of a state the same product with the tests as they stood
// before the work.
type Swap struct {
	// Tests put every test file back, Builds every file of which a part speaks of tests.
	Tests, Builds []edit.Change
	// Old are those of the files that stood before, or say how tests run, Shared those
	// that product code uses as well, Unsplit those that hold tests and product of which neither can
	// be had alone.
	Old, Shared, Unsplit []string
}

// none says that the work touches no file of tests.
func (s Swap) none() bool { return len(s.Tests)+len(s.Builds)+len(s.Unsplit) == 0 }

// OldTestFiles know the tests as they stood.
type OldTestFiles interface {
	AsTheyStood(ctx context.Context, s State) (Swap, error)
}

// errNeedsReview marks the end of a run whose work passes, but not with the tests
// as they stood: whether it may change what they expect is for a person to say.
var errNeedsReview = errors.New("a person must judge")

// runOriginalTests has the tests as they stood say what they think of a green state that
// changes tests.
func (r *run) runOriginalTests(ctx context.Context, in VerifyInput, v Verdict, s State) (Verdict, error) {
	if v.contradicts(r.m.Baseline) {
		return v.contradicted(), nil
	}
	if r.Stood == nil || r.o.TestsMayGo {
		return r.countGuard(v), nil
	}
	swap, err := r.Stood.AsTheyStood(ctx, s)
	if err != nil || swap.none() {
		return r.countGuard(v), err
	}
	in.Tidying = r.tidying || in.Tidying
	v.Review = append(v.Review, about("changes existing tests, or how they run", swap.Old)...)
	v.Review = append(v.Review, about("changes tests inside product code, which cannot be separated from it", swap.Unsplit)...)
	v.Review = append(v.Review, r.vanished(v)...)
	old, review, err := r.testsAsTheyStood(ctx, in, s, swap)
	if err != nil {
		return v, err
	}
	v.Review = append(v.Review, review...)
	return r.weighOld(in.Attempt, v, old), nil
}

// testsAsTheyStood runs them on a state: with the build files as they stood or, where
// nothing builds then, as they are; and once more with what product code uses as it is now.
func (r *run) testsAsTheyStood(ctx context.Context, in VerifyInput, s State, swap Swap) (old Verdict, review []string, err error) {
	changes := slices.Concat(swap.Tests, swap.Builds)
	old, err = r.withOldTests(ctx, in, s, changes)
	if err == nil && !old.Green && len(swap.Builds) > 0 && unbuilt(old.Failures) && old.Signature != r.m.Baseline.Signature {
		changes = swap.Tests
		if old, err = r.withOldTests(ctx, in, s, changes); old.Green {
			review = about("the old tests pass only with the changed build files", pathsOf(swap.Builds))
		}
	}
	if rest := without(changes, swap.Shared); err == nil && old.Green && len(rest) > 0 && len(rest) < len(changes) {
		old, err = r.withOldTests(ctx, in, s, rest)
	}
	return old, review, err
}

// weighOld holds a verdict against that of the tests as they stood.
func (r *run) weighOld(attempt int, v, old Verdict) Verdict {
	failed := failure.Tests(old.Failures)
	for _, name := range old.Known { // it failed before, and passes only since it was changed
		if !slices.Contains(v.Known, name) {
			failed = append(failed, name)
		}
	}
	if broke := slices.DeleteFunc(slices.Clone(v.Known), func(name string) bool { return slices.Contains(old.Known, name) }); old.Green && len(broke) > 0 {
		v.TestsFailed, v.Failing = true, len(broke)
		return v.held(HeldUnproven, "it fails since it was changed, and passes as it stood: "+list(broke), "changed:"+list(broke),
			"These tests fail as you have changed them, and pass as they stood: "+list(broke)+".\n")
	}
	v.StoodPassed = old.Green && len(failed) == 0
	r.emit(event.TestsStood{Attempt: attempt, Passed: v.StoodPassed, Failed: failed})
	if v.StoodPassed {
		return v
	}
	if old.outside() || old.Held == HeldLost {
		return old
	}
	if v.Stood = failed; len(failed) == 0 {
		v.Stood = []string{firstLine(old.Words() + old.Text)}
	}
	return v.held(HeldStood, "the tests as they stood before fail with it: "+list(v.Stood), "stood:"+old.Signature+list(v.Stood),
		"The checks pass with the tests as you have changed them. But the tests as they stood before the work fail with the new code:\n"+
			old.Text+"\n"+list(v.Stood)+"\nUnless the task asks for just that, restore the behavior that they expect, and leave them as they were. "+
			"If the task does ask for it, say so without edits: a person will judge it.")
}

// contradicts reports whether the test command ended well, while its own report counts
// failures: something ended the process with another result. A command for which that
// was so before may be meant so.
func (v Verdict) contradicts(before *Verdict) bool {
	failed := func(v Verdict) bool { return v.Counts.Failed != nil && *v.Counts.Failed > 0 }
	return failed(v) && len(v.Known) == 0 && !(before.Green && failed(*before))
}

func (v Verdict) contradicted() Verdict {
	v.TestsFailed, v.Failing = true, *v.Counts.Failed
	short := "the test command ended well, but its report counts " + tests(v.Failing) + " that failed"
	return v.held(HeldUnproven, short, "contradicted:"+short, "The test command ended with 0, but its own report counts "+
		tests(v.Failing)+" that failed. Nothing may change with what result the tests end.\n")
}

// about says the same of files; nothing of none.
func about(what string, paths []string) []string {
	if len(paths) == 0 {
		return nil
	}
	return []string{what + ": " + list(paths)}
}

func pathsOf(changes []edit.Change) []string {
	var out []string
	for _, c := range changes {
		out = append(out, c.Path)
	}
	return out
}

func without(changes []edit.Change, paths []string) []edit.Change {
	return slices.DeleteFunc(slices.Clone(changes), func(c edit.Change) bool { return slices.Contains(paths, c.Path) })
}

// unbuilt reports whether no test came so far as to fail.
func unbuilt(failures []failure.Failure) bool {
	return !slices.ContainsFunc(failures, func(f failure.Failure) bool { return f.Test != "" && !f.NotLoaded() })
}

// withOldTests runs the test command on s with some files as they stood, and
// brings s back.
func (r *run) withOldTests(ctx context.Context, in VerifyInput, s State, changes []edit.Change) (v Verdict, err error) {
	report := in.Report
	in.Report = func(e event.CheckFinished) {
		e.Role = event.AsTheyStood
		report(e)
	}
	if v, err = r.swapped(ctx, in, s, changes); err != nil {
		return v, err
	}
	if v = v.excludeKnown(r.known()); v.Green {
		v = r.countGuard(v)
	}
	return v, nil
}

// swapped runs tests on s with some files written over it, and brings s back.
func (r *run) swapped(ctx context.Context, in VerifyInput, s State, changes []edit.Change) (v Verdict, err error) {
	whole := context.WithoutCancel(ctx)
	if len(changes) > 0 {
		r.tree = State{}
		swapped, err := r.Workspace.Swap(ctx, s, changes)
		if err != nil {
			return v, errors.Join(err, r.restore(whole, s))
		}
		r.tree = swapped
	}
	in.Full, in.TestsOnly, in.Tidying, in.Previous, in.Named, in.Fixed = true, true, true, nil, nil, nil
	v, err = r.Checks.Verify(ctx, in)
	if r.tree != s {
		err = errors.Join(err, r.restore(whole, s))
	}
	return v, err
}

// insists says that an attempt passes, but not with the tests as they stood, and
// that the model has heard of it.
func (r *run) insists(a Attempt) bool {
	told, stood := r.m.StoodTold, a.Verdict.Held == HeldStood
	r.m.StoodTold = told || stood
	return stood && (told || a.N == r.max())
}

// forPerson ends the run with an attempt that a person must judge.
func (r *run) forPerson(ctx context.Context, a Attempt) error {
	s := a.State
	r.m.ForReview = &s
	if err := r.save(ctx); err != nil {
		return err
	}
	return r.mustBeJudged()
}

// mustBeJudged is the end of a run that passes, but not with the tests as they stood.
func (r *run) mustBeJudged() error {
	var names []string
	if a := r.m.forReview(); a != nil {
		names = a.Verdict.Stood
	}
	return fault.New(fault.Exhausted, "review them; booty resume --test-edits allow accepts the change",
		"everything passes, but the tests as they stood before fail, which %w: %s", errNeedsReview, list(names))
}

// forReview gives the attempt that a person must judge, nil where none is.
func (m *Memory) forReview() *Attempt {
	if m.ForReview == nil {
		return nil
	}
	for i := range m.Attempts {
		if a := &m.Attempts[i]; a.State == *m.ForReview {
			return a
		}
	}
	return nil
}

// takeReviewed checks the attempt that a person has allowed.
func (r *run) takeReviewed(ctx context.Context) (bool, error) {
	a := r.m.forReview()
	if a == nil {
		return false, nil
	}
	v, err := r.verifyAgain(ctx, a.State, a.N)
	if err != nil {
		return false, err
	}
	r.m.ForReview, a.Verdict = nil, v
	if v.Green {
		if err := r.evidence(ctx, a); err != nil {
			return false, err
		}
	}
	r.m.Current, r.m.Standing = a.State, a.Verdict
	if a.Verdict.Green {
		a.Outcome = event.Green
		r.finished(*a)
	}
	return a.Verdict.Green, r.save(ctx)
}

// reviewOf says what of a verdict a person must look at before it is merged.
func (v Verdict) reviewOf() []string {
	out := slices.Clone(v.Review)
	if len(v.Stood) > 0 {
		out = slices.Insert(out, 0, "these tests fail as they stood before: "+strings.Join(v.Stood, ", "))
	}
	return out
}

// vanished says which tests of the baseline a green run lacks.
func (r *run) vanished(v Verdict) []string {
	if lost := r.missing(v); lost.n > 0 {
		return []string{lost.words}
	}
	return nil
}
