package bringback

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/testkit"
	"github.com/booty-cli/booty/internal/testkit/checkout"
)

// commitOn makes a commit on top of another in which a.txt has the content, and moves nothing.
func commitOn(t *testing.T, dir, parent, content, message string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "a.txt")
	must(t, os.WriteFile(file, []byte(content), 0o644))
	blob := testkit.Git(t, dir, "hash-object", "-w", file)
	t.Setenv("GIT_INDEX_FILE", filepath.Join(t.TempDir(), "index"))
	testkit.Git(t, dir, "read-tree", parent)
	testkit.Git(t, dir, "update-index", "--add", "--cacheinfo", "100644,"+blob+",a.txt")
	tree := testkit.Git(t, dir, "write-tree")
	must(t, os.Unsetenv("GIT_INDEX_FILE"))
	return testkit.Git(t, dir, "commit-tree", tree, "-p", parent, "-m", message)
}

// TestHandOverMovesOnlyWhatTheRunLeft: a branch that is taken, was moved or is checked out stays,
// and what a run may have set is known also where it was killed before it did.
func TestHandOverMovesOnlyWhatTheRunLeft(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n"})
	at := checkout.At(t, dir)
	b := BranchesAt(at)
	base := testkit.Git(t, dir, "rev-parse", "HEAD")
	first, second := commitOn(t, dir, base, "1\n", "one"), commitOn(t, dir, base, "2\n", "two")
	tip := func() string { return testkit.Git(t, dir, "rev-parse", "booty/x") }

	must(t, b.HandOver(t.Context(), "r1", first, "booty/x", ""))
	if tip() != first {
		t.Errorf("a new branch is at %s, want %s", tip(), first)
	}
	if err := b.HandOver(t.Context(), "r2", second, "booty/x", ""); !errors.Is(err, ErrBranchExists) || tip() != first {
		t.Errorf("a branch that exists: %v, now at %s", err, tip())
	}
	must(t, b.HandOver(t.Context(), "r1", second, "booty/x", first))
	if tip() != second {
		t.Errorf("a branch that is moved on is at %s, want %s", tip(), second)
	}
	handed, err := b.HandedOver("r1")
	if want := []string{first, second}; err != nil || len(handed) != 1 || !slices.Equal(handed["booty/x"], want) {
		t.Errorf("handed over: %v, %v; want %s", handed, err, want)
	}

	testkit.Git(t, dir, "branch", "-f", "booty/x", base)
	if err := b.HandOver(t.Context(), "r1", first, "booty/x", second); !errors.Is(err, ErrBranchExists) || tip() != base {
		t.Errorf("a branch that the user moved: %v, now at %s", err, tip())
	}
	must(t, b.Drop(t.Context(), "booty/x", second))
	if tip() != base {
		t.Error("a branch that the user moved was dropped")
	}
	testkit.Git(t, dir, "switch", "-q", "booty/x")
	if err := b.HandOver(t.Context(), "r1", first, "booty/x", base); !errors.Is(err, ErrBranchExists) || tip() != base {
		t.Errorf("a branch that is checked out: %v, now at %s", err, tip())
	}
	must(t, b.Drop(t.Context(), "booty/x", base))
	if tip() != base {
		t.Error("a branch that is checked out was dropped")
	}
	testkit.Git(t, dir, "switch", "-q", "main")
	must(t, b.Drop(t.Context(), "booty/x", base))
	if left := testkit.Git(t, dir, "branch", "--list", "booty/x"); left != "" {
		t.Errorf("a branch at its commit was not dropped: %s", left)
	}

	at.Step = func(string) { panic("killed") }
	func() {
		defer func() { _ = recover() }()
		_ = BranchesAt(at).HandOver(t.Context(), "r3", first, "booty/y", "")
	}()
	if handed, err := b.HandedOver("r3"); err != nil || !slices.Equal(handed["booty/y"], []string{first}) {
		t.Errorf("after a kill before the branch was set: %v, %v", handed, err)
	}
}

// TestUndoTakesOnlyTheRunsCommitsOffTheBranch, and the index follows the branch both ways.
func TestUndoTakesOnlyTheRunsCommitsOffTheBranch(t *testing.T) {
	const own = "fix\n\nBooty-Run: r1"
	for name, c := range map[string]struct {
		message string
		theirs  bool // a commit of the user's lies on top
		commits int
	}{
		"the run's at the tip":       {own, false, 1},
		"the user's on top":          {own, true, 0},
		"another run's":              {"fix\n\nBooty-Run: r2", false, 0},
		"one that names it in words": {"like Booty-Run: r1", false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Hermetic(t)
			dir := testkit.Repo(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n"})
			at := checkout.At(t, dir)
			states := at.Recorder()
			read, err := states.Snapshot(t.Context(), "r1", 0, "read")
			must(t, err)
			put(t, dir, "a.txt", "A\n")
			result, err := states.Snapshot(t.Context(), "r1", 1, "result")
			must(t, err)
			must(t, states.Restore(t.Context(), read))
			put(t, dir, "b.txt", "staged by the user\n")
			testkit.Git(t, dir, "add", "b.txt")
			commit := commitOn(t, dir, read.Head, "A\n", c.message)

			here := New(at)
			got, err := here.BringBack(t.Context(), "r1", read, result)
			must(t, err)
			must(t, here.TakeCommit(t.Context(), commit, read.Branch, read.Head, got.Written))
			if s := testkit.Git(t, dir, "status", "--porcelain"); s != "M  b.txt" || testkit.Git(t, dir, "rev-parse", "main") != commit {
				t.Errorf("after the commit: %q", s)
			}
			if c.theirs {
				testkit.Git(t, dir, "commit", "-q", "-m", "mine")
			}
			tip := testkit.Git(t, dir, "rev-parse", "main")
			u, err := here.Undo(t.Context(), "r1")
			must(t, err)
			if u != (Undone{Restored: 1, Commits: c.commits}) {
				t.Errorf("got %+v", u)
			}
			want, index := tip, " M a.txt"
			if c.commits > 0 {
				want, index = read.Head, ""
			}
			if now := testkit.Git(t, dir, "rev-parse", "main"); now != want {
				t.Errorf("the branch is at %s, want %s", now, want)
			}
			if s := testkit.Git(t, dir, "status", "--porcelain", "a.txt"); strings.TrimSpace(s) != strings.TrimSpace(index) {
				t.Errorf("a.txt is %q afterwards, want %q", s, index)
			}
		})
	}
}
