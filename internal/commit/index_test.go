package commit

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/testkit"
	"github.com/booty-cli/booty/internal/testkit/checkout"
)

// TestTheIndexFollowsInTheNamedPaths: what else is staged stays, and a caller's step that fails
// under the lock leaves the index as it was.
func TestTheIndexFollowsInTheNamedPaths(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n", "sub/gone.txt": "g\n"})
	first := testkit.Git(t, dir, "rev-parse", "HEAD")
	testkit.Git(t, dir, "rm", "-q", "-r", "sub")
	testkit.Write(t, dir, map[string]string{"a.txt": "A\n", "new.txt": "n\n"})
	testkit.Git(t, dir, "add", "-A")
	testkit.Git(t, dir, "commit", "-q", "-m", "second")
	put(t, dir, "b.txt", "staged\n")
	testkit.Git(t, dir, "add", "b.txt")
	staged := func() string { return testkit.Git(t, dir, "diff", "--cached", "--name-status", first) }
	before := staged()

	x := NewIndex(checkout.At(t, dir))
	must(t, x.store.Make())
	stop := errors.New("stop")
	locked := false
	err := x.FollowWith(t.Context(), []string{"a.txt"}, first, func() error {
		_, err := os.Stat(x.Path() + ".lock")
		locked = err == nil
		return stop
	})
	if !errors.Is(err, stop) || !locked || staged() != before {
		t.Errorf("a step that fails: %v, locked %t, the index has %q, want %q", err, locked, staged(), before)
	}
	if _, err := os.Stat(x.Path() + ".lock"); err == nil {
		t.Error("the lock stays")
	}
	must(t, x.Follow(t.Context(), []string{"a.txt", "new.txt", "sub/gone.txt", "sub"}, first))
	if got := staged(); got != "M\tb.txt" {
		t.Errorf("over the first commit the index has %q, want the user's change alone", got)
	}
	must(t, x.Follow(t.Context(), []string{"a.txt", "sub"}, ""))
	if got := staged(); got != "D\ta.txt\nM\tb.txt" {
		t.Errorf("without a commit: %q", got)
	}
}

// TestOnlyBootysOwnLockIsRemoved: one of a booty that was killed, never another git's.
func TestOnlyBootysOwnLockIsRemoved(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n"})
	head := testkit.Git(t, dir, "rev-parse", "HEAD")
	x := NewIndex(checkout.At(t, dir))
	must(t, x.store.Make())
	lock := x.Path() + ".lock"

	put(t, dir, ".git/index.lock", "another git's")
	put(t, dir, ".git/"+filepath.Base(x.newIndex()), "killed before it had the lock")
	must(t, x.DropOwnLock())
	if err := x.Follow(t.Context(), []string{"a.txt"}, head); fault.KindOf(err) != fault.Git || fault.HintOf(err) != x.LockHint() {
		t.Errorf("got %v, hint %q; want a refusal with how to go on", err, fault.HintOf(err))
	}
	if data, err := os.ReadFile(lock); err != nil || string(data) != "another git's" {
		t.Errorf("another git's lock: %q, %v", data, err)
	}

	must(t, os.Remove(lock))
	put(t, dir, ".git/"+filepath.Base(x.newIndex()), "half")
	must(t, os.Link(x.newIndex(), lock))
	must(t, x.Follow(t.Context(), []string{"a.txt"}, head))
	if _, err := os.Stat(lock); err == nil {
		t.Error("the lock of a booty that was killed stays")
	}
}
