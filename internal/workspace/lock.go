package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/booty-cli/booty/internal/atomicfile"
	"github.com/booty-cli/booty/internal/commit"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
)

// Lock is this process's right to read the checkout as a whole, or to write to it.
type Lock struct {
	f    *flock.Flock
	note string
}

// lockPatience is how long a lock that is held is waited for: a checkout is read, or written
// to, in seconds.
const lockPatience = time.Minute

// Lock takes the work tree for this process; what says for whom. The system
// gives it up when the process ends, however it ends, so locks cannot go stale.
// The file itself stays: removing it would let two in.
func (r *Repo) Lock(ctx context.Context, what string) (*Lock, error) {
	if err := r.at.Store.Make(); err != nil {
		return nil, err
	}
	l := &Lock{f: flock.New(filepath.Join(r.at.Store.Private(), "run.lock")), note: filepath.Join(r.at.Store.Private(), "run.by")}
	ok, err := try(ctx, l.f, r.shared.patience)
	if err != nil {
		return nil, fault.New(fault.Refused, "put the state directory on a file system that can lock files",
			"lock the work tree: %w", err)
	}
	if !ok {
		return nil, fault.New(fault.Refused, "wait for it to end, then try again", "%s",
			heldBy(r.at.Root, l.note))
	}
	host, _ := os.Hostname()
	by := fmt.Sprintf("%s (process %d on %s, since %s)", what, os.Getpid(), host,
		r.at.Now().Local().Format("15:04:05"))
	if err = atomicfile.Write(l.note, []byte(by), 0o644); err == nil {
		err = commit.NewIndex(r.at).DropOwnLock()
	}
	if err != nil {
		return nil, errors.Join(git.Classify("lock the work tree", err), l.Unlock())
	}
	return l, nil
}

// try takes a lock, and waits a moment for it.
func try(ctx context.Context, f *flock.Flock, patience time.Duration) (bool, error) {
	ok, err := f.TryLock()
	if !ok && err == nil {
		wait, cancel := context.WithTimeout(ctx, patience)
		ok, err = f.TryLockContext(wait, 20*time.Millisecond)
		cancel()
		if errors.Is(err, context.DeadlineExceeded) {
			err = nil
		}
	}
	return ok, err
}

// Unlock gives the work tree back. Calling it again does nothing.
func (l *Lock) Unlock() error {
	if !l.f.Locked() {
		return nil
	}
	_ = atomicfile.Remove(l.note)
	if err := l.f.Unlock(); err != nil {
		return fmt.Errorf("unlock the work tree: %w", err)
	}
	return nil
}

func heldBy(root, note string) string {
	by, err := os.ReadFile(note)
	if err != nil {
		return fmt.Sprintf("another booty is at work in %s", root)
	}
	return fmt.Sprintf("another booty is at work in %s: %s", root, by)
}
