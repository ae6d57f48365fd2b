package runner

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"time"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/proof"
	"github.com/booty-cli/booty/internal/workspace"
	"github.com/booty-cli/booty/pkg/edit"
)

// prover is the engine's Prover: it runs the proposal's tests on the old code,
// in a work tree of its own.
type prover struct {
	repo   *workspace.Repo
	isTest func(string) bool
	docs   []string
	// old is the commit of the old code, where that is not what the run began at.
	old      string
	checksIn checksIn
	now      func() time.Time
}

// TryOld implements engine.Prover.
func (p *prover) TryOld(
	ctx context.Context, from, to engine.State, before []failure.Signature, passing []string,
) (out engine.Shown, err error) {
	if p.old != "" {
		from.Commit = p.old
	}
	tests, docs, err := p.newTests(ctx, from, to)
	if err != nil || len(tests) == 0 {
		return engine.Shown{None: true, Docs: docs}, err
	}
	trees := &proverTrees{p: p, took: &suiteTime{}}
	defer func() { err = errors.Join(err, trees.Close()) }()
	c, err := proof.OnOldCode(ctx, trees.at(from.Commit), proof.NewTests{Changes: tests, Known: before, Passing: passing})
	if err != nil {
		return out, err
	}
	subject := proof.Subject{NewTests: tests}
	if subject.Sources, err = sourcesOf(ctx, p.repo, from.Commit, to.Commit, p.isTest, p.docs); err != nil {
		return out, err
	}
	c, err = subject.Confirm(ctx, trees.at(to.Commit), c)
	return engine.Shown{
		Proven: c.State == proof.Proven, Untried: c.State == proof.Untried, Tests: c.Tests, Failures: c.Failures, Reason: c.Reason,
	}, err
}

// proverTrees makes trees beside that of the run.
type proverTrees struct {
	p    *prover
	took *suiteTime
	closers
}

// at makes one of a commit.
func (t *proverTrees) at(commit string) func(context.Context) (proof.Tree, error) {
	return func(ctx context.Context) (proof.Tree, error) {
		w, cleanup, err := t.p.repo.AddWorktree(ctx, commit)
		if err != nil {
			return nil, err
		}
		t.add(func() error { return cleanup(context.WithoutCancel(ctx)) })
		c, err := newCopy(ctx, w, t.p.checksIn)
		if err != nil {
			return nil, err
		}
		c.took = t.took
		return c, nil
	}
}

// mutantTime bounds how long the mutants of a run may take.
const mutantTime = 10 * time.Minute

// Mutants implements engine.Mutator.
func (p *prover) Mutants(ctx context.Context, from, to engine.State, n int, known []failure.Failure) (
	claim event.Claim, survivors []event.Survivor, err error,
) {
	if p.old != "" {
		from.Commit = p.old
	}
	s := proof.Subject{}
	if s.NewTests, _, err = p.newTests(ctx, from, to); err != nil {
		return claim, nil, err
	}
	if s.Sources, err = sourcesOf(ctx, p.repo, from.Commit, to.Commit, p.isTest, p.docs); err != nil {
		return claim, nil, err
	}
	trees := &proverTrees{p: p, took: &suiteTime{}}
	defer func() { err = errors.Join(err, trees.Close()) }()
	f, err := proof.OnMutants(ctx, s, trees.at(to.Commit), proof.Trial{
		Mutants: n, Workers: proofWorkers(), Until: p.now().Add(mutantTime), Now: p.now, Known: known,
	})
	return f.Claim, f.Survivors, err
}

// newTests gives the changes that are tests: test files, and the test modules
// inside Rust sources, put under the old code.
func (p *prover) newTests(ctx context.Context, from, to engine.State) (tests []edit.Change, docs bool, err error) {
	list, err := p.repo.Changes(ctx, from.Commit, to.Commit)
	if err != nil {
		return nil, false, err
	}
	var all []edit.Change
	for _, c := range list {
		all = append(all, edit.Change{Path: c.Path, From: c.From})
		if c.Op == "delete" || c.Binary {
			continue
		}
		now, _, err := p.repo.ReadFile(ctx, to.Commit, c.Path)
		if err != nil {
			return nil, false, err
		}
		old, existed, err := p.repo.ReadFile(ctx, from.Commit, c.Path)
		if err != nil {
			return nil, false, err
		}
		change := edit.Change{Op: edit.Create, Path: c.Path, Old: old, New: now}
		if existed {
			change.Op = edit.Modify
		}
		switch {
		case p.isTest(c.Path):
			tests = append(tests, change)
		case strings.HasSuffix(c.Path, ".rs") && existed:
			if mixed, ok := underOldCode(old, now); ok {
				change.New = mixed
				tests = append(tests, change)
			}
		}
	}
	return tests, docsOnly(p.docs, all), nil
}

// underOldCode puts the new test module of a Rust source under the old code:
// by convention it is the last thing in the file.
func underOldCode(old, now []byte) ([]byte, bool) {
	mark := []byte("#[cfg(test)]")
	i, j := bytes.LastIndex(old, mark), bytes.LastIndex(now, mark)
	if j < 0 {
		return nil, false
	}
	if i < 0 {
		i = len(old)
	}
	if bytes.Equal(old[i:], now[j:]) {
		return nil, false
	}
	return append(append([]byte{}, old[:i]...), now[j:]...), true
}
