package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/bringback"
	"github.com/booty-cli/booty/internal/commit"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/snapshot"
	"github.com/booty-cli/booty/internal/testkit"
	"github.com/booty-cli/booty/internal/trees"
)

// refined is a refine that has a result: the checkout as it was read, and the result.
type refined struct {
	read, result snapshot.Checkpoint
	tree         *Repo
}

// refine reads the checkout and makes a result of it in a tree of its own; "" removes a file.
func refine(ctx context.Context, r *Repo, run string, files map[string]string) (refined, func() error, error) {
	var f refined
	var err error
	if f.read, err = r.States.Snapshot(ctx, run, 0, "read"); err != nil {
		return f, nil, err
	}
	var release func() error
	if f.tree, release, err = r.AddTree(ctx, f.read.Commit, trees.Options{}); err != nil {
		return f, nil, err
	}
	f.result, err = planned(ctx, f.tree, run, 1, files)
	for path, content := range files {
		full := filepath.Join(f.tree.at.Root, filepath.FromSlash(path))
		if content == "" {
			err = errors.Join(err, os.Remove(full))
		} else {
			err = errors.Join(err, os.MkdirAll(filepath.Dir(full), 0o755), os.WriteFile(full, []byte(content), 0o644))
		}
	}
	return f, func() error { return release() }, err
}

// refineIn is refine for a test.
func refineIn(t *testing.T, r *Repo, run string, files map[string]string) refined {
	t.Helper()
	f, release, err := refine(t.Context(), r, run, files)
	must(t, err)
	t.Cleanup(func() { must(t, release()) })
	return f
}

// broughtIn has a refine bring its result back.
func broughtIn(t *testing.T, r *Repo, run string, files map[string]string) bringback.Result {
	t.Helper()
	f := refineIn(t, r, run, files)
	got, err := r.Results.BringBack(t.Context(), run, f.read, f.result)
	must(t, err)
	return got
}

func planned(ctx context.Context, r *Repo, run string, n int, files map[string]string) (snapshot.Checkpoint, error) {
	from, err := r.Records.Checkpoint(ctx, run, n-1)
	if err != nil {
		return from, err
	}
	var list []snapshot.Intended
	var paths []string
	for path, content := range files {
		paths = append(paths, path)
		list = append(list, snapshot.Intended{Path: path, Mode: 0o644, Data: []byte(content), Gone: content == ""})
	}
	ignored, err := r.States.Ignored(ctx, paths)
	if err == nil {
		err = r.States.Remember(ctx, run, ignored)
	}
	if err != nil {
		return from, err
	}
	return r.States.Plan(ctx, run, n, from, list, "attempt")
}

func undo(t *testing.T, r *Repo, run string) int {
	t.Helper()
	u, err := r.Results.Undo(t.Context(), run)
	must(t, err)
	return u.Restored
}

func TestUndoOfARefine(t *testing.T) {
	testkit.Hermetic(t)
	dir := dirty(t)
	r := open(t, dir)
	before := take(t, dir)
	broughtIn(t, r, "r1", map[string]string{"kept.txt": "attempt 2\n", "no-newline": "", "private.key": "", "made/file.txt": "newer\n"})
	if got := files(t, dir); !strings.HasSuffix(got["kept.txt"], " attempt 2\n") || got["private.key"] != "" {
		t.Errorf("brought back: got %v", got)
	}
	if n := undo(t, r, "r1"); n != 4 {
		t.Errorf("got %d files restored, want 4", n)
	}
	same(t, "after undo", take(t, dir), before)
	if n := undo(t, r, "r1"); n != 0 {
		t.Errorf("a second undo restored %d files", n)
	}
	same(t, "after a second undo", take(t, dir), before)
	sound(t, dir)
}

