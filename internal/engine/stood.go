package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/proof"
	"github.com/booty-cli/booty/pkg/edit"
)

// Swap holds the changes that put the tests as they stood before the work over a state.
type Swap struct {
	proof.Swap
	// Gates put back scripts and settings of gates.
	Gates []edit.Change
	// Old are the changed files that held tests before or configure how tests run, Unsplit those
	// that mix tests and product inseparably.
	Old, Unsplit []string
}

// none says that the work touches nothing for which the old tests must run.
func (s Swap) none() bool { return len(s.Gates) == 0 && s.noTests() }

func (s Swap) noTests() bool { return s.None() && len(s.Unsplit) == 0 }

// errNeedsReview marks the end of a run whose work passes, but not with the tests
// as they stood: whether it may change what they expect is for a person to say.
var errNeedsReview = errors.New("a person must judge")

// runOriginalTests has the tests as they stood say what they think of a green state that
// changes tests, in a tree beside that of the work.
func (r *run) runOriginalTests(ctx context.Context, in VerifyInput, v Verdict, s State) (Verdict, error) {
	r.checked.stood = nil
	if v.contradicts(r.m.Baseline) {
		return v.contradicted(), nil
	}
	if r.o.TestsMayGo {
		return r.countGuard(v), nil
	}
	swap, err := r.Changes.AsTheyStood(ctx, s)
	if err != nil || swap.none() {
		return r.countGuard(v), err
	}
	v.Review = append(v.Review, about("changes existing tests, or how they run", swap.Old)...)
	v.Review = append(v.Review,
		about("changes tests inside product code, which cannot be separated from it", swap.Unsplit)...)
	o := TreeOptions{Report: asTheyStood(in.Attempt, in.Report)}
	return inTree(ctx, r.Trees, s.Commit, o,
		func(t Tree) (Verdict, error) { return r.askStood(ctx, in, v, swap, t) })
}

// askStood runs the tests as they stood, and the gates where what they are made of was changed.
func (r *run) askStood(ctx context.Context, in VerifyInput, v Verdict, swap Swap,
	tree proof.Tree) (Verdict, error) {
	if held, err := r.gatesStood(ctx, v, swap, tree); err != nil || held != nil {
		return *cmp.Or(held, &v), err
	}
	if swap.noTests() {
		return r.countGuard(v), nil
	}
	old, err := swap.Run(ctx, tree, r.resultBefore(), r.resultOf(v))
	if err != nil {
		return v, err
	}
	v.Review = append(v.Review, swap.Words(old)...)
	r.checked.stood = &old.Result
	v = r.weighOld(in.Attempt, v, old.Result)
	if v.Held == HeldStood && old.Data {
		v.Text += "\nWith " + list(proof.PathsOf(swap.Data)) + " as before the work they pass: " +
			"leave what they read as it was, and add to it.\n"
	}
	return v, nil
}

// gatesStood runs the gates with their scripts and settings as they stood, if these were changed;
// nil if they pass. If they cannot even run with the old build files, only their own files are put
// back.
func (r *run) gatesStood(ctx context.Context, v Verdict, swap Swap, tree proof.Tree) (*Verdict, error) {
	for _, gates := range [][]edit.Change{slices.Concat(swap.Gates, swap.Builds), swap.Gates} {
		if len(gates) == 0 {
			return nil, nil
		}
		ran, err := proof.GatesStood(ctx, tree, gates)
		old := (Verdict{Verdict: ran}).excludeKnown(r.known())
		if err != nil || old.Green {
			return nil, err
		}
		if len(ran.Findings) > 0 || len(gates) == len(swap.Gates) {
			files := list(proof.PathsOf(gates))
			v.Stood = []string{"the quality gates, with " + files + " as before"}
			v = v.held(HeldStood,
				"the quality gates fail with their scripts and settings as they stood: "+files, "gates:"+old.Signature,
				"The checks pass with what the quality gates are made of as you have changed it. But with "+files+
					" as before the work they fail:\n"+old.Text+"\nLeave it as it was, and fix what they find. If the task asks that it changes, "+
					"say so without edits: a person decides.")
			return &v, nil
		}
	}
	return nil, nil
}

