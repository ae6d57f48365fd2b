package workspace

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/testkit"
	"github.com/booty-cli/booty/internal/trees"
)

// roundTrip records the tree at dir, wrecks it and restores it.
func roundTrip(t *testing.T, dir string, wreck func()) {
	t.Helper()
	r := open(t, dir)
	before := take(t, dir)
	cp, err := r.States.Snapshot(t.Context(), "trip", 0, "before")
	must(t, err)
	same(t, "after the snapshot", take(t, dir), before)
	wreck()
	if _, err := r.Compare.Diff(t.Context(), "HEAD", cp.Commit); err == nil {
		t.Error("a revision is not a commit's name")
	}
	if head := testkit.Git(t, dir, "for-each-ref", "--count=1", "--format=%(objectname)", "refs/heads"); head != "" {
		if _, err := r.Compare.Changes(t.Context(), head, cp.Commit); err != nil {
			t.Errorf("compare with HEAD: %v", err)
		}
	}
	must(t, r.States.Restore(t.Context(), cp))
	same(t, "after restoring", take(t, dir), before)
	sound(t, dir)
}

func TestConversionsDoNotChangeAByte(t *testing.T) {
	cases := []struct {
		name       string
		attributes string
		config     [][2]string
		files      map[string]string // as they lie on disk, committed so
		edited     map[string]string
	}{
		{
			name: "core.autocrlf with mixed line ends", config: [][2]string{{"core.autocrlf", "true"}, {"core.safecrlf", "false"}},
			files:  map[string]string{"dos.txt": "a\r\nb\r\n", "unix.txt": "a\nb\n", "mixed.txt": "a\r\nb\nc"},
			edited: map[string]string{"dos.txt": "x\n", "mixed.txt": "y\r\n"},
		},
		{
			name: "core.autocrlf=input", config: [][2]string{{"core.autocrlf", "input"}, {"core.safecrlf", "false"}},
			files: map[string]string{"dos.txt": "a\r\nb\r\n"}, edited: map[string]string{"dos.txt": "a\nb\n"},
		},
		{
			name: "eol and text attributes", attributes: "*.bat text eol=crlf\n*.txt text=auto eol=lf\n",
			files:  map[string]string{"run.bat": "dir\ncd\r\n", "a.txt": "one\r\ntwo\r\n"},
			edited: map[string]string{"run.bat": "dir\r\ncd\r\n", "a.txt": "one\ntwo\n"},
		},
		{
			name: "a filter that keeps the size", attributes: "*.rot filter=rot\n",
			config: [][2]string{{"filter.rot.clean", "tr a-z n-za-m"}, {"filter.rot.smudge", "tr a-z n-za-m"}},
			files:  map[string]string{"secret.rot": "hello\n"}, edited: map[string]string{"secret.rot": "other\n"},
		},
		{
			name: "a filter that keeps only a pointer, as Git LFS does", attributes: "*.bin filter=pointer\n",
			config: [][2]string{{"filter.pointer.clean", "sha1sum"}, {"filter.pointer.required", "true"}},
			files:  map[string]string{"big.bin": "lots of data\n"}, edited: map[string]string{"big.bin": "other data\n"},
		},
		{
			name: "ident and encodings", attributes: "*.c ident\n*.u16 working-tree-encoding=UTF-16LE\n",
			files:  map[string]string{"a.c": "/* $Id: mine $ */\n", "b.u16": "a\x00b\x00\n\x00"},
			edited: map[string]string{"a.c": "/* $Id$ */\n", "b.u16": "c\x00\n\x00"},
		},
		{
			name: "attributes in a subdirectory", files: map[string]string{"sub/.gitattributes": "* text eol=lf\n", "sub/a.txt": "a\r\n"},
			edited: map[string]string{"sub/a.txt": "a\n"},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			testkit.Hermetic(t)
			dir := testkit.Repo(t, map[string]string{"other": "x\n"})
			for _, kv := range c.config {
				testkit.Git(t, dir, "config", kv[0], kv[1])
			}
			if c.attributes != "" {
				put(t, dir, ".gitattributes", c.attributes)
			}
			testkit.Write(t, dir, c.files)
			testkit.Git(t, dir, "add", "-A")
			testkit.Git(t, dir, "commit", "-q", "-m", "files")
			// Old files that git holds for unchanged without reading them.
			for name := range c.files {
				old := time.Now().Add(-time.Hour)
				must(t, os.Chtimes(filepath.Join(dir, name), old, old))
			}
			testkit.Git(t, dir, "update-index", "-q", "--refresh")
			put(t, dir, "untracked.txt", "new\r\nlines\n")
			roundTrip(t, dir, func() {
				testkit.Write(t, dir, c.edited)
				must(t, os.Remove(filepath.Join(dir, "untracked.txt")))
			})
		})
	}
}

