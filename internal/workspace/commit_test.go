package workspace

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/commit"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/remote"
	"github.com/booty-cli/booty/internal/testkit"
	"github.com/booty-cli/booty/internal/trees"
)

// hook puts a hook script into the repository at dir.
func hook(t *testing.T, dir, name, script string) {
	t.Helper()
	path := filepath.Join(gitDirOf(t, dir), "hooks", name)
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o755))
}

// commitHere commits as a refine does: in a tree that is as the checkout, then on the branch
// that is checked out.
func commitHere(t *testing.T, r *Repo, o commit.Options) (string, error) {
	t.Helper()
	return commitWithin(t.Context(), t, r, o)
}

// commitWithin is commitHere while a context lasts.
func commitWithin(ctx context.Context, t *testing.T, r *Repo, o commit.Options) (string, error) {
	t.Helper()
	n, err := r.Records.NextState("commit")
	must(t, err)
	cp, err := r.States.Snapshot(t.Context(), "commit", n, "read")
	must(t, err)
	w, release, err := r.AddTree(t.Context(), cp.Commit, trees.Options{})
	must(t, err)
	defer func() {
		must(t, errors.Join(w.Tree.ForgetBranch(context.WithoutCancel(t.Context())), release()))
	}()
	if cp.Branch != "" {
		must(t, w.Tree.NameBranch(t.Context(), cp.Branch))
	}
	hash, err := w.Committer.Commit(ctx, o)
	if err != nil {
		return "", err
	}
	return hash, r.Results.TakeCommit(t.Context(), hash, cp.Branch, cp.Head, o.Paths)
}

func TestCommitTakesOnlyTheNamedPaths(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n", "gone.txt": "g\n", "old.txt": "moves\n", ".gitignore": "*.env\n"})
	put(t, dir, "a.txt", "fixed\n")
	put(t, dir, "b.txt", "mine, staged\n")
	testkit.Git(t, dir, "add", "b.txt")
	put(t, dir, "new/file.txt", "new\n")
	put(t, dir, ":(odd)[*]?", "pathspec magic\n")
	put(t, dir, "mine.txt", "untracked\n")
	put(t, dir, "x.env", "ignored\n")
	must(t, os.Remove(filepath.Join(dir, "gone.txt")))
	must(t, os.Rename(filepath.Join(dir, "old.txt"), filepath.Join(dir, "renamed.txt")))
	r := open(t, dir)
	hash, err := commitHere(t, r, commit.Options{
		Message: "fix(parser): accept an empty list\n\n# not a comment\n\nWhy: because.", Trailers: []string{"Refs: #42", "Booty-Run: r1"},
		Paths: []string{"a.txt", "new/file.txt", "gone.txt", "old.txt", "renamed.txt", ":(odd)[*]?", "x.env", "never-was.txt"},
	})
	must(t, err)
	got := testkit.Git(t, dir, "-c", "core.quotePath=false", "show", "--format=%B", "--name-status", "--no-renames", hash)
	want := "fix(parser): accept an empty list\n\n# not a comment\n\nWhy: because.\n\nRefs: #42\nBooty-Run: r1\n\n\n" +
		"A\t:(odd)[*]?\nM\ta.txt\nD\tgone.txt\nA\tnew/file.txt\nD\told.txt\nA\trenamed.txt"
	if got != want {
		t.Errorf("got\n%q, want\n%q", got, want)
	}
	if st := testkit.Git(t, dir, "status", "--porcelain"); st != "M  b.txt\n?? mine.txt" {
		t.Errorf("got status %q: what was not named should be as before", st)
	}
	_, err = commitHere(t, r, commit.Options{Message: "again", Paths: []string{"a.txt"}})
	if fault.KindOf(err) != fault.NothingToDo {
		t.Errorf("got %v for a commit without a change, want nothing to do", err)
	}
	sound(t, dir)
}

func TestCommitSquashesTheRunsCommits(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n"})
	base := testkit.Git(t, dir, "rev-parse", "HEAD")
	r := open(t, dir)
	for _, content := range []string{"one\n", "two\n", "three\n"} {
		put(t, dir, "a.txt", content)
		_, err := commitHere(t, r, commit.Options{Message: "fix " + content, Paths: []string{"a.txt"}, Onto: base})
		must(t, err)
	}
	if n := testkit.Git(t, dir, "rev-list", "--count", base+"..HEAD"); n != "1" {
		t.Errorf("got %s commits, want one", n)
	}
	if s := testkit.Git(t, dir, "show", "HEAD:a.txt"); s != "three" {
		t.Errorf("got %q committed", s)
	}
}

