package trees_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/snapshot"
	"github.com/booty-cli/booty/internal/testkit"
	"github.com/booty-cli/booty/internal/testkit/checkout"
	"github.com/booty-cli/booty/internal/trees"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func put(t *testing.T, dir, name, content string) {
	t.Helper()
	testkit.Write(t, dir, map[string]string{name: content})
}

// files reads all files below dir but git's own.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	m := map[string]string{}
	must(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if err == nil && d.Name() == ".git" {
				return filepath.SkipDir
			}
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		data, err := os.ReadFile(path)
		m[filepath.ToSlash(rel)] = string(data)
		return err
	}))
	return m
}

// made is a tree in a slot.
type made struct {
	*trees.Tree
	slot *trees.Slot
	at   snapshot.Place
}

// add makes a tree beside a checkout.
func add(t *testing.T, home snapshot.Place, commit string, o trees.Options) made {
	t.Helper()
	slots := checkout.Slots(home)
	must(t, slots.Prepare(t.Context(), home.Git))
	slot, err := slots.Take(t.Context())
	must(t, err)
	t.Cleanup(func() { _ = slot.Release() })
	tree, at := checkout.In(slot, home)
	must(t, tree.Fill(t.Context(), commit, checkout.Source(home), o))
	return made{tree, slot, at}
}

// TestATreeIsUsedAgain: of what its last user left, it keeps what builds made, and nothing that the
// commit or the checkout says otherwise; the checkout stays as it is.
func TestATreeIsUsedAgain(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.go": "a\n", "old.go": "o\n", ".gitignore": "deps/\n.env\n"})
	testkit.Write(t, dir, map[string]string{"deps/x": "x\n", ".env": "KEY=1\n", "scratch.txt": "mine\n"})
	home := checkout.At(t, dir)
	first := testkit.Git(t, dir, "rev-parse", "HEAD")
	tree := add(t, home, first, trees.Options{})
	want := map[string]string{"a.go": "a\n", "old.go": "o\n", ".gitignore": "deps/\n.env\n", "deps/x": "x\n", ".env": "KEY=1\n"}
	if diff := cmp.Diff(want, files(t, tree.Root())); diff != "" {
		t.Errorf("a new tree (-want +got):\n%s", diff)
	}
	testkit.Write(t, tree.Root(), map[string]string{"a.go": "changed\n", "junk.txt": "junk\n", "deps/built": "b\n"})
	must(t, os.Remove(filepath.Join(tree.Root(), "old.go")))
	put(t, tree.at.GitDir, "index.lock", "of a git that was killed")
	must(t, tree.slot.Release())

	put(t, dir, ".env", "KEY=2, longer\n")
	put(t, dir, "new.go", "n\n")
	testkit.Git(t, dir, "add", "new.go")
	testkit.Git(t, dir, "commit", "-q", "-m", "new")
	before := files(t, dir)
	again := add(t, home, testkit.Git(t, dir, "rev-parse", "HEAD"), trees.Options{})
	if again.Root() != tree.Root() {
		t.Errorf("the tree is at %s, the first was at %s and is free", again.Root(), tree.Root())
	}
	want["deps/built"], want[".env"], want["new.go"] = "b\n", "KEY=2, longer\n", "n\n"
	if diff := cmp.Diff(want, files(t, again.Root())); diff != "" {
		t.Errorf("the next one (-want +got):\n%s", diff)
	}
	must(t, again.slot.Release())
	bare := add(t, home, first, trees.Options{Bare: true})
	if diff := cmp.Diff(map[string]string{"a.go": "a\n", "old.go": "o\n", ".gitignore": "deps/\n.env\n"}, files(t, bare.Root())); diff != "" {
		t.Errorf("a bare one (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(before, files(t, dir)); diff != "" {
		t.Errorf("the checkout (-before +after):\n%s", diff)
	}
	if got := testkit.Git(t, dir, "for-each-ref", "--format=%(refname)"); got != "refs/heads/main" {
		t.Errorf("the user's repository has %s", got)
	}
}

// TestATreeAtACheckpoint is as the checkout is, with what is staged there, and HEAD where it was.
func TestATreeAtACheckpoint(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n", "gone.txt": "g\n"})
	home := checkout.At(t, dir)
	for _, staged := range []string{"a.txt", "new.txt"} { // the second finds the first's tree
		put(t, dir, staged, "staged\n")
		testkit.Git(t, dir, "add", staged)
		put(t, dir, "b.txt", "changed, "+staged+"\r\n")
		put(t, dir, "untracked.txt", "u\n")
		_ = os.Remove(filepath.Join(dir, "gone.txt"))
		cp, err := home.Recorder().Look(t.Context())
		must(t, err)
		tree := add(t, home, cp.Commit, trees.Options{})
		if diff := cmp.Diff(files(t, dir), files(t, tree.Root())); diff != "" {
			t.Errorf("%s (-checkout +tree):\n%s", staged, diff)
		}
		for _, args := range [][]string{{"diff", "--cached", "--name-status"}, {"rev-parse", "HEAD"}} {
			if got, want := testkit.Git(t, tree.Root(), args...), testkit.Git(t, dir, args...); got != want {
				t.Errorf("git %s in the tree: %q, in the checkout: %q", args[0], got, want)
			}
		}
		must(t, tree.slot.Release())
	}
}

// TestDropSparesWhatIsInUse, and what was used since; of the rest nothing stays.
func TestDropSparesWhatIsInUse(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.go": "a\n"})
	home := checkout.At(t, dir)
	slots := checkout.Slots(home)
	if slots.Any() {
		t.Error("there are trees before any was made")
	}
	head := testkit.Git(t, dir, "rev-parse", "HEAD")
	busy, free := add(t, home, head, trees.Options{}), add(t, home, head, trees.Options{})
	if busy.Root() == free.Root() {
		t.Fatal("two users have one tree")
	}
	_, err := free.at.Recorder().Look(t.Context())
	must(t, err)
	kept := []string{free.Root(), free.at.GitDir,
		filepath.Join(home.Store.Path(), "refs", "booty-trees", filepath.Base(free.at.GitDir))}
	for _, path := range kept {
		_, err := os.Stat(path)
		must(t, err)
	}
	must(t, free.slot.Release())
	if n, err := slots.Drop(t.Context(), time.Hour); n != 0 || err != nil {
		t.Errorf("dropped %d of those used just now, %v", n, err)
	}
	if n, err := slots.Drop(t.Context(), 0); n != 1 || err != nil {
		t.Errorf("dropped %d, %v; want the one that is free", n, err)
	}
	for _, path := range kept {
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s stays", path)
		}
	}
	if _, err := os.Stat(filepath.Join(busy.Root(), "a.go")); err != nil || !slots.Any() {
		t.Errorf("the busy one: %v", err)
	}
}

