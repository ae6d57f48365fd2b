package work

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/booty-cli/booty/internal/check"
	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/report"
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
}

// TryOld implements engine.Prover.
func (p *prover) TryOld(ctx context.Context, from, to engine.State) (engine.OldTests, error) {
	if p.old != "" {
		from.Commit = p.old
	}
	tests, docs, err := p.newTests(ctx, from, to)
	if err != nil || len(tests) == 0 {
		return engine.OldTests{None: true, Docs: docs}, err
	}
	w, cleanup, err := p.repo.AddWorktree(ctx, from.Commit)
	if err != nil {
		return engine.OldTests{}, err
	}
	seen, err := p.tryOld(ctx, w, tests)
	return seen, errors.Join(err, cleanup(context.WithoutCancel(ctx)))
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

// tryOld runs the test command on the old code with the new tests.
func (p *prover) tryOld(ctx context.Context, w *workspace.Repo, tests []edit.Change) (engine.OldTests, error) {
	if err := applyIn(w.Root(), tests, nil); err != nil {
		return engine.OldTests{}, fmt.Errorf("put the new tests on the old code: %w", err)
	}
	c, err := p.checksIn(ctx, w)
	if err != nil {
		return engine.OldTests{}, err
	}
	v, err := c.runner.Verify(ctx, check.Suite{Tests: c.suite.Tests}, check.VerifyOptions{Full: true})
	if err != nil {
		return engine.OldTests{}, err
	}
	return seen(v), nil
}

// seen tells how the old code's run ended.
func seen(v check.Verdict) engine.OldTests {
	out := engine.OldTests{Green: v.Green, Unnamed: v.UnnamedTests}
	for _, r := range v.Results {
		switch {
		case v.Green:
		case r.TimedOut:
			out.Trouble = "the old code could not be tried: it ran out of time"
		case r.NotStarted || r.FilledDisk || r.Environment != "":
			out.Trouble = "the old code could not be tried: " + report.FirstLine(Note(r))
		}
		if out.Trouble != "" {
			return out
		}
	}
	for _, f := range v.Failures {
		if f.Test != "" {
			out.Failing = append(out.Failing, f.Test)
		}
	}
	return out
}
