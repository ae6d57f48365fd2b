package engine

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/challenge"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/proof"
	"github.com/booty-cli/booty/pkg/edit"
)

// A challenge has tests written against green work by a model that does not see it. What they
// catch is asked about once: the model may fix it, or dispute a test. A reviewer judges a disputed
// one by the task's words. What stays open is for a person; it never makes work red.

// Challenger has tests written against a change, and runs them.
type Challenger interface {
	// Challenge returns nil if no code was changed.
	Challenge(ctx context.Context, in ChallengeInput, ask Ask) (*event.ChallengeFinished, error)
	// Dispute asks a reviewer about tests of a challenge, each with the reason why the model calls
	// it wrong. It returns the tests that are upheld, with the sentence that asks for them.
	Dispute(ctx context.Context, from, to State, tests []event.ChallengeTest, reasons map[string]string,
		ask Ask) (upheld map[string]string, err error)
	// Kept returns the changes that add some tests of a challenge to a state; none where there is
	// no place for them.
	Kept(ctx context.Context, from, to State, c event.ChallengeFinished,
		names []string) ([]edit.Change, error)
}

// ChallengeInput is a change that passes the checks, with the results of its tests.
type ChallengeInput struct {
	From, To State
	proof.Given
	// Earlier are tests that were already written; nil if there are none.
	Earlier *event.ChallengeFinished
}

// challenge has green work challenged, and asks the model, once, about what is caught.
func (r *run) challenge(ctx context.Context, a *Attempt) error {
	if !a.Verdict.Green || !r.isChallenged() {
		return nil
	}
	if err := r.challenged(ctx, a.State, a); err != nil {
		return err
	}
	caught := r.caught()
	if len(caught) == 0 || r.m.Passed != nil || a.N >= r.max() {
		return nil
	}
	var names []string
	var text strings.Builder
	text.WriteString("The checks pass. But a reviewer wrote tests of what the task and the documentation say, without seeing your work, and these fail with it:\n")
	for _, t := range caught {
		names = append(names, t.Name)
		fmt.Fprintf(&text, "\n%s rests on %s\n%s\n%s", t.Name, restsOn(t), t.Message, t.Code)
	}
	text.WriteString("\nThe tests are not in the repository; do not add them. Fix the code. Where a test is wrong, since nothing asks for what it " +
		"expects, say so without edits for it, with a line:\nDISPUTE name: reason")
	a.Verdict = a.Verdict.held(HeldChallenged, "tests written against it fail: "+list(names),
		"challenge:"+list(names), text.String())
	r.m.Passed = &Passed{N: a.N, Evidence: r.m.Evidence, Claims: r.m.Claims, Survivors: r.m.Survivors,
		Caught: true, Challenge: r.m.Challenge}
	return nil
}

// isChallenged reports whether green work is challenged: all of it or, by default, that for which
// there is no evidence. Tests that were written run again whatever that says.
func (r *run) isChallenged() bool {
	return r.Challenger != nil && (!r.o.ChallengeUnproven || r.m.Challenge != nil || !r.evident())
}

// evident reports whether what may be said of green work is evidence: tests show it, and can fail.
func (r *run) evident() bool {
	shown := false
	for _, c := range r.m.Claims {
		if c.Claim == event.ClaimCanFail && c.State == event.StateNotShown {
			return false
		}
		shown = shown || c.Claim == event.ClaimChange && c.State == event.StateProven
	}
	return shown
}

// challenged has a state challenged: by tests that are there already, or by new ones.
func (r *run) challenged(ctx context.Context, s State, a *Attempt) error {
	in := ChallengeInput{From: r.m.Start.State, To: s, Given: r.given(a), Earlier: r.m.Challenge}
	c, err := r.Challenger.Challenge(ctx, in, r.askOnce(a.N))
	switch {
	case err == nil:
	case ctx.Err() != nil && !errors.Is(context.Cause(ctx), ErrRunTime):
		return ctx.Err()
	default: // what cannot be had, or paid for, blocks nothing but a merge
		r.notice("warning", "there is no challenge: "+err.Error())
		c = &event.ChallengeFinished{Tests: []event.ChallengeTest{}, Reason: err.Error()}
	}
	r.m.ChallengeOf, r.m.Written = s, nil
	if c != nil && (c.Provider != "" || err != nil || !r.o.ChallengeUnproven) {
		r.m.Challenge = c
		r.claimChallenge()
	}
	return r.save(ctx)
}

// askOnce keeps the replies until Written is cleared: a run that is interrupted meanwhile pays for
// none of them twice.
func (r *run) askOnce(attempt int) Ask {
	next := 0
	return func(ctx context.Context, role Role, p Prompt) (Reply, error) {
		if next++; next <= len(r.m.Written) {
			return r.m.Written[next-1], nil
		}
		return r.calls.send(ctx, Call{Attempt: attempt, Role: role, Prompt: p}, func(reply Reply) {
			r.m.Written = append(r.m.Written, reply)
		})
	}
}

// claimChallenge emits the challenge and adds its claim.
func (r *run) claimChallenge() {
	r.m.Claims = slices.DeleteFunc(slices.Clone(r.m.Claims),
		func(c event.Claim) bool { return c.Claim == event.ClaimChallenged })
	c := proof.ChallengeClaim(*r.m.Challenge)
	r.m.Claims = append(r.m.Claims, c)
	if r.m.Unchallenged = ""; c.State == event.StateUntried {
		r.m.Unchallenged = c.Reason
	}
	r.emit(event.ProofStep{Step: event.StepChallenge, Good: c.State == event.StateProven, Text: c.Reason})
	r.emit(*r.m.Challenge)
	r.emit(event.ProofFinished{Claims: r.m.Claims, Survivors: r.m.Survivors})
}

