package workspace

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// Git names a linked work tree in its git directory, and gives the name of one that is gone
// to the next; what it makes for one while another is taken away may be half there. So
// work trees come and go one after the other, also those of other processes.

// lockWait is how long is waited between two looks at a lock.
const lockWait = 5 * time.Millisecond

// oneByOne does something while no other work tree of the repository is made or taken away.
func (r *Repo) oneByOne(ctx context.Context, do func() error) error {
	return locked(ctx, filepath.Join(ownDirOf(r.stateDir, r.commonDir), "trees.lock"), do)
}

// amongOwn does something to the own files of a work tree while no other process asks whose
// work trees are gone.
func (r *Repo) amongOwn(do func() error) error {
	if r.stateDir == "" {
		return do()
	}
	return locked(context.Background(), filepath.Join(r.stateDir, "trees.lock"), do)
}

func locked(ctx context.Context, path string, do func() error) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	lock := flock.New(path, flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, lockWait); err != nil {
		return fmt.Errorf("wait for other work trees: %w", err)
	}
	defer func() {
		if unlocking := lock.Unlock(); err == nil {
			err = unlocking
		}
	}()
	return do()
}
