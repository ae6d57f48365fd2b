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

// mutantTime bounds how long the mutants of a run may take.
const mutantTime = 10 * time.Minute

// Prove implements engine.Prover.
func (b *beside) Prove(ctx context.Context, in engine.ProofInput) (out engine.Proof, err error) {
	from, to, docs := cmp.Or(b.base, in.From.Commit), in.To.Commit, b.s.Settings.DocsOnly
	var s proof.Subject
	if s.NewTests, out.Docs, err = newTests(ctx, b.s.Repo, b.isTest, docs, from, to); err != nil {
		return out, err
	}
	if s.Sources, err = sourcesOf(ctx, b.s.Repo, from, to, b.isTest, docs); err != nil {
		return out, err
	}
	out.None = len(s.NewTests) == 0
	trees := &sides{from: from, to: to, open: func(ctx context.Context, commit string) (*copied, error) {
		return b.open(ctx, commit, engine.TreeOptions{})
	}}
	defer func() { err = errors.Join(err, trees.Close()) }()
	found, err := (&proof.Prover{
		Subject: s, Sides: trees, Mutants: in.Mutants, Workers: proofWorkers(), MutantTime: mutantTime, Now: b.s.Now,
		Read: func(ctx context.Context, at failure.Frame, stood bool) (*proof.Expectation, error) {
			return b.stood.expectation(ctx, to, at, stood)
		},
	}).Work(ctx, in.Given)
	out.Claims, out.Survivors = found.Claims, found.Survivors
	return out, err
}

// sides is a proof.Sides over two commits.
type sides struct {
	from, to string
	// open makes a tree of a commit.
	open func(ctx context.Context, commit string) (*copied, error)
	took suiteTime
	closers
}

// Old implements proof.Sides.
func (t *sides) Old(ctx context.Context) (proof.Tree, error) { return t.at(ctx, t.from) }

// New implements proof.Sides.
func (t *sides) New(ctx context.Context) (proof.Tree, error) { return t.at(ctx, t.to) }

func (t *sides) at(ctx context.Context, commit string) (proof.Tree, error) {
	c, err := t.open(ctx, commit)
	if err != nil {
		return nil, err
	}
	t.add(c.Close)
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
