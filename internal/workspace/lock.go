package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/booty-cli/booty/internal/atomicfile"
	"github.com/booty-cli/booty/internal/fault"
)

// Lock is this process's right to change the work tree.
type Lock struct {
	f    *flock.Flock
	note string
}

// Holder says who holds the lock of a work tree.
type Holder struct {
	PID   int       `json:"pid"`
	Host  string    `json:"host"`
	What  string    `json:"what"` // such as "run 20260102-…"
	Since time.Time `json:"since"`
}

// lockPatience is how long a lock that is held is waited for.
const lockPatience = time.Second

// Lock takes the work tree for this process; what says for whom. The system
// gives it up when the process ends, however it ends, so locks cannot go stale.
// The file itself stays: removing it would let two in.
func (r *Repo) Lock(ctx context.Context, what string) (*Lock, error) {
	if err := r.makeOwnDir(); err != nil {
		return nil, err
	}
	l := &Lock{f: flock.New(filepath.Join(r.ownDir(), "run.lock")), note: filepath.Join(r.ownDir(), "run.json")}
	ok, err := try(ctx, l.f)
	if err != nil {
		return nil, fault.New(fault.Refused, "put the state directory on a file system that can lock files",
			"lock the work tree: %w", err)
	}
	if !ok {
		return nil, fault.New(fault.Refused, "wait for it to end; booty run (without --in-place) works beside it", "%s",
			heldBy(r.root, l.note))
	}
	host, _ := os.Hostname()
	note, err := json.Marshal(Holder{os.Getpid(), host, what, r.now().UTC().Truncate(time.Second)})
	if err == nil {
		err = atomicfile.Write(l.note, append(note, '\n'), 0o644)
	}
	if err == nil {
		err = r.dropOwnIndexLock()
	}
	if err != nil {
		return nil, errors.Join(classify("lock the work tree", err), l.Unlock())
	}
	return l, nil
}

// try takes a lock, and waits a moment for it.
func try(ctx context.Context, f *flock.Flock) (bool, error) {
	ok, err := f.TryLock()
	if !ok && err == nil {
		// A booty just killed may have left a child between fork and exec, which
		// holds its files for a moment.
		wait, cancel := context.WithTimeout(ctx, lockPatience)
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
	_ = removeFile(l.note)
	if err := l.f.Unlock(); err != nil {
		return fmt.Errorf("unlock the work tree: %w", err)
	}
	return nil
}

func heldBy(root, note string) string {
	var h Holder
	data, err := os.ReadFile(note)
	if err != nil || json.Unmarshal(data, &h) != nil {
		return fmt.Sprintf("another booty is at work in %s", root)
	}
	return fmt.Sprintf("another booty is at work in %s: %s (process %d on %s, since %s)",
		root, h.What, h.PID, h.Host, h.Since.Local().Format("15:04:05"))
}
