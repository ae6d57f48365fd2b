package engine

import (
	"context"
	"errors"
	"slices"

	"github.com/booty-cli/booty/internal/proof"
)

// verify runs the checks on the tree in state s and restores what they changed, except what a
// fix_command did to the paths that the proposals named: the returned state has that.
func (r *run) verify(ctx context.Context, in VerifyInput, s State, named []string) (Verdict, State, error) {
	in.Report, in.Baseline, in.Named = r.check, r.m.Baseline, named
	in.LeaveOut = r.m.Baseline == nil
	in.Fixed = func(ctx context.Context) error {
		now, err := r.tree.keepFixed(ctx, s, named)
		s = now
		return err
	}
	k := r.known()
	if !k.none() {
		in.Known, in.Previous = k.has, slices.DeleteFunc(slices.Clone(in.Previous), k.has)
	}
	// Failures are tried twice where a flake would do harm. After a green baseline it would
	// cost an attempt. At the baseline it would be work for refine, and count as evidence
	// once it is gone.
	in.Twice = r.m.Baseline == nil || r.m.Baseline.Green && len(in.Previous) == 0
	began := r.Now()
	v, err := r.Checks.Verify(ctx, in)
	r.checked.took = r.Now().Sub(began)
	if err == nil {
		var locks []string
		s, locks, err = r.tree.afterChecks(ctx, s, named)
		r.followed = append(r.followed, locks...)
	} else {
		_, _, e := r.tree.afterChecks(ctx, s, nil)
		err = errors.Join(err, e)
	}
	if err != nil {
		return Verdict{}, s, err
	}
	if flakes := v.flakes(); len(flakes) > 0 {
		r.notice("warning", "flaky, passed when run again alone: "+list(flakes))
	}
	v, err = r.weigh(ctx, in, v, s, k)
	return v, s, err
}

// weigh makes of what the checks say of a state what it means for the run: the baseline is
// taken as it is, after it old failures are set apart and green is doubted.
func (r *run) weigh(ctx context.Context, in VerifyInput, v Verdict, s State, k known) (_ Verdict, err error) {
	if r.m.Baseline == nil {
		return r.requireTestCount(ctx, v.Unchanged(), s)
	}
	if v, err = r.failsUnchanged(ctx, v.excludeKnown(k)); err != nil {
		return Verdict{}, err
	}
	if v, err = r.requireTestCount(ctx, v, s); err != nil {
		return Verdict{}, err
	}
	r.checked.ran, r.checked.at = proof.Result{}, State{}
	if v.Green && !in.DocsOnly { // otherwise there is nothing to compare
		r.checked.ran, r.checked.at = r.resultOf(v), s
		if v, err = r.runOriginalTests(ctx, in, v, s); err != nil {
			return Verdict{}, err
		}
	}
	v.Ran, v.RanBadly, v.Rows = nil, nil, nil // not needed any more, and large
	return v, nil
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
