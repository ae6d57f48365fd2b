package workspace

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/testkit"
)

// begin does what a run in the checkout does first: checkpoint 0 and, with a branch,
// the switch.
func begin(t *testing.T, r *Repo, run, branch string) Origin {
	t.Helper()
	cp, err := r.Snapshot(t.Context(), run, 0, "before")
	must(t, err)
	o := Origin{Start: cp}
	if branch == "" {
		must(t, r.SaveState(t.Context(), State{Run: run, Command: "refine", Origin: o}))
		return o
	}
	o, err = r.StartBranch(t.Context(), branch, "HEAD", State{Run: run, Command: "run", Origin: o})
	must(t, err)
	return o
}

// attempt writes files as a proposal does: recorded first. "" removes one.
func attempt(t *testing.T, r *Repo, run string, n int, files map[string]string) Checkpoint {
	t.Helper()
	cp, err := planned(t.Context(), r, run, n, files)
	must(t, err)
	for path, content := range files {
		if content == "" {
			must(t, os.Remove(filepath.Join(r.root, path)))
		} else {
			put(t, r.root, path, content)
		}
	}
	return cp
}

func planned(ctx context.Context, r *Repo, run string, n int, files map[string]string) (Checkpoint, error) {
	from, err := r.Checkpoint(ctx, run, n-1)
	if err != nil {
		return from, err
	}
	var list []Intended
	var paths []string
	for path, content := range files {
		paths = append(paths, path)
		list = append(list, Intended{Path: path, Mode: 0o644, Data: []byte(content), Gone: content == ""})
	}
	ignored, err := r.Ignored(ctx, paths)
	if err == nil {
		err = r.Remember(ctx, run, ignored)
	}
	if err != nil {
		return from, err
	}
	return r.Plan(ctx, run, n, from, list, "attempt")
}

func undoTo(ctx context.Context, r *Repo, run string, n int) error {
	cp, err := r.Checkpoint(ctx, run, n)
	if err != nil {
		return err
	}
	_, err = r.Undo(ctx, run, cp)
	return err
}

func TestUndoOfARefine(t *testing.T) {
	testkit.Hermetic(t)
	dir := dirty(t)
	r := open(t, dir)
	before := take(t, dir)
	begin(t, r, "r1", "")
	attempt(t, r, "r1", 1, map[string]string{"kept.txt": "attempt 1\n", "made/file.txt": "new\n"})
	after1 := take(t, dir)
	attempt(t, r, "r1", 2, map[string]string{"kept.txt": "attempt 2\n", "no-newline": "", "private.key": "", "made/file.txt": "newer\n"})
	must(t, r.ClearState(t.Context()))

	must(t, undoTo(t.Context(), r, "r1", 1))
	same(t, "after undo to attempt 1", take(t, dir), after1)
	must(t, undoTo(t.Context(), r, "r1", 0))
	same(t, "after undo", take(t, dir), before)
	must(t, undoTo(t.Context(), r, "r1", 0))
	same(t, "a second undo changes nothing", take(t, dir), before)
	sound(t, dir)
}

// TestUndoLooksAtNothingElse: what the user did beside the run stays, and refuses
// nothing.
func TestUndoLooksAtNothingElse(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n"})
	r := open(t, dir)
	begin(t, r, "r1", "")
	attempt(t, r, "r1", 1, map[string]string{"a.txt": "by the run\n"})
	must(t, r.ClearState(t.Context()))
	put(t, dir, "b.txt", "mine\n")
	put(t, dir, "new.txt", "mine\n")
	testkit.Git(t, dir, "rm", "-q", "c.txt")
	testkit.Git(t, dir, "commit", "-q", "-m", "mine")
	must(t, undoTo(t.Context(), r, "r1", 0))
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
			begin(t, r, "r1", "")
			attempt(t, r, "r1", 1, map[string]string{"a.txt": "by the run\n", "made.txt": "by the run\n"})
			must(t, r.ClearState(t.Context()))
			change(t, dir)
			before := take(t, dir)
			err := undoTo(t.Context(), r, "r1", 0)
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
	begin(t, r, "r1", "")
	attempt(t, r, "r1", 1, map[string]string{"a.txt": "fixed\n"})
	_, err := r.Commit(t.Context(), CommitOptions{Message: "fix", Paths: []string{"a.txt"}, Trailers: []string{"Booty-Run: r1"}})
	must(t, err)
	must(t, r.ClearState(t.Context()))
	must(t, undoTo(t.Context(), r, "r1", 0))
	if now := testkit.Git(t, dir, "rev-parse", "HEAD"); now != head {
		t.Errorf("HEAD is at %s, want %s", now, head)
	}
	same(t, "after undo", take(t, dir), before)
}

func TestUndoBringsIgnoredFilesBackThatAnEditNamed(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n", ".gitignore": "*.env\n"})
	put(t, dir, "x.env", "SECRET=1\n")
	r := open(t, dir)
	before := take(t, dir)
	begin(t, r, "r1", "")
	attempt(t, r, "r1", 1, map[string]string{"x.env": "SECRET=2\n", "y.env": "new\n"})
	must(t, undoTo(t.Context(), r, "r1", 0))
	same(t, "after undo", take(t, dir), before)
}

