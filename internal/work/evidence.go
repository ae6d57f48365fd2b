package work

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/check"
	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/workspace"
	"github.com/booty-cli/booty/pkg/edit"
)

// prover is the engine's Prover: it runs the proposal's tests on the old code,
// in a work tree of its own.
type prover struct {
	repo    *workspace.Repo
	require bool
	isTest  func(string) bool
	docs    []string
	// old is the commit of the old code, where that is not what the run began at.
	old string
	// before names the tests that fail on the old code as it is.
	before   []string
	checksIn checksIn
}

// The verdicts on evidence, as they stand in events.
const (
	proven  = "proven"  // new tests fail on the old code and pass on the new
	none    = "none"    // the change brings no tests
	vacuous = "vacuous" // its tests pass on the old code too
	broken  = "broken"  // the old code could not be tried
)

// Prove implements engine.Prover.
func (p *prover) Prove(ctx context.Context, in engine.ProveInput) (engine.Evidence, error) {
	run := *p
	run.require, run.before = p.require || in.Required, in.Before
	return run.prove(ctx, in.From, in.To)
}

func (p *prover) prove(ctx context.Context, from, to engine.State) (engine.Evidence, error) {
	if p.old != "" {
		from.Commit = p.old
	}
	tests, docs, err := p.newTests(ctx, from, to)
	if err != nil {
		return engine.Evidence{}, err
	}
	if len(tests) == 0 {
		e := p.judged(none, nil, "the change brings no test of its own")
		e.Proven = e.Proven || docs
		return e, nil
	}
	w, cleanup, err := p.repo.AddWorktree(ctx, from.Commit)
	if err != nil {
		return engine.Evidence{}, err
	}
	e, err := p.tryOld(ctx, w, tests)
	return e, errors.Join(err, cleanup(context.WithoutCancel(ctx)))
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
func (p *prover) tryOld(ctx context.Context, w *workspace.Repo, tests []edit.Change) (engine.Evidence, error) {
	if err := edit.Apply(w.Root(), tests); err != nil {
		return engine.Evidence{}, fmt.Errorf("put the new tests on the old code: %w", err)
	}
	c, err := p.checksIn(ctx, w)
	if err != nil {
		return engine.Evidence{}, err
	}
	linked := linkDependencies(p.repo.Root(), w.Root())
	if c.suite.Setup != nil && !linked {
		if r, err := c.runner.Run(ctx, *c.suite.Setup); err != nil || !r.Passed {
			return p.judged(broken, nil, "setup_command failed on the old code"), err
		}
	}
	v, err := c.runner.Verify(ctx, check.Suite{Tests: c.suite.Tests}, check.VerifyOptions{Full: true})
	if err != nil {
		return engine.Evidence{}, err
	}
	return p.weigh(v), nil
}

// weigh tells from the old code's run what the new tests prove.
func (p *prover) weigh(v check.Verdict) engine.Evidence {
	if v.Green {
		return p.judged(vacuous, nil, "the new tests pass without the change too: they prove nothing")
	}
	for _, r := range v.Results {
		switch {
		case r.TimedOut:
			return p.judged(broken, nil, "the old code could not be tried: it ran out of time")
		case r.NotStarted || r.FilledDisk || r.Environment != "":
			return p.judged(broken, nil, "the old code could not be tried: "+report.FirstLine(Note(r)))
		}
	}
	var names []string
	for _, f := range v.Failures {
		if f.Test != "" && !slices.Contains(names, f.Test) && !slices.Contains(p.before, f.Test) {
			names = append(names, f.Test)
		}
	}
	switch {
	case len(names) > 0:
		return p.judged(proven, names, "")
	case v.UnnamedTests:
		return p.judged(proven, names, "the new tests do not even build without the change")
	}
	return p.judged(vacuous, nil, "the new tests pass without the change too: they prove nothing")
}

func (p *prover) judged(verdict string, tests []string, note string) engine.Evidence {
	if tests == nil {
		tests = []string{}
	}
	e := engine.Evidence{
		EvidenceFinished: event.EvidenceFinished{Verdict: verdict, Tests: tests, Note: note},
		Proven:           !p.require || verdict == proven || verdict == broken,
	}
	if !e.Proven {
		e.Text = "The checks pass, but there is no evidence for the change: " + note +
			". Add tests that fail without the change and pass with it."
	}
	return e
}

// dependencyDirs are folders with what a setup command installs; they are
// ignored by git, so a new work tree lacks them.
var dependencyDirs = []string{"node_modules", ".venv", "venv", "vendor/bundle", "deps"}

// linkDependencies links the installed dependencies of one work tree into
// another, and says whether there were any.
func linkDependencies(from, to string) bool {
	linked := false
	for _, dir := range dependencyDirs {
		src, dst := filepath.Join(from, dir), filepath.Join(to, dir)
		info, err := os.Stat(src)
		if err != nil || !info.IsDir() {
			continue
		}
		if _, err := os.Lstat(dst); err == nil {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(dst), 0o755); err != nil {
			continue
		}
		if os.Symlink(src, dst) == nil {
			linked = true
		}
	}
	return linked
}
