package workspace

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/booty-cli/booty/internal/testkit"
)

// A checkpoint of named paths is the one that a look at everything makes,
// whatever was done to them.
func TestAGlanceSeesWhatALookSees(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			rnd := rand.New(rand.NewPCG(seed, 7))
			dir, r, cp := scattered(t, "*.log\n", inFolders)
			for n := 1; n <= 8; n++ {
				var err error
				cp, err = r.Snapshot(t.Context(), "run", n, "after some edits", SnapshotOptions{Since: cp.Tree, Only: editSome(t, rnd, dir)})
				must(t, err)
				whole, err := r.Snapshot(t.Context(), "whole", n, "a look at everything")
				must(t, err)
				if whole.Tree != cp.Tree {
					t.Fatalf("checkpoint %d: the tree of a glance is %s, that of a look %s", n, cp.Tree, whole.Tree)
				}
				if n%3 == 0 { // go on from where the index stands for another state
					must(t, r.Restore(t.Context(), Checkpoint{Run: "run", N: 1, Commit: resolve(t, r, "refs/booty/run/1"), Tree: resolve(t, r, "refs/booty/run/1^{tree}")}))
					cp.Tree = resolve(t, r, "refs/booty/run/1^{tree}")
				}
			}
			sound(t, dir)
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

func resolve(t *testing.T, r *Repo, name string) string {
	t.Helper()
	return testkit.Git(t, r.Root(), "rev-parse", name)
}

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

// What may change which files count needs a look at everything.
func TestAGlanceKnowsItsLimits(t *testing.T) {
	t.Parallel()
	dir := testkit.Repo(t, map[string]string{".gitignore": "*.log\n", "a": "1"})
	r := open(t, dir)
	cp, err := r.Snapshot(t.Context(), "run", 0, "before")
	must(t, err)

	put(t, dir, "seen.log", "no longer ignored")
	put(t, dir, ".gitignore", "")
	cp, err = r.Snapshot(t.Context(), "run", 1, "the rules changed", SnapshotOptions{Since: cp.Tree, Only: []string{".gitignore"}})
	must(t, err)
	if _, held, err := r.ReadFile(t.Context(), cp.Commit, "seen.log"); err != nil || !held {
		t.Errorf("a file that is no longer ignored is missing: %v", err)
	}

	put(t, dir, "b", "someone else's")
	put(t, dir, "a", "2")
	elsewhere, err := r.Snapshot(t.Context(), "run", 2, "of another state", SnapshotOptions{Since: testkit.Git(t, dir, "hash-object", "-t", "tree", "-w", "/dev/null"), Only: []string{"a"}})
	must(t, err)
	if _, held, err := r.ReadFile(t.Context(), elsewhere.Commit, "b"); err != nil || !held {
		t.Errorf("the index stands for another tree, and yet only the named path was looked at: %v", err)
	}

	put(t, dir, "c", "someone else's")
	put(t, dir, "a", "3")
	known, err := r.Snapshot(t.Context(), "run", 3, "of this state", SnapshotOptions{Since: elsewhere.Tree, Only: []string{"a"}})
	must(t, err)
	if _, held, _ := r.ReadFile(t.Context(), known.Commit, "c"); held {
		t.Error("more than the named path was looked at")
	}
	left, err := r.Since(t.Context(), known)
	if err != nil || len(left) != 1 || left[0].Path != "c" {
		t.Errorf("the next look sees %v (%v), want c", left, err)
	}
}
