package work

import (
	"context"
	"fmt"
	"path"
	"slices"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/manifest"
	"github.com/booty-cli/booty/internal/workspace"
)

// since tells what was done to the tree since a state, if the checkout is still
// on the branch of the work.
func (t *tree) since(ctx context.Context, s engine.State) ([]workspace.Change, error) {
	if err := t.atHome(ctx); err != nil {
		return nil, err
	}
	return t.repo.Since(ctx, t.checkpoint(s))
}

// Adopt implements engine.Workspace.
func (t *tree) Adopt(ctx context.Context, s engine.State, paths []string) (engine.State, []string, error) {
	if len(paths) == 0 {
		return s, nil, nil
	}
	changes, err := t.since(ctx, s)
	if err != nil {
		return s, nil, err
	}
	var fixed []string
	for _, c := range changes {
		if slices.Contains(paths, c.Path) {
			fixed = append(fixed, c.Path)
		}
	}
	return t.adopt(ctx, s, fixed, "mended by fix_command")
}

// Follow implements engine.Workspace. A lock file that the project does not keep
// is not begun; go.sum is part of any module with dependencies.
func (t *tree) Follow(ctx context.Context, s engine.State, named []string) (engine.State, []string, error) {
	manifests := slices.DeleteFunc(slices.Clone(named), func(p string) bool { return !manifest.Is(p) })
	if len(manifests) == 0 {
		return s, nil, nil
	}
	changes, err := t.since(ctx, s)
	if err != nil {
		return s, nil, err
	}
	var locks []string
	for _, c := range changes {
		kept := c.Op == "modify" || c.Op == "create" && path.Base(c.Path) == "go.sum"
		if kept && slices.ContainsFunc(manifests, func(m string) bool { return manifest.Follows(c.Path, m) }) {
			locks = append(locks, c.Path)
		}
	}
	return t.adopt(ctx, s, locks, "with the lock files of its manifests")
}

// adopt makes what was done to paths since s part of that state.
func (t *tree) adopt(ctx context.Context, s engine.State, paths []string, why string) (engine.State, []string, error) {
	if len(paths) == 0 {
		return s, nil, nil
	}
	cp, err := t.repo.Snapshot(ctx, t.run, s.N, fmt.Sprintf("attempt %d, %s", s.N, why),
		workspace.SnapshotOptions{Since: s.Tree, Only: paths, Alone: true})
	if err != nil {
		return s, nil, err
	}
	t.current = stateOf(cp)
	return t.current, paths, t.repo.SaveState(ctx, t.state("applied"))
}

// Tidy implements engine.Workspace.
func (t *tree) Tidy(ctx context.Context, s engine.State) ([]string, error) {
	changes, err := t.since(ctx, s)
	if err != nil {
		t.rest = nil
		return nil, err
	}
	t.reportLarge()
	if len(changes) == 0 {
		t.rest = nil
		return nil, nil
	}
	var names []string
	for _, c := range changes {
		names = append(names, c.Path)
	}
	// An editor may have been at work beside the checks: what is put back is
	// recorded first, so that git can bring it back.
	t.strays++
	if _, err := t.repo.Snapshot(ctx, t.run+workspace.StrayStates, t.strays,
		"what the checks, or someone else, changed"); err != nil {
		return nil, err
	}
	if err := t.repo.PutBack(ctx, t.checkpoint(s), names, !t.inPlace); err != nil || !t.inPlace {
		return names, err
	}
	return names, t.leftBehind(ctx, changes)
}
