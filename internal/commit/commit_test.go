package commit

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/githook"
	"github.com/booty-cli/booty/internal/history"
	"github.com/booty-cli/booty/internal/snapshot"
	"github.com/booty-cli/booty/internal/testkit"
	"github.com/booty-cli/booty/internal/testkit/checkout"
	"github.com/booty-cli/booty/internal/trees"
)

// makerAt makes commits for the work tree at a place.
func makerAt(at snapshot.Place) *Maker {
	return NewMaker(at, at.Root, history.New(at.Git, at.Store, at.Root), NewIndex(at), new(atomic.Bool))
}

// besideOf is the place of a tree of booty's own at the HEAD of a repository, on its branch.
func besideOf(t *testing.T, home string) snapshot.Place {
	t.Helper()
	return checkout.Beside(t, checkout.At(t, home), "main", testkit.Git(t, home, "rev-parse", "HEAD"))
}

// treeIn commits in a tree of booty's own beside the repository.
func treeIn(t *testing.T, home string) *Committer {
	t.Helper()
	return treeAt(besideOf(t, home), home)
}

// treeAt is treeIn for a place that a test has changed.
func treeAt(at snapshot.Place, home string) *Committer {
	hooks := githook.New(githook.At{Root: at.Root, GitDir: at.GitDir, CommonDir: at.CommonDir, Bin: at.Git.Bin,
		Env: at.Free}, filepath.Join(home, ".git", "hooks"), nil)
	return New(at, makerAt(at), hooks, at.Recorder(), func() error { return trees.ShowHead(at.Root, at.GitDir) })
}

// state is everything of a repository that a commit may change, to be compared.
func state(t *testing.T, dir string) map[string]string {
	t.Helper()
	m := map[string]string{
		"HEAD":   testkit.Git(t, dir, "rev-parse", "HEAD"),
		"index":  testkit.Git(t, dir, "ls-files", "-s", "-v"),
		"status": testkit.Git(t, dir, "--no-optional-locks", "status", "--porcelain=v2", "--branch", "--untracked-files=all"),
	}
	must(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if err == nil && d.Name() == ".git" {
				return fs.SkipDir
			}
			return err
		}
		data, err := os.ReadFile(path)
		m[path] = string(data)
		return err
	}))
	return m
}

