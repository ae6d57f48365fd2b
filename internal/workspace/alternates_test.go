package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-git/go-git/v5/storage/filesystem"

	"github.com/booty-cli/booty/internal/testkit"
)

// TestASharedCloneReadsIndexesOnce: objects borrowed from another repository are
// found without opening its packs for each of them.
func TestASharedCloneReadsIndexesOnce(t *testing.T) {
	t.Parallel()
	r, commit := sharedClone(t, 50)
	st := r.store()
	tree, err := st.tree(commit)
	must(t, err)
	if tree, err = tree.Tree("dir"); err != nil {
		t.Fatal(err)
	}
	before := len(st.alternates())
	if before != 1 {
		t.Fatalf("%d alternates, want 1", before)
	}
	// Without its index the pack cannot be opened anew.
	packs, err := filepath.Glob(filepath.Join(filepath.Dir(r.root), "plain", ".git", "objects", "pack", "*.idx"))
	must(t, err)
	for i, e := range tree.Entries {
		if i == 1 {
			for _, p := range packs {
				must(t, os.Rename(p, p+".away"))
			}
		}
		if _, err := st.blob(e.Hash.String()); err != nil {
			t.Fatalf("blob %d: %v", i, err)
		}
	}
}

// TestASharedCloneReadsItsOwnObjectsFirst: for what booty itself has just recorded no
// other repository's packs are opened.
func TestASharedCloneReadsItsOwnObjectsFirst(t *testing.T) {
	t.Parallel()
	r, _ := sharedClone(t, 2)
	testkit.Write(t, r.root, map[string]string{"new.txt": "new\n"})
	name := testkit.Git(t, r.root, "hash-object", "-w", "new.txt")
	st := r.store()
	st.alternates = func() []*filesystem.ObjectStorage {
		t.Error("the borrowed objects were looked at")
		return nil
	}
	if _, err := st.blob(name); err != nil {
		t.Error(err)
	}
}

// sharedClone makes a clone of a packed repository that has no objects of its own.
func sharedClone(tb testing.TB, files int) (r *Repo, commit string) {
	tb.Helper()
	home := tb.TempDir()
	plain, shared := filepath.Join(home, "plain"), filepath.Join(home, "shared")
	must(tb, os.MkdirAll(plain, 0o755))
	testkit.Git(tb, plain, "init", "-q", "-b", "main")
	all := map[string]string{}
	for i := range files {
		all[fmt.Sprintf("dir/f%05d.txt", i)] = fmt.Sprintf("text %d\n", i)
	}
	testkit.Write(tb, plain, all)
	testkit.Git(tb, plain, "add", "-A")
	testkit.Git(tb, plain, "commit", "-q", "-m", "start")
	testkit.Git(tb, plain, "gc", "-q")
	testkit.Git(tb, home, "clone", "-q", "--shared", plain, shared)
	r = open(tb, shared)
	return r, testkit.Git(tb, shared, "rev-parse", "HEAD")
}

func BenchmarkSharedClone(b *testing.B) {
	testkit.Hermetic(b)
	r, commit := sharedClone(b, 5000)
	for b.Loop() {
		st := r.store()
		tree, err := st.tree(commit)
		must(b, err)
		sub, err := tree.Tree("dir")
		must(b, err)
		for _, e := range sub.Entries[:200] {
			_, err := st.blob(e.Hash.String())
			must(b, err)
		}
	}
}
