package workspace

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/booty-cli/booty/internal/carry"
	"github.com/booty-cli/booty/internal/commit"
	"github.com/booty-cli/booty/internal/testkit"
	"github.com/booty-cli/booty/internal/trees"
)

// treeAt makes a tree of booty's own at HEAD; it is released when the test ends.
func treeAt(t *testing.T, r *Repo, o trees.Options) (*Repo, func()) {
	t.Helper()
	head, err := r.History.Resolve(t.Context(), "HEAD")
	must(t, err)
	w, release, err := r.AddTree(t.Context(), head, o)
	must(t, err)
	done := func() { must(t, release()) }
	return w, done
}

func openWithState(t *testing.T, dir string) *Repo {
	t.Helper()
	r, err := Open(t.Context(), dir, Options{StateDir: t.TempDir()})
	must(t, err)
	return r
}

// withDependencies is a checkout with what package managers and builds leave.
func withDependencies(t *testing.T) string {
	t.Helper()
	dir := testkit.Repo(t, map[string]string{
		"a.go": "a\n", "pkg/b.go": "b\n", ".gitignore": "node_modules/\n.env\n*.pyc\n.venv/\n.pnp.cjs\n",
	})
	testkit.Write(t, dir, map[string]string{
		"node_modules/x/index.js": "x\n", ".env": "KEY=1\n", "pkg/b.pyc": "compiled\n", ".pnp.cjs": "pnp\n",
		".venv/bin/python": "#!/usr/bin/env python\n", "scratch.txt": "mine, not ignored\n",
	})
	must(t, os.Chmod(filepath.Join(dir, ".venv/bin/python"), 0o755))
	must(t, os.Symlink("../x/index.js", filepath.Join(dir, "node_modules/x/link.js")))
	return dir
}

func TestIgnoredFilesAreBroughtAlong(t *testing.T) {
	testkit.Hermetic(t)
	dir := withDependencies(t)
	r := openWithState(t, dir)
	before := take(t, dir)
	put(t, dir, "a.go", "dirty\n")
	w, done := treeAt(t, r, trees.Options{})
	want := files(t, dir)
	delete(want, "scratch.txt")
	want["a.go"] = "-rw-r--r-- a\n"
	if diff := cmp.Diff(want, files(t, w.Root())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if status := testkit.Git(t, w.Root(), "status", "--porcelain"); status != "" {
		t.Errorf("git in the tree finds %s", status)
	}
	put(t, w.Root(), "node_modules/x/index.js", "written by a check\n")
	put(t, w.Root(), "junk.txt", "left by a check\n")
	done()
	put(t, dir, "a.go", "a\n")
	after := take(t, dir)
	before.Status, after.Status = "", ""
	same(t, "the checkout", after, before)
	if got := testkit.Git(t, dir, "for-each-ref"); strings.Contains(got, "booty") {
		t.Errorf("references in the user's repository: %s", got)
	}
	if got := testkit.Git(t, dir, "worktree", "list"); strings.Contains(got, "\n") {
		t.Errorf("work trees of the user's: %s", got)
	}
}

func TestASocketIsNotBroughtAlong(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{".gitignore": "run/\n", "a.go": "a\n"})
	put(t, dir, "run/kept", "1\n")
	l, err := net.Listen("unix", filepath.Join(dir, "run", "app.sock"))
	if err != nil {
		t.Skip(err)
	}
	defer l.Close()
	r := openWithState(t, dir)
	for range 2 { // the second finds it as it was
		w, done := treeAt(t, r, trees.Options{})
		if _, err := os.Lstat(filepath.Join(w.Root(), "run", "app.sock")); err == nil {
			t.Error("the socket is in the tree")
		}
		if _, err := os.Stat(filepath.Join(w.Root(), "run", "kept")); err != nil {
			t.Error(err)
		}
		done()
	}
}

