package runner

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/proof"
)

// mutantTime bounds how long the mutants of a run may take.
const mutantTime = 10 * time.Minute

// prover is the engine's Prover: package proof, which decides what is run, in trees like all
// others.
type prover struct {
	trees   *secondTrees
	changes *changes
	now     func() time.Time
}

// Prove implements engine.Prover.
func (p *prover) Prove(ctx context.Context, in engine.ProofInput) (out engine.Proof, err error) {
	c, from, to := p.changes, cmp.Or(p.changes.base, in.From.Commit), in.To.Commit
	g, err := c.guard(ctx)
	if err != nil {
		return out, err
	}
	s, _, err := c.subject(ctx, g, from, to)
	if err != nil {
		return out, err
	}
	if out.Docs, err = c.docsAlone(ctx, from, to); err != nil {
		return out, err
	}
	out.None = len(s.NewTests) == 0
	trees := &sides{from: from, to: to, open: func(ctx context.Context, commit string) (*secondTree, error) {
		return p.trees.open(ctx, commit, engine.TreeOptions{})
	}}
	defer func() { err = errors.Join(err, trees.Close()) }()
	found, err := (&proof.Prover{
		Subject: s, Sides: trees, Release: release, Mutants: in.Mutants, Workers: proofWorkers(), MutantTime: mutantTime, Now: p.now,
		Read: func(ctx context.Context, at failure.Frame, stood bool) (*proof.Expectation, error) {
			return c.expectation(ctx, to, at, stood)
		},
	}).Work(ctx, in.Given)
	out.Claims, out.Survivors = found.Claims, found.Survivors
	return out, err
}

// sides is a proof.Sides over two commits.
type sides struct {
	from, to string
	// open makes a tree of a commit.
	open func(ctx context.Context, commit string) (*secondTree, error)
	took suiteTime
	closers
}

// release frees a tree for the next one.
func release(t proof.Tree) error {
	if c, is := t.(*secondTree); is {
		return c.Close()
	}
	return nil
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
