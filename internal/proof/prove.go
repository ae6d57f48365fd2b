package proof

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/pkg/edit"
)

// Sides makes trees of the two sides of a change.
type Sides interface {
	Old(ctx context.Context) (Tree, error)
	New(ctx context.Context) (Tree, error)
}

// Prover asks of a change what can be asked without knowing what it is for.
type Prover struct {
	Subject
	Sides Sides
	// Mutants is how many are tried, Workers in how many trees at once.
	Mutants, Workers int
	// MustCount says that nothing is believed of a test command that counts no tests.
	MustCount bool
	// Until is when no further mutant is begun; zero for no limit. MutantTime sets it where
	// it is zero.
	Until      time.Time
	MutantTime time.Duration
	Now        func() time.Time
	// Read gives what a test of the new code says, for an AssertionCheck. stood says that the place is
	// one in the test as it stood.
	Read func(ctx context.Context, at failure.Frame, stood bool) (*Expectation, error)
	// Step hears of each step as it ends; may be nil.
	Step func(event.ProofStep)

	out     event.ProofFinished
	old     Tree
	new     Tree
	was, is Result
	// shown are the failures on the old code of the tests that show the change, stood that
	// they are of the tests as they stood.
	shown []failure.Failure
	stood bool
}

// Prove runs all that is asked. The error is booty's own trouble, or the context's end.
func (p *Prover) Prove(ctx context.Context) (event.ProofFinished, error) {
	began := p.Now()
	err := p.prove(ctx)
	p.out.DurationMS = p.Now().Sub(began).Milliseconds()
	return p.out, err
}

func (p *Prover) prove(ctx context.Context) (err error) {
	if _, err = p.oldTree(ctx); err != nil {
		return err
	}
	if p.was, err = p.run(ctx, event.StepBase, p.old); err != nil {
		return err
	}
	if _, err = p.newTree(ctx); err != nil {
		return err
	}
	began := p.Now()
	if p.is, err = p.run(ctx, event.StepHead, p.new); err != nil {
		return err
	}
	p.out.SuiteMS = p.Now().Sub(began).Milliseconds()
	if !p.holds() {
		return nil
	}
	unharmed, err := p.unharmed(ctx)
	if err != nil {
		return err
	}
	change, err := p.change(ctx)
	if err != nil {
		return err
	}
	p.out.Claims = append(p.out.Claims, change, unharmed)
	if err := p.canFail(ctx); err != nil {
		return err
	}
	if err := p.mutants(ctx); err != nil {
		return err
	}
	p.conclude()
	return nil
}

// Given is what is known of work whose tests ran on both sides already.
type Given struct {
	// Fixed are failures from before of tests that pass now as they stood. Where there are
	// none, the tests that the change brings are asked about.
	Fixed []failure.Failure
	// Before failed before, Still fail now, and prove nothing.
	Before []failure.Signature
	Still  []failure.Failure
	// Passing names the tests that pass now; nil where not all have names.
	Passing []string
	// Suite is how long all tests take.
	Suite time.Duration
	// MustShow tries no mutants where no test shows the change.
	MustShow bool
}