// asTheyStood reports checks as those of the tests as they stood.
func asTheyStood(attempt int, report func(event.CheckFinished)) func(event.CheckFinished) {
	return func(e event.CheckFinished) {
		e.Attempt, e.Role = attempt, event.AsTheyStood
		report(e)
	}
}

// weighOld holds a verdict against what the tests as they stood said.
func (r *run) weighOld(attempt int, v Verdict, old proof.Result) Verdict {
	before, after := r.resultBefore(), r.resultOf(v)
	broken, why := proof.StoodFails(before, after, old)
	if broke := proof.Fixed(after, old); len(broken) == 0 && why == "" && len(broke) > 0 {
		names := list(failure.Tests(broke))
		v.TestsFailed, v.Failing = true, failure.CountTests(broke)
		return v.held(HeldUnproven, "it fails since it was changed, and passes as it stood: "+names,
			"changed:"+names,
			"These tests fail as you have changed them, and pass as they stood: "+names+".\n")
	}
	failed := failure.Tests(broken)
	lost := proof.Missing(r.resultBaseline(), old)
	v.StoodPassed = len(failed) == 0 && why == "" && old.Trouble == "" && lost.N == 0
	r.emit(event.TestsStood{Attempt: attempt, Passed: v.StoodPassed, Failed: failed})
	switch {
	case old.Trouble != "":
		v.Environment = old.Trouble
		return v.held(HeldUnproven, "the tests as they stood cannot be run: "+old.Trouble,
			"stood:"+old.Trouble, old.Text)
	case v.StoodPassed:
		return v
	case len(failed) == 0 && why == "":
		return v.lacks(lost)
	}
	if v.Stood = failed; len(failed) == 0 {
		v.Stood = []string{firstLine(old.Text + why)}
	}
	v.StoodFailures = broken
	return v.held(HeldStood, "the tests as they stood before fail with it: "+list(v.Stood),
		"stood:"+list(v.Stood),
		"The checks pass with the tests as you have changed them. But the tests as they stood before the work fail with the new code: "+
			list(v.Stood)+"\n"+old.Text)
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
	return v.held(HeldUnproven, short, "contradicted:"+short,
		"The test command ended with 0, but its own report counts "+
			tests(v.Failing)+" that failed. Nothing may change with what result the tests end.\n")
}

// about says the same of files; nothing of none.
func about(what string, paths []string) []string {
	if len(paths) == 0 {
		return nil
	}
	return []string{what + ": " + list(paths)}
}

// insists reports whether an attempt passes, but not with the tests as they stood, and the model
// was told so.
func (r *run) insists(a Attempt) bool {
	told, stood := r.m.OldTestsReported, a.Verdict.Held == HeldStood
	r.m.OldTestsReported = told || stood
	return stood && (told || a.N == r.max())
}

// forPerson ends the run with an attempt that a person must judge, who reads what is shown of
// it.
func (r *run) forPerson(ctx context.Context, a Attempt) error {
	s := a.State
	if !r.o.Refine && (r.m.ForReview == nil || *r.m.ForReview != s) {
		if err := r.proveForPerson(ctx, &a); err != nil {
			return err
		}
	}
	r.m.ForReview = &s
	if err := r.save(ctx); err != nil {
		return err
	}
	return r.mustBeJudged()
}

// proveForPerson makes the claims of green work about work that a person must judge.
func (r *run) proveForPerson(ctx context.Context, a *Attempt) error {
	p, err := r.proveAgain(ctx, a)
	if err != nil {
		return err
	}
	r.tellEvidence(p.evidence())
	r.tellProof(p)
	return nil
}

// mustBeJudged is the end of a run that passes, but not with the tests as they stood.
func (r *run) mustBeJudged() error {
	var names []string
	if a := r.m.forReview(); a != nil {
		names = a.Verdict.Stood
	}
	reason := ""
	if r.m.StoodReason != "" {
		reason = fmt.Sprintf("; the model says: %q", r.m.StoodReason)
	}
	return fault.New(fault.Exhausted, "if the task asks for that: booty resume --accept",
		"the checks pass, but these fail as they stood before the change, which %w: %s%s", errNeedsReview, list(names), reason)
}

// forReview returns the attempt that a person must judge; nil if there is none.
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
		a.Verdict.Green, a.Verdict.Held, a.Verdict.Unproven = true, "", "" // a person has decided
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
