package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/booty-cli/booty/internal/fault"
)

func (r *Repo) indexPath() string { return filepath.Join(r.gitDir, "index") }

// lockHint says how to get rid of git's lock on the index.
func (r *Repo) lockHint() string {
	return "let the other git end; if there is none: rm " + r.indexPath() + ".lock"
}

// newIndex is where the index to put back is written first. git's lock is a
// second name of the same file, by which a lock that a kill left is known.
func (r *Repo) newIndex() string { return filepath.Join(r.gitDir, "booty-index.new") }

// restoreIndex puts the user's index file back as checkpoint cp kept it, under
// git's own lock.
func (r *Repo) restoreIndex(ctx context.Context, cp Checkpoint) error {
	st := r.store()
	m, commit, err := r.readMeta(st, cp)
	if err != nil {
		return err
	}
	if err := r.dropOwnIndexLock(); err != nil {
		return err
	}
	var data []byte
	if m.HasIdx {
		if data, err = st.entry(commit, "index"); err != nil {
			return err
		}
	}
	if err := r.replaceIndex(data, m.HasIdx); err != nil {
		return err
	}
	if !m.HasIdx {
		return nil
	}
	// Files that were written have new times; 1 means that some really differ.
	_, err = r.git.run(ctx, call{args: []string{"update-index", "-q", "--refresh"}})
	if exitCode(err) == 1 {
		err = nil
	}
	return err
}

// replaceIndex makes data the index, or removes it.
func (r *Repo) replaceIndex(data []byte, present bool) error {
	lock, fresh := r.indexPath()+".lock", r.newIndex()
	if err := writeFresh(fresh, data, 0o666); err != nil {
		return fmt.Errorf("put back the index: %w", err)
	}
	defer func() { _ = removeFile(fresh) }()
	if err := os.Link(fresh, lock); err != nil {
		// Some file systems have no second names; then the lock is of its own.
		f, openErr := os.OpenFile(lock, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if openErr != nil {
			return fault.New(fault.Git, r.lockHint(), "put back the index: %w", openErr)
		}
		_, err = f.Write(data)
		if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
			return errors.Join(fmt.Errorf("put back the index: %w", err), removeFile(lock))
		}
	}
	r.step("index: locked")
	if !present {
		return errors.Join(removeFile(r.indexPath()), removeFile(lock))
	}
	if err := os.Rename(lock, r.indexPath()); err != nil {
		return errors.Join(fmt.Errorf("put back the index: %w", err), removeFile(lock))
	}
	r.step("index: put back")
	return syncPath(r.gitDir)
}

// dropOwnIndexLock removes git's lock on the index if it is one that a booty
// left that was killed; anyone else's stays.
func (r *Repo) dropOwnIndexLock() error {
	lock := r.indexPath() + ".lock"
	own, err := os.Stat(r.newIndex())
	if err != nil {
		return nil //nolint:nilerr // nothing of ours was left
	}
	if held, err := os.Stat(lock); err == nil && os.SameFile(own, held) {
		if err := removeFile(lock); err != nil {
			return fmt.Errorf("unlock the index: %w", err)
		}
	}
	return removeFile(r.newIndex())
}