// TestUndoLooksAtNothingElse: what the user did beside the run stays, and refuses
// nothing.
func TestUndoLooksAtNothingElse(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n"})
	r := open(t, dir)
	broughtIn(t, r, "r1", map[string]string{"a.txt": "by the run\n"})
	put(t, dir, "b.txt", "mine\n")
	put(t, dir, "new.txt", "mine\n")
	testkit.Git(t, dir, "rm", "-q", "c.txt")
	testkit.Git(t, dir, "commit", "-q", "-m", "mine")
	undo(t, r, "r1")
	got := files(t, dir)
	if !strings.HasSuffix(got["a.txt"], " a\n") || !strings.HasSuffix(got["b.txt"], "mine\n") ||
		!strings.HasSuffix(got["new.txt"], "mine\n") || got["c.txt"] != "" {
		t.Errorf("got %v", got)
	}
}

func TestUndoRefusesToOverwriteLaterChanges(t *testing.T) {
	cases := map[string]func(t *testing.T, dir string){
		"an edit":     func(t *testing.T, dir string) { put(t, dir, "a.txt", "mine\n") },
		"a deletion":  func(t *testing.T, dir string) { must(t, os.Remove(filepath.Join(dir, "a.txt"))) },
		"a new file":  func(t *testing.T, dir string) { put(t, dir, "made.txt", "mine\n") },
		"a directory": func(t *testing.T, dir string) { must(t, os.Chmod(filepath.Join(dir, "a.txt"), 0o755)) },
	}
	for name, change := range cases {
		t.Run(name, func(t *testing.T) {
			testkit.Hermetic(t)
			dir := testkit.Repo(t, map[string]string{"a.txt": "a\n"})
			r := open(t, dir)
			broughtIn(t, r, "r1", map[string]string{"a.txt": "by the run\n", "made.txt": "by the run\n"})
			change(t, dir)
			before := take(t, dir)
			_, err := r.Results.Undo(t.Context(), "r1")
			if fault.KindOf(err) != fault.Refused || !strings.Contains(err.Error(), "a.txt") &&
				!strings.Contains(err.Error(), "made.txt") {
				t.Errorf("got %v, want a refusal that names the file", err)
			}
			same(t, "after a refused undo", take(t, dir), before)
		})
	}
}

func TestUndoTakesBackTheRunsOwnCommit(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n"})
	head := testkit.Git(t, dir, "rev-parse", "HEAD")
	r := open(t, dir)
	before := take(t, dir)
	f := refineIn(t, r, "r1", map[string]string{"a.txt": "fixed\n"})
	commit, err := f.tree.Committer.Commit(t.Context(), commit.Options{Message: "fix", Paths: []string{"a.txt"}, Trailers: []string{"Booty-Run: r1"}})
	must(t, err)
	got, err := r.Results.BringBack(t.Context(), "r1", f.read, f.result)
	must(t, err)
	must(t, r.Results.TakeCommit(t.Context(), commit, f.read.Branch, f.read.Head, got.Written))
	if s := testkit.Git(t, dir, "status", "--porcelain"); s != "" || testkit.Git(t, dir, "rev-parse", "main") != commit {
		t.Errorf("after the commit: status %q", s)
	}
	undo(t, r, "r1")
	if now := testkit.Git(t, dir, "rev-parse", "HEAD"); now != head {
		t.Errorf("HEAD is at %s, want %s", now, head)
	}
	same(t, "after undo", take(t, dir), before)
}

