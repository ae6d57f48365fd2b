package journal

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// A process at work on a run holds a lock in the run's directory. The system gives the lock
// up when the process ends, however it ends: whoever can have it knows that nobody is at work.

// lockPatience is how long a lock that is held is waited for: who only looks holds it too.
const lockPatience = time.Second

var errAtWork = errors.New("another process is at work on it")

// locks are those of the runs that this process is at work on.
type locks struct {
	*database
	mu   sync.Mutex
	held map[string]*flock.Flock
}

func (l *locks) lockOf(run string) string { return filepath.Join(l.dir, blobRoot, run, "lock") }

// hold makes this process the one at work on a run.
func (l *locks) hold(ctx context.Context, run string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held[run] != nil {
		return nil
	}
	path := l.lockOf(run)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return l.unwritable(err)
	}
	lock := flock.New(path, flock.SetPermissions(0o600))
	waiting, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	_, err := lock.TryLockContext(waiting, 20*time.Millisecond)
	switch {
	case err == nil:
		l.held[run] = lock
		return nil
	case ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
		return errAtWork
	case ctx.Err() != nil:
		return err
	}
	return l.unwritable(err)
}

// release ends the work on a run.
func (l *locks) release(run string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if lock := l.held[run]; lock != nil {
		_ = lock.Unlock()
		delete(l.held, run)
	}
}

// releaseAll ends the work on all runs.
func (l *locks) releaseAll() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, lock := range l.held {
		_ = lock.Unlock()
	}
	clear(l.held)
}

// atWork reports whether a process is at work on a run.
func (l *locks) atWork(run string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held[run] != nil {
		return true
	}
	if _, err := os.Stat(l.lockOf(run)); err != nil {
		return false
	}
	lock := flock.New(l.lockOf(run), flock.SetPermissions(0o600))
	free, err := lock.TryRLock()
	if free {
		_ = lock.Unlock()
	}
	return err == nil && !free
}