func TestCommitRefusals(t *testing.T) {
	cases := []struct {
		name string
		set  func(t *testing.T, dir string)
		says string
		hint string
	}{
		{"a pre-commit hook", func(t *testing.T, dir string) { hook(t, dir, "pre-commit", "echo lint: line 3 is bad >&2; exit 1") },
			"line 3 is bad", "hook"},
		{"a commit-msg hook", func(t *testing.T, dir string) { hook(t, dir, "commit-msg", "echo no ticket in the subject; exit 1") },
			"no ticket in the subject", "hook"},
		{"no identity", func(t *testing.T, dir string) {
			for _, k := range []string{"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "EMAIL"} {
				t.Setenv(k, "")
				must(t, os.Unsetenv(k))
			}
			testkit.Git(t, dir, "config", "user.useConfigOnly", "true")
		}, "name and address", "git config --global user.name"},
		{"a signing key that does not work", func(t *testing.T, dir string) {
			testkit.Git(t, dir, "config", "commit.gpgsign", "true")
			testkit.Git(t, dir, "config", "gpg.program", "false")
		}, "sign", "signing key"},
		{"another git at work", func(t *testing.T, dir string) {
			must(t, os.WriteFile(filepath.Join(dir, ".git", "index.lock"), nil, 0o644))
		}, "index.lock", "rm "},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			testkit.Hermetic(t)
			dir := testkit.Repo(t, map[string]string{"a.txt": "a\n"})
			put(t, dir, "a.txt", "fixed\n")
			put(t, dir, "new.txt", "new\n")
			c.set(t, dir)
			before := take(t, dir)
			r := open(t, dir)
			head := testkit.Git(t, dir, "rev-parse", "HEAD")
			_, err := commitHere(t, r, commit.Options{Message: "fix", Paths: []string{"a.txt", "new.txt"}})
			if fault.KindOf(err) != fault.Git || !strings.Contains(err.Error(), c.says) || !strings.Contains(fault.HintOf(err), c.hint) {
				t.Errorf("got %v, hint %q; want it to say %q and hint at %q", err, fault.HintOf(err), c.says, c.hint)
			}
			same(t, "a refused commit changes nothing", take(t, dir), before)
			if now := testkit.Git(t, dir, "rev-parse", "HEAD"); now != head {
				t.Error("HEAD has moved")
			}
		})
	}
}

func TestHooksSeeTheUsersOwnGit(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.go": "a\n", "b.txt": "b\n"})
	hook(t, dir, "pre-commit", `git ls-files -- '*.go' | grep -q a.go || { echo pathspecs are off; exit 1; }`)
	put(t, dir, "a.go", "fixed\n")
	_, err := commitHere(t, open(t, dir), commit.Options{Message: "fix", Paths: []string{"a.go"}})
	must(t, err)
}

// conflicted makes two branches that differ in every way a merge can stumble on.
func conflicted(t *testing.T) string {
	t.Helper()
	dir := testkit.Repo(t, map[string]string{"both.txt": "base\n", "they-delete.txt": "base\n", "we-delete.txt": "base\n", "fine.txt": "base\n"})
	testkit.Git(t, dir, "switch", "-q", "-c", "theirs")
	testkit.Write(t, dir, map[string]string{"both.txt": "theirs\n", "we-delete.txt": "theirs\n", "added.txt": "theirs\n", "fine.txt": "theirs\n"})
	testkit.Git(t, dir, "rm", "-q", "they-delete.txt")
	testkit.Git(t, dir, "add", "-A")
	testkit.Git(t, dir, "commit", "-q", "-m", "theirs")
	testkit.Git(t, dir, "switch", "-q", "main")
	testkit.Write(t, dir, map[string]string{"both.txt": "ours\n", "they-delete.txt": "ours\n", "added.txt": "ours\n"})
	testkit.Git(t, dir, "rm", "-q", "we-delete.txt")
	testkit.Git(t, dir, "add", "-A")
	testkit.Git(t, dir, "commit", "-q", "-m", "ours")
	return dir
}

