package proof

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
)

// Sides makes trees of the two sides of a change.
type Sides interface {
	Old(ctx context.Context) (Tree, error)
	New(ctx context.Context) (Tree, error)
}

// Prover proves what can be proven of a change without knowing what it is for.
type Prover struct {
	Subject
	Sides Sides
	// Mutants is how many are tried, Workers in how many trees at once.
	Mutants, Workers int
	// MustCount says that a test command that counts no tests shows nothing.
	MustCount bool
	// Until is the time after which no mutant is started; zero for no limit. MutantTime sets it if
	// it is zero.
	Until      time.Time
	MutantTime time.Duration
	Now        func() time.Time
	// Dismissed reports whether a person dismissed a survivor; may be nil.
	Dismissed func(event.Survivor) bool
	// Read returns a test of the new code, for an AssertionCheck. stood says that the place is in
	// the test as it stood.
	Read func(ctx context.Context, at failure.Frame, stood bool) (*Expectation, error)
	// Challenger writes tests against the change; nil if not asked for.
	Challenger Challenger
	// Step is called as each step ends; may be nil.
	Step func(event.ProofStep)

	// Release returns a tree that is no longer needed, for reuse; may be nil.
	Release func(Tree) error

	// at is the step under way.
	at  string
	ran Ran
	out event.ProofFinished
	old Tree
	new Tree
	// together says that tests ran in two trees at once, and did not disturb each other, apart
	// that they did.
	together, apart bool
	// passAlone are the tests that show the change, as they failed on the old code, of which it was
	// seen that they pass alone on the new code.
	passAlone []failure.Failure
	// onOld is what the new tests showed on the old code, where that is known already.
	onOld *onOld
}

// Given is what is known of work whose tests already ran on both sides.
type Given struct {
	Before, After Result
	// Stood are the tests as they stood, on the new code; nil if none was changed.
	Stood *Result
	// Suite is how long all tests take.
	Suite time.Duration
	// MustShow tries no mutants if no test shows the change.
	MustShow bool
	// Survivors are small changes that no test noticed.
	Survivors []event.Survivor
	// TestsMayGo says that the user allows all changes to tests.
	TestsMayGo bool
}

// Prove runs everything. If the context ends first, the result is what is known by then. The error
// is a fault of booty's own, or the end of the context for another reason than ErrTimeUp.
func (p *Prover) Prove(ctx context.Context) (event.ProofFinished, error) {
	began := p.Now()
	p.lookAtLines()
	err := p.bothSides(ctx)
	if err == nil && p.ran.cannot() == "" && !p.ran.failsAnew() {
		if err = p.oldAndNew(ctx); err == nil {
			err = p.show(ctx, false)
		}
	}
	err = p.stopped(ctx, err)
	p.out.Claims = Judge(p.ran)
	p.out.Expectations = p.expectations()
	p.out.OldFailures, p.out.Flaky = p.ran.Old(), p.ran.Sometimes()
	p.out.Verdict, p.out.Reason = verdictOf(p.ran, p.out.Claims)
	p.out.DurationMS = p.Now().Sub(began).Milliseconds()
	return p.out, err
}

// OnlyChallenge runs the tests of both sides and a challenge, nothing else.
func (p *Prover) OnlyChallenge(ctx context.Context) (event.ProofFinished, error) {
	err := p.bothSides(ctx)
	if err == nil {
		err = p.challenge(ctx)
	}
	p.out.Claims = Judge(p.ran)
	return p.out, err
}

// WorkChallenge has tests written against work whose tests already ran; nil if no code was changed.
func (p *Prover) WorkChallenge(ctx context.Context, g Given) (*event.ChallengeFinished, error) {
	p.ran = Ran{Before: g.Before, After: g.After}
	err := p.challenge(ctx)
	if err == nil {
		err = p.notice(ctx, g.Survivors)
	}
	return p.out.Challenge, err
}

// Work does the same for work whose tests already ran.
func (p *Prover) Work(ctx context.Context, g Given) (event.ProofFinished, error) {
	p.ran = Ran{Before: g.Before, After: g.After, Stood: g.Stood, TestsMayGo: g.TestsMayGo}
	p.follow()
	p.out.SuiteMS = g.Suite.Milliseconds()
	err := p.show(ctx, g.MustShow)
	p.out.Claims = Judge(p.ran)
	return p.out, err
}

// bothSides runs the tests of each side.
func (p *Prover) bothSides(ctx context.Context) error {
	p.at = event.StepBase
	if _, err := p.oldTree(ctx); err != nil {
		return err
	}
	before, after, err := p.runBoth(ctx)
	if before.done {
		p.at, p.ran.Before = event.StepHead, before.r
	}
	if before.done && after.done {
		// The slower side: that of the other one may be from a cache.
		p.ran.After, p.out.SuiteMS = after.r, max(before.took, after.took).Milliseconds()
		p.tell(event.StepHead, after)
	}
	if err = errors.Join(err, context.Cause(ctx)); err != nil {
		return err
	}
	p.ran.After.NoTests = p.ran.After.NoTests ||
		p.MustCount && p.ran.After.Counts.Ran() <= 0 && !p.ran.After.loadedNone()
	p.follow()
	if err = p.failsUnchanged(ctx); err != nil {
		return err
	}
	return p.settle(ctx)
}

