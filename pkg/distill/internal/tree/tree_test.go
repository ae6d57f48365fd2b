package tree

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestExistsAfterAWalk is about what a walk does not show: folders that are left out, and links.
func TestExistsAfterAWalk(t *testing.T) {
	t.Parallel()
	for _, linked := range []bool{false, true} {
		if linked && runtime.GOOS == "windows" {
			continue // links need a privilege
		}
		dir := t.TempDir()
		for _, p := range []string{"src/Cart.js", "node_modules/pot/lid.js", "other/deep/kiln.js"} {
			name := filepath.Join(dir, filepath.FromSlash(p))
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if linked {
			if err := os.Symlink("Cart.js", filepath.Join(dir, "src", "alias.js")); err != nil {
				t.Fatal(err)
			}
		}
		x := NewTree(dir)
		defer x.Close()
		x.Files()
		for p, want := range map[string]bool{
			"src/Cart.js": true, "node_modules/pot/lid.js": true, "other/deep/kiln.js": true, "src/alias.js": linked,
			"src/kiln.js": false, "gone.js": false, "src": false,
		} {
			if got := x.Exists(p); got != want {
				t.Errorf("%s: got %v (links: %v)", p, got, linked)
			}
		}
	}
}
