package commit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/booty-cli/booty/internal/atomicfile"
	"github.com/booty-cli/booty/internal/git"
)

// Staged gives a commit of what is staged, "" where that is what HEAD has. In a hook of
// git's, index is what GIT_INDEX_FILE names: with git commit -a, what is to be committed
// is staged there and not in the index.
func (m *Maker) Staged(ctx context.Context, index string) (string, error) {
	if err := m.store.Make(); err != nil {
		return "", err
	}
	copied := filepath.Join(m.store.Private(), "staged.index")
	if err := CopyFile(copied, m.hookIndex(index)); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	} else if err != nil {
		return "", fmt.Errorf("copy the index: %w", err)
	}
	defer func() { _ = atomicfile.Remove(copied) }()
	env := []string{"GIT_INDEX_FILE=" + copied}
	staged := false
	entries, err := m.git.Status(ctx, env...)
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		if e.Conflict {
			return "", fmt.Errorf("look at what is staged: %s is in conflict", e.Path)
		}
		staged = staged || !e.Untracked() && e.XY[0] != '.'
	}
	if !staged {
		return "", nil
	}
	out, err := m.git.Run(ctx, git.Call{Args: []string{"write-tree"},
		Env: append(env, "GIT_OBJECT_DIRECTORY="+m.store.ObjectsDir())})
	if err != nil {
		return "", fmt.Errorf("look at what is staged: %w", err)
	}
	tree := strings.TrimSpace(string(out))
	_, head, err := m.store.Objects().Head()
	if err != nil {
		return "", err
	}
	args := []string{"-c", "user.name=booty", "-c", "user.email=staged@localhost", "commit-tree", "-m",
		"what is staged", tree}
	if head != "" {
		args = append(args, "-p", head)
	}
	commit, err := m.store.Git(m.git).Text(ctx, args...)
	if err != nil {
		return "", fmt.Errorf("look at what is staged: %w", err)
	}
	return commit, nil
}

// hookIndex is the index that a hook was given, where it is one of this
// checkout's git directory, else the checkout's own.
func (m *Maker) hookIndex(given string) string {
	if given != "" {
		if !filepath.IsAbs(given) {
			given = filepath.Join(m.roots[0], given)
		}
		dir, err := filepath.EvalSymlinks(filepath.Dir(given))
		own, err2 := filepath.EvalSymlinks(m.index.gitDir)
		if err == nil && err2 == nil && dir == own {
			return given
		}
	}
	return m.index.Path()
}