func TestReturnBringsTheCheckoutBack(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n"})
	put(t, dir, "scratch.txt", "mine\n")
	r := open(t, dir)
	before := take(t, dir)
	o := begin(t, r, "r1", "booty/task")
	attempt(t, r, "r1", 1, map[string]string{"a.txt": "fixed\n", "new.txt": "new\n"})
	hash, err := r.Commit(t.Context(), CommitOptions{Message: "fix", Paths: []string{"a.txt", "new.txt"}})
	must(t, err)
	must(t, r.Return(t.Context(), o, "r1"))
	same(t, "after the return", take(t, dir), before)
	if tip := testkit.Git(t, dir, "rev-parse", "booty/task"); tip != hash {
		t.Errorf("the branch is at %s, want %s", tip, hash)
	}
	sound(t, dir)
}

// TestReturnLeavesWhatTheUserDid: it stays where it is and says so.
func TestReturnLeavesWhatTheUserDid(t *testing.T) {
	cases := map[string]struct {
		do   func(t *testing.T, dir string)
		says string
	}{
		"an edit of a file of the run": {func(t *testing.T, dir string) { put(t, dir, "a.txt", "mine\n") }, "you changed a.txt"},
		"a switch by hand": {func(t *testing.T, dir string) { testkit.Git(t, dir, "switch", "-q", "-c", "other") },
			"switched to other"},
		"commits on the first branch": {func(t *testing.T, dir string) {
			testkit.Git(t, dir, "update-ref", "refs/heads/main", testkit.Git(t, dir, "commit-tree", "-p", "main", "-m", "x", "main^{tree}"))
		}, "branch main has new commits"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			testkit.Hermetic(t)
			dir := testkit.Repo(t, map[string]string{"a.txt": "a\n"})
			r := open(t, dir)
			o := begin(t, r, "r1", "booty/task")
			attempt(t, r, "r1", 1, map[string]string{"a.txt": "by the run\n"})
			c.do(t, dir)
			before := take(t, dir)
			err := r.Return(t.Context(), o, "r1")
			if fault.KindOf(err) != fault.Refused || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want it to say %q", err, c.says)
			}
			same(t, "after a return that was not made", take(t, dir), before)
		})
	}
}

func TestBringBackLeavesTheUsersChanges(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n"})
	r := open(t, dir)
	o := begin(t, r, "r1", "")
	attempt(t, r, "r1", 1, map[string]string{"a.txt": "by the run\n", "b.txt": "by the run\n"})
	put(t, dir, "b.txt", "mine\n")
	theirs, err := r.BringBack(t.Context(), "r1", o.Start)
	must(t, err)
	if got := files(t, dir); strings.Join(theirs, " ") != "b.txt" || !strings.HasSuffix(got["a.txt"], " a\n") ||
		!strings.HasSuffix(got["b.txt"], " mine\n") {
		t.Errorf("got %v left alone, files %v", theirs, got)
	}
}

func TestStartBranchSaysWhatIsInTheWay(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n"})
	testkit.Git(t, dir, "branch", "taken")
	r := open(t, dir)
	_, err := r.StartBranch(t.Context(), "taken", "HEAD", State{Run: "r1"})
	if fault.KindOf(err) != fault.Git || !strings.Contains(err.Error(), "taken") || fault.HintOf(err) == "" {
		t.Errorf("got %v", err)
	}
	if state, err := r.Interrupted(t.Context()); state != nil || err != nil {
		t.Errorf("got %+v, %v: nothing came of it, so nothing is under way", state, err)
	}
}

func TestPutBackTouchesOnlyWhatIsNamed(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n"})
	r := open(t, dir)
	cp, err := r.Snapshot(t.Context(), "r1", 0, "before")
	must(t, err)
	for _, name := range []string{"a.txt", "b.txt", "coverage/out", "mine"} {
		put(t, dir, name, "changed\n")
	}
	must(t, os.Remove(filepath.Join(dir, "c.txt")))
	list, err := r.Since(t.Context(), cp)
	must(t, err)
	var got []string
	for _, c := range list {
		got = append(got, c.Op+" "+c.Path)
	}
	if s := strings.Join(got, ", "); s != "modify a.txt, modify b.txt, delete c.txt, create coverage/out, create mine" {
		t.Errorf("got %s", s)
	}
	must(t, r.PutBack(t.Context(), cp, []string{"a.txt", "c.txt", "coverage/out"}, false))
	if m := files(t, dir); m["a.txt"] != "-rw-r--r-- a\n" || m["c.txt"] == "" || m["coverage/out"] == "" || m["b.txt"] != "-rw-r--r-- changed\n" {
		t.Errorf("after putting tracked files back: %v", m)
	}
	must(t, r.PutBack(t.Context(), cp, []string{"coverage/out"}, true))
	if _, err := os.Stat(filepath.Join(dir, "coverage")); err == nil {
		t.Error("the new file's directory is still there")
	}
	if m := files(t, dir); m["mine"] == "" {
		t.Error("a file that was not named is gone")
	}
}
