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
	"github.com/booty-cli/booty/internal/testfile"
	"github.com/booty-cli/booty/internal/workspace"
)

// ProveOptions say what is to be proven, and how much may be spent on it.
type ProveOptions struct {
	// Range is the change.
	Range Range
	// Mutants is how many small changes are tried.
	Mutants int
	// Dismissed reports whether a person said of a survivor that it does not matter; may be nil.
	Dismissed func(event.Survivor) bool
	// Setup runs setup_command though nothing has changed.
	Setup bool
	// MustCount says that the test command was guessed: nothing is said by one that is not
	// seen to run tests.
	MustCount bool
}

// Prove runs what proves a change, in trees of booty's own. It keeps no record. Where the
// context ends before it is done, the result is what is known by then; the error says whether
// it was for another reason than [proof.ErrTimeUp].
func Prove(ctx context.Context, s *Session, o ProveOptions, show Show) (out event.ProofFinished, err error) {
	b := newWorktreeChecks(s, "prove-"+journal.NewRunID(), show, Options{DryRun: true, Setup: o.Setup})
	trees := &proving{s: s, checks: b, sides: sides{from: o.Range.Base, to: o.Range.Head}}
	trees.open = trees.ready
	defer func() { err = errors.Join(err, b.Close(), trees.Close()) }()
	p := &proof.Prover{
		Sides: trees, MustCount: o.MustCount, Mutants: o.Mutants, Dismissed: o.Dismissed, Workers: proofWorkers(), Now: s.Now,
		Step: func(e event.ProofStep) { show.Events.Handle(e) },
	}
	look, err := trees.subject(ctx, p)
	switch {
	case err != nil && ctx.Err() == nil:
		return out, err
	case err == nil && trees.nothing != "" && trees.updates:
		out, err = p.Update(ctx, trees.nothing)
	case err == nil && trees.nothing != "":
		out = event.ProofFinished{Claims: []event.Claim{}, Verdict: event.VerdictNothing, Reason: trees.nothing}
	default:
		out, err = p.Prove(ctx)
	}
	out.Subject, out.Base, out.Head = o.Range.Words, o.Range.Base, o.Range.Shown
	out.Look = append(out.Look, look...)
	if err != nil && ctx.Err() != nil {
		err = fault.New(fault.Interrupted, "", "interrupted")
	}
	return out, err
}

// proofWorkers is in how many trees mutants are tried at once: the tests themselves
// often use several cores.
func proofWorkers() int { return max(1, min(runtime.NumCPU()/2, 4)) }

// proving is a change whose two ends are proven in trees of their own.
type proving struct {
	s      *Session
	checks *worktreeChecks
	sides
	// sources are the files of the product that differ.
	sources []proof.Source
	// nothing says what changed where that is no code, updates that versions of dependencies
	// did.
	nothing string
	updates bool
	// old and new are the first trees of the two ends, until they are used.
	old, new *workspace.Repo
}

// tree makes a work tree of a commit.
func (t *proving) tree(ctx context.Context, commit string) (*workspace.Repo, error) {
	w, release, err := t.s.Repo.AddTree(ctx, commit, workspace.TreeOptions{Overlays: t.s.overlays})
	if err == nil {
		t.add(func() error { return release(context.WithoutCancel(ctx)) })
	}
	return w, err
}

// ready gives a tree of a commit in which setup has run.
func (t *proving) ready(ctx context.Context, commit string) (c *secondTree, err error) {
	checksIn, first := t.checks.quietly, &t.new
	if commit == t.from { // what the sandbox lacks is said once
		checksIn, first = t.checks.checksOf, &t.old
	}
	w := *first
	if *first = nil; w == nil {
		if w, err = t.tree(ctx, commit); err != nil {
			return nil, err
		}
	}
	c = &secondTree{repo: w, release: func() error { return nil }}
	if c.checks, err = checksIn(ctx, w); err != nil {
		return nil, err
	}
	if commit == t.to {
		c.unnoticed = func(ctx context.Context) (bool, error) { return t.unnoticed(ctx, c) }
	}
	return c, c.setUp(ctx, func(e event.CheckFinished) { t.checks.show.Events.Handle(e) })
}

// subject fills in what is asked about, and gives what a person should look at.
func (t *proving) subject(ctx context.Context, p *proof.Prover) (look []string, err error) {
	if t.old, err = t.tree(ctx, t.from); err != nil {
		return nil, err
	}
	if t.new, err = t.tree(ctx, t.to); err != nil {
		return nil, err
	}
	from, to := engine.State{Commit: t.from}, engine.State{Commit: t.to}
	c := &changes{origin: &origin{repo: t.old, cfg: t.s.Settings.Config, start: from}}
	g, err := c.guard(ctx)
	if err != nil {
		return nil, err
	}
	swap, err := c.AsTheyStood(ctx, to)
	if err != nil {
		return nil, err
	}
	p.Old = swap.Swap
	if p.Renames, err = t.new.Renames(ctx, t.from, t.to); err != nil {
		return nil, err
	}
	if changed := changedCases(swap, p.Renames); len(changed) > 0 {
		look = append(look, "changes existing tests, or how they run: "+report.Some(changed))
	}
	if len(swap.Unsplit) > 0 {
		look = append(look, "changes tests inside product code, which cannot be separated from it: "+report.Some(swap.Unsplit))
	}
	if p.NewTests, _, err = newTests(ctx, t.new, g.IsTest, nil, t.from, t.to); err != nil {
		return nil, err
	}
	list, err := t.new.Changes(ctx, t.from, t.to)
	if err != nil {
		return nil, err
	}
	if p.Sources, err = sourcesOf(ctx, t.new, t.from, t.to, g.TestFile, t.s.Settings.DocsOnly); err != nil {
		return nil, err
	}
	t.sources = p.Sources
	if err := t.look(ctx, list, g.TestFile); err != nil {
		return nil, err
	}
	signs, err := Signs(ctx, t.new, t.from, t.to, list)
	if err != nil {
		return nil, err
	}
	files, err := t.new.Files(ctx)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if testfile.Of(f) == testfile.Case {
			p.TestFiles = append(p.TestFiles, f)
		}
	}
	p.Read = func(ctx context.Context, at failure.Frame, was bool) (*proof.Expectation, error) {
		return c.expectation(ctx, t.to, at, was)
	}
	return append(look, signs...), nil
}
