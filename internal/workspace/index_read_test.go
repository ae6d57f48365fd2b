package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/booty-cli/booty/internal/testkit"
)

// What booty reads of an index is what git reads of it, in every version of the form.
func TestAnIndexIsReadAsGitReadsIt(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2", "3", "4"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			dir := testkit.Repo(t, map[string]string{
				"a": "a\n", "a-b/c": "c\n", "a.b": "b\n", "deep/er/and/deeper/file.txt": "d\n", "deep/er/and/other": "o\n",
				"ünïcödé/日本.txt": "u\n", strings.Repeat("long/", 60) + "name": "l\n",
			})
			must(t, os.Symlink("a", filepath.Join(dir, "link")))
			put(t, dir, "run.sh", "#!/bin/sh\n")
			must(t, os.Chmod(filepath.Join(dir, "run.sh"), 0o755))
			testkit.Git(t, dir, "add", "-A")
			testkit.Git(t, dir, "commit", "-q", "-m", "more")
			testkit.Git(t, dir, "update-index", "--index-version", version)
			r := open(t, dir)
			x, err := readIndexFile(r.indexPath())
			must(t, err)
			want, err := r.git.listed(t.Context())
			must(t, err)
			got := slices.Clone(x.entries)
			for i := range got {
				got[i].stat = indexStat{}
			}
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(indexEntry{}, fileState{}, indexStat{})); diff != "" {
				t.Errorf("(-git +booty)\n%s", diff)
			}
			if !x.plain || x.tree != testkit.Git(t, dir, "rev-parse", "HEAD^{tree}") {
				t.Errorf("plain is %t, the tree is %q", x.plain, x.tree)
			}
		})
	}
}

// An index that says more than which file is where is left to git.
func TestAnIndexThatIsNotPlain(t *testing.T) {
	t.Parallel()
	for name, do := range map[string]func(dir string){
		"announced":  func(dir string) { put(t, dir, "new", "n\n"); testkit.Git(t, dir, "add", "-N", "new") },
		"overlooked": func(dir string) { testkit.Git(t, dir, "update-index", "--assume-unchanged", "a") },
		"left out":   func(dir string) { testkit.Git(t, dir, "update-index", "--skip-worktree", "a") },
		"split":      func(dir string) { testkit.Git(t, dir, "update-index", "--split-index") },
		"in conflict": func(dir string) {
			blob := testkit.Git(t, dir, "rev-parse", "HEAD:a")
			in := "0 " + noObject + "\ta\x00100644 " + blob + " 2\ta\x00100644 " + blob + " 3\ta\x00"
			_, err := open(t, dir).git.run(t.Context(), call{args: []string{"update-index", "-z", "--index-info"}, stdin: strings.NewReader(in)})
			must(t, err)
		},
		"sparse": func(dir string) {
			testkit.Git(t, dir, "sparse-checkout", "set", "--sparse-index", "--cone", "in")
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := testkit.Repo(t, map[string]string{"a": "a\n", "in/b": "b\n", "out/c": "c\n"})
			do(dir)
			x, err := readIndexFile(filepath.Join(dir, ".git", "index"))
			if err == nil && x.plain {
				t.Error("it is taken for a plain one")
			}
		})
	}
}

// A staged change makes the noted tree of the index another than that of the commit, or none.
func TestTheTreeOfAnIndexIsThatOfTheCommitOrNotKnown(t *testing.T) {
	t.Parallel()
	dir := testkit.Repo(t, map[string]string{"a": "a\n", "d/b": "b\n"})
	r := open(t, dir)
	if got, want := treeNoted(t, r), testkit.Git(t, dir, "rev-parse", "HEAD^{tree}"); got != want {
		t.Errorf("of a clean index it is %q, want %s", got, want)
	}
	put(t, dir, "d/b", "staged\n")
	testkit.Git(t, dir, "add", "-A")
	if got := treeNoted(t, r); got != "" {
		t.Errorf("with a staged change it is %q", got)
	}
	testkit.Git(t, dir, "write-tree") // notes it in the index
	if got := treeNoted(t, r); got != "" {
		t.Errorf("with a tree that no commit has it is %q", got)
	}
}

// treeNoted is the tree that git has noted in the user's index.
func treeNoted(t *testing.T, r *Repo) string {
	t.Helper()
	x, err := readIndexFile(r.indexPath())
	must(t, err)
	return r.treeOfIndex(t.Context(), x)
}

// No bytes make the reader of an index fall or give a path twice as long as they are.
func FuzzParseIndex(f *testing.F) {
	for _, version := range []string{"2", "4"} {
		dir := testkit.Repo(f, map[string]string{"a": "a\n", "d/b": "b\n", "d/c": "c\n"})
		testkit.Git(f, dir, "update-index", "--index-version", version)
		data, err := os.ReadFile(filepath.Join(dir, ".git", "index"))
		must(f, err)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		x, err := parseIndex(data)
		if err != nil {
			return
		}
		for _, e := range x.entries {
			if strings.ContainsRune(e.path, 0) {
				t.Errorf("a path with a zero in it: %q", e.path)
			}
		}
	})
}