func TestMergeConflictsAndTheirEnd(t *testing.T) {
	testkit.Hermetic(t)
	r, done := treeAt(t, open(t, conflicted(t)), trees.Options{})
	defer done()
	dir := r.at.Root
	before := take(t, dir)
	m, err := r.Committer.Merge(t.Context(), "theirs", "")
	must(t, err)
	var got []string
	for _, c := range m.Conflicts {
		got = append(got, c.Kind+" "+c.Path)
	}
	if s := strings.Join(got, ", "); s != "AA added.txt, UU both.txt, UD they-delete.txt, DU we-delete.txt" {
		t.Errorf("got conflicts %s", s)
	}
	must(t, r.Committer.AbortMerge(t.Context()))
	same(t, "after giving the merge up", take(t, dir), before)

	m, err = r.Committer.Merge(t.Context(), "theirs", "")
	must(t, err)
	var paths []string
	for _, c := range m.Conflicts {
		put(t, dir, c.Path, "settled\n")
		paths = append(paths, c.Path)
	}
	_, err = r.Committer.Commit(t.Context(), commit.Options{Message: "merge theirs", Paths: paths})
	must(t, err)
	if n := testkit.Git(t, dir, "rev-list", "--count", "--merges", "HEAD"); n != "1" {
		t.Errorf("got %s merges, want one", n)
	}
	if st := testkit.Git(t, dir, "status", "--porcelain"); st != "" {
		t.Errorf("got %q, want a clean tree", st)
	}
	again, err := r.Committer.Merge(t.Context(), "theirs", "")
	if err != nil || again.Changed {
		t.Errorf("got %+v, %v; want nothing to merge", again, err)
	}
}

func TestMergeFailuresThatAreNoConflicts(t *testing.T) {
	testkit.Hermetic(t)
	dir := conflicted(t)
	testkit.Git(t, dir, "checkout", "-q", "--orphan", "alone")
	testkit.Git(t, dir, "commit", "-q", "--allow-empty", "-m", "alone")
	testkit.Git(t, dir, "switch", "-q", "-f", "main")
	r := open(t, dir)
	if _, err := r.Committer.Merge(t.Context(), "alone", ""); fault.KindOf(err) != fault.Git || !strings.Contains(err.Error(), "history") {
		t.Errorf("got %v, want no common history", err)
	}
	put(t, dir, "fine.txt", "not committed\n")
	before := take(t, dir)
	if _, err := r.Committer.Merge(t.Context(), "theirs", ""); fault.KindOf(err) != fault.Refused || !strings.Contains(err.Error(), "fine.txt") {
		t.Errorf("got %v, want a refusal that names the file", err)
	}
	same(t, "after a merge that was not begun", take(t, dir), before)
	if _, err := r.Committer.Merge(t.Context(), "no-such-branch", ""); fault.KindOf(err) != fault.Git {
		t.Errorf("got %v, want a git failure", err)
	}
}

// withRemote makes a repository with a bare remote called origin.
func withRemote(t *testing.T) (dir, bare string) {
	t.Helper()
	dir = testkit.Repo(t, map[string]string{"a.txt": "a\n"})
	bare = filepath.Join(t.TempDir(), "remote.git")
	testkit.Git(t, dir, "clone", "-q", "--bare", dir, bare)
	testkit.Git(t, dir, "remote", "add", "origin", bare)
	return dir, bare
}

