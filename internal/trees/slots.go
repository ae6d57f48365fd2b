package trees

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/booty-cli/booty/internal/atomicfile"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/store"
)

// Dirs are the directories of a work tree: of the checkout that trees belong to, or of a tree.
type Dirs struct {
	Root      string
	GitDir    string // of the work tree
	CommonDir string // of the repository
}

// Slots are the places for trees of one checkout.
type Slots struct {
	of    Dirs
	dir   string // where they lie
	store *store.Access
	now   func() time.Time
}

// In gives the slots of a checkout that lie in dir.
func In(dir string, of Dirs, s *store.Access, now func() time.Time) Slots {
	return Slots{of: of, dir: dir, store: s, now: now}
}

// Dir is the directory that all trees of the checkout lie in.
func (s Slots) Dir() string { return s.dir }

// maxSlots bounds how many trees of one checkout are in use at once.
const maxSlots = 64

// Slot is the place of one tree. A lock says that it is in use; a killed process gives that up.
type Slot struct {
	of   Dirs
	dir  string // holds the tree, booty's own files of it, and what overlays need
	lock *flock.Flock
	// Root is the root of the tree, GitDir its git directory, which lies in the store.
	Root, GitDir string
}

// Private is where booty keeps its own files of the tree.
func (s *Slot) Private() string { return filepath.Join(s.dir, "own") }

// Release frees the slot for the next user.
func (s *Slot) Release() error { return s.lock.Unlock() }

// Prepare makes the store, and gives it the branches and tags that user, a client of the user's
// repository, finds there now.
func (s Slots) Prepare(ctx context.Context, user git.Client) error {
	if err := s.store.Make(); err != nil {
		return err
	}
	return s.store.CopyRefs(ctx, user)
}

// Take takes the first slot that no process uses.
func (s Slots) Take(ctx context.Context) (*Slot, error) {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return nil, err
	}
	for n := 1; n <= maxSlots; n++ {
		dir := filepath.Join(s.dir, strconv.Itoa(n))
		lock := flock.New(dir+".lock", flock.SetPermissions(0o600))
		ok, err := lock.TryLock()
		if err != nil {
			return nil, fmt.Errorf("lock %s: %w", dir, err)
		}
		if ok {
			slot := &Slot{of: s.of, dir: dir, lock: lock, Root: filepath.Join(dir, filepath.Base(s.of.Root)),
				GitDir: gitDirOf(s.store.Store, dir)}
			return slot, errors.Join(os.MkdirAll(slot.Root, 0o755), ctx.Err())
		}
	}
	return nil, fault.New(fault.Refused, "wait for some of them to end", "%d work trees of %s are in use",
		maxSlots, s.of.Root)
}

// idOf names the slot at dir among all of the repository.
func idOf(dir string) string { return filepath.Base(filepath.Dir(dir)) + "-" + filepath.Base(dir) }

func gitDirOf(s *store.Store, dir string) string {
	return filepath.Join(s.Path(), "worktrees", idOf(dir))
}

// Drop removes the trees of all checkouts of the repository that no process uses and that were
// not used since age, and gives how many that were.
func (s Slots) Drop(ctx context.Context, age time.Duration) (int, error) {
	locks, err := filepath.Glob(filepath.Join(s.store.Dir(), "*", "*.lock"))
	if err != nil {
		return 0, err
	}
	n := 0
	for _, path := range locks {
		dir := strings.TrimSuffix(path, ".lock")
		info, err := os.Stat(filepath.Join(dir, "own"))
		if _, number := strconv.Atoi(filepath.Base(dir)); number != nil || err != nil || ctx.Err() != nil ||
			s.now().Sub(info.ModTime()) < age {
			continue
		}
		lock := flock.New(path)
		if ok, err := lock.TryLock(); err != nil || !ok {
			continue // in use
		}
		err = errors.Join(atomicfile.RemoveAll(dir), atomicfile.RemoveAll(gitDirOf(s.store.Store, dir)),
			s.store.DropRef(store.TreeRefs+idOf(dir)), lock.Unlock())
		if err != nil {
			return n, git.Classify("remove a work tree", err)
		}
		n++
	}
	return n, ctx.Err()
}

// Any reports whether any checkout of the repository has a tree.
func (s Slots) Any() bool {
	found, err := filepath.Glob(filepath.Join(s.store.Dir(), "*", "[0-9]*", "own"))
	return err != nil || len(found) > 0
}
