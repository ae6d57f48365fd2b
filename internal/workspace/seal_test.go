package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/testkit"
)

func TestALockOfARunBesideThisOneIsWaitedFor(t *testing.T) {
	for name, c := range map[string]struct {
		held  time.Duration // 0 is for good
		taken bool
	}{"held for a moment": {60 * time.Millisecond, false}, "left behind": {0, true}} {
		t.Run(name, func(t *testing.T) {
			testkit.Hermetic(t)
			dir := testkit.Repo(t, map[string]string{"a.txt": "a\n"})
			r := open(t, dir)
			seal, err := r.Seal(t.Context(), func(string) bool { return true })
			must(t, err)
			lock := filepath.Join(dir, ".git", "refs", "heads", "other.lock")
			must(t, os.WriteFile(lock, []byte("x"), 0o644))
			released := make(chan error, 1)
			if c.held > 0 {
				go func() { time.Sleep(c.held); released <- os.Remove(lock) }()
			} else {
				released <- nil
			}
			found, err := seal.Check(t.Context())
			must(t, err)
			taken := slices.ContainsFunc(found, func(x Tampering) bool { return x.Path == ".git/refs/heads/other.lock" })
			if taken != c.taken {
				t.Errorf("got %v, want it taken away: %t", found, c.taken)
			}
			must(t, <-released)
			if _, err := os.Lstat(lock); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the lock is there still: %v", err)
			}
		})
	}
}