func TestPushAndItsRefusals(t *testing.T) {
	testkit.Hermetic(t)
	dir, bare := withRemote(t)
	r := open(t, dir)
	ctx := t.Context()
	head := testkit.Git(t, dir, "rev-parse", "HEAD")
	must(t, r.Remote.Push(ctx, remote.PushOptions{Remote: "origin", Local: "HEAD", Branch: "booty/x"}))
	if got, err := r.Remote.Branch(ctx, "origin", "booty/x", ""); got != head || err != nil {
		t.Errorf("got %q %v on the remote, want %s", got, err, head)
	}
	if got, err := r.Remote.Branch(ctx, "origin", "booty/absent", ""); got != "" || err != nil {
		t.Errorf("got %q %v for a branch that is not there", got, err)
	}

	put(t, dir, "a.txt", "amended\n")
	testkit.Git(t, dir, "commit", "-q", "--amend", "-am", "rewritten")
	err := r.Remote.Push(ctx, remote.PushOptions{Remote: "origin", Local: "HEAD", Branch: "booty/x"})
	if !errors.Is(err, git.ErrNonFastForward) || fault.KindOf(err) != fault.Git || fault.HintOf(err) == "" {
		t.Errorf("got %v, want a refusal: the branch is not expected to be there", err)
	}
	must(t, r.Remote.Push(ctx, remote.PushOptions{Remote: "origin", Local: "HEAD", Branch: "booty/x", Expect: head}))
	err = r.Remote.Push(ctx, remote.PushOptions{Remote: "origin", Local: "HEAD~0", Branch: "booty/x", Expect: strings.Repeat("1", 40)})
	if err != nil && !errors.Is(err, git.ErrNonFastForward) {
		t.Errorf("got %v", err)
	}
	must(t, r.Remote.Fetch(ctx, remote.FetchOptions{Remote: "origin", Refspecs: []string{"+refs/heads/*:refs/remotes/origin/*"}}))
	if name, err := r.Remote.DefaultBranch(ctx, "origin"); name != "main" || err != nil {
		t.Errorf("got default branch %q, %v", name, err)
	}

	hookPath := filepath.Join(bare, "hooks", "pre-receive")
	must(t, os.MkdirAll(filepath.Dir(hookPath), 0o755))
	must(t, os.WriteFile(hookPath, []byte("#!/bin/sh\necho only on Mondays\nexit 1\n"), 0o755))
	err = r.Remote.Push(ctx, remote.PushOptions{Remote: "origin", Local: "HEAD", Branch: "booty/y"})
	if !errors.Is(err, git.ErrHook) || !strings.Contains(err.Error(), "only on Mondays") {
		t.Errorf("got %v, want the hook's words", err)
	}
	must(t, os.WriteFile(hookPath, []byte("#!/bin/sh\necho 'error: GH006: Protected branch update failed'\nexit 1\n"), 0o755))
	if err = r.Remote.Push(ctx, remote.PushOptions{Remote: "origin", Local: "HEAD", Branch: "booty/y"}); !errors.Is(err, git.ErrProtected) {
		t.Errorf("got %v, want a protected branch", err)
	}
	for said, want := range map[string]error{
		"GH013: Repository rule violations found for refs/heads/x.\n- Commits must have verified signatures.": git.ErrUnsigned,
		"GH013: Repository rule violations found.\n- Push cannot contain secrets":                             git.ErrRules,
		"GH013: Repository rule violations found.\n- Changes must be made through a pull request.":            git.ErrProtected,
	} {
		must(t, os.WriteFile(hookPath, []byte("#!/bin/sh\necho 'error: "+said+"'\nexit 1\n"), 0o755))
		if err = r.Remote.Push(ctx, remote.PushOptions{Remote: "origin", Local: "HEAD", Branch: "booty/y"}); !errors.Is(err, want) {
			t.Errorf("%s: got %v, want %v", said, err, want)
		}
	}
	must(t, os.Remove(hookPath))
	if _, err := exec.LookPath("git-lfs"); err != nil {
		hook(t, dir, "pre-push", `git lfs pre-push "$@"`)
		if err := r.Remote.Push(ctx, remote.PushOptions{Remote: "origin", Local: "HEAD", Branch: "booty/y"}); !errors.Is(err, git.ErrLFS) {
			t.Errorf("without git-lfs: got %v", err)
		}
	}
	hook(t, dir, "pre-push", "echo not from here >&2; exit 1")
	if err = r.Remote.Push(ctx, remote.PushOptions{Remote: "origin", Local: "HEAD", Branch: "booty/y"}); !errors.Is(err, git.ErrHook) {
		t.Errorf("got %v, want the local hook's refusal", err)
	}
	for url, want := range map[string]error{"http://127.0.0.1:1/x/y.git": git.ErrNetwork} {
		if err := r.Remote.Fetch(ctx, remote.FetchOptions{Remote: url}); !errors.Is(err, want) || fault.KindOf(err) != fault.Git {
			t.Errorf("fetch from %s: got %v, want %v", url, err, want)
		}
	}
	if err := r.Remote.Fetch(ctx, remote.FetchOptions{Remote: filepath.Join(dir, "nowhere")}); fault.KindOf(err) != fault.Git {
		t.Errorf("got %v, want a git failure", err)
	}
	others, err := r.History.OthersOn(ctx, "HEAD", "HEAD", "Booty-Run")
	if err != nil || len(others) != 0 {
		t.Errorf("got %v, %v: nobody committed anything", others, err)
	}
}
