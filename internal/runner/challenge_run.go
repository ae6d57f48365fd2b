package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/challenge"
	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/prompt"
	"github.com/booty-cli/booty/internal/proof"
	"github.com/booty-cli/booty/pkg/edit"
)

// challenges is the engine's Challenger.
type challenges struct {
	*prover
	prompts *prompts
	models  *models
}

// Challenge implements engine.Challenger.
func (c *challenges) Challenge(ctx context.Context, in engine.ChallengeInput,
	ask engine.Ask) (out *event.ChallengeFinished, err error) {
	from, to := cmp.Or(c.changes.base, in.From.Commit), in.To.Commit
	g, err := c.changes.guard(ctx)
	if err != nil {
		return out, err
	}
	s, _, err := c.changes.subject(ctx, g, from, to)
	if err != nil {
		return out, err
	}
	trees := &sides{from: from, to: to, open: func(ctx context.Context, commit string) (*secondTree, error) {
		return c.trees.open(ctx, commit, engine.TreeOptions{})
	}}
	defer func() { err = errors.Join(err, trees.Close()) }()
	p := &proof.Prover{Subject: s, Sides: trees, Now: c.now}
	if in.Earlier != nil && len(in.Earlier.Tests) > 0 {
		p.Challenger = again{*in.Earlier}
		return p.WorkChallenge(ctx, in.Given)
	}
	w := c.writer(ctx, from, s, ask)
	p.Challenger = w
	if out, err = p.WorkChallenge(ctx, in.Given); err == nil {
		err = w.failed
	}
	return out, err
}

// writer is who writes tests for a run.
func (c *challenges) writer(ctx context.Context, from string, s proof.Subject, ask engine.Ask) *challenger {
	w := c.prompts
	return &challenger{
		past: c.changes.repo.History, from: from, subject: func() proof.Subject { return s }, guard: c.changes.guard, redact: w.redact, ask: ask,
		describe: func() (string, string) { return c.models.Describe(engine.Challenge, false) },
		request: prompt.Challenge{Repo: w.repo, Nonce: w.nonce, Task: w.task, Command: strings.Join(w.cfg.TestCommand, " && "),
			PerToken: w.perToken(ctx, engine.Challenge, false)},
	}
}

// again is a Challenger that returns earlier tests.
type again struct{ earlier event.ChallengeFinished }

// Write implements proof.Challenger.
func (a again) Write(context.Context, proof.ChallengeBrief) (proof.Written, error) {
	e := a.earlier
	w := proof.Written{Path: e.File, Provider: e.Provider, Model: e.Model, Reply: e.Text}
	w.Text = e.Text
	for _, t := range e.Tests {
		if t.OfCode {
			w.OfCode = append(w.OfCode, t.Name)
		}
		switch challenge.State(t.State) {
		case challenge.Dropped:
			continue
		case challenge.Unfounded:
			w.Unfounded = append(w.Unfounded, t.Name)
		}
		w.Tests = append(w.Tests, challenge.Test{Name: t.Name, Quote: t.Quote})
	}
	return w, nil
}

// Dispute implements engine.Challenger.
func (c *challenges) Dispute(ctx context.Context, from, to engine.State, tests []event.ChallengeTest,
	reasons map[string]string, ask engine.Ask) (map[string]string, error) {
	var b strings.Builder
	for _, t := range tests {
		fmt.Fprintf(&b, "Test %s, which rests on: %s\n%s\nIt fails with: %s\nThe author of the change says that it is wrong: %s\n\n",
			t.Name, t.Quote, t.Code, t.Message, reasons[t.Name])
	}
	docs, err := c.docs(ctx, from, to)
	if err != nil {
		return nil, err
	}
	w := c.prompts
	p, err := prompt.AssembleDispute(prompt.Dispute{Repo: w.repo, Nonce: w.nonce, Task: w.task,
		Tests: w.redact(b.String()), Docs: w.redact(docs)})
	if err != nil {
		return nil, err
	}
	reply, err := ask(ctx, engine.Review, fromPrompt(p))
	if err != nil {
		return nil, err
	}
	return upheld(w.redact(reply.Text), w.task+"\n"+docs, tests), nil
}

// Kept implements engine.Challenger.
func (c *challenges) Kept(ctx context.Context, from, to engine.State, f event.ChallengeFinished,
	names []string) ([]edit.Change, error) {
	repo, pkg := c.changes.repo, ""
	sources, err := c.changes.Sources(ctx, from, to)
	if err != nil {
		return nil, err
	}
	for _, s := range sources { // of the code whose tests they are
		if path.Dir(s.Path) == path.Dir(path.Dir(f.File)) && pkg == "" {
			pkg = challenge.GoPackage(s.New)
		}
	}
	there, err := repo.History.NamesAt(ctx, to.Commit)
	if err != nil {
		return nil, err
	}
	suite := challenge.Suite{Text: f.Text}
	for _, t := range f.Tests {
		suite.Tests = append(suite.Tests, challenge.Test{Name: t.Name})
	}
	name, text := challenge.Kept(suite, f.File, names, pkg,
		func(p string) bool { return slices.Contains(there, p) })
	changes := []edit.Change{{Op: edit.Create, Path: name, New: []byte(text)}}
	g, err := c.changes.guard(ctx)
	if err != nil {
		return nil, err
	}
	v, err := g.Review(changes)
	if err != nil || len(v.Refused) > 0 {
		return nil, err
	}
	return changes, nil
}

// docs is the code that the challenge was written from.
func (c *challenges) docs(ctx context.Context, from, to engine.State) (string, error) {
	s, err := c.changes.Sources(ctx, from, to)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, f := range s {
		if !secretFile(f.Path) {
			b.Write(f.Old)
			b.WriteByte('\n')
		}
	}
	return b.String(), nil
}

var stands = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(?m)^[ \t>*-]*STANDS:?[ \t]+`?([^\n`]+?)`?[ \t]*:[ \t]*[\"“](.+?)[\"”]?[ \t]*$")
})

// upheld returns the tests that the reviewer upholds. One without a quotation from what was said is
// not upheld.
func upheld(reply, said string, tests []event.ChallengeTest) map[string]string {
	out := map[string]string{}
	for _, m := range stands().FindAllStringSubmatch(reply, -1) {
		for _, t := range tests {
			if t.Name == strings.TrimSpace(m[1]) && challenge.Founded(m[2], said) {
				out[t.Name] = m[2]
			}
		}
	}
	return out
}
