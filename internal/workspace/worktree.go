package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"github.com/booty-cli/booty/internal/fault"
)

// AddWorktree makes a temporary linked work tree at a commit, HEAD detached.
// cleanup removes it; after a crash the next Open does.
func (r *Repo) AddWorktree(ctx context.Context, commit string) (w *Repo, cleanup func(context.Context) error, err error) {
	home := r.worktreesDir()
	if err := os.MkdirAll(home, 0o755); err != nil {
		return nil, nil, fault.New(fault.Refused, "see that you may write there", "make a separate work tree: %w", err)
	}
	dir, err := os.MkdirTemp(home, "w")
	if err != nil {
		return nil, nil, classify("make a separate work tree", err)
	}
	// The lock tells Open of other processes that it is in use.
	lock := flock.New(dir + ".lock")
	if _, err := lock.TryLock(); err != nil {
		return nil, nil, classify("make a separate work tree", err)
	}
	tree := filepath.Join(dir, filepath.Base(r.root))
	cleanup = func(ctx context.Context) error {
		var err error
		if w != nil && r.stateDir != "" { // while git keeps its name for it: that is the next one's then
			err = r.amongOwn(func() error { return os.RemoveAll(w.ownDir()) })
		}
		err = errors.Join(err, r.removeWorktree(context.WithoutCancel(ctx), dir))
		return errors.Join(err, lock.Unlock(), os.RemoveAll(dir+".lock")) // a command may have made a folder of it
	}
	if w, err = r.fillWorktree(ctx, tree, commit); err != nil {
		return nil, nil, errors.Join(classify("make a separate work tree", err), cleanup(ctx))
	}
	return w, cleanup, nil
}

// fillWorktree checks a commit out at tree: one of the user's as git does it, a
// checkpoint to the byte. Hooks of the repository have no part in it.
func (r *Repo) fillWorktree(ctx context.Context, tree, commit string) (*Repo, error) {
	c, err := r.store().commit(commit)
	if err != nil {
		return nil, err
	}
	raw := c.Committer.Email == ownEmail
	args := []string{"worktree", "add", "--quiet", "--detach"}
	if raw {
		args = append(args, "--no-checkout")
	}
	if err := r.oneByOne(ctx, func() error {
		_, err := r.git.run(ctx, call{args: append(args, "--", tree, commit)})
		return err
	}); err != nil {
		return nil, err
	}
	w, err := Open(ctx, tree, Options{Env: r.free, Git: r.git.bin, StateDir: r.stateDir,
		RemoteEnv: r.forRemote, parent: r})
	if err != nil {
		return nil, err
	}
	w.now = r.now
	if raw {
		err = w.checkOutRaw(ctx, commit)
	}
	return w, err
}

// checkOutRaw writes a checkpoint's files into an empty work tree as they are.
func (r *Repo) checkOutRaw(ctx context.Context, commit string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	s, err := r.openShadow(ctx)
	if err != nil {
		return err
	}
	for _, args := range [][]string{{"read-tree", commit}, {"checkout-index", "--all", "--index", "--quiet"}} {
		if _, err := s.run(ctx, call{args: args}); err != nil {
			return err
		}
	}
	if _, err := r.git.run(ctx, call{args: []string{"read-tree", commit}}); err != nil {
		return err
	}
	// 1: files that git would store otherwise differ, as they must.
	if _, err := r.git.run(ctx, call{args: []string{"update-index", "-q", "--refresh"}}); err != nil &&
		exitCode(err) != 1 {
		return err
	}
	return nil
}

// worktreesDir holds temporary work trees. It lies in the git directory that
// all of them share: on the same disk, out of sight, and found again.
func (r *Repo) worktreesDir() string { return filepath.Join(r.commonDir, "booty", "worktrees") }

func (r *Repo) removeWorktree(ctx context.Context, dir string) error {
	err := os.RemoveAll(dir)
	if err != nil { // read-only directories, as some package caches make them
		makeRemovable(dir)
		err = os.RemoveAll(dir)
	}
	if pruneErr := r.oneByOne(ctx, func() error {
		_, err := r.git.run(ctx, call{args: []string{"worktree", "prune"}, dir: r.commonDir})
		return err
	}); err == nil {
		err = pruneErr
	}
	if err != nil {
		return fmt.Errorf("remove a separate work tree: %w", err)
	}
	return nil
}

// makeRemovable gives the owner write access to all directories below dir.
func makeRemovable(dir string) {
	_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(path, 0o700) //nolint:gosec // about to be removed
		}
		return nil
	})
}

// sweepWorktrees removes work trees whose process has ended without cleaning up.
func (r *Repo) sweepWorktrees(ctx context.Context) {
	locks, _ := filepath.Glob(filepath.Join(r.worktreesDir(), "w*.lock"))
	for _, path := range locks {
		lock := flock.New(path)
		if ok, err := lock.TryLock(); err != nil || !ok {
			continue
		}
		if r.removeWorktree(ctx, path[:len(path)-len(".lock")]) == nil {
			_ = removeFile(path)
		}
		_ = lock.Unlock()
	}
}
