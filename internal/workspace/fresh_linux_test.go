package workspace

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/booty-cli/booty/internal/testkit"
)

// What is new in a work tree, as booty finds it, is what git finds, whatever was done in
// directories of recorded files, in others, and behind links.
func TestNewFilesAreThoseThatGitFinds(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			rnd := rand.New(rand.NewPCG(seed, 13))
			dir, r, _ := scattered(t, "*.log\nbuild/\n/d1/*.tmp\n", func(i int) string {
				return fmt.Sprintf("d%d/e%d/f%d.txt", i%3, i%2, i)
			})
			for n := 1; n <= 12; n++ {
				what := rearrange(t, rnd, dir)
				own, ok, err := r.ownOthers(t.Context(), r.shadow)
				must(t, err)
				if !ok {
					t.Fatal("git would have to look at everything")
				}
				out, err := r.shadow.run(t.Context(), call{args: []string{"ls-files", "-z", "--others", "--exclude-standard"}})
				must(t, err)
				gits := splitNul(out)
				slices.Sort(own)
				slices.Sort(gits)
				if !slices.Equal(own, gits) {
					t.Fatalf("after %s: booty finds %q, git %q", what, own, gits)
				}
				if n%4 == 0 {
					_, err := r.Snapshot(t.Context(), "run", n, "on the way")
					must(t, err)
				}
			}
		})
	}
}

// scattered makes a repository of twelve files, each where place says, of which a run has
// recorded its state before.
func scattered(t *testing.T, ignored string, place func(i int) string) (string, *Repo, Checkpoint) {
	t.Helper()
	files := map[string]string{".gitignore": ignored}
	for i := range 12 {
		files[place(i)] = fmt.Sprint("content ", i)
	}
	dir := testkit.Repo(t, files)
	r := open(t, dir)
	cp, err := r.Snapshot(t.Context(), "run", 0, "before")
	must(t, err)
	return dir, r, cp
}

// inFolders is a place in one of three folders.
func inFolders(i int) string { return fmt.Sprintf("d%d/f%d.txt", i%3, i) }

// editSome does a few things to files as edits do, and names their paths.
func editSome(t *testing.T, rnd *rand.Rand, dir string) []string {
	t.Helper()
	var paths []string
	for range 1 + rnd.IntN(4) {
		name := fmt.Sprintf("d%d/f%d.txt", rnd.IntN(4), rnd.IntN(12))
		full := filepath.Join(dir, filepath.FromSlash(name))
		switch rnd.IntN(4) {
		case 0:
			_ = os.Remove(full)
		case 1:
			put(t, dir, name, fmt.Sprint("new ", rnd.IntN(1000)))
		case 2:
			put(t, dir, name, "kept as it is")
		case 3:
			put(t, dir, name, "a script")
			must(t, os.Chmod(full, 0o755))
		}
		paths = append(paths, name)
	}
	return paths
}

// rearrange does one thing to a work tree by which files come, go, or are something else,
// and says what.
func rearrange(t *testing.T, rnd *rand.Rand, dir string) string {
	t.Helper()
	pick := func(names ...string) string { return names[rnd.IntN(len(names))] }
	folder := pick(".", "d0", "d1/e0", "d2/e1", "d3", "d3/new", "build", "d1/empty")
	name := filepath.Join(dir, filepath.FromSlash(folder), pick("f1.txt", "f4.txt", "e0", "x.log", "y.tmp", ".gitignore", "ünï\ncode", ":(top)z"))
	full := filepath.Join(dir, filepath.FromSlash(folder))
	if throughSymlink(dir, folder+"/x") {
		_ = os.Remove(full)
	}
	switch rnd.IntN(8) {
	case 0: // an empty folder
		must(t, os.RemoveAll(name))
		must(t, os.MkdirAll(name, 0o755))
		return "an empty folder " + name
	case 1: // a folder in the place of a file
		must(t, os.RemoveAll(name))
		must(t, os.MkdirAll(name, 0o755))
		must(t, os.WriteFile(filepath.Join(name, "inside"), []byte("x"), 0o644))
		return "a folder " + name
	case 2: // a link in the place of a folder of recorded files
		link := filepath.Join(dir, pick("d0", "d2"))
		must(t, os.RemoveAll(link))
		must(t, os.Symlink("d1", link))
		return "a link " + link
	case 3:
		must(t, os.RemoveAll(full+"-gone"))
		if folder != "." {
			_ = os.Rename(full, full+"-gone")
		}
		return "another name for " + full
	case 4: // a repository inside
		must(t, os.RemoveAll(name))
		if out, err := exec.Command("git", "init", "-q", name).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return "a repository " + name
	case 5:
		must(t, os.RemoveAll(name))
		return "no more " + name
	}
	must(t, os.RemoveAll(name))
	must(t, os.MkdirAll(filepath.Dir(name), 0o755))
	must(t, os.WriteFile(name, []byte(pick("*.txt\n", "content 1", "")), 0o644))
	return "a file " + name
}
