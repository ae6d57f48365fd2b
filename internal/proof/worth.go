package proof

import (
	"context"
	"fmt"
	"slices"

	"github.com/booty-cli/booty/internal/challenge"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/proof/mutant"
)

// maxNoticed bounds the small changes that tests of a challenge are asked about.
const maxNoticed = 10

// notice asks which small changes that no other test noticed the tests of a challenge do: those
// tests are worth keeping.
func (p *Prover) notice(ctx context.Context, survivors []event.Survivor) error {
	c := p.out.Challenge
	if c == nil || !slices.ContainsFunc(c.Tests,
		func(t event.ChallengeTest) bool { return challenge.State(t.State).Holds() }) {
		return nil
	}
	r := challengeRun{p: p, w: Written{Path: c.File, Suite: challenge.Suite{Text: c.Text}}}
	for _, t := range c.Tests {
		r.w.Tests = append(r.w.Tests, challenge.Test{Name: t.Name})
	}
	possible := p.Subject.mutants()
	for _, s := range survivors[:min(len(survivors), maxNoticed)] {
		i := slices.IndexFunc(possible,
			func(m mutant.Mutant) bool { return m.Path == s.File && m.Line == s.Line && m.Now == s.Now })
		if i < 0 {
			continue
		}
		if err := r.noticed(ctx, possible[i], c.Tests); err != nil {
			return err
		}
	}
	return nil
}

// noticed runs the tests on a small change. One that is not named then says nothing.
func (r *challengeRun) noticed(ctx context.Context, m mutant.Mutant, tests []event.ChallengeTest) error {
	got, err := r.onMutant(ctx, m)
	if err != nil {
		return err
	}
	at := fmt.Sprintf("%s:%d", m.Path, m.Line)
	for i := range tests {
		is, _ := r.ended(r.w.Tests[i], got)
		if is == challenge.Fails && challenge.State(tests[i].State).Holds() &&
			!slices.Contains(tests[i].Notices, at) {
			tests[i].Notices = append(tests[i].Notices, at)
		}
	}
	return nil
}
