package engine

import (
	"context"
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

// Challenged is what a run knows of the challenge of its work.
type Challenged struct {
	// Challenge is the challenge of the state ChallengeOf, Unchallenged why there could be none.
	Challenge    *event.ChallengeFinished `json:"challenge,omitempty"`
	ChallengeOf  State                    `json:"challenge_of,omitzero"`
	Unchallenged string                   `json:"unchallenged,omitempty"`
	// Written are the replies of a challenge, or of a dispute about one, under way.
	Written []Reply `json:"written,omitempty"`
	// Kept is the file that makes some of these tests part of the work.
	Kept string `json:"kept_tests,omitempty"`
}

func (c *Challenged) set(e event.ChallengeFinished) {
	c.Challenge, c.Unchallenged = &e, ""
	if claim := proof.ChallengeClaim(e); claim.State == event.StateUntried {
		c.Unchallenged = claim.Reason
	}
}

// caught are the tests of the challenge that the work does not pass.
func (c *Challenged) caught() (caught []event.ChallengeTest) {
	if c.Challenge == nil {
		return nil
	}
	for _, t := range c.Challenge.Tests {
		if challenge.State(t.State).Caught() {
			caught = append(caught, t)
		}
	}
	return caught
}

// unresolved says what of a challenge a person must look at. merges says that green work is merged
// without one.
func (c *Challenged) unresolved(merges bool) (lines []string) {
	for _, t := range c.caught() {
		lines = append(lines, fmt.Sprintf("a test that was written without seeing the change fails with it: "+
			"%s, which rests on %s", t.Name, restsOn(t)))
	}
	if c.Unchallenged != "" && merges {
		lines = append(lines, "it was not challenged: "+c.Unchallenged)
	}
	return lines
}

// restsOn says what a test of a challenge rests on.
func restsOn(t event.ChallengeTest) string {
	if t.OfCode {
		return fmt.Sprintf("the old code, %q", t.Quote)
	}
	return fmt.Sprintf("%q", t.Quote)
}

// withCaught asks about tests of a challenge that the work does not pass.
func (v Verdict) withCaught(caught []event.ChallengeTest) Verdict {
	var names []string
	var text strings.Builder
	text.WriteString("The checks pass. But a reviewer wrote tests of what the task and the documentation say, " +
		"without seeing your work, and these fail with it:\n")
	for _, t := range caught {
		names = append(names, t.Name)
		fmt.Fprintf(&text, "\n%s rests on %s\n%s\n%s", t.Name, restsOn(t), t.Message, t.Code)
	}
	text.WriteString("\nThe tests are not in the repository; do not add them. Fix the code. Where a test is wrong, " +
		"since nothing asks for what it expects, say so without edits for it, with a line:\nDISPUTE name: reason")
	return v.held(HeldChallenged, "tests written against it fail: "+list(names),
		"challenge:"+list(names), text.String())
}

// challenges has green work challenged, and disputed tests judged.
type challenges struct {
	reporter
	// challenger is nil if no challenge was asked for.
	challenger Challenger
	calls      *calls
	before     before
	known      *Challenged
	// onlyUnproven says that only work without evidence is challenged.
	onlyUnproven bool
}

// wanted reports whether green work is challenged: all of it or, by default, that for which
// there is no evidence. Tests that were written run again whatever that says.
func (c *challenges) wanted(claims []event.Claim) bool {
	return c.challenger != nil && (!c.onlyUnproven || c.known.Challenge != nil || !evident(claims))
}

// run has work challenged, by tests that are there already or by new ones. It returns nil where that
// leads to no claim.
func (c *challenges) run(ctx context.Context, w work, given proof.Given) (*event.ChallengeFinished, error) {
	in := ChallengeInput{From: c.before.Start.State, To: w.state, Given: given, Earlier: c.known.Challenge}
	found, err := c.challenger.Challenge(ctx, in, c.askOnce(w.n))
	switch {
	case err == nil:
	case cancelled(ctx):
		return nil, ctx.Err()
	default: // what cannot be had, or paid for, blocks nothing but a merge
		c.notice("warning", "there is no challenge: "+err.Error())
		found = &event.ChallengeFinished{Tests: []event.ChallengeTest{}, Reason: err.Error()}
	}
	c.known.ChallengeOf, c.known.Written = w.state, nil
	if found == nil || found.Provider == "" && err == nil && c.onlyUnproven {
		return nil, nil
	}
	c.known.set(*found)
	return found, nil
}

// askOnce keeps the replies until Written is cleared: a run that is interrupted meanwhile pays for
// none of them twice.
func (c *challenges) askOnce(attempt int) Ask {
	next := 0
	return func(ctx context.Context, role Role, p Prompt) (Reply, error) {
		if next++; next <= len(c.known.Written) {
			return c.known.Written[next-1], nil
		}
		return c.calls.send(ctx, Call{Attempt: attempt, Role: role, Prompt: p}, func(reply Reply) {
			c.known.Written = append(c.known.Written, reply)
		})
	}
}

var disputes = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(?m)^[ \t>*-]*DISPUTE:?[ \t]+`?([^\n`]+?)`?:[ \t]*(.+?)[ \t]*$")
})

// disputed returns the caught tests that a reply disputes, with its reasons.
func (c *challenges) disputed(said string) (tests []event.ChallengeTest, reasons map[string]string) {
	reasons = map[string]string{}
	for _, m := range disputes().FindAllStringSubmatch(said, -1) {
		for _, t := range c.known.caught() {
			if _, twice := reasons[t.Name]; !twice && failure.NamedIn(strings.TrimSpace(m[1]), []string{t.Name}) {
				reasons[t.Name] = m[2]
				tests = append(tests, t)
			}
		}
	}
	return tests, reasons
}

// settle has a reviewer judge the tests that a reply disputes. It returns the challenge as it stands
// then; nil where nothing is disputed, or no reviewer can be reached.
func (c *challenges) settle(ctx context.Context, attempt int, said string) (*event.ChallengeFinished, error) {
	tests, reasons := c.disputed(said)
	if len(tests) == 0 {
		return nil, nil
	}
	upheld, err := c.challenger.Dispute(ctx, c.before.Start.State, c.known.ChallengeOf, tests, reasons,
		c.askOnce(attempt))
	switch {
	case err == nil:
	case cancelled(ctx):
		return nil, ctx.Err()
	default:
		c.known.Written = nil
		c.notice("warning", "no reviewer could be asked about the disputed tests: "+err.Error())
		return nil, nil
	}
	settled := *c.known.Challenge
	settled.Tests = slices.Clone(settled.Tests)
	for i, t := range settled.Tests {
		if _, is := reasons[t.Name]; !is {
			continue
		}
		if quote, stands := upheld[t.Name]; stands {
			settled.Tests[i].Quote = quote
		} else {
			settled.Tests[i].State = string(challenge.Dropped)
		}
	}
	c.known.set(settled)
	c.known.Written = nil
	return &settled, nil
}

// worthKeeping returns the changes that add to a state those tests of its challenge that notice what
// no other test does.
func (c *challenges) worthKeeping(ctx context.Context, s State) (
	changes []edit.Change, names []string, err error) {
	if c.known.Challenge == nil || c.known.ChallengeOf != s || c.known.Kept != "" {
		return nil, nil, nil
	}
	for _, t := range c.known.Challenge.Tests {
		if challenge.State(t.State).Holds() && len(t.Notices) > 0 {
			names = append(names, t.Name)
		}
	}
	if len(names) == 0 {
		return nil, nil, nil
	}
	changes, err = c.challenger.Kept(ctx, c.before.Start.State, s, *c.known.Challenge, names)
	return changes, names, err
}

// challenge has a green attempt challenged, and asks the model, once, about what is caught.
func (r *run) challenge(ctx context.Context, a Attempt) (Verdict, error) {
	if !a.Verdict.Green || !r.challenges.wanted(r.m.Claims) {
		return a.Verdict, nil
	}
	w := r.workOf(a)
	if err := r.challenged(ctx, w); err != nil {
		return a.Verdict, err
	}
	caught := r.m.caught()
	if len(caught) == 0 || r.m.Passed != nil || !w.mayAsk {
		return a.Verdict, nil
	}
	r.m.Passed = &Passed{N: a.N, Evidence: r.m.Evidence, Claims: r.m.Claims, Survivors: r.m.Survivors,
		Caught: true, Challenge: r.m.Challenge}
	return a.Verdict.withCaught(caught), nil
}

// challenged has work challenged and emits the claim.
func (r *run) challenged(ctx context.Context, w work) error {
	c, err := r.challenges.run(ctx, w, r.evidence.given(w))
	if err != nil {
		return err
	}
	if c != nil {
		r.evidence.addChallenge(*c)
	}
	return r.save(ctx)
}

// challengeGreen challenges work that became green without a challenge: earlier work, or work that
// the model has confirmed.
func (r *run) challengeGreen(ctx context.Context) error {
	if !r.challenges.wanted(r.m.Claims) || r.m.total() == 0 && r.o.Earlier == 0 ||
		r.m.ChallengeOf == r.m.Current {
		return nil
	}
	return r.challenged(ctx, r.workOf(Attempt{N: r.m.total(), State: r.m.Current, Verdict: r.m.Standing}))
}

// keepTests adds tests of a challenge to green work, unless the checks fail with them.
func (r *run) keepTests(ctx context.Context) error {
	best := r.m.green()
	if !r.o.KeepTests || best == nil {
		return nil
	}
	changes, names, err := r.challenges.worthKeeping(ctx, best.State)
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
	if v := c.verdict; !v.Green {
		r.notice("warning", "tests of the challenge are not kept: "+firstLine(v.Text+v.Environment))
		return r.tree.restore(ctx, best.State)
	}
	best.State, best.Files = c.state, mergeFiles(best.Files, added)
	r.m.Current, r.m.ChallengeOf, r.m.Kept = c.state, c.state, changes[0].Path
	r.notice("info", "kept in "+changes[0].Path+", since they notice what no other test does: "+list(names))
	return r.save(ctx)
}