// TestTheNumberOfTreesIsBounded: a program that leaks them is stopped before the disk is full.
func TestTheNumberOfTreesIsBounded(t *testing.T) {
	testkit.Hermetic(t)
	home := checkout.At(t, testkit.Repo(t, map[string]string{"a.go": "a\n"}))
	slots := checkout.Slots(home)
	for n := 0; ; n++ {
		s, err := slots.Take(t.Context())
		if err == nil && n < 1000 {
			defer func() { _ = s.Release() }()
			continue
		}
		if fault.KindOf(err) != fault.Refused || !strings.Contains(err.Error(), "64 work trees") {
			t.Errorf("after %d: %v", n, err)
		}
		return
	}
}

// TestABranchIsInTheTreeAlone: tools there see it, the user's repository has none, and a second
// tree stays without the branch.
func TestABranchIsInTheTreeAlone(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.go": "a\n"})
	home := checkout.At(t, dir)
	head := testkit.Git(t, dir, "rev-parse", "HEAD")
	first, second := add(t, home, head, trees.Options{}), add(t, home, head, trees.Options{})
	branch := func(m made) string { return testkit.Git(t, m.Root(), "rev-parse", "--abbrev-ref", "HEAD") }
	must(t, first.NameBranch(t.Context(), "booty/x"))
	must(t, second.NameBranch(t.Context(), "booty/x"))
	if a, b := branch(first), branch(second); a != "booty/x" || b != "HEAD" {
		t.Errorf("the first is on %s, the second on %s", a, b)
	}
	if name, commit, err := first.at.Store.Objects().Head(); name != "booty/x" || commit != head || err != nil {
		t.Errorf("booty's own git is at %q %s, %v", name, commit, err)
	}
	if got := testkit.Git(t, dir, "for-each-ref", "--format=%(refname)"); got != "refs/heads/main" {
		t.Errorf("the user's repository has %s", got)
	}
	must(t, first.ForgetBranch())
	must(t, first.ForgetBranch()) // it is on none
	if got := branch(first); got != "HEAD" || testkit.Git(t, first.Root(), "rev-parse", "HEAD") != head {
		t.Errorf("afterwards it is on %s", got)
	}
	if got := testkit.Git(t, second.Root(), "branch", "--list", "booty/x"); got != "" {
		t.Errorf("the branch is left behind: %s", got)
	}
	must(t, second.NameBranch(t.Context(), "booty/x"))
	if got := branch(second); got != "booty/x" {
		t.Errorf("the branch is free, and the second on %s", got)
	}
}

