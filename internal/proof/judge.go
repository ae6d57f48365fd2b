package proof

import (
	"fmt"
	"slices"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
)

// Ran is everything that ran for a change. What did not run is nil.
type Ran struct {
	// Before and After are the tests of the old code and of the new.
	Before, After Result
	// Stood are the tests as they stood, run on the new code, where the change touches any.
	Stood *Result
	// New is what the new tests showed on the old code.
	New *Claim
	// CanFail is the result for the tests that show the change, Mutants that of small changes to
	// it.
	CanFail *CanFail
	Mutants *event.Claim
	// Challenge are the tests that were written against the change.
	Challenge *event.ChallengeFinished
	// Chance are failures of flaky tests: they do not end the same way each time on the same code.
	Chance []failure.Failure
	// Moved are old tests that now run under another name, Renamed new tests that hold most of what
	// a missing one held.
	Moved   []string
	Renamed map[testCase]testCase
	// AllTried says that small changes can be made to each file that has changed lines and, once
	// some were, that each place had its turn; Same that there are no such lines: files were only
	// moved, or lines taken out.
	AllTried, Same bool
	// TestsMayGo says that the user allows all changes to tests.
	TestsMayGo bool

	stop stop
}

// Judge derives claims from what ran: the first is the one about the change. It runs nothing, so
// run and prove get the same claims for the same results.
func Judge(r Ran) []event.Claim {
	claims := []event.Claim{r.change(), r.unharmed()}
	if r.CanFail != nil {
		claims = append(claims, r.CanFail.Claim())
	}
	if r.Mutants != nil {
		claims = append(claims, *r.Mutants)
	}
	if r.Challenge != nil {
		claims = append(claims, ChallengeClaim(*r.Challenge))
	}
	return claims
}

// Shown are the failures on the old code of the tests that show the change; stood says that
// they are of tests as they stood.
func (r Ran) Shown() (shown []failure.Failure, stood bool) {
	if fixed := r.fixed(); len(fixed) > 0 {
		return fixed, true
	}
	if r.New != nil {
		return r.steady(r.New.Failures), false
	}
	return nil, false
}

// names name the tests of some failures, apart from others of their names that failed.
func (r Ran) names(failures []failure.Failure) []string {
	return failure.Names(failure.IDs(failures),
		slices.Concat(failure.IDs(r.Before.Failures), failure.IDs(r.After.Failures))...)
}

// steady leaves out the failures of tests that end by chance.
func (r Ran) steady(failures []failure.Failure) []failure.Failure {
	flaky := slices.Concat(r.Before.Flaky, r.After.Flaky)
	return slices.DeleteFunc(without(failures, r.Chance), func(f failure.Failure) bool {
		return f.Test != "" && slices.Contains(flaky, f.Test)
	})
}

// fixed are the failures of tests that failed before and pass now, also as they stood.
func (r Ran) fixed() []failure.Failure {
	fixed := r.steady(Fixed(r.Before, r.After))
	if r.Stood == nil {
		return fixed
	}
	failing := failure.IDs(r.Stood.Failures)
	return slices.DeleteFunc(fixed, func(f failure.Failure) bool { return f.ID().Among(failing) })
}

// change says what shows the change: a test that failed before and passes, or a new one that
// fails on the old code.
func (r Ran) change() event.Claim {
	c := event.Claim{Claim: event.ClaimChange, State: event.StateNotShown, Tests: []string{}}
	if why := r.cannot(); why != "" {
		c.State, c.Reason = event.StateUntried, why
		return c
	}
	if r.failsAnew() {
		c.Reason = "the tests fail on the new code"
		return c
	}
	if r.stop.before(event.StepRepeat) {
		c.State, c.Reason = event.StateUntried, r.stop.why+" before it was run"
		return c
	}
	if fixed := r.fixed(); len(fixed) > 0 {
		c.State, c.Tests, c.Reason = event.StateProven, r.names(failure.Cases(fixed)),
			"these tests fail without the change and pass with it"
		slices.Sort(c.Tests)
		return c
	}
	if r.New != nil {
		return r.byNew(c)
	}
	c.Reason = "the change adds no test, and no existing test fails without it"
	return c
}

// byNew says what the new tests show.
func (r Ran) byNew(c event.Claim) event.Claim {
	c.State, c.Reason = r.New.State, r.New.Reason
	left := r.steady(r.New.Failures)
	if c.State == event.StateProven && len(left) == 0 && len(r.New.Failures) > 0 {
		c.State, c.Reason = event.StateNotShown,
			"the tests that fail without the change do not always fail there and pass with it: "+
				some(failure.Tests(r.New.Failures))
		return c
	}
	if c.Tests = append(c.Tests, r.New.Tests...); len(left) < len(r.New.Failures) {
		c.Tests = failure.Tests(left)
	}
	slices.Sort(c.Tests)
	return c
}

// failsAnew reports whether tests fail on the new code that did not on the old.
func (r Ran) failsAnew() bool {
	return len(r.Before.breaks(r.After)) > 0 || r.After.failsNameless() && r.Before.Passed
}