func TestToolsCanDescribeACommit(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.go": "a\n"})
	testkit.Git(t, dir, "tag", "v1.2")
	testkit.Git(t, dir, "update-ref", "refs/remotes/origin/main", "HEAD")
	r := openWithState(t, dir)
	for _, tag := range []string{"v1.2", "v1.3"} { // the tree is used again
		w, done := treeAt(t, r, trees.Options{})
		if got := testkit.Git(t, w.Root(), "describe", "--tags"); got != tag {
			t.Errorf("git describe says %s, not %s", got, tag)
		}
		testkit.Git(t, w.Root(), "merge-base", "origin/main", "main")
		done()
		if tag == "v1.2" {
			testkit.Git(t, dir, "tag", "-d", tag)
			testkit.Git(t, dir, "tag", "v1.3")
		}
	}
}

// TestWhatBuildsLeftStays: in the next run as it was, unless the user has changed it.
func TestWhatBuildsLeftStays(t *testing.T) {
	testkit.Hermetic(t)
	dir := withDependencies(t)
	r := openWithState(t, dir)
	w, done := treeAt(t, r, trees.Options{})
	root := w.Root()
	put(t, root, "node_modules/.cache/built", "1\n")
	put(t, root, ".env", "KEY=written\n")
	put(t, root, "junk.txt", "not ignored\n")
	done()

	past := time.Now().Add(-time.Hour)
	must(t, os.Chtimes(filepath.Join(dir, ".pnp.cjs"), past, past))
	put(t, dir, ".pnp.cjs", "pnp, newer\n")
	must(t, os.RemoveAll(filepath.Join(dir, ".venv")))
	put(t, dir, "c.go", "c\n")
	testkit.Git(t, dir, "add", "c.go")
	testkit.Git(t, dir, "commit", "-q", "-m", "c")
	w, done = treeAt(t, r, trees.Options{})
	defer done()
	if w.Root() != root {
		t.Errorf("the tree is at %s now, it was at %s", w.Root(), root)
	}
	got := files(t, root)
	for path, want := range map[string]string{
		"node_modules/.cache/built": "-rw-r--r-- 1\n", ".env": "-rw-r--r-- KEY=written\n", "junk.txt": "",
		".pnp.cjs": "-rw-r--r-- pnp, newer\n", ".venv/bin/python": "", "c.go": "-rw-r--r-- c\n",
	} {
		if got[path] != want {
			t.Errorf("%s: got %q, want %q", path, got[path], want)
		}
	}
}

func TestASecondTreeWhileTheFirstIsBusy(t *testing.T) {
	testkit.Hermetic(t)
	r := openWithState(t, withDependencies(t))
	a, doneA := treeAt(t, r, trees.Options{})
	b, doneB := treeAt(t, r, trees.Options{})
	if a.Root() == b.Root() {
		t.Error("two runs share a tree")
	}
	put(t, a.Root(), "a.go", "proposal\n")
	cp, err := a.States.Snapshot(t.Context(), "r1", 0, "state")
	must(t, err)
	c, release, err := a.AddTreeBeside(t.Context(), cp.Commit)
	must(t, err)
	if got := files(t, c.Root())["a.go"]; got != "-rw-r--r-- proposal\n" {
		t.Errorf("a tree at a checkpoint has %q", got)
	}
	must(t, release())
	doneA()
	doneB()
	again, done := treeAt(t, r, trees.Options{})
	defer done()
	if again.Root() != a.Root() {
		t.Errorf("the first tree is free, and yet %s is taken", again.Root())
	}
}

