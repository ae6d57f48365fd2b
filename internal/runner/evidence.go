package runner

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/proof"
	"github.com/booty-cli/booty/internal/workspace"
	"github.com/booty-cli/booty/pkg/edit"
)

// prover is the engine's Prover: it runs tests on both sides of the work, in work trees
// beside that of the run.
type prover struct {
	repo   *workspace.Repo
	isTest func(string) bool
	docs   []string
	// base is the code before all work on the task, "" for what the run began at.
	base     string
	checksIn checksIn
	now      func() time.Time
	// stood reads the tests as they stood.
	stood *oldTests
}

// mutantTime bounds how long the mutants of a run may take.
const mutantTime = 10 * time.Minute

// Prove implements engine.Prover.
func (p *prover) Prove(ctx context.Context, in engine.ProofInput) (out engine.Proof, err error) {
	from, to := cmp.Or(p.base, in.From.Commit), in.To.Commit
	var s proof.Subject
	if s.NewTests, out.Docs, err = newTests(ctx, p.repo, p.isTest, p.docs, from, to); err != nil {
		return out, err
	}
	if s.Sources, err = sourcesOf(ctx, p.repo, from, to, p.isTest, p.docs); err != nil {
		return out, err
	}
	out.None = len(s.NewTests) == 0
	trees := &sideTrees{p: p, from: from, to: to}
	defer func() { err = errors.Join(err, trees.Close()) }()
	change, rest, err := (&proof.Prover{
		Subject: s, Sides: trees, Mutants: in.Mutants, Workers: proofWorkers(), MutantTime: mutantTime, Now: p.now,
		Read: func(ctx context.Context, at failure.Frame, stood bool) (*proof.Expectation, error) {
			return p.stood.expectation(ctx, to, at, stood)
		},
	}).Work(ctx, proof.Given{
		Fixed: in.Fixed, Before: in.Before, Still: in.Still, Passing: in.Passing, Suite: in.Suite, MustShow: in.MustShow,
	})
	out.Change, out.Claims, out.Survivors = change, rest.Claims, rest.Survivors
	return out, err
}

// sideTrees is a proof.Sides over the two ends of a run's work, with what setup installed
// in the run's own tree.
type sideTrees struct {
	p        *prover
	from, to string
	took     suiteTime
	closers
}

// Old implements proof.Sides.
func (t *sideTrees) Old(ctx context.Context) (proof.Tree, error) { return t.at(ctx, t.from) }

// New implements proof.Sides.
func (t *sideTrees) New(ctx context.Context) (proof.Tree, error) { return t.at(ctx, t.to) }

func (t *sideTrees) at(ctx context.Context, commit string) (proof.Tree, error) {
	w, cleanup, err := t.p.repo.AddWorktree(ctx, commit)
	if err != nil {
		return nil, err
	}
	t.add(func() error { return cleanup(context.WithoutCancel(ctx)) })
	c, err := newCopy(ctx, w, t.p.checksIn)
	if err != nil {
		return nil, err
	}
	c.took = &t.took
	return c, nil
}

// newTests gives the changes that are tests: test files, and the tests inside product
// code, put into the old code.
func newTests(ctx context.Context, repo *workspace.Repo, isTest func(string) bool, docs []string, from, to string) (
	tests []edit.Change, docsAlone bool, err error,
) {
	list, err := repo.Changes(ctx, from, to)
	if err != nil {
		return nil, false, err
	}
	var all []edit.Change
	for _, c := range list {
		all = append(all, edit.Change{Path: c.Path, From: c.From})
		if c.Op == "delete" || c.Binary {
			continue
		}
		now, _, err := repo.ReadFile(ctx, to, c.Path)
		if err != nil {
			return nil, false, err
		}
		old, existed, err := repo.ReadFile(ctx, from, c.Path)
		if err != nil {
			return nil, false, err
		}
		change := edit.Change{Op: edit.Create, Path: c.Path, Old: old, New: now}
		if existed {
			change.Op = edit.Modify
		}
		if !isTest(c.Path) {
			if change.New = proof.WithNewTests(c.Path, old, now); !existed || bytes.Equal(change.New, old) {
				continue
			}
		}
		tests = append(tests, change)
	}
	return tests, docsOnly(docs, all), nil
}
