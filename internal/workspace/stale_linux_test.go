package workspace

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/testkit"
)

// tricks are ways to change a file so that a look may miss it. Each is given the
// repository's directory, in which "d/file" holds "as it was\n".
var tricks = map[string]func(t *testing.T, dir string){
	"the same size and time": func(t *testing.T, dir string) {
		path := filepath.Join(dir, "d", "file")
		info, err := os.Stat(path)
		must(t, err)
		put(t, dir, "d/file", "AS IT WAS\n")
		must(t, os.Chtimes(path, info.ModTime(), info.ModTime()))
	},
	"another file of the same size and time in its place": func(t *testing.T, dir string) {
		path := filepath.Join(dir, "d", "file")
		info, err := os.Stat(path)
		must(t, err)
		put(t, dir, "new", "AS IT WAS\n")
		must(t, os.Chtimes(filepath.Join(dir, "new"), info.ModTime(), info.ModTime()))
		must(t, os.Rename(filepath.Join(dir, "new"), path))
	},
	"its directory is a link to a copy": func(t *testing.T, dir string) {
		must(t, os.Rename(filepath.Join(dir, "d"), filepath.Join(dir, "e")))
		must(t, os.Symlink("e", filepath.Join(dir, "d")))
	},
	"it is a link to a copy": func(t *testing.T, dir string) {
		must(t, os.Rename(filepath.Join(dir, "d", "file"), filepath.Join(dir, "d", "copy")))
		must(t, os.Symlink("copy", filepath.Join(dir, "d", "file")))
	},
	"it may be run":      func(t *testing.T, dir string) { must(t, os.Chmod(filepath.Join(dir, "d", "file"), 0o755)) },
	"it is gone":         func(t *testing.T, dir string) { must(t, os.Remove(filepath.Join(dir, "d", "file"))) },
	"its folder is gone": func(t *testing.T, dir string) { must(t, os.RemoveAll(filepath.Join(dir, "d"))) },
	"it is empty":        func(t *testing.T, dir string) { must(t, os.Truncate(filepath.Join(dir, "d", "file"), 0)) },
	"it is a directory": func(t *testing.T, dir string) {
		must(t, os.Remove(filepath.Join(dir, "d", "file")))
		put(t, dir, "d/file/inside", "x\n")
	},
	"written through a second name": func(t *testing.T, dir string) {
		must(t, os.Link(filepath.Join(dir, "d", "file"), filepath.Join(dir, "second")))
		put(t, dir, "second", "AS IT WAS\n")
	},
}

// Whatever is done to a recorded file, the next look sees it, also in the moment after it was
// recorded, where its times say nothing, and long after.
func TestNoTrickHidesAChange(t *testing.T) {
	t.Parallel()
	for name, trick := range tricks {
		for _, age := range []time.Duration{0, time.Hour} {
			t.Run(fmt.Sprint(name, ", after ", age), func(t *testing.T) {
				t.Parallel()
				dir := testkit.Repo(t, map[string]string{"d/file": "as it was\n", "other": "x\n"})
				if age > 0 { // what was written long before the index
					old := time.Now().Add(-age)
					must(t, os.Chtimes(filepath.Join(dir, "d", "file"), old, old))
					testkit.Git(t, dir, "update-index", "-q", "--refresh")
				}
				r := open(t, dir)
				cp, err := r.Snapshot(t.Context(), "run", 0, "before")
				must(t, err)
				trick(t, dir)
				seen, err := r.Since(t.Context(), cp)
				must(t, err)
				if !slices.ContainsFunc(seen, func(c Change) bool { return c.Path == "d/file" }) {
					t.Errorf("it was not seen, only %v", seen)
				}
				must(t, r.Restore(t.Context(), cp))
				if throughSymlink(dir, "d/file") {
					t.Error("it is behind a link still")
				}
				if data, err := os.ReadFile(filepath.Join(dir, "d", "file")); err != nil || string(data) != "as it was\n" {
					t.Errorf("put back, it is %q, %v", data, err)
				}
			})
		}
	}
}

// What booty's own look at recorded files finds changed is what git finds, whatever was done.
func TestOwnLookFindsWhatGitFinds(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			rnd := rand.New(rand.NewPCG(seed, 11))
			dir, r, _ := scattered(t, "", inFolders)
			for n := 1; n <= 6; n++ {
				editSome(t, rnd, dir)
				own, ok := r.ownStale(t.Context(), r.shadow)
				if !ok {
					t.Fatal("git would have to be asked")
				}
				out, err := r.shadow.run(t.Context(), call{args: []string{"diff-files", "--raw", "-z", "--no-abbrev", "--no-renames"}})
				must(t, err)
				gits, err := parseRaw(out)
				must(t, err)
				mine, its := changedOf(r, own), changedOf(r, gits)
				if !maps.Equal(mine, its) {
					t.Fatalf("step %d: booty finds %v, git %v", n, mine, its)
				}
				if n%2 == 0 {
					_, err := r.Snapshot(t.Context(), "run", n, "on the way")
					must(t, err)
				}
			}
		})
	}
}

// changedOf are those of some paths that differ in what they hold.
func changedOf(r *Repo, raw map[string]pair) map[string]pair {
	d := &drift{changed: map[string]pair{}}
	for path, p := range raw {
		d.look(r.root, path, p.was)
	}
	return d.changed
}