func (r Result) failsNameless() bool { return !r.Passed && len(failure.IDs(r.Failures)) == 0 }

// cannot says why the tests of the new code show nothing; "" if they can.
func (r Ran) cannot() string {
	is := r.After
	switch {
	case r.stop.before(event.StepHead):
		return r.stop.why + " before the tests had run on both sides"
	case len(r.Before.breaks(is)) > 0:
		return ""
	case is.Trouble != "":
		return "the tests cannot be run on the new code: " + is.Trouble
	case is.NoTests:
		return "no tests were found on the new code"
	case is.loadedNone():
		return "the tests cannot be run, before the change and after it: " + is.failed()
	case is.failsNameless() && is.loadFailure() != "" && r.Before.loadFailure() != "":
		return "not all tests can be run, before the change and after it: " + is.loadFailure()
	case is.failsNameless() && !r.Before.Passed:
		return "the tests fail before and after the change, and name no test"
	}
	return ""
}

// unharmed reports whether what the tests said before still holds: the tests as they stood
// pass, and every test that ran before still runs.
func (r Ran) unharmed() event.Claim {
	c := event.Claim{Claim: event.ClaimUnharmed, State: event.StateProven, Tests: []string{},
		Reason: "no test was changed, and every test that ran before still runs"}
	say := func(state string, tests []string, format string, args ...any) event.Claim {
		c.State, c.Reason = state, fmt.Sprintf(format, args...)
		if tests != nil {
			c.Tests = tests
		}
		return c
	}
	switch why, cannot := r.After.unloaded(), r.cannot(); {
	case r.TestsMayGo:
		return say(event.StateUntried, nil, "test_edits is allow")
	case r.stop.before(event.StepHead):
		return say(event.StateUntried, nil, "%s", cannot)
	case len(r.Before.breaks(r.After)) > 0:
		return say(event.StateDisproven, r.names(r.Before.breaks(r.After)),
			"these tests fail since the change")
	case cannot != "":
		return say(event.StateUntried, nil, "%s", cannot)
	case r.failsAnew():
		return say(event.StateNotShown, nil, "the tests fail on the new code")
	case why != "":
		return say(event.StateNotShown, nil,
			"not all tests can be run here, before the change and after it: %s", why)
	}
	ran := r.After
	if r.stop.before(event.StepStood) {
		return say(event.StateUntried, nil, "%s before the old tests were run on the new code", r.stop.why)
	}
	if r.Stood != nil {
		broken, why := StoodFails(r.Before, r.After, *r.Stood)
		if why != "" {
			return say(event.StateNotShown, nil, "the old tests cannot be run on the new code: %s", why)
		}
		if list := r.expects(); len(list) > 0 {
			words, _ := expectWords(list)
			return say(event.StateNotShown, failure.Tests(broken), "%s", words)
		}
		if _, same := r.replacements(broken); len(broken) > 0 &&
			(r.stop.before(event.StepNewTests) || same && r.stop.before(event.StepCanFail)) {
			return say(event.StateUntried, r.names(broken),
				"%s before it was seen whether these old tests, which fail on the new code, expect something else now", r.stop.why)
		}
		if len(broken) > 0 {
			return say(event.StateDisproven, r.names(broken), "these old tests fail on the new code")
		}
		ran, c.Reason = *r.Stood,
			"the old tests pass on the new code, and every test that ran before still runs"
		if len(r.Old()) > 0 || !r.Stood.Passed {
			c.Reason = "no test fails that passed before, and every test that ran before still runs"
		}
	}
	switch lost := r.lost(ran); {
	case len(lost.Names) > 0:
		return say(event.StateDisproven, lost.Names, "these tests ran before the change and do not now")
	case lost.Unreported:
		return say(event.StateDisproven, nil, "the test runner wrote no report of the tests")
	case lost.N > 0:
		return say(event.StateDisproven, nil, "only %s ran, and %d before the change", tests(lost.Now),
			lost.Before)
	case len(lost.Rows) > 0:
		return say(event.StateNotShown, lost.Rows,
			"these cases of tests ran before the change and do not now")
	case r.Before.Trouble != "" || r.Before.NoTests || r.Before.loadedNone():
		return say(event.StateNotShown, nil, "the tests did not run before the change")
	case r.untold(ran):
		return say(event.StateNotShown, nil, "the test command does not say which tests ran, nor how many")
	}
	return c
}

// Old are the tests that fail on the new code and failed on the old.
func (r Ran) Old() []string {
	return failure.Tests(without(named(r.After.Failures), r.Before.breaks(r.After)))
}

// Sometimes are the tests that were seen to fail and to pass on the same code.
func (r Ran) Sometimes() []string {
	names := slices.Concat(r.Before.Flaky, r.After.Flaky, failure.Tests(r.Chance))
	slices.Sort(names)
	return slices.Compact(names)
}