// show asks what shows the change, whether that can fail, and what tests make of mutants.
func (p *Prover) show(ctx context.Context, must bool) error {
	p.at = event.StepNewTests
	if shown, _ := p.ran.Shown(); len(shown) == 0 || len(p.ran.broken()) > 0 {
		if err := p.newTests(ctx); err != nil {
			return err
		}
	}
	p.at = event.StepRepeat
	if err := p.confirm(ctx); err != nil {
		return err
	}
	p.at = event.StepCanFail
	if err := p.canFail(ctx); err != nil {
		return err
	}
	if must && p.ran.change().State == event.StateNotShown {
		return nil
	}
	p.at = event.StepChallenge
	if err := p.challenge(ctx); err != nil {
		return err
	}
	p.at = event.StepMutants
	if err := p.mutants(ctx); err != nil {
		return err
	}
	return p.notice(ctx, p.out.Survivors)
}

// follow finds tests that have another name now.
func (p *Prover) follow() {
	renamed := p.renamesOf(p.ran.Before, p.ran.After)
	p.ran.Moved, p.ran.Renamed = p.moved(p.ran.Before, p.ran.After, renamed), renamed.likely()
}

// oldTree and newTree open the tree of a side once.
func (p *Prover) oldTree(ctx context.Context) (t Tree, err error) {
	if p.old == nil {
		p.old, err = p.Sides.Old(ctx)
	}
	return p.old, err
}

func (p *Prover) newTree(ctx context.Context) (t Tree, err error) {
	if p.new == nil {
		p.new, err = p.Sides.New(ctx)
	}
	return p.new, err
}

func (p *Prover) step(step string, good bool, text string, began time.Time) {
	if p.Step == nil {
		return
	}
	p.Step(event.ProofStep{Step: step, Good: good, Text: text, DurationMS: p.Now().Sub(began).Milliseconds()})
}

// asTheyStood runs the old tests on the new code, where the change touches any.
func (p *Prover) asTheyStood(ctx context.Context) error {
	if p.Old.None() {
		return nil
	}
	p.at = event.StepStood
	began := p.Now()
	r, err := p.Old.Run(ctx, p.new, p.ran.Before, p.ran.After)
	if err != nil {
		return err
	}
	p.out.Look = append(p.out.Look, p.Old.Words(r)...)
	p.ran.Stood = &r.Result
	broken, why := StoodFails(p.ran.Before, p.ran.After, r.Result)
	p.step(event.StepStood, len(broken) == 0 && why == "", r.words()+" on the new code", began)
	return nil
}

// onOld is what new tests showed on the old code.
type onOld struct {
	Claim
	took time.Duration
	// again says that what failed ran again there, odd is what did not fail each time.
	again bool
	odd   []failure.Failure
}

// runOnOld runs the tests that the change brings on the old code.
func (p *Prover) runOnOld(ctx context.Context) (*onOld, error) {
	began := p.Now()
	var control *Result
	if p.old != nil { // the old tests ran in it
		control = &p.ran.Before
	}
	seen, err := OnOldCode(ctx, p.oldTree, NewTests{
		Changes: p.NewTests, Renamed: p.renamedOnOld(), Known: p.ran.Before.known(),
		Passing: p.ran.After.Passing, Control: control, Follows: follows(p.ran.Renamed)})
	return &onOld{Claim: seen, took: p.Now().Sub(began)}, err
}

// newTests asks what the tests that the change brings show on the old code.
func (p *Prover) newTests(ctx context.Context) (err error) {
	if len(p.NewTests) == 0 {
		return nil
	}
	began := p.Now()
	if p.onOld == nil {
		if p.onOld, err = p.runOnOld(ctx); err != nil {
			return err
		}
	} else {
		began = began.Add(-p.onOld.took)
	}
	on := p.onOld.Claim
	for _, f := range p.ran.broken() {
		if name := failure.FunctionOf(f.Test); !slices.Contains(on.changed, name) {
			on.changed = append(on.changed, name)
		}
	}
	seen, err := p.Confirm(ctx, p.newTree, on)
	if err != nil {
		return err
	}
	p.ran.New = &seen
	text := "fail on the old code: " + some(seen.Tests)
	if seen.State != event.StateProven || len(seen.Tests) == 0 {
		text = seen.Reason
	}
	p.step(event.StepNewTests, seen.State == event.StateProven, text, began)
	return nil
}

// canFail asks whether a test that shows the change fails at all.
func (p *Prover) canFail(ctx context.Context) error {
	shown, stood := p.ran.Shown()
	if broken := p.ran.broken(); len(broken) > 0 && p.ran.New != nil { // whether these can fail decides what they are called
		theirs := slices.DeleteFunc(p.ran.steady(p.ran.New.Failures), func(f failure.Failure) bool {
			return !slices.ContainsFunc(broken, func(g failure.Failure) bool { return p.ran.sameTest(g, f) })
		})
		if len(theirs) > 0 {
			shown, stood = theirs, false
		}
	}
	if len(shown) == 0 {
		return nil
	}
	began := p.Now()
	t, err := p.newTree(ctx)
	if err != nil {
		return err
	}
	read := func(ctx context.Context, at failure.Frame) (*Expectation,
		error) {
		return p.Read(ctx, at, stood)
	}
	y := AssertionCheck{Subject: p.Subject, Read: read,
		Suite: time.Duration(p.out.SuiteMS) * time.Millisecond}
	seen, err := y.Ask(ctx, t, shown)
	if err != nil {
		return err
	}
	p.ran.CanFail = &seen
	if c := seen.Claim(); c.State != event.StateUntried {
		p.step(event.StepCanFail, c.State == event.StateProven, c.Reason, began)
	}
	return nil
}