func same(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

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

// hook puts a hook script into the repository at dir.
func hook(t *testing.T, dir, name, script string) {
	t.Helper()
	put(t, dir, ".git/hooks/"+name, "#!/bin/sh\n"+script+"\n")
	must(t, os.Chmod(filepath.Join(dir, ".git", "hooks", name), 0o755))
}

// TestCommitTakesTheNamedPathsAndNothingElse, whatever is staged and whatever hooks stage, and the
// index follows in these paths alone.
func TestCommitTakesTheNamedPathsAndNothingElse(t *testing.T) {
	testkit.Hermetic(t)
	home := testkit.Repo(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n", "gone.txt": "g\n", ".gitignore": "*.env\n"})
	hook(t, home, "pre-commit", "echo formatted > a.txt; echo by a hook > mine.txt; git add a.txt mine.txt")
	hook(t, home, "commit-msg", `echo "Change-Id: I1" >> "$1"`)
	hook(t, home, "post-commit", "exit 1")
	head := testkit.Git(t, home, "rev-parse", "HEAD")
	c := treeIn(t, home)
	dir := c.at.Root
	testkit.Write(t, dir, map[string]string{"a.txt": "fixed\n", "new/file.txt": "new\n", "x.env": "ignored\n", "b.txt": "staged\n",
		"evil.txt": "staged\n", "mine.txt": "untracked\n"})
	must(t, os.Remove(filepath.Join(dir, "gone.txt")))
	testkit.Git(t, dir, "add", "b.txt", "evil.txt")

	made, err := c.Commit(t.Context(), Options{Message: "fix\n\nbecause", Trailers: []string{"Booty-Run: r1"},
		Paths: []string{"a.txt", "new/file.txt", "gone.txt", "x.env", "never-was.txt"}})
	must(t, err)
	want := head + "\nfix\n\nbecause\n\nBooty-Run: r1\nChange-Id: I1\n\n\nM\ta.txt\nD\tgone.txt\nA\tnew/file.txt"
	if got := testkit.Git(t, dir, "show", "--format=%P%n%B", "--name-status", made); got != want {
		t.Errorf("got\n%q, want\n%q", got, want)
	}
	if got := testkit.Git(t, dir, "show", made+":a.txt"); got != "formatted" {
		t.Errorf("the commit has %q, not what the hook made of the named file", got)
	}
	if got := testkit.Git(t, dir, "status", "--porcelain"); got != "M  b.txt\nA  evil.txt\n?? mine.txt" {
		t.Errorf("what was not named is %q afterwards", got)
	}
	if got := testkit.Git(t, dir, "rev-parse", "main"); got != made {
		t.Errorf("the branch is at %s", got)
	}
}

// TestARefusedCommitChangesNothing: branch, index and files are as before, and the error says what
// refused and what to do.
func TestARefusedCommitChangesNothing(t *testing.T) {
	changed := func(err error) bool {
		var e *HookChangedError
		return errors.As(err, &e) && cmp.Equal(e.Paths, []string{"a.txt"}) && strings.Contains(e.Said, "formatted it")
	}
	of := func(kind fault.Kind, says, hint string) func(error) bool {
		return func(err error) bool {
			return fault.KindOf(err) == kind && strings.Contains(err.Error(), says) && strings.Contains(fault.HintOf(err), hint)
		}
	}
	for name, c := range map[string]struct {
		set   func(t *testing.T, home string, at *snapshot.Place)
		o     Options
		right func(error) bool
		files bool // files may change
	}{
		"a pre-commit hook": {func(t *testing.T, home string, _ *snapshot.Place) {
			hook(t, home, "pre-commit", "echo line 3 is bad >&2; exit 1")
		}, Options{}, of(fault.Git, "line 3 is bad", "fix what the hook reports"), false},
		"a hook that formats and refuses": {func(t *testing.T, home string, _ *snapshot.Place) {
			hook(t, home, "pre-commit", "echo formatted > a.txt; echo formatted it; exit 1")
		}, Options{}, changed, true},
		"a hook for the message": {func(t *testing.T, home string, _ *snapshot.Place) {
			hook(t, home, "commit-msg", "echo no ticket; exit 1")
		}, Options{}, func(err error) bool { return errors.Is(err, ErrMessage) && of(fault.Git, "no ticket", "message")(err) }, false},
		"a hook that leaves no message": {func(t *testing.T, home string, _ *snapshot.Place) {
			hook(t, home, "prepare-commit-msg", `: > "$1"`)
		}, Options{}, of(fault.Git, "no message", "prepare-commit-msg"), false},
		"a signer in the work tree": {func(_ *testing.T, _ string, at *snapshot.Place) {
			at.Settings = []git.Setting{{Key: "commit.gpgsign", Value: "true"}, {Key: "gpg.program", Value: "./sign"}}
		}, Options{}, of(fault.Refused, "./sign", "gpg.program"), false},
		"a signer that fails": {func(_ *testing.T, _ string, at *snapshot.Place) {
			at.Settings = []git.Setting{{Key: "commit.gpgsign", Value: "true"}}
			at.Git.Env = append(at.Git.Env, "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=gpg.program", "GIT_CONFIG_VALUE_0=false")
		}, Options{}, of(fault.Git, "could not sign", "signing key"), false},
		"nobody's name": {func(_ *testing.T, _ string, at *snapshot.Place) {
			at.Git.Env = slices.DeleteFunc(slices.Clone(at.Git.Env), func(kv string) bool {
				return strings.HasPrefix(kv, "GIT_AUTHOR_") || strings.HasPrefix(kv, "GIT_COMMITTER_") || strings.HasPrefix(kv, "EMAIL=")
			})
			at.Git.Env = append(at.Git.Env, "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=user.useConfigOnly", "GIT_CONFIG_VALUE_0=true")
		}, Options{}, of(fault.Git, "name and address", "user.name"), false},
		"another git's lock": {func(t *testing.T, _ string, at *snapshot.Place) { put(t, at.GitDir, "index.lock", "") },
			Options{}, of(fault.Git, "another git", "rm "), false},
		"a branch that moves meanwhile": {func(t *testing.T, home string, at *snapshot.Place) {
			other := testkit.Git(t, home, "commit-tree", "HEAD^{tree}", "-m", "other")
			at.Step = func(name string) {
				if name == "commit: made" {
					testkit.Git(t, at.Root, "update-ref", "refs/heads/main", other)
				}
			}
		}, Options{}, of(fault.Git, "commit", "git status"), true},
		"nothing that is named changed": {func(*testing.T, string, *snapshot.Place) {}, Options{Paths: []string{"b.txt"}},
			of(fault.NothingToDo, "nothing to commit", ""), false},
		"nothing that is named is there": {func(*testing.T, string, *snapshot.Place) {}, Options{Paths: []string{"never-was.txt"}},
			of(fault.NothingToDo, "nothing to commit", ""), false},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Hermetic(t)
			home := testkit.Repo(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n"})
			at := besideOf(t, home)
			dir := at.Root
			put(t, dir, "a.txt", "fixed\n")
			c.set(t, home, &at)
			before := state(t, dir)
			if len(c.o.Paths) == 0 {
				c.o.Paths = []string{"a.txt"}
			}
			c.o.Message = "fix"
			if _, err := treeAt(at, home).Commit(t.Context(), c.o); !c.right(err) {
				t.Errorf("got %v, hint %q", err, fault.HintOf(err))
			}
			after := state(t, dir)
			if c.files {
				before, after = map[string]string{"index": before["index"]}, map[string]string{"index": after["index"]}
			}
			same(t, "afterwards", after, before)
		})
	}
}

// TestCommitSquashesOnto: the commits since are one, of which the named commit is the only parent.
func TestCommitSquashesOnto(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n"})
	base := testkit.Git(t, dir, "rev-parse", "HEAD")
	c := treeIn(t, dir)
	dir = c.at.Root
	for _, content := range []string{"one\n", "two\n"} {
		put(t, dir, "a.txt", content)
		_, err := c.Commit(t.Context(), Options{Message: "fix", Paths: []string{"a.txt"}, Onto: base})
		must(t, err)
	}
	if got := testkit.Git(t, dir, "log", "--format=%P", "-1"); got != base {
		t.Errorf("the parent is %s, want %s", got, base)
	}
	if got := testkit.Git(t, dir, "show", "HEAD:a.txt"); got != "two" {
		t.Errorf("the commit has %q", got)
	}
}

// TestToolsInTheTreeSeeTheCommit also where no branch is checked out.
func TestToolsInTheTreeSeeTheCommit(t *testing.T) {
	testkit.Hermetic(t)
	c := treeIn(t, testkit.Repo(t, map[string]string{"a.txt": "a\n"}))
	_, head, err := c.at.Store.Objects().Head()
	must(t, err)
	put(t, c.at.GitDir, "HEAD", head+"\n")
	must(t, c.headMoved())
	put(t, c.at.Root, "a.txt", "fixed\n")
	made, err := c.Commit(t.Context(), Options{Message: "fix", Paths: []string{"a.txt"}})
	must(t, err)
	if got := testkit.Git(t, c.at.Root, "rev-parse", "HEAD"); got != made {
		t.Errorf("git in the tree says %s, want %s", got, made)
	}
}

// TestCommitIsMadeInTreesOfBootysOwn alone: hooks and signers of the user's checkout are started by
// the user.
func TestCommitIsMadeInTreesOfBootysOwn(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n"})
	c := treeIn(t, dir)
	dir, c.at.Own = c.at.Root, false
	put(t, dir, "a.txt", "fixed\n")
	before := state(t, dir)
	if _, err := c.Commit(t.Context(), Options{Message: "fix", Paths: []string{"a.txt"}}); err == nil {
		t.Error("a commit was made in the user's checkout")
	}
	same(t, "afterwards", state(t, dir), before)
}

// TestUncommittedAsksWhatGitWouldStore: bytes that a filter makes equal to the commit's are no
// difference.
func TestUncommittedAsksWhatGitWouldStore(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{".gitattributes": "*.txt text\n", "clean.txt": "a\nb\n", "edited.txt": "a\n", "mode.txt": "a\n"})
	head := testkit.Git(t, dir, "rev-parse", "HEAD")
	c := treeIn(t, dir)
	dir = c.at.Root
	put(t, dir, "clean.txt", "a\r\nb\r\n")
	put(t, dir, "edited.txt", "A\r\n")
	put(t, dir, "new.txt", "new\n")
	must(t, os.Chmod(filepath.Join(dir, "mode.txt"), 0o755))
	cp, err := c.at.Recorder().Snapshot(t.Context(), "r1", 1, "state")
	must(t, err)
	got, err := c.Uncommitted(t.Context(), head, cp.Commit, []string{"clean.txt", "edited.txt", "mode.txt", "new.txt", ".gitattributes"})
	if want := []string{"edited.txt", "mode.txt", "new.txt"}; err != nil || !cmp.Equal(got, want) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
}

