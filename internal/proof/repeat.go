package proof

import (
	"context"
	"slices"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/pkg/edit"
)

const (
	// repeats is how often tests are run again before their result counts: a test that fails
	// every second time agrees with itself once in sixteen.
	repeats = 4
	// leastRepeats are made however long the tests take.
	leastRepeats = 2
	// patience is how long the repeats beyond those may take.
	patience = 3 * time.Second
)

// tally is how often a test failed and passed.
type tally struct{ failed, passed int }

// steady reports whether a test ended in one way each time.
func (c tally) steady() bool { return c.failed == 0 || c.passed == 0 }

// repeat runs some tests again: alone or, where that cannot be, all. What is learned of each
// is in the order of the tests; nothing where they could not be run.
func (p *Prover) repeat(ctx context.Context, t Tree, tests []failure.Failure) (counts []tally, alone bool,
	err error) {
	counts, began := make([]tally, len(tests)), p.Now()
	for i := range repeats {
		if i >= leastRepeats && p.Now().Sub(began) > patience {
			break
		}
		var r Result
		r, alone, err = t.Alone(ctx, tests)
		if err == nil && !alone {
			r, err = t.Test(ctx)
		}
		if err != nil {
			return counts, alone, err
		}
		if !count(counts, tests, r) {
			break
		}
		if !alone && p.slow() { // it says of all tests what one run can
			break
		}
	}
	return counts, alone, nil
}

// slow reports whether all tests take long.
func (p *Prover) slow() bool { return time.Duration(p.out.SuiteMS)*time.Millisecond > quick }

// count adds a run to what is known of some tests; false where they did not run.
func count(counts []tally, tests []failure.Failure, r Result) bool {
	if r.Trouble != "" || r.NoTests {
		return false
	}
	failing := failure.IDs(r.Failures)
	others := len(without(r.Failures, tests)) > 0 // the file of a test may be what failed
	for i, f := range tests {
		switch {
		case f.ID().Among(failing):
			counts[i].failed++
		case r.unloaded() == "" && (!others || slices.Contains(r.Passing, f.Test)):
			counts[i].passed++
		}
	}
	return true
}

// disagree returns the tests that did not end as before, failing or passing, each time that they
// ran again, and those that did each time that they ran alone. One that ends differently each time
// it runs alone may need others before it: then all run.
func (p *Prover) disagree(ctx context.Context, t Tree, tests []failure.Failure,
	failing bool) (odd, alike []failure.Failure, err error) {
	counts, alone, err := p.repeat(ctx, t, tests)
	if err != nil {
		return nil, nil, err
	}
	var others []failure.Failure
	for i, c := range counts {
		switch agree := c.passed == 0 && failing || c.failed == 0 && !failing; {
		case agree && alone && c != (tally{}):
			alike = append(alike, tests[i])
		case agree:
		case c.steady():
			others = append(others, tests[i])
		default:
			odd = append(odd, tests[i])
		}
	}
	if len(others) == 0 {
		return odd, alike, nil
	}
	all := make([]tally, len(others))
	for range leastRepeats {
		r, err := t.Test(ctx)
		if err != nil {
			return nil, nil, err
		}
		count(all, others, r)
	}
	for i, c := range all {
		if c.failed > 0 && !failing || c.passed > 0 && failing {
			odd = append(odd, others[i])
		}
	}
	return odd, alike, nil
}

// confirm runs what shows the change again, on the old code and on the new: a test that does
// not end there as it did shows nothing.
func (p *Prover) confirm(ctx context.Context) error {
	shown, stood := p.ran.Shown()
	shown = named(shown)
	if len(shown) == 0 {
		return nil
	}
	began := p.Now()
	tests := slices.Concat(p.NewTests, p.renamedOnOld())
	if stood {
		tests = nil
	}
	t, err := p.oldTree(ctx)
	if err != nil {
		return err
	}
	var odd, more []failure.Failure
	err = atOnce(ctx, p.together,
		func(ctx context.Context) (err error) {
			if !stood && p.onOld != nil && p.onOld.again {
				odd = without(shown, without(shown, p.onOld.odd))
				return nil
			}
			odd, err = p.oddOnOld(ctx, t, shown, tests)
			return err
		},
		func(ctx context.Context) error {
			left := shown
			if !p.together {
				left = without(shown, odd)
				if p.new == nil && p.Challenger == nil { // which needs both
					if err := p.releaseOld(); err != nil {
						return err
					}
				}
			}
			t, err := p.newTree(ctx)
			if err == nil && len(left) > 0 {
				more, p.passAlone, err = p.disagree(ctx, t, left, false)
			}
			return err
		})
	if err != nil {
		return err
	}
	p.passAlone = without(p.passAlone, odd)
	if odd = append(odd, without(more, odd)...); len(odd) > 0 {
		p.ran.Chance = append(p.ran.Chance, odd...)
		p.step(event.StepRepeat, false, "not the same each time: "+some(failure.Tests(odd)), began)
	}
	return nil
}

// oddOnOld returns those of some failures on the old code that do not occur there each time.
func (p *Prover) oddOnOld(ctx context.Context, t Tree, shown []failure.Failure,
	tests []edit.Change) ([]failure.Failure, error) {
	return with(ctx, t, tests,
		func(ctx context.Context) (odd []failure.Failure, err error) {
			odd, _, err = p.disagree(ctx, t, shown, true)
			return odd, err
		})
}

// settle runs what fails since the change again on the new code: what passes there as well
// was not broken by it, nor is a test that was seen to fail only sometimes said to be.
func (p *Prover) settle(ctx context.Context) error {
	broken := p.ran.Before.breaks(p.ran.After)
	if len(broken) == 0 {
		return nil
	}
	left := p.ran.steady(broken)
	odd := without(broken, left)
	if len(left) > 0 {
		more, _, err := p.disagree(ctx, p.new, left, true)
		if err != nil {
			return err
		}
		odd = append(odd, more...)
	}
	if len(odd) == 0 {
		return nil
	}
	after := &p.ran.After
	p.ran.Chance = append(p.ran.Chance, odd...)
	after.Failures = without(after.Failures, odd)
	after.Passed = len(after.Failures) == 0
	return nil
}

// named are the failures of tests that have names.
func named(failures []failure.Failure) []failure.Failure {
	return slices.DeleteFunc(slices.Clone(failures),
		func(f failure.Failure) bool { return f.Test == "" || f.NotLoaded() })
}

// without leaves out the failures of some tests.
func without(failures, some []failure.Failure) []failure.Failure {
	ids := failure.IDs(some)
	return slices.DeleteFunc(slices.Clone(failures),
		func(f failure.Failure) bool { return f.ID().Among(ids) })
}