// TestNothingInATreeMisleadsBooty: its .git is for tools alone, and a link in its place is not
// followed.
func TestNothingInATreeMisleadsBooty(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.go": "a\n"})
	home := checkout.At(t, dir)
	head := testkit.Git(t, dir, "rev-parse", "HEAD")
	tree := add(t, home, head, trees.Options{})
	inside := filepath.Join(tree.Root(), ".git")
	outside := t.TempDir()
	put(t, outside, "HEAD", "the user's\n")
	must(t, errors.Join(os.RemoveAll(inside), os.Symlink(outside, inside)))
	if err := trees.ShowHead(tree.Root(), tree.at.GitDir); err == nil {
		t.Error("a link out of the tree was followed")
	}
	if data, err := os.ReadFile(filepath.Join(outside, "HEAD")); err != nil || string(data) != "the user's\n" {
		t.Errorf("outside of the tree: %q, %v", data, err)
	}
	must(t, os.Remove(inside))
	must(t, trees.ShowHead(tree.Root(), tree.at.GitDir)) // removed by a command

	ran := filepath.Join(t.TempDir(), "ran")
	program := filepath.Join(t.TempDir(), "program")
	must(t, os.WriteFile(program, []byte("#!/bin/sh\ntouch "+ran+"\ncat\n"), 0o755))
	testkit.Git(t, tree.Root(), "init", "-q", ".")
	testkit.Git(t, tree.Root(), "config", "core.fsmonitor", program)
	testkit.Git(t, tree.Root(), "config", "filter.x.clean", program)
	put(t, inside, "info/attributes", "* filter=x\n")
	must(t, tree.slot.Release())
	again := add(t, home, head, trees.Options{})
	if _, err := os.Stat(ran); err == nil {
		t.Error("a program that the tree's own git names was run")
	}
	if got := testkit.Git(t, again.Root(), "status", "--porcelain"); got != "" {
		t.Errorf("git in the tree finds %q", got)
	}
}

// TestIgnoredFilesAreCopiedFromTreeToTree in place of what is there, unless only commands see them.
func TestIgnoredFilesAreCopiedFromTreeToTree(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.go": "a\n", ".gitignore": "deps/\nlarge/\n"})
	must(t, os.MkdirAll(filepath.Join(dir, "large"), 0o755))
	must(t, os.WriteFile(filepath.Join(dir, "large", "file"), make([]byte, 33<<20), 0o644))
	home := checkout.At(t, dir)
	head := testkit.Git(t, dir, "rev-parse", "HEAD")
	overlays := trees.Options{Overlays: func() bool { return true }}
	from, to := add(t, home, head, overlays), add(t, home, head, overlays)
	if len(from.Overlays()) != 1 || !from.Overlaid() {
		t.Fatalf("got %+v, want the large directory", from.Overlays())
	}
	was, err := from.IgnoredLike(t.Context())
	must(t, err)
	testkit.Write(t, from.Root(), map[string]string{"deps/x": "x\n", "deps/sub/y": "y\n"})
	put(t, to.Root(), "deps/stale", "s\n")
	is, err := from.IgnoredLike(t.Context())
	must(t, err)
	if was["deps"] != "" || is["deps"] == "" || is["large"] != was["large"] {
		t.Errorf("before %v, after %v", was, is)
	}
	if ok, err := to.CopyIgnored(from.Tree, []string{"deps"}); !ok || err != nil {
		t.Errorf("got %t, %v", ok, err)
	}
	got := files(t, filepath.Join(to.Root(), "deps"))
	if diff := cmp.Diff(map[string]string{"x": "x\n", "sub/y": "y\n"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, path := range []string{"large", "large/file"} {
		if ok, err := to.CopyIgnored(from.Tree, []string{path}); ok || err != nil {
			t.Errorf("%s: got %t, %v; it is an overlay", path, ok, err)
		}
	}
}
