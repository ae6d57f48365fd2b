package work

import (
	"os"
	"path/filepath"
)

// dependencyDirs are folders with what a setup command installs; they are
// ignored by git, so a new work tree lacks them.
var dependencyDirs = []string{"node_modules", ".venv", "venv", "vendor/bundle", "deps"}

// linkDependencies links the installed dependencies of one work tree into
// another, and says whether there were any.
func linkDependencies(from, to string) bool {
	linked := false
	for _, dir := range dependencyDirs {
		src, dst := filepath.Join(from, dir), filepath.Join(to, dir)
		info, err := os.Stat(src)
		if err != nil || !info.IsDir() {
			continue
		}
		if _, err := os.Lstat(dst); err == nil {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(dst), 0o755); err != nil {
			continue
		}
		if os.Symlink(src, dst) == nil {
			linked = true
		}
	}
	return linked
}