// TestALargeDirectoryIsAnOverlay: nothing of it is copied.
func TestALargeDirectoryIsAnOverlay(t *testing.T) {
	testkit.Hermetic(t)
	dir := withDependencies(t)
	large := filepath.Join(dir, "node_modules", "large")
	must(t, os.WriteFile(large, make([]byte, 33<<20), 0o644))
	r := openWithState(t, dir)
	w, done := treeAt(t, r, trees.Options{Overlays: func() bool { return true }})
	list := w.Tree.Overlays()
	if len(list) != 1 || list[0].Target != filepath.Join(w.Root(), "node_modules") ||
		!cmp.Equal(list[0].Lower, []string{filepath.Join(dir, "node_modules")}) {
		t.Fatalf("got %+v", list)
	}
	if _, err := os.Stat(filepath.Join(w.Root(), "node_modules", "large")); err == nil {
		t.Error("it was copied")
	}
	put(t, list[0].Upper, "written", "by a check\n")
	cp, err := w.States.Snapshot(t.Context(), "r1", 0, "state")
	must(t, err)
	beside, release, err := w.AddTreeBeside(t.Context(), cp.Commit)
	must(t, err)
	if got := beside.Tree.Overlays(); len(got) != 1 || !cmp.Equal(got[0].Lower, []string{list[0].Upper, list[0].Lower[0]}) {
		t.Errorf("a tree beside it has %+v", got)
	}
	must(t, release())
	done()

	must(t, os.Remove(large)) // the user's doing: what was written over it is out of date
	w, done = treeAt(t, r, trees.Options{Overlays: func() bool { return true }})
	defer done()
	if len(w.Tree.Overlays()) != 0 {
		t.Errorf("got %+v", w.Tree.Overlays())
	}
	if _, err := os.Stat(filepath.Join(w.Root(), "node_modules", "written")); err == nil {
		t.Error("what an earlier run wrote lies over what the user has changed since")
	}
}

// TestALargeFileIsAnOverlay, too, and a hole takes no space in a copy.
func TestALargeFileIsAnOverlay(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.go": "a\n", ".gitignore": "*.bin\n"})
	must(t, os.WriteFile(filepath.Join(dir, "large.bin"), make([]byte, 33<<20), 0o640))
	must(t, os.WriteFile(filepath.Join(dir, "holes.bin"), []byte("x"), 0o644))
	must(t, os.Truncate(filepath.Join(dir, "holes.bin"), 3<<40))
	w, done := treeAt(t, openWithState(t, dir), trees.Options{Overlays: func() bool { return true }})
	defer done()
	for name, size := range map[string]int64{"large.bin": 0, "holes.bin": 3 << 40} {
		info, err := os.Stat(filepath.Join(w.Root(), name))
		must(t, err)
		if info.Size() != size || carry.Allocated(info) > 1<<20 {
			t.Errorf("%s has %d bytes, %d on disk; want %d", name, info.Size(), carry.Allocated(info), size)
		}
	}
	list := w.Tree.Overlays()
	if len(list) != 1 || list[0].File != "large.bin" || !cmp.Equal(list[0].Lower, []string{dir}) ||
		list[0].Target != filepath.Join(w.Root(), "large.bin") {
		t.Errorf("got %+v", list)
	}
	cp, err := w.States.Snapshot(t.Context(), "r1", 0, "state")
	must(t, err)
	beside, release, err := w.AddTreeBeside(t.Context(), cp.Commit)
	must(t, err)
	if got := beside.Tree.Overlays(); len(got) != 1 || !cmp.Equal(got[0].Lower, []string{list[0].Upper, dir}) || got[0].File != "large.bin" {
		t.Errorf("a tree beside it has %+v", got)
	}
	must(t, release())
}

func TestHandOverNeverMovesWhatTheUserMoved(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.go": "a\n"})
	r := openWithState(t, dir)
	w, done := treeAt(t, r, trees.Options{})
	defer done()
	must(t, w.Tree.NameBranch(t.Context(), "booty/x"))
	put(t, w.Root(), "a.go", "fixed\n")
	hash, err := w.Committer.Commit(t.Context(), commit.Options{Message: "fix", Paths: []string{"a.go"}})
	must(t, err)
	must(t, r.Branches.HandOver(t.Context(), "run", hash, "booty/x", ""))
	if got := testkit.Git(t, dir, "show", "booty/x:a.go"); got != "fixed" {
		t.Errorf("got %q", got)
	}
	testkit.Git(t, dir, "branch", "-f", "booty/x", "main")
	if err := r.Branches.HandOver(t.Context(), "run", hash, "booty/x", hash); err == nil {
		t.Error("a branch was moved that the user had moved")
	}
	testkit.Git(t, dir, "switch", "-q", "booty/x")
	head := testkit.Git(t, dir, "rev-parse", "HEAD")
	if err := r.Branches.HandOver(t.Context(), "run", hash, "booty/x", head); err == nil {
		t.Error("a branch was moved that is checked out")
	}
	sound(t, dir)
}
