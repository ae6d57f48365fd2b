package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/booty-cli/booty/internal/testkit"
)

// open opens the work tree at dir.
func open(t testing.TB, dir string) *Repo {
	t.Helper()
	r, err := Open(t.Context(), dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// photo is everything of the user's in a work tree, to be compared.
type photo struct {
	Files  map[string]string // path to kind, permission bits and content
	Head   string
	Index  string // as git lists it
	Status string
	Stash  string
}

// take makes a photo of the work tree at dir.
func take(t testing.TB, dir string) photo {
	t.Helper()
	p := photo{Files: files(t, dir)}
	if head, err := os.ReadFile(filepath.Join(gitDirOf(t, dir), "HEAD")); err == nil {
		p.Head = string(head)
	}
	p.Index = testkit.Git(t, dir, "ls-files", "-s", "-v", "-z")
	p.Status = testkit.Git(t, dir, "--no-optional-locks", "status", "--porcelain=v2", "-z", "--untracked-files=all")
	p.Stash = testkit.Git(t, dir, "stash", "list")
	return p
}

func gitDirOf(t testing.TB, dir string) string {
	t.Helper()
	return testkit.Git(t, dir, "rev-parse", "--absolute-git-dir")
}

// files reads all files below dir but git's own.
func files(t testing.TB, dir string) map[string]string {
	t.Helper()
	m := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		if d.Name() == ".git" {
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		if d.IsDir() {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		switch {
		case info.Mode()&os.ModeSymlink != 0:
			target, err := os.Readlink(path)
			m[filepath.ToSlash(rel)] = "-> " + target
			return err
		case info.Mode().IsRegular():
			data, err := os.ReadFile(path)
			m[filepath.ToSlash(rel)] = info.Mode().Perm().String() + " " + string(data)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// same fails the test where two photos differ.
func same(t testing.TB, what string, got, want photo) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// sound checks that git finds nothing wrong with the repository.
func sound(t testing.TB, dir string) {
	t.Helper()
	if out := testkit.Git(t, dir, "fsck", "--full", "--strict", "--no-dangling"); out != "" {
		t.Errorf("git fsck: %s", out)
	}
	for _, lock := range []string{"index.lock", "HEAD.lock"} {
		if _, err := os.Stat(filepath.Join(gitDirOf(t, dir), lock)); err == nil {
			t.Errorf("%s was left behind", lock)
		}
	}
}

func put(t testing.TB, dir, name, content string) {
	t.Helper()
	testkit.Write(t, dir, map[string]string{name: content})
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// dirty makes a repository with every kind of change in its work tree.
func dirty(t testing.TB) string {
	t.Helper()
	dir := testkit.Repo(t, map[string]string{
		"kept.txt": "kept\n", "staged.txt": "old\n", "unstaged.txt": "old\n", "both.txt": "old\n",
		"deleted.txt": "gone\n", "unlinked.txt": "gone too\n", "renamed.txt": "moves\n", "script.sh": "#!/bin/sh\n",
		"crlf.txt": "a\r\nb\r\n", "no-newline": "end", "deep/er/file.txt": "deep\n", ".gitignore": "*.log\nbuild/\n",
		"link-target": "x\n", "swap": "file that becomes a directory\n",
	})
	must(t, os.Symlink("link-target", filepath.Join(dir, "link")))
	testkit.Git(t, dir, "add", "link")
	testkit.Git(t, dir, "commit", "-q", "-m", "link")
	put(t, dir, "staged.txt", "staged\n")
	put(t, dir, "both.txt", "staged\n")
	testkit.Git(t, dir, "add", "staged.txt", "both.txt")
	put(t, dir, "both.txt", "staged and then more\n")
	put(t, dir, "unstaged.txt", "unstaged\r\nmixed\n")
	testkit.Git(t, dir, "rm", "-q", "deleted.txt")
	must(t, os.Remove(filepath.Join(dir, "unlinked.txt")))
	testkit.Git(t, dir, "mv", "renamed.txt", "new name.txt")
	must(t, os.Chmod(filepath.Join(dir, "script.sh"), 0o755))
	must(t, os.Remove(filepath.Join(dir, "link")))
	must(t, os.Symlink("deep/er", filepath.Join(dir, "link")))
	must(t, os.Remove(filepath.Join(dir, "swap")))
	put(t, dir, "swap/inside.txt", "now a directory\n")
	put(t, dir, "untracked.txt", "mine\n")
	put(t, dir, "ünïcödé/日本.txt", "unicode\n")
	put(t, dir, "new\nline", "odd name\n")
	put(t, dir, ":(odd)[*]?", "pathspec magic\n")
	put(t, dir, "intent.txt", "intended\n")
	testkit.Git(t, dir, "add", "-N", "intent.txt")
	put(t, dir, "debug.log", "ignored\n")
	put(t, dir, "build/out", "ignored\n")
	put(t, dir, "private.key", "0600\n")
	must(t, os.Chmod(filepath.Join(dir, "private.key"), 0o600))
	return dir
}

// wreck does to a work tree what a run might, and more.
func wreck(t testing.TB, dir string) {
	t.Helper()
	for _, name := range []string{"kept.txt", "staged.txt", "both.txt", "untracked.txt", "private.key", "new\nline"} {
		put(t, dir, name, "overwritten\n")
	}
	for _, name := range []string{"crlf.txt", ":(odd)[*]?", "link", "deep/er/file.txt"} {
		must(t, os.Remove(filepath.Join(dir, name)))
	}
	put(t, dir, "link", "a file now\n")
	must(t, os.RemoveAll(filepath.Join(dir, "swap")))
	must(t, os.RemoveAll(filepath.Join(dir, "deep")))
	put(t, dir, "deep", "a file where a directory was\n")
	put(t, dir, "made/by/run.txt", "new\n")
	put(t, dir, "unlinked.txt", "back again\n")
	must(t, os.Chmod(filepath.Join(dir, "script.sh"), 0o644))
	must(t, os.Chmod(filepath.Join(dir, "no-newline"), 0o755))
}

func TestRestoreBringsEveryByteBack(t *testing.T) {
	testkit.Hermetic(t)
	dir := dirty(t)
	r := open(t, filepath.Join(dir, "swap"))
	before := take(t, dir)
	cp, err := r.States.Snapshot(t.Context(), "run-1", 0, "before")
	must(t, err)
	same(t, "a snapshot changes nothing of the user's", take(t, dir), before)

	wreck(t, dir)
	must(t, r.States.Restore(t.Context(), cp))
	same(t, "after restoring", take(t, dir), before)
	if left, err := r.States.Since(t.Context(), cp); err != nil || len(left) > 0 {
		t.Errorf("got %v, %v: nothing should differ from the checkpoint", left, err)
	}
	if out := testkit.Git(t, dir, "for-each-ref", "--format=%(refname)"); strings.Contains(out, "stash") {
		t.Errorf("unexpected references: %s", out)
	}
	sound(t, dir)
}

// A file that git tracks and ignores belongs to the state before a run, also where a
// commit brought it since the last one: else a run could not commit what it does to it.
func TestTrackedFilesThatAreIgnoredAreRecordedInLaterRuns(t *testing.T) {
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n", ".gitignore": "*.local\n"})
	r := open(t, dir)
	_, err := r.States.Snapshot(t.Context(), "r1", 0, "before")
	must(t, err)
	put(t, dir, "b.local", "b\n")
	testkit.Git(t, dir, "add", "-f", "b.local")
	testkit.Git(t, dir, "commit", "-q", "-m", "b")
	put(t, dir, "c.local", "c\n")
	cp, err := r.States.Snapshot(t.Context(), "r2", 0, "before")
	must(t, err)
	if data, is, err := r.History.ReadFile(t.Context(), cp.Commit, "b.local"); err != nil || !is || string(data) != "b\n" {
		t.Errorf("got %q, %v, %v, want the tracked file", data, is, err)
	}
	if _, is, err := r.History.ReadFile(t.Context(), cp.Commit, "c.local"); err != nil || is {
		t.Errorf("got %v, %v, want no file that is only ignored", is, err)
	}
	must(t, os.Remove(filepath.Join(dir, "b.local")))
	cp, err = r.States.Snapshot(t.Context(), "r2", 1, "attempt 1")
	must(t, err)
	if _, is, err := r.History.ReadFile(t.Context(), cp.Commit, "b.local"); err != nil || is {
		t.Errorf("got %v, %v, want the file gone", is, err)
	}
}
