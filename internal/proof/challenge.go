package proof

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/challenge"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
)

// Challenger has tests written against a change by a model that does not see it.
type Challenger interface {
	Write(ctx context.Context, b ChallengeBrief) (Written, error)
}

// ChallengeBrief is what a Challenger may know.
type ChallengeBrief struct {
	// Before are the tests of the old code, Old names those that fail on both sides.
	Before Result
	Old    []string
	// Command returns the command that runs a test file; false if only that for all tests is known.
	Command func(file string) (string, bool)
	// Last is the last reply, Wrong why its tests could not be used; "" at first.
	Last, Wrong string
}

// Written are tests that were written.
type Written struct {
	challenge.Suite
	// Path is the file for them, Reply the reply they come from.
	Path, Reply string
	// Wrong says why they cannot be used, Unfounded names those that rest on a sentence that was
	// not shown.
	Wrong     string
	Unfounded []string
	// OfCode names those that rest on a line of the old code.
	OfCode []string
	// Provider and Model wrote them, for CostUSD.
	Provider, Model string
	CostUSD         float64
}

// challenge has tests written against the change, and runs them on both sides.
func (p *Prover) challenge(ctx context.Context) error {
	if p.Challenger == nil || len(p.Sources) == 0 {
		return nil
	}
	began := p.Now()
	out, err := p.challenged(ctx)
	if err != nil {
		return err
	}
	p.ran.Challenge, p.out.Challenge = &out, &out
	c := ChallengeClaim(out)
	p.step(event.StepChallenge, c.State == event.StateProven, c.Reason, began)
	return nil
}

