package proof

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
)

// sideRun is a run of all tests.
type sideRun struct {
	r    Result
	took time.Duration
	done bool
}

// timed runs the tests in a tree.
func (p *Prover) timed(ctx context.Context, open func(context.Context) (Tree, error)) (sideRun, error) {
	t, err := open(ctx)
	if err != nil {
		return sideRun{}, err
	}
	began := p.Now()
	r, err := t.Test(ctx)
	return sideRun{r, p.Now().Sub(began), err == nil}, err
}

// tell reports one.
func (p *Prover) tell(step string, s sideRun) {
	p.step(step, s.r.Passed, s.r.words(), p.Now().Add(-s.took))
}

// atOnce runs two parts of a proof that use a tree each, at once or one after the other.
func atOnce(ctx context.Context, together bool, first, second func(context.Context) error) error {
	if !together {
		if err := first(ctx); err != nil {
			return err
		}
		return second(ctx)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var errs [2]error
	var both sync.WaitGroup
	for i, part := range []func(context.Context) error{first, second} {
		both.Go(func() {
			if errs[i] = part(ctx); errs[i] != nil {
				stop()
			}
		})
	}
	both.Wait()
	return errors.Join(errs[:]...)
}

// runBoth runs the tests on both sides, at once if that is allowed. Tests may disturb each other,
// over a port or a file: a side that ends differently from the other runs again by itself. If that
// makes a difference, nothing else runs at once.
func (p *Prover) runBoth(ctx context.Context) (before, after sideRun, err error) {
	together := p.Workers > 1
	if together { // what setup made on one side is copied to the other before tests write there
		if _, err := p.newTree(ctx); err != nil {
			return before, after, err
		}
	}
	err = atOnce(ctx, together,
		func(ctx context.Context) (err error) {
			if before, err = p.timed(ctx, p.oldTree); err == nil {
				p.tell(event.StepBase, before)
			}
			return err
		},
		func(ctx context.Context) (err error) { after, err = p.timed(ctx, p.newTree); return err })
	if p.together = together && err == nil; !p.together || alike(before.r, after.r) {
		return before, after, err
	}
	for _, side := range []struct {
		ran  *sideRun
		open func(context.Context) (Tree, error)
	}{{&before, p.oldTree}, {&after, p.newTree}} {
		if !side.ran.r.Passed && err == nil {
			err = p.byItself(ctx, side.ran, side.open)
		}
	}
	return before, after, err
}

// byItself runs the tests of a side again. What passes now, and each time that it runs, had been
// disturbed; the rest fails by chance.
func (p *Prover) byItself(ctx context.Context, ran *sideRun,
	open func(context.Context) (Tree, error)) (err error) {
	beside := ran.r
	if *ran, err = p.timed(ctx, open); err != nil || alike(beside, ran.r) {
		return err
	}
	p.together, p.apart = false, true
	if passes := named(without(beside.Failures, ran.r.Failures)); len(passes) > 0 {
		t, err := open(ctx)
		if err != nil {
			return err
		}
		odd, _, err := p.disagree(ctx, t, passes, false)
		p.ran.Chance = append(p.ran.Chance, odd...)
		return err
	}
	return nil
}

// alike reports whether two runs ended in the same way: passing, or with the same tests failing.
func alike(a, b Result) bool {
	if a.Passed && b.Passed {
		return true
	}
	inOther := func(a, b Result) bool {
		others := failure.IDs(b.Failures)
		return !slices.ContainsFunc(failure.IDs(a.Failures),
			func(id failure.ID) bool { return !id.Among(others) })
	}
	return a.Passed == b.Passed && a.Trouble == "" && b.Trouble == "" && len(failure.IDs(a.Failures)) > 0 &&
		len(a.Flaky)+len(b.Flaky) == 0 && inOther(a, b) && inOther(b, a)
}

// oldAndNew runs the old tests on the new code and, if that will be needed and trees do not disturb
// each other, at the same time the new tests on the old code.
func (p *Prover) oldAndNew(ctx context.Context) error {
	shown, _ := p.ran.Shown()
	if !p.together || len(p.NewTests) == 0 || len(shown) > 0 {
		return p.asTheyStood(ctx)
	}
	err := atOnce(ctx, true, p.asTheyStood, func(ctx context.Context) (err error) {
		seen, err := p.runOnOld(ctx)
		if err != nil {
			return err
		}
		long := time.Duration(p.out.SuiteMS)*time.Millisecond > patience
		if p.onOld = seen; long && len(named(seen.Failures)) > 0 { // the tree of the old code has time meanwhile
			seen.odd, err = p.oddOnOld(ctx, p.old, named(seen.Failures),
				slices.Concat(p.NewTests, p.renamedOnOld()))
			seen.again = err == nil
		}
		return err
	})
	if err != nil && (p.ran.Stood != nil || p.Old.None()) {
		p.at = event.StepNewTests
	}
	return err
}