// TestTakeCommitNeverMovesTheUsersWork: a checkout that was switched or committed to stays.
func TestTakeCommitNeverMovesTheUsersWork(t *testing.T) {
	for name, do := range map[string][]string{
		"a commit": {"commit", "-q", "--allow-empty", "-m", "mine"}, "a switch": {"switch", "-q", "-c", "other"},
		"a detached HEAD": {"switch", "-q", "--detach"},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Hermetic(t)
			dir := testkit.Repo(t, map[string]string{"a.txt": "a\n"})
			r := open(t, dir)
			f := refineIn(t, r, "r1", map[string]string{"a.txt": "fixed\n"})
			commit, err := f.tree.Committer.Commit(t.Context(), commit.Options{Message: "fix", Paths: []string{"a.txt"}})
			must(t, err)
			testkit.Git(t, dir, do...)
			before := take(t, dir)
			if err := r.Results.TakeCommit(t.Context(), commit, "main", f.read.Head, []string{"a.txt"}); !errors.Is(err, bringback.ErrMovedMeanwhile) {
				t.Errorf("got %v, want ErrMovedMeanwhile", err)
			}
			same(t, "the checkout", take(t, dir), before)
		})
	}
}

func TestUndoBringsIgnoredFilesBackThatAnEditNamed(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n", ".gitignore": "*.env\n"})
	put(t, dir, "x.env", "SECRET=1\n")
	r := open(t, dir)
	before := take(t, dir)
	got := broughtIn(t, r, "r1", map[string]string{"x.env": "SECRET=2\n", "y.env": "new\n"})
	if strings.Join(got.Written, " ") != "x.env y.env" || len(got.Conflicts) > 0 {
		t.Errorf("got %+v", got)
	}
	undo(t, r, "r1")
	same(t, "after undo", take(t, dir), before)
}

// TestBringBackMergesWithWhatTheUserWrote, file by file.
func TestBringBackMergesWithWhatTheUserWrote(t *testing.T) {
	const was = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n"
	result := strings.Replace(was, "one", "ONE", 1)
	cases := map[string]struct {
		do                        func(t *testing.T, dir string)
		want                      string
		written, merged, conflict bool
	}{
		"nothing":                {func(*testing.T, string) {}, result, true, false, false},
		"the same":               {func(t *testing.T, dir string) { put(t, dir, "a.txt", result) }, result, false, false, false},
		"elsewhere in the file":  {func(t *testing.T, dir string) { put(t, dir, "a.txt", was+"eight\n") }, result + "eight\n", true, true, false},
		"the same line":          {func(t *testing.T, dir string) { put(t, dir, "a.txt", "uno\n"+was[4:]) }, "uno\n" + was[4:], false, false, true},
		"bytes that are no text": {func(t *testing.T, dir string) { put(t, dir, "a.txt", was+"\x00\n") }, was + "\x00\n", false, false, true},
		"a deletion":             {func(t *testing.T, dir string) { must(t, os.Remove(filepath.Join(dir, "a.txt"))) }, "", false, false, true},
		"a link in its place": {func(t *testing.T, dir string) {
			must(t, errors.Join(os.Remove(filepath.Join(dir, "a.txt")), os.Symlink("b.txt", filepath.Join(dir, "a.txt"))))
		}, "b\n", false, false, true},
		"a directory in its place": {func(t *testing.T, dir string) {
			must(t, errors.Join(os.Remove(filepath.Join(dir, "a.txt")), os.Mkdir(filepath.Join(dir, "a.txt"), 0o755)))
		}, "", false, false, true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			testkit.Hermetic(t)
			dir := testkit.Repo(t, map[string]string{"a.txt": was, "b.txt": "b\n"})
			r := open(t, dir)
			f := refineIn(t, r, "r1", map[string]string{"a.txt": result})
			c.do(t, dir)
			mine := take(t, dir)
			got, err := r.Results.BringBack(t.Context(), "r1", f.read, f.result)
			must(t, err)
			if len(got.Written) > 0 != c.written || len(got.Merged) > 0 != c.merged || len(got.Conflicts) > 0 != c.conflict {
				t.Errorf("got %+v", got)
			}
			if data, _ := os.ReadFile(filepath.Join(dir, "a.txt")); string(data) != c.want {
				t.Errorf("got %q, want %q", data, c.want)
			}
			undo(t, r, "r1")
			same(t, "after undo", take(t, dir), mine)
		})
	}
}