// Work asks of work what its tests prove, and whether they can fail. The claim is that of
// the change where no tests are given that it fixed; the others are in the rest.
func (p *Prover) Work(ctx context.Context, g Given) (change event.Claim, rest event.ProofFinished, err error) {
	p.is.Failures, p.is.Passing, p.out.SuiteMS = g.Still, g.Passing, g.Suite.Milliseconds()
	p.shown, p.stood = g.Fixed, true
	shown := len(g.Fixed) > 0
	if !shown {
		n := NewTests{Changes: p.NewTests, Known: g.Before, Passing: g.Passing}
		c, err := OnOldCode(ctx, p.oldTree, n)
		if err == nil {
			c, err = p.Confirm(ctx, p.newTree, c)
		}
		if err != nil {
			return c.Claim, rest, err
		}
		change, shown = c.Claim, c.State != event.StateNotShown
		p.shown, p.stood = c.Failures, false
	}
	if err := p.canFail(ctx); err != nil {
		return change, p.out, err
	}
	if g.MustShow && !shown {
		return change, p.out, nil
	}
	return change, p.out, p.mutants(ctx)
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

// run runs the tests in a tree, and tells of it.
func (p *Prover) run(ctx context.Context, step string, t Tree) (Result, error) {
	began := p.Now()
	r, err := t.Test(ctx)
	if err == nil {
		p.step(step, r.Passed, r.words(), began)
	}
	return r, err
}

func (p *Prover) step(step string, good bool, text string, began time.Time) {
	if p.Step == nil {
		return
	}
	p.Step(event.ProofStep{Step: step, Good: good, Text: text, DurationMS: p.Now().Sub(began).Milliseconds()})
}

// words say how the tests ended.
func (r Result) words() string {
	switch {
	case r.Trouble != "":
		return r.Trouble
	case r.NoTests:
		return "no tests were found"
	case r.Passed && r.Ran >= 0:
		return tests(r.Ran) + " passed"
	case r.Passed:
		return "passed"
	}
	if names := failure.Tests(r.Failures); len(names) > 0 {
		return "failed: " + some(names)
	}
	return "failed without naming a test"
}

func tests(n int) string {
	if n == 1 {
		return "1 test"
	}
	return fmt.Sprintf("%d tests", n)
}

// some names a few.
func some(names []string) string {
	const most = 3
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}

// breaks are the tests that fail, and did not before, or failed otherwise.
func (p *Prover) breaks(r Result) []string {
	known := failure.Signatures(p.was.Failures, p.was.Again)
	var out []string
	for _, f := range r.Failures {
		if f.Test != "" && !failure.SignatureOf(f).Known(known) && !slices.Contains(out, f.Test) {
			out = append(out, f.Test)
		}
	}
	return out
}

// holds reports whether the tests of the new code say nothing that those of the old
// one did not; else nothing more can be asked.
func (p *Prover) holds() bool {
	if broken := p.breaks(p.is); len(broken) > 0 {
		p.verdict(event.VerdictFailing, "these tests fail with the change, and did not before: "+some(broken))
		p.claim(event.ClaimChange, event.StateNotShown, nil, "the tests fail on the new code")
		p.claim(event.ClaimUnharmed, event.StateDisproven, broken, "these tests fail since the change")
		return false
	}
	switch {
	case p.is.Trouble != "":
		return p.cannot("the tests cannot be run on the new code: " + p.is.Trouble)
	case p.is.NoTests, p.MustCount && p.is.Ran <= 0:
		return p.cannot("no tests were found on the new code")
	case p.is.loadedNone():
		return p.cannot("the tests cannot be run, before the change and after it: " + p.is.failed())
	case !p.is.Passed && len(failure.Tests(p.is.Failures)) == 0:
		if p.was.Passed {
			p.verdict(event.VerdictFailing, "the tests fail on the new code, and name no test")
			p.claim(event.ClaimChange, event.StateNotShown, nil, p.out.Reason)
			return false
		}
		return p.cannot("the tests fail before and after the change, and name no test")
	}
	return true
}

func (p *Prover) cannot(why string) bool {
	p.verdict(event.VerdictUntried, why)
	p.claim(event.ClaimChange, event.StateUntried, nil, why)
	return false
}

func (p *Prover) verdict(v, why string) { p.out.Verdict, p.out.Reason = v, why }

func (p *Prover) claim(claim, state string, names []string, reason string) {
	if names == nil {
		names = []string{}
	}
	p.out.Claims = append(p.out.Claims, event.Claim{Claim: claim, State: state, Tests: names, Reason: reason})
}

// unharmed has the tests as they stood run on the new code, and sees that none went.
func (p *Prover) unharmed(ctx context.Context) (event.Claim, error) {
	c := event.Claim{Claim: event.ClaimUnharmed, State: event.StateProven, Tests: []string{},
		Reason: "no test was changed, and every test that ran before still runs"}
	if why := p.is.unloaded(); why != "" {
		c.State, c.Reason = event.StateNotShown, "not all tests can be run here, before the change and after it: "+why
		return c, nil
	}
	gone, sure := p.vanished()
	if len(p.OldTests)+len(p.OldBuilds) > 0 {
		broken, why, err := p.asTheyStood(ctx)
		if err != nil {
			return c, err
		}
		if why != "" {
			c.State, c.Reason = event.StateNotShown, "the old tests cannot be run on the new code: "+why
			return c, nil
		}
		if len(broken) > 0 {
			c.State, c.Tests, c.Reason = event.StateDisproven, broken, "these old tests fail on the new code"
			return c, nil
		}
		c.Reason = "the old tests pass on the new code, and every test that ran before still runs"
	}
	switch {
	case len(gone) > 0:
		c.State, c.Tests, c.Reason = event.StateDisproven, gone, "these tests ran before the change and do not now"
	case p.was.Ran >= 0 && p.is.Ran >= 0 && p.is.Ran < p.was.Ran:
		c.State, c.Reason = event.StateDisproven, fmt.Sprintf("only %s ran, and %d before the change", tests(p.is.Ran), p.was.Ran)
	case p.was.Trouble != "" || p.was.NoTests || p.was.loadedNone():
		c.State, c.Reason = event.StateNotShown, "the tests did not run before the change"
	case !sure && (p.was.Ran < 0 || p.is.Ran < 0):
		c.State, c.Reason = event.StateNotShown, "the test command does not say which tests ran, nor how many"
	}
	return c, nil
}

// vanished are the tests that passed before and are not among those that ran now;
// false where they have no names.
func (p *Prover) vanished() ([]string, bool) {
	if p.was.Passing == nil || p.is.Passing == nil || p.was.As != p.is.As {
		return nil, false
	}
	ran := map[string]int{} // several may have one name
	for _, name := range p.is.Passing {
		ran[name]++
	}
	return slices.DeleteFunc(slices.Clone(p.was.Passing), func(name string) bool {
		ran[name]--
		return ran[name] >= 0
	}), true
}

// asTheyStood gives the old tests that fail on the new code, or says why none could be
// run there: they do not build with it, for one.
func (p *Prover) asTheyStood(ctx context.Context) (broken []string, why string, err error) {
	began := p.Now()
	changes := slices.Concat(p.OldTests, p.OldBuilds)
	r, err := with(ctx, p.new, changes, p.new.Test)
	if err == nil && !r.Passed && len(p.OldBuilds) > 0 && len(failure.Tests(r.Failures)) == 0 { // it does not build
		changes = p.OldTests
		if r, err = with(ctx, p.new, changes, p.new.Test); r.Passed {
			p.out.Look = append(p.out.Look, "the old tests pass only with the changed build files")
		}
	}
	rest := slices.DeleteFunc(slices.Clone(changes), func(c edit.Change) bool { return slices.Contains(p.Shared, c.Path) })
	if err == nil && r.Passed && len(rest) > 0 && len(rest) < len(changes) {
		r, err = with(ctx, p.new, rest, p.new.Test) // what product code uses too, it uses as it is now
	}
	if err != nil {
		return nil, "", err
	}
	loaded := slices.DeleteFunc(slices.Clone(r.Failures), failure.Failure.NotLoaded)
	broken = p.breaks(Result{Failures: loaded})
	if len(broken) == 0 && !r.Passed && len(failure.Tests(loaded)) == 0 {
		why = r.failed()
	}
	p.step(event.StepStood, len(broken) == 0 && why == "", r.words()+" on the new code", began)
	return broken, why, nil
}

// unloaded says what keeps some of the tests from running, where others fail with names;
// "" where nothing is seen to.
func (r Result) unloaded() string {
	for _, f := range r.Failures {
		if !r.Passed && (f.Test == "" || f.NotLoaded()) {
			return Result{Failures: []failure.Failure{f}}.failed()
		}
	}
	return ""
}

// loadedNone reports whether files did not load or build, and nothing else ran: some
// runners then run no test at all.
func (r Result) loadedNone() bool {
	return !r.Passed && len(r.Passing) == 0 && r.Ran <= len(r.Failures) && len(r.Failures) > 0 &&
		!slices.ContainsFunc(r.Failures, func(f failure.Failure) bool { return !f.NotLoaded() })
}

// failed says in a line why tests could not be told apart.
func (r Result) failed() string {
	for _, f := range r.Failures {
		if f.Message != "" {
			line, _, _ := strings.Cut(strings.TrimSpace(f.Message), "\n")
			return line
		}
	}
	return r.words()
}

// change shows that the change does something that a test sees.
func (p *Prover) change(ctx context.Context) (event.Claim, error) {
	c := event.Claim{Claim: event.ClaimChange, State: event.StateNotShown, Tests: []string{}}
	passing, failing := p.is.Passing, failure.Tests(p.is.Failures)
	for _, f := range p.was.Failures {
		if f.Test != "" && !slices.Contains(failing, f.Test) && passes(f.Test, passing) {
			p.shown, p.stood, c.Tests = append(p.shown, f), true, append(c.Tests, f.Test)
			c.State, c.Reason = event.StateProven, "these tests fail without the change and pass with it"
		}
	}
	if len(p.NewTests) > 0 {
		began := p.Now()
		seen, err := OnOldCode(ctx, p.oldTree, NewTests{
			Changes: p.NewTests, Known: failure.Signatures(p.was.Failures, p.was.Again), Passing: passing, Control: &p.was})
		if err != nil {
			return c, err
		}
		if seen, err = p.Confirm(ctx, p.newTree, seen); err != nil {
			return c, err
		}
		text := "fail on the old code: " + some(seen.Tests)
		if seen.State != event.StateProven || len(seen.Tests) == 0 {
			text = seen.Reason
		}
		p.step(event.StepNewTests, seen.State == event.StateProven, text, began)
		if seen.State == event.StateProven {
			p.shown, p.stood = seen.Failures, false
			c.Tests = append(c.Tests, seen.Tests...)
			c.State, c.Reason = event.StateProven, seen.Reason
		} else if c.State != event.StateProven {
			c.State, c.Reason = seen.State, seen.Reason
		}
	} else if c.State != event.StateProven {
		c.Reason = "the change adds no test, and no existing test fails without it"
	}
	slices.Sort(c.Tests)
	c.Tests = slices.Compact(c.Tests)
	return c, nil
}

// canFail asks whether a test that shows the change fails at all.
func (p *Prover) canFail(ctx context.Context) error {
	if len(p.shown) == 0 {
		return nil
	}
	began := p.Now()
	t, err := p.newTree(ctx)
	if err != nil {
		return err
	}
	read := func(ctx context.Context, at failure.Frame) (*Expectation, error) { return p.Read(ctx, at, p.stood) }
	y := AssertionCheck{Subject: p.Subject, Read: read, Suite: time.Duration(p.out.SuiteMS) * time.Millisecond}
	seen, err := y.Ask(ctx, t, p.shown)
	if err != nil {
		return err
	}
	c := seen.Claim()
	if p.out.Claims = append(p.out.Claims, c); c.State != event.StateUntried {
		p.step(event.StepCanFail, c.State == event.StateProven, c.Reason, began)
	}
	return nil
}

// conclude gives the verdict by the claims.
func (p *Prover) conclude() {
	states := map[string]event.Claim{}
	for _, c := range p.out.Claims {
		states[c.Claim] = c
	}
	change, unharmed, mutants := states[event.ClaimChange], states[event.ClaimUnharmed], states[event.ClaimMutants]
	switch {
	case unharmed.State == event.StateDisproven:
		p.verdict(event.VerdictWeakened, unharmed.Reason+": "+some(unharmed.Tests))
		if len(unharmed.Tests) == 0 {
			p.out.Reason = unharmed.Reason
		}
	case change.State != event.StateProven:
		p.verdict(event.VerdictNotShown, change.Reason)
	case unharmed.State != event.StateProven:
		p.verdict(event.VerdictPartly, unharmed.Reason)
	case mutants.State == event.StateNotShown:
		p.verdict(event.VerdictPartly, mutants.Reason)
	default:
		p.verdict(event.VerdictProven, howProven(change))
	}
}

func howProven(c event.Claim) string {
	switch n := len(c.Tests); {
	case n == 1:
		return "1 test fails without the change and passes with it"
	case n > 1:
		return fmt.Sprintf("%d tests fail without the change and pass with it", n)
	}
	return c.Reason
}