// challenged asks for tests, and once more if none of them runs on the new code.
func (p *Prover) challenged(ctx context.Context) (out event.ChallengeFinished, err error) {
	old, err := p.oldTree(ctx)
	if err != nil {
		return out, err
	}
	b := ChallengeBrief{Before: p.ran.Before, Old: p.ran.Old(), Command: old.NewFileCommand}
	for _, last := range []bool{false, true} {
		w, err := p.Challenger.Write(ctx, b)
		if err != nil {
			return out, err
		}
		out = event.ChallengeFinished{Tests: []event.ChallengeTest{}, File: w.Path, Text: w.Text, Head: w.Head(),
			Provider: w.Provider, Model: w.Model, CostUSD: out.CostUSD + w.CostUSD}
		if w.None != "" {
			out.Reason = "there are no tests: " + w.None
			return out, nil
		}
		r := challengeRun{p: p, w: w}
		b.Last, b.Wrong = w.Reply, w.Wrong
		if w.Wrong == "" {
			if err := r.bothSides(ctx); err != nil || r.trouble != "" {
				out.Reason = r.trouble
				return out, err
			}
			b.Wrong = r.wrong()
		}
		if b.Wrong == "" || last && r.said() {
			err := r.weigh(ctx)
			out.Tests = r.tests
			return out, err
		}
		out.Tests = append(out.Tests, r.tests...)
	}
	out.Reason = "its tests could not be used: " + firstLine(b.Wrong)
	return out, nil
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

// weigh drops the tests that say nothing, each for its reason.
func (r *challengeRun) weigh(ctx context.Context) error {
	r.dropped(challenge.Unfounded,
		func(_ int, t event.ChallengeTest) bool { return slices.Contains(r.w.Unfounded, t.Name) })
	r.dropped(challenge.OldFailure,
		func(i int, _ event.ChallengeTest) bool { return r.oldReason(r.failed[i]) })
	if err := r.repeat(ctx); err != nil {
		return err
	}
	if err := r.canFail(ctx); err != nil {
		return err
	}
	for i := range r.tests {
		t := &r.tests[i]
		if !challenge.State(t.State).Caught() {
			continue
		}
		f := r.failed[i]
		t.Message = cmp.Or(f.Message, "it did not run with the change")
		if f.Expected+f.Actual != "" &&
			!(strings.Contains(f.Message, f.Expected) && strings.Contains(f.Message, f.Actual)) {
			t.Message += fmt.Sprintf("\nexpected %s, got %s", f.Expected, f.Actual)
		}
		t.File, t.Line = r.placeOf(f)
	}
	return nil
}

// placeOf is where in the product a test failed, if that is known.
func (r *challengeRun) placeOf(f failure.Failure) (string, int) {
	for _, at := range append([]failure.Frame{{File: f.File, Line: f.Line}}, f.Frames...) {
		if slices.ContainsFunc(r.p.Sources, func(s Source) bool { return s.Path == at.File }) {
			return at.File, at.Line
		}
	}
	return "", 0
}

// dropped sets the state of those tests that still count and that is reports.
func (r *challengeRun) dropped(to challenge.State, is func(i int, t event.ChallengeTest) bool) {
	for i, t := range r.tests {
		if s := challenge.State(t.State); (s.Holds() || s.Caught()) && is(i, t) {
			r.tests[i].State = string(to)
		}
	}
}

// oldReason reports whether a test fails for what another one failed for before, and does still.
func (r *challengeRun) oldReason(f failure.Failure) bool {
	words := failure.SignatureOf(f).Words
	if f.Message == "" || len(words) == 0 {
		return false
	}
	still := failure.IDs(r.p.ran.After.Failures)
	return slices.ContainsFunc(r.p.ran.Before.Failures, func(g failure.Failure) bool {
		return g.ID().Among(still) && slices.Equal(failure.SignatureOf(g).Words, words)
	})
}

// repeat runs the tests once more: one that does not end as it did says nothing.
func (r *challengeRun) repeat(ctx context.Context) error {
	now, err := r.run(ctx, r.p.new, []byte(r.w.Text))
	if err != nil {
		return err
	}
	r.dropped(challenge.Flaky, func(i int, t event.ChallengeTest) bool {
		is, _ := r.ended(r.w.Tests[i], now)
		return string(is) != t.New
	})
	if !slices.ContainsFunc(r.tests,
		func(t event.ChallengeTest) bool { return t.Old != t.New && t.Old != string(challenge.Unbuilt) }) {
		return nil
	}
	old, err := r.run(ctx, r.p.old, []byte(r.w.Text))
	if err != nil {
		return err
	}
	r.dropped(challenge.Flaky, func(i int, t event.ChallengeTest) bool {
		was, _ := r.ended(r.w.Tests[i], old)
		return string(was) != t.Old
	})
	return nil
}

// ChallengeClaim is the claim that a challenge allows. Its tests are those that show it or, if any
// were caught, these.
func ChallengeClaim(c event.ChallengeFinished) event.Claim {
	out := event.Claim{Claim: event.ClaimChallenged, State: event.StateUntried, Tests: []string{},
		Reason: c.Reason}
	var hold, caught, proves, regress []string
	for _, t := range c.Tests {
		switch s := challenge.State(t.State); {
		case s.Holds():
			hold = append(hold, t.Name)
			if s == challenge.Proves {
				proves = append(proves, t.Name)
			}
		case s.Caught():
			caught = append(caught, t.Name)
			if s == challenge.Regression {
				regress = append(regress, t.Name)
			}
		}
	}
	n := len(hold) + len(caught)
	uncounted := ""
	if rest := len(c.Tests) - n; rest > 0 {
		uncounted = fmt.Sprintf("; %d more not counted", rest)
	}
	switch {
	case out.Reason != "":
	case n == 0 && len(c.Tests) == 0:
		out.Reason = "no test was written"
	case n == 0:
		out.Reason = fmt.Sprintf("none of %s says anything: %s", tests(len(c.Tests)), c.Tests[0].State)
	case len(caught) > 0:
		out.State, out.Tests = event.StateDisproven, caught
		out.Reason = fmt.Sprintf("it fails %d of %s", len(caught), tests(n)) +
			ofThem(len(regress), len(caught), "passes", "pass") + uncounted
	default:
		out.State = event.StateProven
		out.Tests = append(out.Tests, proves...)
		out.Reason = fmt.Sprintf("it holds in %d of %s", len(hold), tests(n)) +
			ofThem(len(proves), len(hold), "fails", "fail") + uncounted
	}
	return out
}

// ofThem says how some of the tests end without the change.
func ofThem(n, of int, one, more string) string {
	switch {
	case n == 0:
		return ""
	case of == 1:
		return ", which " + one + " without it"
	case n == 1:
		return ", 1 of them " + one + " without it"
	}
	return fmt.Sprintf(", %d of them %s without it", n, more)
}
