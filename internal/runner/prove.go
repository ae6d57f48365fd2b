package runner

import (
	"context"
	"errors"
	"runtime"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/proof"
	"github.com/booty-cli/booty/internal/report"
)

// ProveOptions are the options of Prove.
type ProveOptions struct {
	// Range is the change.
	Range Range
	// Mutants is how many small changes are tried.
	Mutants int
	// Dismissed reports whether a person dismissed a survivor; may be nil.
	Dismissed func(event.Survivor) bool
	// Setup runs setup_command even if its inputs did not change.
	Setup bool
	// MustCount says that the test command was guessed: it shows nothing unless it is seen to run
	// tests.
	MustCount bool
	// Challenge has a model write tests against the change; nil if not asked for.
	Challenge *ChallengeOptions
}

// ChallengeFailed is the error beside a proof whose challenge failed: the model cannot be reached,
// or a limit would be exceeded.
type ChallengeFailed struct{ Err error }

func (e *ChallengeFailed) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e *ChallengeFailed) Unwrap() error { return e.Err }

// ChallengeOptions are the options of a challenge.
type ChallengeOptions struct {
	// Task is what the change is for; if empty, the messages of its commits.
	Task string
	// Model says where replies come from and go to: DryRun, Replay and Record.
	Model Options
}

// Prove proves a change in trees of booty's own. It keeps no record. If the context ends first,
// the result is what is known by then; the error is non-nil if the reason is not proof.ErrTimeUp.
func Prove(ctx context.Context, s *Session, o ProveOptions, show Show) (out event.ProofFinished, err error) {
	b := newWorktreeChecks(s, "prove-"+journal.NewRunID(), show, Options{DryRun: true, Setup: o.Setup})
	beside := &secondTrees{s: s, checks: b, shared: &sharedSetup{}, setup: func(e event.CheckFinished) { show.Events.Handle(e) }}
	trees := &proving{s: s, beside: beside, sides: sides{from: o.Range.Base, to: o.Range.Head}}
	trees.open = trees.ready
	defer func() { err = errors.Join(err, b.Close(), trees.Close()) }()
	p := &proof.Prover{
		Sides: trees, Release: release, MustCount: o.MustCount, Mutants: o.Mutants, Dismissed: o.Dismissed, Workers: proofWorkers(), Now: s.Now,
		Step: func(e event.ProofStep) { show.Events.Handle(e) },
	}
	look, err := trees.subject(ctx, p)
	if o.Challenge != nil && err == nil && trees.nothing == "" {
		err = trees.challenge(ctx, p, o, show)
	}
	switch {
	case err != nil && ctx.Err() == nil:
		return out, err
	case err == nil && trees.nothing != "" && trees.updates:
		out, err = p.Update(ctx, trees.nothing)
	case err == nil && trees.nothing != "":
		out = event.ProofFinished{Claims: []event.Claim{}, Verdict: event.VerdictNothing,
			Reason: trees.nothing}
	case o.Challenge != nil && o.Challenge.Model.DryRun:
		out, err = p.OnlyChallenge(ctx)
	default:
		out, err = p.Prove(ctx)
	}
	if out.Challenge != nil {
		show.Events.Handle(*out.Challenge)
	}
	if c := trees.challenger; err == nil && c != nil && c.failed != nil {
		err = &ChallengeFailed{c.failed}
	}
	out.Subject, out.Base, out.Head = o.Range.Words, o.Range.Base, o.Range.Shown
	out.Look = append(out.Look, look...)
	if texts := trees.textsAlone(); texts != "" && out.Verdict == event.VerdictNotShown {
		out.Look = append(out.Look, texts)
	}
	if err != nil && ctx.Err() != nil {
		err = fault.New(fault.Interrupted, "", "interrupted")
	}
	return out, err
}

// proofWorkers is in how many trees tests run at once.
func proofWorkers() int { return min(runtime.NumCPU(), 4) }

// proving is a change whose two sides run in trees of their own.
type proving struct {
	s      *Session
	beside *secondTrees
	sides
	// sources are the files of the product that differ.
	sources []proof.Source
	// nothing says what changed where that is no code, updates that it is something
	// that the tests run with.
	nothing string
	updates bool
	// old is the first tree of the old side, until it is used.
	old *secondTree
	// challenger writes tests against the change; nil if not asked for.
	challenger *challenger
}

// ready returns a tree of a commit in which setup has run.
func (t *proving) ready(ctx context.Context, commit string) (c *secondTree, err error) {
	if commit == t.from && t.old != nil {
		c, t.old = t.old, nil
		return c, c.setUp(ctx, t.beside.setup)
	}
	if c, err = t.beside.open(ctx, commit, engine.TreeOptions{}); err != nil || commit != t.to {
		return c, err
	}
	c.unnoticed = func(ctx context.Context) (bool, error) { return t.unnoticed(ctx, c) }
	return c, nil
}

// subject sets the subject of the proof, and returns what a person should look at. Files are
// classified by their use in a tree of the old side.
func (t *proving) subject(ctx context.Context, p *proof.Prover) (look []string, err error) {
	if t.old, err = t.beside.place(ctx, t.from, engine.TreeOptions{}); err != nil {
		return nil, err
	}
	t.add(func() error {
		if t.old == nil {
			return nil
		}
		return t.old.Close()
	})
	c := &changes{origin: &origin{repo: t.old.repo, cfg: t.s.Settings.Config,
		start: engine.State{Commit: t.from}}}
	g, err := c.guard(ctx)
	if err != nil {
		return nil, err
	}
	var swap engine.Swap
	if p.Subject, swap, err = c.subject(ctx, g, t.from, t.to); err != nil {
		return nil, err
	}
	t.sources = p.Sources
	if changed := changedCases(swap, p.Renames); len(changed) > 0 {
		look = append(look, "changes existing tests, or how they run: "+report.Some(changed))
	}
	if len(swap.Unsplit) > 0 {
		look = append(look, "changes tests inside product code, which cannot be separated from it: "+report.Some(swap.Unsplit))
	}
	list, err := c.repo.Compare.Changes(ctx, t.from, t.to)
	if err != nil {
		return nil, err
	}
	for _, c := range list {
		t.beside.shared.differ = append(t.beside.shared.differ, c.Path)
	}
	if err := t.look(ctx, c.repo.History, list, g.TestFile); err != nil {
		return nil, err
	}
	signs, err := Signs(ctx, c.repo.History, t.from, t.to, list)
	if err != nil {
		return nil, err
	}
	p.Read = func(ctx context.Context, at failure.Frame, was bool) (*proof.Expectation, error) {
		return c.expectation(ctx, t.to, at, was)
	}
	return append(look, signs...), nil
}