// TestBringBackIsCompletedAfterAKill: what was recorded and not written yet is.
func TestBringBackIsCompletedAfterAKill(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n"})
	r := open(t, dir)
	before := take(t, dir)
	f := refineIn(t, r, "r1", map[string]string{"a.txt": "A\n", "b.txt": "B\n", "c.txt": "C\n"})
	stop := errors.New("killed")
	r.shared.step = func(name string) {
		if name == "restore: before writing b.txt" {
			panic(stop)
		}
	}
	func() {
		defer func() { _ = recover() }()
		_, _ = r.Results.BringBack(t.Context(), "r1", f.read, f.result)
	}()
	r = open(t, dir)
	if got := files(t, dir); !strings.HasSuffix(got["a.txt"], " A\n") || !strings.HasSuffix(got["b.txt"], " b\n") {
		t.Fatalf("after the kill: %v", got)
	}
	put(t, dir, "c.txt", "mine\n")
	half, other := fmt.Sprintf(".booty-%d-0a.tmp", os.Getpid()), fmt.Sprintf(".booty-%d1-0a.tmp", os.Getpid())
	put(t, dir, half, "B")
	put(t, dir, other, "of another process")
	must(t, r.Results.Complete(t.Context(), "r1"))
	if got := files(t, dir); got[half] != "" || got[other] == "" {
		t.Errorf("half a file after completing: %v", got)
	}
	must(t, os.Remove(filepath.Join(dir, other)))
	if got := files(t, dir); !strings.HasSuffix(got["b.txt"], " B\n") || !strings.HasSuffix(got["c.txt"], " mine\n") {
		t.Errorf("after completing: %v", got)
	}
	put(t, dir, "c.txt", "c\n")
	undo(t, r, "r1")
	same(t, "after undo", take(t, dir), before)
}

func TestPutBackTouchesOnlyWhatIsNamed(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n"})
	r := open(t, dir)
	cp, err := r.States.Snapshot(t.Context(), "r1", 0, "before")
	must(t, err)
	for _, name := range []string{"a.txt", "b.txt", "coverage/out", "mine"} {
		put(t, dir, name, "changed\n")
	}
	must(t, os.Remove(filepath.Join(dir, "c.txt")))
	list, err := r.States.Since(t.Context(), cp)
	must(t, err)
	var got []string
	for _, c := range list {
		got = append(got, c.Op+" "+c.Path)
	}
	if s := strings.Join(got, ", "); s != "modify a.txt, modify b.txt, delete c.txt, create coverage/out, create mine" {
		t.Errorf("got %s", s)
	}
	must(t, r.States.PutBack(t.Context(), cp, []string{"a.txt", "c.txt", "coverage/out"}, false))
	if m := files(t, dir); m["a.txt"] != "-rw-r--r-- a\n" || m["c.txt"] == "" || m["coverage/out"] == "" || m["b.txt"] != "-rw-r--r-- changed\n" {
		t.Errorf("after putting tracked files back: %v", m)
	}
	must(t, r.States.PutBack(t.Context(), cp, []string{"coverage/out"}, true))
	if _, err := os.Stat(filepath.Join(dir, "coverage")); err == nil {
		t.Error("the new file's directory is still there")
	}
	if m := files(t, dir); m["mine"] == "" {
		t.Error("a file that was not named is gone")
	}
}

func TestCompletingWritesNothingThatTheUserTookBack(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n"})
	r := open(t, dir)
	broughtIn(t, r, "r1", map[string]string{"a.txt": "by the run\n", "b.txt": "by the run\n"})
	testkit.Git(t, dir, "checkout", "a.txt")
	must(t, r.Results.Complete(t.Context(), "r1"))
	if got := files(t, dir); !strings.HasSuffix(got["a.txt"], " a\n") || !strings.HasSuffix(got["b.txt"], " by the run\n") {
		t.Errorf("got %v, want a.txt as the user left it", got)
	}
}
