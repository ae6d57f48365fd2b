package workspace

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/booty-cli/booty/internal/remote"
	"github.com/booty-cli/booty/internal/snapshot"
	"github.com/booty-cli/booty/internal/testkit"
)

// twoStates records a tree before and after changes of every kind.
func twoStates(t *testing.T) (r *Repo, a, b snapshot.Checkpoint) {
	t.Helper()
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{
		"modified.txt": "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n", "deleted.txt": "x\ny\n", "deep/old name.txt": "moves\nunchanged\n",
		"script.sh": "#!/bin/sh\n", "no-newline": "end", "dos.txt": "a\r\nb\r\n", "same/far/away.txt": "same\n", "bin": "\x00\x01",
	})
	r = open(t, dir)
	a, err := r.States.Snapshot(t.Context(), "r1", 0, "before")
	must(t, err)
	put(t, dir, "modified.txt", "one\ntwo\n3\nfour\nfive\nsix\nseven\neight\nnine\nten\n")
	must(t, os.Remove(filepath.Join(dir, "deleted.txt")))
	must(t, os.Rename(filepath.Join(dir, "deep/old name.txt"), filepath.Join(dir, "new name.txt")))
	must(t, os.Chmod(filepath.Join(dir, "script.sh"), 0o755))
	put(t, dir, "no-newline", "the end")
	put(t, dir, "dos.txt", "a\r\nc\r\n")
	put(t, dir, "created/file.txt", "1\n2\n3")
	put(t, dir, "empty", "")
	put(t, dir, "bin", "\x00\x02")
	b, err = r.States.Snapshot(t.Context(), "r1", 1, "after")
	must(t, err)
	return r, a, b
}