// caught are the tests of the challenge that the work does not pass.
func (r *run) caught() (caught []event.ChallengeTest) {
	if r.m.Challenge == nil {
		return nil
	}
	for _, t := range r.m.Challenge.Tests {
		if challenge.State(t.State).Caught() {
			caught = append(caught, t)
		}
	}
	return caught
}

// restsOn says what a test of a challenge rests on.
func restsOn(t event.ChallengeTest) string {
	if t.OfCode {
		return fmt.Sprintf("the old code, %q", t.Quote)
	}
	return fmt.Sprintf("%q", t.Quote)
}

// openChallenge says what of a challenge a person must look at.
func (r *run) openChallenge() (lines []string) {
	for _, t := range r.caught() {
		lines = append(lines, fmt.Sprintf("a test that was written without seeing the change fails with it: %s, which rests on %s", t.Name, restsOn(t)))
	}
	if r.m.Unchallenged != "" && r.o.Merges {
		lines = append(lines, "it was not challenged: "+r.m.Unchallenged)
	}
	return lines
}

var disputes = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(?m)^[ \t>*-]*DISPUTE:?[ \t]+`?([^\n`]+?)`?:[ \t]*(.+?)[ \t]*$")
})

// disputed is what follows a reply without edits to the question about a challenge: a reviewer
// judges the tests that it disputes, and the attempt is green.
func (r *run) disputed(ctx context.Context, last *Attempt, said string) error {
	reasons := map[string]string{}
	var asked []event.ChallengeTest
	for _, m := range disputes().FindAllStringSubmatch(said, -1) {
		for _, t := range r.caught() {
			if _, twice := reasons[t.Name]; !twice && failure.NamedIn(strings.TrimSpace(m[1]), []string{t.Name}) {
				reasons[t.Name] = m[2]
				asked = append(asked, t)
			}
		}
	}
	if len(asked) > 0 {
		if err := r.settleDispute(ctx, last.N, asked, reasons); err != nil {
			return err
		}
	}
	r.m.Replies = nil
	return r.acceptUnshown(ctx, last)
}

// settleDispute has a reviewer judge disputed tests. One that cannot be reached settles none.
func (r *run) settleDispute(ctx context.Context, attempt int, asked []event.ChallengeTest, reasons map[string]string) error {
	upheld, err := r.Challenger.Dispute(ctx, r.m.Start.State, r.m.ChallengeOf, asked, reasons, r.askOnce(attempt))
	switch {
	case err == nil:
	case ctx.Err() != nil && !errors.Is(context.Cause(ctx), ErrRunTime):
		return ctx.Err()
	default:
		r.m.Written = nil
		r.notice("warning", "no reviewer could be asked about the disputed tests: "+err.Error())
		return nil
	}
	c := *r.m.Challenge
	c.Tests = slices.Clone(c.Tests)
	for i, t := range c.Tests {
		if _, is := reasons[t.Name]; !is {
			continue
		}
		if quote, stands := upheld[t.Name]; stands {
			c.Tests[i].Quote = quote
		} else {
			c.Tests[i].State = string(challenge.Dropped)
		}
	}
	r.m.Challenge, r.m.Written = &c, nil
	r.claimChallenge()
	return r.save(ctx)
}

// challengeGreen challenges work that became green without a challenge: earlier work, or work that
// the model has confirmed.
func (r *run) challengeGreen(ctx context.Context) error {
	if !r.isChallenged() || r.m.total() == 0 && r.o.Earlier == 0 || r.m.ChallengeOf == r.m.Current {
		return nil
	}
	return r.challenged(ctx, r.m.Current, &Attempt{N: r.m.total(), State: r.m.Current, Verdict: r.m.Standing})
}

// keepTests adds tests of a challenge to green work: those that notice a small change to it which
// no other test does.
func (r *run) keepTests(ctx context.Context) error {
	best := r.m.green()
	if !r.o.KeepTests || best == nil || r.m.Challenge == nil || r.m.ChallengeOf != best.State || r.m.Kept != "" {
		return nil
	}
	var names []string
	for _, t := range r.m.Challenge.Tests {
		if challenge.State(t.State).Holds() && len(t.Notices) > 0 {
			names = append(names, t.Name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	changes, err := r.Challenger.Kept(ctx, r.m.Start.State, best.State, *r.m.Challenge, names)
	if err != nil || len(changes) == 0 {
		return err
	}
	s, err := r.tree.apply(ctx, best.N, changes)
	if err != nil {
		return err
	}
	added := files(changes)
	c, err := r.verifier.verify(ctx, VerifyInput{Attempt: best.N, Full: true}, s, r.m.Named(added...))
	if err != nil {
		return err
	}
	v, s := c.verdict, c.state
	if !v.Green {
		r.notice("warning", "tests of the challenge are not kept: "+firstLine(v.Text+v.Environment))
		return r.tree.restore(ctx, best.State)
	}
	best.State, best.Files = s, mergeFiles(best.Files, added)
	r.m.Current, r.m.ChallengeOf, r.m.Kept = s, s, changes[0].Path
	r.notice("info", "kept in "+changes[0].Path+", since they notice what no other test does: "+list(names))
	return r.save(ctx)
}