func TestSpecialCheckoutsSurviveARoundTrip(t *testing.T) {
	tree := map[string]string{"a.txt": "a\n", "in/b.txt": "b\n", "out/c.txt": "c\n", ".gitignore": "*.log\n"}
	cases := []struct {
		name string
		make func(t *testing.T, dir string) string
	}{
		{"a plain one", func(_ *testing.T, dir string) string { return dir }},
		{"a linked work tree", func(t *testing.T, dir string) string {
			linked := filepath.Join(t.TempDir(), "linked")
			testkit.Git(t, dir, "worktree", "add", "-q", "-b", "side", linked)
			return linked
		}},
		{"a linked work tree with extensions.worktreeConfig", func(t *testing.T, dir string) string {
			testkit.Git(t, dir, "config", "extensions.worktreeConfig", "true")
			linked := filepath.Join(t.TempDir(), "linked")
			testkit.Git(t, dir, "worktree", "add", "-q", "--detach", linked)
			testkit.Git(t, linked, "config", "--worktree", "user.email", "me@example.com")
			return linked
		}},
		{"a sparse checkout", func(t *testing.T, dir string) string {
			testkit.Git(t, dir, "sparse-checkout", "set", "in")
			return dir
		}},
		{"a sparse index", func(t *testing.T, dir string) string {
			testkit.Git(t, dir, "sparse-checkout", "set", "--sparse-index", "in")
			return dir
		}},
		{"a detached HEAD", func(t *testing.T, dir string) string {
			testkit.Git(t, dir, "checkout", "-q", "--detach")
			return dir
		}},
		{"packed references", func(t *testing.T, dir string) string {
			testkit.Git(t, dir, "pack-refs", "--all")
			return dir
		}},
		{"a split index", func(t *testing.T, dir string) string {
			testkit.Git(t, dir, "update-index", "--split-index")
			return dir
		}},
		{"an index of version 4 with an untracked cache", func(t *testing.T, dir string) string {
			testkit.Git(t, dir, "update-index", "--index-version", "4", "--untracked-cache")
			return dir
		}},
		{"files assumed unchanged or skipped by hand", func(t *testing.T, dir string) string {
			testkit.Git(t, dir, "update-index", "--assume-unchanged", "a.txt")
			testkit.Git(t, dir, "update-index", "--skip-worktree", "in/b.txt")
			put(t, dir, "a.txt", "local change\n")
			put(t, dir, "in/b.txt", "local change too\n")
			return dir
		}},
		{"core.fileMode off", func(t *testing.T, dir string) string {
			testkit.Git(t, dir, "config", "core.fileMode", "false")
			must(t, os.Chmod(filepath.Join(dir, "a.txt"), 0o755))
			return dir
		}},
		{"a merge in conflict", func(t *testing.T, dir string) string {
			testkit.Git(t, dir, "switch", "-q", "-c", "side")
			put(t, dir, "a.txt", "theirs\n")
			testkit.Git(t, dir, "commit", "-q", "-am", "theirs")
			testkit.Git(t, dir, "switch", "-q", "main")
			put(t, dir, "a.txt", "ours\n")
			testkit.Git(t, dir, "commit", "-q", "-am", "ours")
			cmd := exec.Command("git", "merge", "-q", "side")
			cmd.Dir = dir
			if cmd.Run() == nil {
				t.Fatal("the merge should be in conflict")
			}
			return dir
		}},
		{"a submodule with changes of its own", func(t *testing.T, dir string) string {
			sub := testkit.Repo(t, map[string]string{"s.txt": "s\n"})
			testkit.Git(t, dir, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", sub, "mod")
			testkit.Git(t, dir, "commit", "-q", "-m", "submodule")
			put(t, dir, "mod/s.txt", "changed in the submodule\n")
			return dir
		}},
		{"a nested repository without a commit", func(t *testing.T, dir string) string {
			testkit.Git(t, dir, "init", "-q", "nested")
			put(t, dir, "nested/file", "theirs\n")
			return dir
		}},
		{"a clone that borrows objects", func(t *testing.T, dir string) string {
			clone := filepath.Join(t.TempDir(), "clone")
			testkit.Git(t, dir, "clone", "-q", "--shared", dir, clone)
			return clone
		}},
		{"a clone that borrows objects through a relative path", func(t *testing.T, dir string) string {
			clone := filepath.Join(t.TempDir(), "clone")
			testkit.Git(t, dir, "clone", "-q", "--shared", dir, clone)
			rel, err := filepath.Rel(filepath.Join(clone, ".git", "objects"), filepath.Join(dir, ".git", "objects"))
			must(t, err)
			put(t, clone, ".git/objects/info/alternates", rel+"\n")
			return clone
		}},
		{"a shallow clone", func(t *testing.T, dir string) string {
			testkit.Git(t, dir, "commit", "-q", "--allow-empty", "-m", "second")
			clone := filepath.Join(t.TempDir(), "clone")
			testkit.Git(t, dir, "clone", "-q", "--depth=1", "file://"+dir, clone)
			return clone
		}},
		{"a partial clone", func(t *testing.T, dir string) string {
			testkit.Git(t, dir, "config", "uploadpack.allowFilter", "true")
			clone := filepath.Join(t.TempDir(), "clone")
			testkit.Git(t, dir, "clone", "-q", "--filter=blob:none", "file://"+dir, clone)
			return clone
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			testkit.Hermetic(t)
			dir := c.make(t, testkit.Repo(t, tree))
			put(t, dir, "mine.txt", "untracked\n")
			put(t, dir, "x.log", "ignored\n")
			roundTrip(t, dir, func() {
				put(t, dir, "a.txt", "changed by a run\n")
				put(t, dir, "in/b.txt", "changed by a run\n")
				put(t, dir, "out/new/file.txt", "made by a run\n")
				must(t, os.Remove(filepath.Join(dir, "mine.txt")))
			})
		})
	}
}

func TestUnbornBranch(t *testing.T) {
	testkit.Hermetic(t)
	dir := t.TempDir()
	testkit.Git(t, dir, "init", "-q", "-b", "trunk")
	put(t, dir, "a.txt", "first\n")
	r := open(t, dir)
	if branch, commit, err := r.Head(t.Context()); branch != "trunk" || commit != "" || err != nil {
		t.Errorf("got HEAD %q %q %v, want trunk without a commit", branch, commit, err)
	}
	roundTrip(t, dir, func() {
		put(t, dir, "a.txt", "changed\n")
	})
}

func TestOpenRefusesPolitely(t *testing.T) {
	testkit.Hermetic(t)
	bare := t.TempDir()
	testkit.Git(t, bare, "init", "-q", "--bare")
	sha256 := t.TempDir()
	testkit.Git(t, sha256, "init", "-q", "--object-format=sha256")
	reftable := testkit.Repo(t, nil)
	testkit.Git(t, reftable, "config", "core.repositoryFormatVersion", "1")
	testkit.Git(t, reftable, "config", "extensions.refStorage", "reftable")
	plain := testkit.Repo(t, map[string]string{"a": "b\n"})
	cases := []struct {
		name, dir, git string
		kind           fault.Kind
		says           string
	}{
		{"a bare repository", bare, "", fault.Refused, "bare"},
		{"SHA-256 object names", sha256, "", fault.Refused, "sha256"},
		{"references in a reftable", reftable, "", fault.Refused, ""},
		{"no repository", t.TempDir(), "", fault.Git, "not in a git repository"},
		{"the git directory itself", filepath.Join(plain, ".git"), "", fault.Refused, "inside a git directory"},
		{"no git program", plain, "no-such-git", fault.Git, "no git program"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := Open(t.Context(), c.dir, Options{Git: c.git})
			if err == nil || fault.KindOf(err) != c.kind || fault.HintOf(err) == "" || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v (kind %v, hint %q), want kind %v and a hint", err, fault.KindOf(err), fault.HintOf(err), c.kind)
			}
		})
	}
}

