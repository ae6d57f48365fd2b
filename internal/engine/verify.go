package engine

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/booty-cli/booty/internal/proof"
)

// verifier runs the checks on the tree of the work, and what else has to run before their verdict
// counts: the tests on the unchanged code, the tests as they stood, a clean copy. It decides nothing
// about attempts.
type verifier struct {
	reporter
	checks  Checks
	trees   Trees
	changes Changes
	tree    *worktree
	before  before
	now     func() time.Time
	// testsMayGo and countTests are the options TestsMayGo and TestCount.
	testsMayGo, countTests bool
	// patience are the waits for the environment to recover.
	patience []time.Duration

	// last is what the last check found.
	last checked
	// unchanged is a full run on the unchanged code; nil if there was none.
	unchanged *proof.Result
}

// checked is what a check found and took.
type checked struct {
	verdict Verdict
	// state is the one that the verdict is on: fixes and lock files are in it. locks are these files.
	state State
	locks []string
	// ran is a full run that was green, of the state at; stood that of the tests as they stood, when
	// they last ran; nil where the work touched none.
	ran   proof.Result
	at    State
	stood *proof.Result
	took  time.Duration
}

// verify runs the checks on the tree in state s and restores what they changed, except what a
// fix_command did to the paths that the proposals named: the returned state has that.
func (v *verifier) verify(ctx context.Context, in VerifyInput, s State, named []string) (checked, error) {
	c := v.last
	c.state, c.locks = s, nil
	in.Report, in.Baseline, in.Named = v.checkFinished, v.before.Baseline, named
	in.LeaveOut = v.before.Baseline == nil
	in.Fixed = func(ctx context.Context) (err error) {
		c.state, err = v.tree.keepFixed(ctx, c.state, named)
		return err
	}
	k := v.before.known()
	if !k.none() {
		in.Known, in.Previous = k.has, slices.DeleteFunc(slices.Clone(in.Previous), k.has)
	}
	// Failures are tried twice where a flake would do harm. After a green baseline it would
	// cost an attempt. At the baseline it would be work for refine, and count as evidence
	// once it is gone.
	in.Twice = v.before.Baseline == nil || v.before.Baseline.Green && len(in.Previous) == 0
	began := v.now()
	found, err := v.checks.Verify(ctx, in)
	c.took = v.now().Sub(began)
	if err == nil {
		c.state, c.locks, err = v.tree.afterChecks(ctx, c.state, named)
	} else {
		_, _, e := v.tree.afterChecks(ctx, c.state, nil)
		err = errors.Join(err, e)
	}
	if err != nil {
		return c, err
	}
	if flakes := found.flakes(); len(flakes) > 0 {
		v.notice("warning", "flaky, passed when run again alone: "+list(flakes))
	}
	c.verdict = found
	c, err = v.weigh(ctx, in, c, k)
	v.last = c
	return c, err
}

// again runs the full commands on an earlier state; the tree is left in it.
func (v *verifier) again(ctx context.Context, s State, n int) (Verdict, error) {
	if err := v.tree.goTo(ctx, s); err != nil {
		return Verdict{}, err
	}
	c, err := v.verify(ctx, VerifyInput{Attempt: n, Full: true}, s, nil)
	if err == nil && c.verdict.outside() {
		err = c.verdict.fault(true)
	}
	return c.verdict, err
}

// old checks the code from before earlier work that is continued; what follows from it reports that.
func (v *verifier) old(ctx context.Context) (Verdict, error) {
	return inTree(ctx, v.trees, v.before.oldCommit, TreeOptions{Bare: true},
		func(t Tree) (Verdict, error) { return t.Verify(ctx) })
}

// judgeOld has the checks judge the code from before earlier work that fails.
func (v *verifier) judgeOld(ctx context.Context, now Verdict) error {
	if !v.before.continued() || now.Green || v.before.mustPass {
		return nil
	}
	old, err := v.old(ctx)
	if err == nil {
		old = old.Unchanged()
		v.before.Old = &old
	}
	return err
}

// weigh makes of what the checks say of a state what it means for the run: the baseline is
// taken as it is, after it old failures are set apart and green is doubted.
func (v *verifier) weigh(ctx context.Context, in VerifyInput, c checked, k known) (_ checked, err error) {
	if v.before.Baseline == nil {
		c.verdict, err = v.requireTestCount(ctx, c.verdict.Unchanged(), c.state)
		return c, err
	}
	if c.verdict, err = v.failsUnchanged(ctx, c.verdict.excludeKnown(k)); err != nil {
		return c, err
	}
	if c.verdict, err = v.requireTestCount(ctx, c.verdict, c.state); err != nil {
		return c, err
	}
	c.ran, c.at = proof.Result{}, State{}
	if c.verdict.Green && !in.DocsOnly { // otherwise there is nothing to compare
		c.ran, c.at = v.before.resultOf(c.verdict), c.state
		if c, err = v.runOriginalTests(ctx, in.Attempt, c); err != nil {
			return c, err
		}
	}
	c.verdict.Ran, c.verdict.RanBadly, c.verdict.Rows = nil, nil, nil // not needed any more, and large
	return c, nil
}

// flakes are the tests that failed and then passed without a code change, alone and in the
// full suite. One that passes alone and fails again in the full suite depends on the order:
// that is a failure. So is one that a second run which names no test does not clear.
func (v Verdict) flakes() []string {
	var names []string
	for _, x := range v.Reran {
		for _, name := range x.Failed {
			if x.Passed || len(x.Still) > 0 && !slices.Contains(x.Still, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// Unchanged is the verdict on a tree that no proposal has changed: a timeout there is not the
// work's fault.
func (v Verdict) Unchanged() Verdict {
	if v.Hung != "" && v.Environment == "" {
		v.Environment = v.Hung
		v.Hint = "run it by hand: raise timeout in .booty.yml if it only takes longer, fix what it waits for if it hangs"
	}
	return v
}