// untold reports whether nothing says which tests ran, nor how many.
func (r Ran) untold(ran Result) bool {
	named := r.Before.Passing != nil && ran.Passing != nil && r.Before.As == ran.As
	return !named && (r.Before.Counts.Ran() < 0 || ran.Counts.Ran() < 0)
}

// lost are the tests that ran before and do not now: neither as they stood nor, but for the
// cases of those that were changed, as they are.
func (r Ran) lost(ran Result) Lost {
	lost := Missing(r.Before, ran)
	if lost.N > 0 || r.Stood == nil {
		return lost
	}
	now := Missing(r.Before, r.After)
	functions := map[string]bool{}
	for _, name := range slices.Concat(r.After.Passing, r.After.Failing) {
		functions[failure.FunctionOf(name)] = true
	}
	cases := removed(r.Before, r.After)
	now.Names = slices.DeleteFunc(now.Names, func(name string) bool {
		return functions[failure.FunctionOf(name)] || slices.Contains(r.Moved, name)
	})
	for _, name := range cases {
		if !slices.Contains(lost.Rows, name) && !slices.Contains(now.Names, name) {
			now.Names = append(now.Names, name)
		}
	}
	now.N, now.Rows = len(now.Names), lost.Rows
	if now.N == 0 {
		return Lost{Rows: lost.Rows}
	}
	return now
}

// StoodFails returns the tests that fail as they stood on the new code, unless they failed in the
// same way before and still do with the new tests. If none could run, why says so.
func StoodFails(before, after, stood Result) (broken []failure.Failure, why string) {
	loaded := stood
	loaded.Failures = slices.DeleteFunc(slices.Clone(stood.Failures), failure.Failure.NotLoaded)
	broken = before.breaks(loaded)
	failing := failure.IDs(after.Failures)
	for _, f := range loaded.Failures {
		if f.Test != "" && !f.ID().Among(failing) && !f.ID().Among(failure.IDs(broken)) {
			broken = append(broken, f)
		}
	}
	known := before.known()
	unknown := slices.DeleteFunc(slices.Clone(stood.Failures), func(f failure.Failure) bool {
		return f.Test != "" && failure.SignatureOf(f).Known(known)
	})
	if len(broken) == 0 && !stood.Passed && len(failure.IDs(loaded.Failures)) == 0 &&
		(len(unknown) > 0 || len(stood.Failures) == 0) {
		why = stood.failed()
	}
	return broken, why
}

// verdictOf is what booty prove calls a change with some claims.
func verdictOf(r Ran, claims []event.Claim) (verdict, reason string) {
	states := map[string]event.Claim{}
	for _, c := range claims {
		states[c.Claim] = c
	}
	change, unharmed := states[event.ClaimChange], states[event.ClaimUnharmed]
	canFail, mutants, challenge := states[event.ClaimCanFail], states[event.ClaimMutants],
		states[event.ClaimChallenged]
	switch broken := r.names(r.Before.breaks(r.After)); {
	case r.stop.before(event.StepHead):
		return event.VerdictUntried, r.cannot()
	case len(broken) > 0:
		return event.VerdictFailing, "these tests fail with the change, and did not before: " + some(broken)
	case r.cannot() != "":
		return event.VerdictUntried, r.cannot()
	case r.failsAnew():
		return event.VerdictFailing, "the tests fail on the new code, and name no test"
	case unharmed.State == event.StateDisproven && len(unharmed.Tests) == 0:
		return event.VerdictWeakened, unharmed.Reason
	case unharmed.State == event.StateDisproven:
		return event.VerdictWeakened, unharmed.Reason + ": " + some(unharmed.Tests)
	case unharmed.State == event.StateUntried && len(unharmed.Tests) > 0:
		return event.VerdictUntried, unharmed.Reason + ": " + some(unharmed.Tests)
	case r.stop.before(event.StepRepeat):
		return event.VerdictUntried, change.Reason
	case challenge.State == event.StateDisproven:
		return event.VerdictCaught, challenge.Reason
	case len(r.expects()) > 0 && change.State == event.StateProven:
		_, look := expectWords(r.expects())
		return event.VerdictChanged, look + ": " + some(unharmed.Tests)
	case change.State == event.StateNotShown && unharmed.State == event.StateProven && r.kept(mutants):
		return event.VerdictKept,
			"as far as " + see(r.After.Counts.Ran()) + ": none tells the old code from the new, and " + r.keptBy(mutants)
	case change.State != event.StateProven && unharmed.State == event.StateProven && len(challenge.Tests) > 0:
		return event.VerdictPartly, "only tests of a challenge show it: " + change.Reason
	case change.State != event.StateProven:
		return event.VerdictNotShown, change.Reason
	case unharmed.State != event.StateProven:
		return event.VerdictPartly, unharmed.Reason
	case canFail.State == event.StateNotShown:
		return event.VerdictPartly, "the proving test was not seen to fail on the new code: " + canFail.Reason
	case mutants.State == event.StateNotShown:
		return event.VerdictPartly, mutants.Reason
	}
	return event.VerdictProven, howProven(change)
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
