package checkout

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestDirTree(t *testing.T) {
	root := t.TempDir()
	for _, p := range []string{"dir/file", "nested/.git/HEAD", ".git/HEAD"} {
		full := filepath.Join(root, p)
		if err := errors.Join(os.MkdirAll(filepath.Dir(full), 0o755), os.WriteFile(full, []byte("x"), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	modules := "[submodule \"lib\"]\n\tpath = lib/dep\n\turl = https://example.com/dep\n"
	if err := os.WriteFile(filepath.Join(root, ".gitmodules"), []byte(modules), 0o644); err != nil {
		t.Fatal(err)
	}
	want := map[string]Kind{"dir": Dir, "dir/file": File, "dir/none": Absent, "dir/file/below": Absent, "nested": Submodule, "lib/dep": Submodule}
	if err := os.Symlink("..", filepath.Join(root, "out")); err == nil {
		want["out"] = Symlink
	}
	tree := DirTree(root)
	for p, kind := range want {
		if got, err := tree.Kind(p); err != nil || got != kind {
			t.Errorf("%s: got %v, %v, want %v", p, got, err, kind)
		}
	}
	other, err := os.Lstat(filepath.Join(root, "DIR"))
	if fold := err == nil && other.IsDir(); tree.CaseFold() != fold {
		t.Errorf("got CaseFold %v, want %v", tree.CaseFold(), fold)
	}
}
