package journal

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// A process at work on a run holds a lock in the run's directory. The system gives the lock
// up when the process ends, however it ends: whoever can have it knows that nobody is at work.

// lockPatience is how long a lock that is held is waited for: who only looks holds it too.
const lockPatience = time.Second

var errAtWork = errors.New("another process is at work on it")

func (j *Journal) lockOf(run string) string { return filepath.Join(j.dir, blobRoot, run, "lock") }

// hold makes this process the one at work on a run.
func (j *Journal) hold(ctx context.Context, run string) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.held[run] != nil {
		return nil
	}
	path := j.lockOf(run)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return j.unwritable(err)
	}
	lock := flock.New(path, flock.SetPermissions(0o600))
	waiting, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	_, err := lock.TryLockContext(waiting, 20*time.Millisecond)
	switch {
	case err == nil:
		j.held[run] = lock
		return nil
	case ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
		return errAtWork
	case ctx.Err() != nil:
		return err
	}
	return j.unwritable(err)
}

// release ends the work on a run.
func (j *Journal) release(run string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if lock := j.held[run]; lock != nil {
		_ = lock.Unlock()
		delete(j.held, run)
	}
}

// atWork reports whether a process is at work on a run.
func (j *Journal) atWork(run string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.held[run] != nil {
		return true
	}
	if _, err := os.Stat(j.lockOf(run)); err != nil {
		return false
	}
	lock := flock.New(j.lockOf(run), flock.SetPermissions(0o600))
	free, err := lock.TryRLock()
	if free {
		_ = lock.Unlock()
	}
	return err == nil && !free
}
