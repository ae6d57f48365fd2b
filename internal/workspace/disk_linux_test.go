package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/testkit"
)

// smallDisk mounts a file system of so many bytes, or skips the test.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("no small file system can be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

// fill writes a file until the disk is full and gives its path.
func fill(t *testing.T, dir string) string {
	t.Helper()
	path := filepath.Join(dir, "filler.log")
	f, err := os.Create(path)
	must(t, err)
	defer func() { _ = f.Close() }()
	block := make([]byte, 4096)
	for {
		if _, err := f.Write(block); errors.Is(err, syscall.ENOSPC) {
			return path
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

func TestFullDisk(t *testing.T) {
	testkit.Hermetic(t)
	dir := smallDisk(t, "6m")
	testkit.Git(t, dir, "init", "-q", "-b", "main")
	testkit.Write(t, dir, map[string]string{"a.txt": strings.Repeat("a\n", 20000), "b.txt": "b\n", ".gitignore": "*.log\n"})
	testkit.Git(t, dir, "add", "-A")
	testkit.Git(t, dir, "commit", "-q", "-m", "start")
	put(t, dir, "mine.txt", "untracked\n")
	withoutFiller := func() photo {
		p := take(t, dir)
		delete(p.Files, "filler.log")
		return p
	}
	before := withoutFiller()
	ctx := t.Context()

	filler := fill(t, dir)
	r, err := Open(ctx, dir, Options{})
	if err == nil {
		_, err = r.States.Snapshot(ctx, "r1", 0, "before")
	}
	if err == nil || fault.KindOf(err) == fault.Bug {
		t.Errorf("snapshot on a full disk: got %v of kind %v, want a failure that is not ours", err, fault.KindOf(err))
	}
	same(t, "after a snapshot that failed", withoutFiller(), before)
	must(t, os.Remove(filler))
	sound(t, dir)

	cp, err := open(t, dir).States.Snapshot(ctx, "r1", 0, "before")
	must(t, err)
	must(t, os.Remove(filepath.Join(dir, "a.txt")))
	put(t, dir, "b.txt", "by the run\n")
	put(t, dir, "mine.txt", "by the run\n")
	filler = fill(t, dir)
	err = open(t, dir).States.Restore(ctx, cp)
	if err == nil || fault.KindOf(err) == fault.Bug {
		t.Errorf("restore on a full disk: got %v of kind %v, want a failure that is not ours", err, fault.KindOf(err))
	}
	must(t, os.Remove(filler))
	must(t, open(t, dir).States.Restore(ctx, cp))
	same(t, "restored once there was room again", withoutFiller(), before)
	sound(t, dir)
}

func TestReadOnlyGitDirectoryIsTold(t *testing.T) {
	testkit.Hermetic(t)
	dir := smallDisk(t, "4m")
	testkit.Git(t, dir, "init", "-q", "-b", "main")
	testkit.Write(t, dir, map[string]string{"a.txt": "a\n"})
	testkit.Git(t, dir, "add", "-A")
	testkit.Git(t, dir, "commit", "-q", "-m", "start")
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skipf("it cannot be made read-only here: %v", err)
	}
	r := open(t, dir)
	if _, err := r.Lock(t.Context(), "run"); fault.KindOf(err) != fault.Refused || fault.HintOf(err) == "" {
		t.Errorf("lock: got %v, want a refusal with a hint", err)
	}
	if _, err := r.States.Snapshot(t.Context(), "r1", 0, "before"); fault.KindOf(err) != fault.Refused {
		t.Errorf("snapshot: got %v, want a refusal", err)
	}
	if entries, err := r.Listing.Status(t.Context()); len(entries) > 0 || err != nil {
		t.Errorf("got %v, %v: looking should work", entries, err)
	}
}