func TestChangesBetweenStates(t *testing.T) {
	r, a, b := twoStates(t)
	got, err := r.Compare.Changes(t.Context(), a.Commit, b.Commit)
	must(t, err)
	want := []snapshot.Change{
		{Path: "bin", Op: "modify", Binary: true},
		{Path: "created/file.txt", Op: "create", Added: 3},
		{Path: "deleted.txt", Op: "delete", Removed: 2},
		{Path: "dos.txt", Op: "modify", Added: 1, Removed: 1},
		{Path: "empty", Op: "create"},
		{Path: "modified.txt", Op: "modify", Added: 2, Removed: 1},
		{Path: "new name.txt", From: "deep/old name.txt", Op: "rename"},
		{Path: "no-newline", Op: "modify", Added: 1, Removed: 1},
		{Path: "script.sh", Op: "modify"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if none, err := r.Compare.Changes(t.Context(), a.Tree, a.Commit); err != nil || len(none) > 0 {
		t.Errorf("a state and itself: got %v, %v", none, err)
	}
}

func TestDiffCanBeApplied(t *testing.T) {
	r, a, b := twoStates(t)
	must(t, r.States.Restore(t.Context(), a))
	put(t, r.Root(), "bin", "\x00\x02") // git apply wants other binary patches
	diff, err := r.Compare.Diff(t.Context(), a.Commit, b.Commit)
	must(t, err)
	var textOnly []string
	for _, part := range strings.SplitAfter(diff, "\ndiff --git ") {
		if !strings.Contains(part, "Binary files") {
			textOnly = append(textOnly, part)
		}
	}
	patch := strings.Join(textOnly, "")
	if !strings.HasPrefix(patch, "diff --git ") {
		patch = "diff --git " + patch
	}
	patch = strings.TrimSuffix(patch, "diff --git ")
	cmd := exec.CommandContext(t.Context(), "git", "apply", "--whitespace=nowarn", "-")
	cmd.Dir, cmd.Stdin = r.Root(), strings.NewReader(patch)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git apply: %v\n%s\n%s", err, out, patch)
	}
	left, err := r.States.Since(t.Context(), b)
	must(t, err)
	if len(left) != 1 || left[0].Path != "empty" { // an empty file has no hunk
		if len(left) != 0 {
			t.Errorf("after applying the diff these still differ: %v", left)
		}
	}
}

func TestStatusKnowsEveryKind(t *testing.T) {
	testkit.Hermetic(t)
	dir := dirty(t)
	r := open(t, dir)
	entries, err := r.Listing.Status(t.Context())
	must(t, err)
	var got []string
	for _, e := range entries {
		got = append(got, fmt.Sprintf("%s %q %q", e.XY, e.Path, e.From))
	}
	want := []string{
		`MM "both.txt" ""`, `D. "deleted.txt" ""`, `.A "intent.txt" ""`, `.M "link" ""`, `R. "new name.txt" "renamed.txt"`,
		`.M "script.sh" ""`, `M. "staged.txt" ""`, `.D "swap" ""`, `.D "unlinked.txt" ""`, `.M "unstaged.txt" ""`,
		`?? ":(odd)[*]?" ""`, `?? "new\nline" ""`, `?? "private.key" ""`, `?? "swap/inside.txt" ""`, `?? "untracked.txt" ""`, `?? "ünïcödé/日本.txt" ""`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestHeadRemotesAndDefaultBranch(t *testing.T) {
	testkit.Hermetic(t)
	dir, bare := withRemote(t)
	testkit.Git(t, dir, "remote", "add", "alpha", "git@example.com:me/fork.git")
	testkit.Git(t, dir, "config", "extensions.worktreeConfig", "true")
	testkit.Git(t, dir, "config", "core.repositoryFormatVersion", "1")
	r := open(t, dir)
	ctx := t.Context()
	remotes, err := r.Remote.List(ctx)
	must(t, err)
	want := []remote.Remote{{Name: "origin", URLs: []string{bare}}, {Name: "alpha", URLs: []string{"git@example.com:me/fork.git"}}}
	if diff := cmp.Diff(want, remotes); diff != "" {
		t.Errorf("remotes (-want +got):\n%s", diff)
	}
	branch, commit, err := r.Head(ctx)
	if branch != "main" || commit != testkit.Git(t, dir, "rev-parse", "HEAD") || err != nil {
		t.Errorf("got HEAD %q %q %v", branch, commit, err)
	}
	testkit.Git(t, bare, "branch", "-m", "main", "trunk")
	testkit.Git(t, bare, "symbolic-ref", "HEAD", "refs/heads/trunk")
	if name, err := r.Remote.DefaultBranch(ctx, "origin"); name != "trunk" || err != nil {
		t.Errorf("got default branch %q, %v, want trunk", name, err)
	}
	if name, err := r.Remote.DefaultBranch(ctx, ""); name != "main" || err != nil {
		t.Errorf("got default branch %q, %v, want main", name, err)
	}
	if _, err := r.History.Resolve(ctx, "no-such"); err == nil {
		t.Error("a revision that is not there resolves")
	}
	if got, err := r.History.Resolve(ctx, commit); got != commit || err != nil {
		t.Errorf("%s resolves to %q, %v", commit, got, err)
	}
	if got, err := r.History.Resolve(ctx, testkit.Git(t, dir, "rev-parse", "HEAD^{tree}")); err == nil {
		t.Errorf("a tree resolves to the commit %q", got)
	}
	if data, ok, err := r.History.ReadFile(ctx, "", "a.txt"); err == nil || ok || data != nil {
		t.Errorf("got %q %v %v for a commit that is not there", data, ok, err)
	}
	if data, ok, err := r.History.ReadFile(ctx, commit, "a.txt"); string(data) != "a\n" || !ok || err != nil {
		t.Errorf("got %q %v %v", data, ok, err)
	}
	if _, ok, err := r.History.ReadFile(ctx, commit, "no/such"); ok || err != nil {
		t.Errorf("got %v %v for a file that is not there", ok, err)
	}
}

func TestNamesThatDifferInCaseAlone(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"Readme.md": "r\n", "src/A.go": "a\n"})
	testkit.Git(t, dir, "config", "core.ignoreCase", "true")
	roundTrip(t, dir, func() {
		must(t, os.Rename(filepath.Join(dir, "Readme.md"), filepath.Join(dir, "README.md")))
		must(t, os.Rename(filepath.Join(dir, "src"), filepath.Join(dir, "Src")))
		put(t, dir, "Src/A.go", "changed\n")
	})
}
