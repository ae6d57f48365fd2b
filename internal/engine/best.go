package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/booty-cli/booty/internal/failure"
)

// worse says that a tree is worse than another: by rank, then more failing
// tests, then failing gates. Where tests cannot run, numbers say nothing.
func worse(a, b Verdict) bool {
	if a.rank() != b.rank() {
		return a.rank() > b.rank()
	}
	if a.Tally >= failure.Uncounted {
		return false
	}
	if a.failingTests() != b.failingTests() {
		return a.failingTests() > b.failingTests()
	}
	return a.GatesFailed && !b.GatesFailed
}

// regressed reports whether an attempt made more tests fail than the one before. A tree that does
// not compile says nothing about its tests: the next attempt may need only one line, so it is not
// rolled back.
func regressed(now, before Verdict) bool {
	return max(now.Tally, before.Tally) < failure.Uncounted && now.failingTests() > before.failingTests()
}

// best returns the attempt to keep, of those since the user last changed the tree: the one with the
// fewest failing tests, the latest on a tie; nil if none changed anything, or all removed tests.
func (m *Memory) best() *Attempt {
	var b *Attempt
	for i := m.Fresh; i < len(m.Attempts); i++ {
		a := &m.Attempts[i]
		if len(a.Files) == 0 || a.hidden() {
			continue
		}
		if b == nil || !worse(a.Verdict, b.Verdict) {
			b = a
		}
	}
	return b
}

// gains says that an attempt looks better than all before it.
func (m *Memory) gains(v Verdict) bool {
	before := m.Standing
	if b := m.best(); b != nil {
		before = b.Verdict
	}
	return worse(before, v)
}

// remains returns the state that the run leaves: the best attempt's, unless the user's own tree, at
// the start of a refine or a resumed run, was better.
func (m *Memory) remains(best *Attempt, refine bool) (State, Verdict) {
	floor, v := m.floor()
	theirs := m.ForReview == nil && (refine || m.From.Commit != "")
	if best == nil || theirs && worse(best.Verdict, v) {
		return floor, v
	}
	return best.State, best.Verdict
}

// left describes the verdict on what the run leaves.
func (m *Memory) left(refine bool) string {
	_, v := m.remains(m.best(), refine)
	switch last := m.last(); {
	case v.Green && last != nil && last.hidden():
		return "nothing is kept: " + last.Verdict.Unproven
	case v.gatesOnly():
		return "the quality gates still fail"
	case v.Words() != "":
		return v.Words()
	case v.TestsFailed && v.Failing == 1:
		return v.atLeast() + "1 test still fails" + v.besides()
	case v.TestsFailed:
		return fmt.Sprintf("%s%d tests still fail%s", v.atLeast(), v.Failing, v.besides())
	case v.Green:
		return "the checks pass"
	}
	return "nothing was changed"
}

// settleBest has the full commands run on the attempt that is to be kept, where
// only the tests that failed before were run again: it may have broken others,
// and another attempt may be the best then. why is what ended the loop: where
// that is the run's time, there is none left for it.
func (r *run) settleBest(ctx context.Context, why error) error {
	for best := r.m.best(); best != nil && best.Verdict.Partial && !outOfTime(why); best = r.m.best() {
		v, err := r.verifier.again(ctx, best.State, best.N)
		if err != nil {
			return err
		}
		best.Verdict = v
		if r.m.Current == best.State {
			r.m.Standing = v
		}
		if err := r.save(ctx); err != nil {
			return err
		}
	}
	return nil
}

// settleStanding runs all checks on the state before an attempt, so that the attempt is not blamed
// for what was broken before.
func (r *run) settleStanding(ctx context.Context, a Attempt) error {
	if !r.m.Standing.Partial {
		return nil
	}
	v, err := r.verifier.again(ctx, r.m.Current, a.N)
	if err != nil {
		return err
	}
	r.m.Standing = v
	if last := r.m.lastChange(); last != nil && last.State == r.m.Current {
		last.Verdict = v
	}
	return r.tree.restore(ctx, a.State)
}

func outOfTime(err error) bool { return errors.Is(err, ErrRunTime) }
