package engine

import (
	"cmp"
	"context"
	"slices"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
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

// withOriginalTests runs the tests as they stood on a green state that no attempt made, and returns
// its verdict then.
func (v *verifier) withOriginalTests(ctx context.Context, green Verdict, s State) (Verdict, error) {
	c := v.last
	c.verdict, c.state = green, s
	c, err := v.runOriginalTests(ctx, 0, c)
	v.last = c
	return c.verdict, err
}

// runOriginalTests has the tests as they stood say what they think of a green state that
// changes tests, in a tree beside that of the work.
func (v *verifier) runOriginalTests(ctx context.Context, attempt int, c checked) (checked, error) {
	c.stood = nil
	if c.verdict.contradicts(v.before.Baseline) {
		c.verdict = c.verdict.contradicted()
		return c, nil
	}
	if v.testsMayGo {
		c.verdict = v.countGuard(c.verdict)
		return c, nil
	}
	swap, err := v.changes.AsTheyStood(ctx, c.state)
	if err != nil || swap.none() {
		c.verdict = v.countGuard(c.verdict)
		return c, err
	}
	c.verdict.Review = append(c.verdict.Review, about("changes existing tests, or how they run", swap.Old)...)
	c.verdict.Review = append(c.verdict.Review,
		about("changes tests inside product code, which cannot be separated from it", swap.Unsplit)...)
	o := TreeOptions{Report: asTheyStood(attempt, v.checkFinished)}
	return inTree(ctx, v.trees, c.state.Commit, o,
		func(t Tree) (checked, error) { return v.askStood(ctx, attempt, c, swap, t) })
}

// askStood runs the tests as they stood, and the gates where what they are made of was changed.
func (v *verifier) askStood(ctx context.Context, attempt int, c checked, swap Swap,
	tree proof.Tree) (checked, error) {
	if held, err := v.gatesStood(ctx, c.verdict, swap, tree); err != nil || held != nil {
		c.verdict = *cmp.Or(held, &c.verdict)
		return c, err
	}
	if swap.noTests() {
		c.verdict = v.countGuard(c.verdict)
		return c, nil
	}
	old, err := swap.Run(ctx, tree, v.before.result(), v.before.resultOf(c.verdict))
	if err != nil {
		return c, err
	}
	c.verdict.Review = append(c.verdict.Review, swap.Words(old)...)
	c.stood = &old.Result
	c.verdict = v.weighOld(attempt, c.verdict, old.Result)
	if c.verdict.Held == HeldStood && old.Data {
		c.verdict.Text += "\nWith " + list(proof.PathsOf(swap.Data)) + " as before the work they pass: " +
			"leave what they read as it was, and add to it.\n"
	}
	return c, nil
}

// gatesStood runs the gates with their scripts and settings as they stood, if these were changed;
// nil if they pass. If they cannot even run with the old build files, only their own files are put
// back.
func (v *verifier) gatesStood(ctx context.Context, green Verdict, swap Swap, tree proof.Tree) (*Verdict, error) {
	for _, gates := range [][]edit.Change{slices.Concat(swap.Gates, swap.Builds), swap.Gates} {
		if len(gates) == 0 {
			return nil, nil
		}
		ran, err := proof.GatesStood(ctx, tree, gates)
		old := (Verdict{Verdict: ran}).excludeKnown(v.before.known())
		if err != nil || old.Green {
			return nil, err
		}
		if len(ran.Findings) > 0 || len(gates) == len(swap.Gates) {
			files := list(proof.PathsOf(gates))
			green.Stood = []string{"the quality gates, with " + files + " as before"}
			green = green.held(HeldStood,
				"the quality gates fail with their scripts and settings as they stood: "+files, "gates:"+old.Signature,
				"The checks pass with what the quality gates are made of as you have changed it. But with "+files+
					" as before the work they fail:\n"+old.Text+"\nLeave it as it was, and fix what they find. If the task asks that it changes, "+
					"say so without edits: a person decides.")
			return &green, nil
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
func (v *verifier) weighOld(attempt int, green Verdict, old proof.Result) Verdict {
	before, after := v.before.result(), v.before.resultOf(green)
	broken, why := proof.StoodFails(before, after, old)
	if broke := proof.Fixed(after, old); len(broken) == 0 && why == "" && len(broke) > 0 {
		names := list(failure.Tests(broke))
		green.TestsFailed, green.Failing = true, failure.CountTests(broke)
		return green.held(HeldUnproven, "it fails since it was changed, and passes as it stood: "+names,
			"changed:"+names,
			"These tests fail as you have changed them, and pass as they stood: "+names+".\n")
	}
	failed := failure.Tests(broken)
	lost := proof.Missing(v.before.startResult(), old)
	green.StoodPassed = len(failed) == 0 && why == "" && old.Trouble == "" && lost.N == 0
	v.emit(event.TestsStood{Attempt: attempt, Passed: green.StoodPassed, Failed: failed})
	switch {
	case old.Trouble != "":
		green.Environment = old.Trouble
		return green.held(HeldUnproven, "the tests as they stood cannot be run: "+old.Trouble,
			"stood:"+old.Trouble, old.Text)
	case green.StoodPassed:
		return green
	case len(failed) == 0 && why == "":
		return green.lacks(lost)
	}
	if green.Stood = failed; len(failed) == 0 {
		green.Stood = []string{firstLine(old.Text + why)}
	}
	green.StoodFailures = broken
	return green.held(HeldStood, "the tests as they stood before fail with it: "+list(green.Stood),
		"stood:"+list(green.Stood),
		"The checks pass with the tests as you have changed them. But the tests as they stood before the work fail with the new code: "+
			list(green.Stood)+"\n"+old.Text)
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
