package runner

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/testkit"
	"github.com/booty-cli/booty/internal/workspace"
	"github.com/booty-cli/booty/pkg/edit"
)

// What the tests wrote anew in a tree of booty's own does not keep a change from being
// applied there.
func TestChangesApplyOverWhatTestsWroteAnew(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"cache.pyc": "by the tests", "snapshot": "by the tests", "new": "by the tests", "was": "moved"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	err := overwrite(dir, []edit.Change{
		{Op: edit.Delete, Path: "cache.pyc", Old: []byte("as it was")},
		{Op: edit.Modify, Path: "snapshot", Old: []byte("as it was"), New: []byte("as it is to be")},
		{Op: edit.Modify, Path: "gone/too", Old: []byte("as it was"), New: []byte("as it is to be")},
		{Op: edit.Create, Path: "new", New: []byte("as it is to be"), Mode: 0o600},
		{Op: edit.Rename, From: "was", Path: "is/here", Old: []byte("moved"), New: []byte("as it is to be")},
	}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"cache.pyc", "was"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s is still there", name)
		}
	}
	for _, name := range []string{"snapshot", "gone/too", "new", "is/here"} {
		if got, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))); err != nil || string(got) != "as it is to be" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if err := os.Symlink(t.TempDir(), filepath.Join(dir, "out")); err == nil {
		if overwrite(dir, []edit.Change{{Op: edit.Modify, Path: "out/x", Old: []byte("a"), New: []byte("b")}}, time.Now()) == nil {
			t.Error("a link out of the tree was followed")
		}
	}
}

// What an earlier proof left in a tree may have a second that is still to come: what is
// written next is given a later one.
func TestAFileIsWrittenALaterSecondThanTheOneBefore(t *testing.T) {
	testkit.Hermetic(t)
	repo, err := workspace.Open(t.Context(), testkit.Repo(t, map[string]string{"a.py": "x = 1\n"}), workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(repo.Root(), "a.py")
	later := time.Now().Add(3 * time.Second).Truncate(time.Second)
	if err := os.Chtimes(path, later, later); err != nil {
		t.Fatal(err)
	}
	c := &secondTree{repo: repo}
	for i := range 5 {
		before, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Apply([]edit.Change{{Op: edit.Modify, Path: "a.py", New: []byte{'x', '=', byte('2' + i), '\n'}}}); err != nil {
			t.Fatal(err)
		}
		if now, err := os.Stat(path); err != nil || now.ModTime().Unix() <= before.ModTime().Unix() {
			t.Errorf("write %d: %v after %v (%v)", i, now.ModTime(), before.ModTime(), err)
		}
	}
}
