package work

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCachesOfLinkedDependencies(t *testing.T) {
	repo, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	other, home := t.TempDir(), t.TempDir()
	if got := linkedCaches(repo, other); got != nil {
		t.Errorf("without node_modules: got %v", got)
	}
	modules := filepath.Join(repo, "node_modules")
	if err := os.Mkdir(modules, 0o755); err != nil {
		t.Fatal(err)
	}
	if got := linkedCaches(repo, repo); got != nil {
		t.Errorf("the repository itself: got %v", got)
	}
	want := []string{filepath.Join(modules, ".cache"), filepath.Join(modules, ".vite")}
	if diff := cmp.Diff(linkedCaches(repo, other), want); diff != "" {
		t.Errorf("(-got +want)\n%s", diff)
	}

	// A check that ran before may have left a link to what it wants to write.
	if err := os.Remove(want[0]); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(home, want[0]); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	if diff := cmp.Diff(linkedCaches(repo, other), want[1:]); diff != "" {
		t.Errorf("with a link (-got +want)\n%s", diff)
	}
	if err := os.Rename(modules, filepath.Join(home, "m")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(home, "m"), modules); err != nil {
		t.Fatal(err)
	}
	if got := linkedCaches(repo, other); got != nil {
		t.Errorf("node_modules is a link itself: got %v", got)
	}
}
