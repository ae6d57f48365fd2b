package work

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/booty-cli/booty/internal/check"
	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/guard"
	"github.com/booty-cli/booty/internal/workspace"
	"github.com/booty-cli/booty/pkg/edit"
)

// witness is the engine's Witness: the old tests in a work tree of their own.
type witness struct {
	tree   *tree
	isTest func(string) bool
	// old is the commit of the code before all work on the task, where the run goes on
	// with earlier work: what that added was perhaps never tried.
	old      string
	checksIn checksIn
}

// from is the commit that has a file as it stood.
func (w *witness) from(p string) string {
	if w.old != "" {
		return w.old
	}
	return w.tree.startOf(p).Commit
}

func (w *witness) stood(ctx context.Context, p string) ([]byte, bool, error) {
	return w.tree.repo.ReadFile(ctx, w.from(p), p)
}

// Tentative implements engine.Witness.
func (w *witness) Tentative(ctx context.Context, s engine.State) ([]engine.SetAside, error) {
	policy := w.tree.policy(ctx, true)
	policy.MaxFiles, policy.MaxDiffLines, policy.MaxFileLines = 0, 0, 0 // each proposal was measured
	policy.Base = func(p string) ([]byte, bool) {
		data, existed, err := w.stood(ctx, p)
		return data, existed && err == nil
	}
	g, err := guard.New(policy, guard.DirTree(w.tree.repo.Root()))
	if err != nil {
		return nil, err
	}
	changes, err := w.modified(ctx, s)
	if err != nil {
		return nil, err
	}
	v, err := g.Review(changes)
	if err != nil {
		return nil, err
	}
	var parts []engine.SetAside
	for _, x := range v.Tentative {
		parts = append(parts, engine.SetAside{SetAside: x.SetAside, Change: x.Change})
	}
	return parts, nil
}

// modified gives the files of state s that stood before the run and differ by now.
func (w *witness) modified(ctx context.Context, s engine.State) (out []edit.Change, err error) {
	list, err := w.tree.repo.Changes(ctx, cmp.Or(w.old, w.tree.start.Commit), s.Commit)
	if err != nil {
		return nil, err
	}
	for _, c := range list {
		if c.Op != string(edit.Modify) || c.Binary {
			continue
		}
		x := edit.Change{Op: edit.Modify, Path: c.Path}
		if x.Old, _, err = w.stood(ctx, c.Path); err != nil {
			return nil, err
		}
		if x.New, _, err = w.tree.repo.ReadFile(ctx, s.Commit, c.Path); err != nil {
			return nil, err
		}
		info, err := os.Lstat(filepath.Join(w.tree.repo.Root(), filepath.FromSlash(c.Path)))
		if err != nil {
			return nil, fmt.Errorf("look at %s: %w", c.Path, err)
		}
		if x.Mode = info.Mode().Perm(); info.Mode().IsRegular() {
			out = append(out, x)
		}
	}
	return out, nil
}

// AsTheyStood implements engine.Witness.
func (w *witness) AsTheyStood(
	ctx context.Context, s engine.State, parts []engine.SetAside, known func(event.Failure) bool,
) (v engine.Verdict, started bool, err error) {
	back, all, err := w.back(ctx, s, parts)
	if err != nil || all && w.old == "" {
		return v, all, err
	}
	beside, cleanup, err := w.tree.repo.AddWorktree(ctx, s.Commit)
	if err != nil {
		return v, false, err
	}
	defer func() { err = errors.Join(err, cleanup(context.WithoutCancel(ctx))) }()
	if err := edit.Apply(beside.Root(), back); err != nil {
		return v, false, fmt.Errorf("put old tests back as they stood: %w", err)
	}
	c, err := w.checksIn(ctx, beside)
	if err != nil {
		return v, false, err
	}
	linked := linkDependencies(w.tree.repo.Root(), beside.Root())
	got, err := c.runner.Verify(ctx, check.Suite{Setup: c.suite.Setup, Tests: c.suite.Tests}, check.VerifyOptions{
		Setup: !linked && c.suite.Setup != nil, Full: true, Known: known,
	})
	return verdict(got), false, err
}

// back makes of state s one with the tests as they stood: new ones are not there. all
// says that nothing else was changed.
func (w *witness) back(ctx context.Context, s engine.State, parts []engine.SetAside) (out []edit.Change, all bool, err error) {
	list, err := w.tree.repo.Changes(ctx, cmp.Or(w.old, w.tree.start.Commit), s.Commit)
	if err != nil {
		return nil, false, err
	}
	all = true
	for _, c := range list {
		for _, p := range places(c) {
			tried := slices.ContainsFunc(parts, func(x engine.SetAside) bool { return x.Path == p })
			if !tried && !w.isTest(p) {
				all = false
				continue
			}
			x := edit.Change{Op: edit.Modify, Path: p}
			var is, was bool
			if x.Old, is, err = w.tree.repo.ReadFile(ctx, s.Commit, p); err != nil {
				return nil, false, err
			}
			if x.New, was, err = w.stood(ctx, p); err != nil {
				return nil, false, err
			}
			switch {
			case !is && !was:
				continue
			case !is:
				x.Op = edit.Create
			case !was:
				x.Op = edit.Delete
			}
			out = append(out, x)
		}
	}
	return out, all, nil
}

// places are the paths of a change.
func places(c workspace.Change) []string {
	if c.From != "" {
		return []string{c.From, c.Path}
	}
	return []string{c.Path}
}
