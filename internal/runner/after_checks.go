package runner

import (
	"context"
	"fmt"
	"path"
	"slices"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/manifest"
	"github.com/booty-cli/booty/internal/snapshot"
)

// since lists what was done to the tree since a state.
func (t *tree) since(ctx context.Context, s engine.State) ([]snapshot.Change, error) {
	return t.repo.States.Since(ctx, t.checkpoint(s))
}

// KeepFixed implements engine.Workspace.
func (t *tree) KeepFixed(ctx context.Context, s engine.State,
	paths []string) (engine.State, []string, error) {
	if len(paths) == 0 {
		return s, nil, nil
	}
	fixed, err := t.repo.States.ChangedSince(ctx, t.checkpoint(s), paths)
	if err != nil {
		return s, nil, err
	}
	return t.intoState(ctx, s, fixed, "with what fix_command made of it")
}

// AfterChecks implements engine.Workspace. A lock file that the project does not keep is not
// begun; go.sum is part of any module with dependencies.
func (t *tree) AfterChecks(ctx context.Context, s engine.State, named []string) (
	now engine.State, locks, putBack []string, err error,
) {
	manifests := slices.DeleteFunc(slices.Clone(named), func(p string) bool { return !manifest.Is(p) })
	changes, err := t.since(ctx, s)
	if err != nil {
		return s, nil, nil, err
	}
	for _, c := range changes {
		kept := c.Op == "modify" || c.Op == "create" && path.Base(c.Path) == "go.sum"
		if kept && slices.ContainsFunc(manifests,
			func(m string) bool { return manifest.Follows(c.Path, m) }) {
			locks = append(locks, c.Path)
		} else {
			putBack = append(putBack, c.Path)
		}
	}
	if now, _, err = t.intoState(ctx, s, locks, "with the lock files of its manifests"); err != nil {
		return s, nil, nil, err
	}
	return now, locks, putBack, t.repo.States.PutBack(ctx, t.checkpoint(now), putBack, true)
}

// intoState makes what was done to paths since s part of that state.
func (t *tree) intoState(ctx context.Context, s engine.State, paths []string,
	why string) (engine.State, []string, error) {
	if len(paths) == 0 {
		return s, nil, nil
	}
	files, err := t.repo.States.Intent(paths)
	if err != nil {
		return s, nil, err
	}
	cp, err := t.repo.States.Plan(ctx, t.job.ID, s.N, t.checkpoint(s), files,
		fmt.Sprintf("attempt %d, %s", s.N, why))
	if err != nil {
		return s, nil, err
	}
	t.current = stateOf(cp)
	return t.current, paths, nil
}
