package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/booty-cli/booty/internal/testkit"
)

func TestFilesAreTrackedOrNewAndNotIgnored(t *testing.T) {
	dir := testkit.Repo(t, map[string]string{".gitignore": "out/\n", "a b/ü.py": "1", "gone.py": "1"})
	for name, text := range map[string]string{"out/x.js": "1", "new.py": "1"} {
		full := filepath.Join(dir, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(full), 0o755))
		must(t, os.WriteFile(full, []byte(text), 0o644))
	}
	must(t, os.Remove(filepath.Join(dir, "gone.py")))
	got, err := open(t, dir).Listing.Files(t.Context())
	must(t, err)
	slices.Sort(got)
	if want := []string{".gitignore", "a b/ü.py", "gone.py", "new.py"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