func TestAHookOfAnotherRepositoryDoesNotMisleadUs(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a": "b\n"})
	other := testkit.Repo(t, map[string]string{"c": "d\n"})
	t.Setenv("GIT_DIR", filepath.Join(other, ".git"))
	t.Setenv("GIT_INDEX_FILE", filepath.Join(other, ".git", "index"))
	t.Setenv("GIT_WORK_TREE", other)
	if r := open(t, dir); r.Root() != dir {
		t.Errorf("got %s, want the repository of the directory, %s", r.Root(), dir)
	}
}

func TestWhatCannotBeRecordedIsTold(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a": "b\n"})
	testkit.Git(t, dir, "init", "-q", "nested")
	put(t, dir, "nested/f", "x")
	cp, err := open(t, dir).States.Snapshot(t.Context(), "r", 0, "before")
	must(t, err)
	if len(cp.Unsaved) != 1 || cp.Unsaved[0].Path != "nested/" || cp.Unsaved[0].Why == "" {
		t.Errorf("got %v, want the nested repository with a reason", cp.Unsaved)
	}
}

// TestATreeIsAsTheCheckoutIs also where its commit has files that the checkout lacks, and the other
// way round.
func TestATreeIsAsTheCheckoutIs(t *testing.T) {
	testkit.Hermetic(t)
	in := func(change func(dir string)) (checkout, tree map[string]string) {
		dir := testkit.Repo(t, map[string]string{"in/a": "a\n", "out/b": "b\n", "out/c": "c\n", "big": strings.Repeat("x", 100)})
		change(dir)
		r := openWithState(t, dir)
		r.States.LimitFiles(10)
		cp, err := r.States.Look(t.Context())
		must(t, err)
		w, release, err := r.AddTree(t.Context(), cp.Commit, trees.Options{})
		must(t, err)
		defer release()
		return files(t, dir), files(t, w.Root())
	}
	t.Run("a large file is deleted", func(t *testing.T) {
		checkout, tree := in(func(dir string) { must(t, os.Remove(filepath.Join(dir, "big"))) })
		if diff := cmp.Diff(checkout, tree); diff != "" {
			t.Errorf("(-checkout +tree):\n%s", diff)
		}
	})
	t.Run("a file outside of a sparse checkout is changed", func(t *testing.T) {
		_, tree := in(func(dir string) {
			testkit.Git(t, dir, "sparse-checkout", "set", "in")
			put(t, dir, "out/b", "by the user\n")
		})
		if got := tree["out/b"]; got != "-rw-r--r-- by the user\n" {
			t.Errorf("got %q", got)
		}
	})
}