// TestStaleLocksOfGitAreIgnored: what a killed git left beside booty's own
// indexes stands in nobody's way.
func TestStaleLocksOfGitAreIgnored(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.go": "one\n"})
	r := treeIn(t, dir)
	lock := filepath.Join(r.at.Store.Private(), "commit.index.lock")
	must(t, os.WriteFile(lock, nil, 0o600))
	put(t, r.at.Root, "a.go", "three\n")
	if made, err := r.Commit(t.Context(), Options{Message: "three", Paths: []string{"a.go"}}); err != nil || made == "" {
		t.Errorf("got %q, %v", made, err)
	}
	if _, err := os.Lstat(lock); err == nil {
		t.Error("the lock stays")
	}
}

func TestCommitIsWhatWasChecked(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n"})
	r := treeIn(t, dir)
	put(t, r.at.Root, "a.txt", "fixed\n")
	cp, err := r.at.Recorder().Snapshot(t.Context(), "r1", 1, "attempt 1")
	must(t, err)
	put(t, r.at.Root, "a.txt", "something else\n")
	_, err = r.Commit(t.Context(), Options{Message: "fix", Paths: []string{"a.txt"}, From: cp.Commit})
	if fault.KindOf(err) != fault.Refused || !strings.Contains(err.Error(), "a.txt") {
		t.Errorf("got %v, want a refusal that names the file", err)
	}
}
