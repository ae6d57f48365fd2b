package runner

import (
	"context"
	"fmt"
	"path"
	"slices"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/manifest"
	"github.com/booty-cli/booty/internal/workspace"
)

// since lists what was done to the tree since a state.
func (t *tree) since(ctx context.Context, s engine.State) ([]workspace.Change, error) {
	return t.repo.Since(ctx, t.checkpoint(s))
}

// Adopt implements engine.Workspace.
func (t *tree) Adopt(ctx context.Context, s engine.State, paths []string) (engine.State, []string, error) {
	if len(paths) == 0 {
		return s, nil, nil
	}
	fixed, err := t.repo.ChangedSince(ctx, t.checkpoint(s), paths)
	if err != nil {
		return s, nil, err
	}
	return t.adopt(ctx, s, fixed, "with what fix_command made of it")
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
	files, err := t.repo.Intent(paths)
	if err != nil {
		return s, nil, err
	}
	cp, err := t.repo.Plan(ctx, t.run, s.N, t.checkpoint(s), files, fmt.Sprintf("attempt %d, %s", s.N, why))
	if err != nil {
		return s, nil, err
	}
	t.current = stateOf(cp)
	if !t.inCheckout() {
		return t.current, paths, nil
	}
	t.remember(cp)
	return t.current, paths, t.repo.SaveState(ctx, t.state("applied"))
}

// Tidy implements engine.Workspace. In a tree of booty's own, what the checks wrote to
// files that git knows, or would know, is put back. In the checkout it stays: booty
// cannot tell it from the user's doing there.
func (t *tree) Tidy(ctx context.Context, s engine.State) ([]string, error) {
	if t.inCheckout() {
		return nil, t.lookAgain(ctx, "after the checks")
	}
	changes, err := t.since(ctx, s)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, c := range changes {
		names = append(names, c.Path)
	}
	return names, t.repo.PutBack(ctx, t.checkpoint(s), names, true)
}
