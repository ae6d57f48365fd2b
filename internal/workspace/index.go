package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/booty-cli/booty/internal/atomicfile"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
)

func (r *Repo) indexPath() string { return filepath.Join(r.gitDir, "index") }

// lockHint says how to get rid of git's lock on the index.
func (r *Repo) lockHint() string {
	return "let the other git end; if there is none: rm " + r.indexPath() + ".lock"
}

// newIndex is a second name of booty's lock on the index, by which it is known for
// booty's after a kill.
func (r *Repo) newIndex() string { return filepath.Join(r.gitDir, "booty-index.new") }

// dropOwnIndexLock removes git's lock on the index if it is one that a booty left that
// was killed; anyone else's stays.
func (r *Repo) dropOwnIndexLock() error {
	own, err := os.Stat(r.newIndex())
	if err != nil {
		return nil //nolint:nilerr // nothing of ours was left
	}
	lock := r.indexPath() + ".lock"
	if held, err := os.Stat(lock); err == nil && os.SameFile(own, held) {
		if err := atomicfile.Remove(lock); err != nil {
			return err
		}
	}
	return atomicfile.Remove(r.newIndex())
}

// changeIndex runs git on the index of this work tree, under git's own lock. Git compares
// files that were written just now when it writes an index, and starts their filters for
// that: so it works on a copy, in the sandbox. last is done under the lock, before the new
// index takes the place of the old one; it may be nil.
func (r *Repo) changeIndex(ctx context.Context, c git.Call, last func() error) (err error) {
	if err := r.dropOwnIndexLock(); err != nil {
		return err
	}
	lock, err := os.OpenFile(r.newIndex(), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, atomicfile.Remove(r.newIndex())) }()
	if err := os.Link(r.newIndex(), r.indexPath()+".lock"); err != nil {
		return errors.Join(fault.New(fault.Git, r.lockHint(),
			"another git is at work, or left its index.lock behind: %w", err),
			lock.Close())
	}
	defer func() { err = errors.Join(err, atomicfile.Remove(r.indexPath()+".lock")) }()
	r.step("index: locked")
	work := filepath.Join(r.own.Private(), "index.copy")
	defer func() { _ = errors.Join(atomicfile.Remove(work), atomicfile.Remove(work+".lock")) }()
	if err := errors.Join(atomicfile.Remove(work+".lock"), atomicfile.Remove(work)); err != nil { // of one that was killed
		return errors.Join(err, lock.Close())
	}
	if err := copyFile(work, r.indexPath()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(err, lock.Close())
	}
	c.Env = append(c.Env, "GIT_INDEX_FILE="+work)
	c.Programs, c.Write = true, []string{r.own.Private()}
	if _, err := r.git.Run(ctx, c); err != nil {
		return errors.Join(err, lock.Close())
	}
	data, err := os.ReadFile(work)
	if err == nil {
		_, err = lock.Write(data)
	}
	if err := errors.Join(err, lock.Sync(), lock.Close()); err != nil {
		return err
	}
	if last != nil {
		if err := last(); err != nil {
			return err
		}
	}
	if err := os.Rename(r.indexPath()+".lock", r.indexPath()); err != nil {
		return err
	}
	r.step("index: changed")
	return atomicfile.Sync(r.gitDir)
}
