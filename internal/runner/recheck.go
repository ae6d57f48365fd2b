package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/surroundings"
	"github.com/booty-cli/booty/internal/workspace"
)

// rechecker is the engine's Rechecker: a clean copy of a state, with the packages
// as setup installed them.
type rechecker struct {
	repo   *workspace.Repo
	isTest func(string) bool
	// merges says that green work is merged without a person.
	merges bool
	// in makes the checks of another work tree.
	in func(ctx context.Context, w *workspace.Repo, elsewhere bool) (*checks, error)
}

// Doubt implements engine.Rechecker.
func (r *rechecker) Doubt(ctx context.Context, from, to engine.State, paths []string) (d engine.Doubt, err error) {
	if d.Leave, err = r.repo.Ignored(ctx, paths); err != nil || len(d.Leave) == len(paths) {
		return engine.Doubt{}, err // what no commit can hold is told elsewhere
	}
	var why []string
	if len(d.Leave) > 0 {
		why = append(why, "git ignores "+report.Some(d.Leave))
	}
	asks, err := r.asks(ctx, from, to, paths)
	if err != nil {
		return d, err
	}
	if len(asks) > 0 {
		d.Elsewhere = true
		why = append(why, "the change asks for "+strings.Join(asks, ", "))
	}
	if r.merges {
		why = append(why, "it is to be merged")
	}
	d.Why = strings.Join(why, "; ")
	return d, nil
}

// asks is what the product code asks of its surroundings that it did not before.
func (r *rechecker) asks(ctx context.Context, from, to engine.State, paths []string) ([]string, error) {
	var all []string
	for _, p := range paths {
		if r.isTest(p) {
			continue
		}
		now, is, err := r.repo.ReadFile(ctx, to.Commit, p)
		if err != nil {
			return nil, err
		}
		old, _, err := r.repo.ReadFile(ctx, from.Commit, p)
		if err != nil {
			return nil, err
		}
		if is {
			all = append(all, surroundings.Newly(p, old, now)...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// Recheck implements engine.Rechecker.
func (r *rechecker) Recheck(ctx context.Context, d engine.Doubt, s engine.State, report func(event.CheckFinished)) (v engine.Verdict, err error) {
	w, cleanup, err := r.repo.AddWorktree(ctx, s.Commit)
	if err != nil {
		return v, err
	}
	defer func() { err = errors.Join(err, cleanup(context.WithoutCancel(ctx))) }()
	for _, p := range d.Leave {
		if err := os.Remove(filepath.Join(w.Root(), filepath.FromSlash(p))); err != nil && !errors.Is(err, os.ErrNotExist) {
			return v, fmt.Errorf("make a clean copy: %w", err)
		}
	}
	clean, err := r.in(ctx, w, d.Elsewhere)
	if err != nil {
		return v, err
	}
	clean.asItIs()
	return clean.Verify(ctx, engine.VerifyInput{Report: report})
}
