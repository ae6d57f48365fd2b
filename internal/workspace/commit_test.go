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
		must(t, errors.Join(w.Tree.ForgetBranch(), release()))
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
