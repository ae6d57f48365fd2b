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

// begin does what a run does first: checkpoint 0 and, with a branch, the switch.
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

// end leaves a refine: its last state is recorded.
func end(t *testing.T, r *Repo, run string, n int) {
	t.Helper()
	_, err := r.Snapshot(t.Context(), run, n, "as the run left it")
	must(t, err)
	must(t, r.ClearState(t.Context()))
}

func TestUndoOfARefine(t *testing.T) {
	testkit.Hermetic(t)
	dir := dirty(t)
	r := open(t, dir)
	before := take(t, dir)
	begin(t, r, "r1", "")
	put(t, dir, "kept.txt", "attempt 1\n")
	_, err := r.Snapshot(t.Context(), "r1", 1, "attempt 1")
	must(t, err)
	after1 := take(t, dir)
	wreck(t, dir)
	end(t, r, "r1", 2)

	must(t, undoTo(t.Context(), r, "r1", 1))
	same(t, "after undo to attempt 1", take(t, dir), after1)
	must(t, undoTo(t.Context(), r, "r1", 0))
	same(t, "after undo", take(t, dir), before)
	must(t, undoTo(t.Context(), r, "r1", 0))
	same(t, "a second undo changes nothing", take(t, dir), before)
	sound(t, dir)
}

func TestUndoRefusesToOverwriteLaterChanges(t *testing.T) {
	cases := []struct {
		name   string
		change func(t *testing.T, dir string)
		says   string
	}{
		{"a file that the run changed", func(t *testing.T, dir string) { put(t, dir, "a.txt", "mine, later\n") }, "a.txt"},
		{"a file that the run did not touch", func(t *testing.T, dir string) { put(t, dir, "b.txt", "mine, later\n") }, "b.txt"},
		{"a new file", func(t *testing.T, dir string) { put(t, dir, "new file.txt", "mine, later\n") }, "new file.txt"},
		{"a mode", func(t *testing.T, dir string) { must(t, os.Chmod(filepath.Join(dir, "b.txt"), 0o755)) }, "b.txt"},
		{"a deleted file", func(t *testing.T, dir string) { must(t, os.Remove(filepath.Join(dir, "b.txt"))) }, "b.txt"},
		{"another branch", func(t *testing.T, dir string) { testkit.Git(t, dir, "switch", "-q", "-c", "elsewhere") }, "elsewhere"},
		{"a commit", func(t *testing.T, dir string) { testkit.Git(t, dir, "commit", "-q", "-am", "mine") }, "main"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			testkit.Hermetic(t)
			dir := testkit.Repo(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n"})
			r := open(t, dir)
			begin(t, r, "r1", "")
			put(t, dir, "a.txt", "by the run\n")
			end(t, r, "r1", 1)
			c.change(t, dir)
			later := take(t, dir)
			err := undoTo(t.Context(), open(t, dir), "r1", 0)
			if fault.KindOf(err) != fault.Refused || fault.HintOf(err) == "" || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, hint %q; want a refusal that names %s", err, fault.HintOf(err), c.says)
			}
			same(t, "a refused undo changes nothing", take(t, dir), later)
		})
	}
}

func TestUndoToAnAttemptLeavesAnInterruptedRunToBeEnded(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n"})
	r := open(t, dir)
	before := take(t, dir)
	begin(t, r, "r1", "booty/task")
	put(t, dir, "a.txt", "attempt 1\n")
	_, err := r.Snapshot(t.Context(), "r1", 1, "attempt 1")
	must(t, err)
	put(t, dir, "a.txt", "half of attempt 2\n") // and killed
	r = open(t, dir)
	must(t, undoTo(t.Context(), r, "r1", 1))
	state, err := r.Interrupted(t.Context())
	if err != nil || state == nil || state.Command != "run" || state.Origin.Branch != "main" {
		t.Fatalf("got %+v, %v: the run is still to be ended", state, err)
	}
	must(t, undoTo(t.Context(), r, "r1", 0))
	same(t, "after undo", take(t, dir), before)
	if got := testkit.Git(t, dir, "show", "refs/booty/r1/9999:a.txt"); got != "half of attempt 2" {
		t.Errorf("got %q kept of what no checkpoint held", got)
	}
}

func TestUndoKeepsWhatWasCommittedOnTheFirstBranchSince(t *testing.T) {
	cases := []struct {
		name   string
		killed bool
		since  []string // done to main
		says   string   // "" where undo goes through
	}{
		{"a finished run", false, nil, "main has commits"},
		{"a run that was cut short", true, nil, ""},
		{"a branch that is gone", false, []string{"branch", "-q", "-D", "main"}, "main, where run r1 began, is gone"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			testkit.Hermetic(t)
			dir := testkit.Repo(t, map[string]string{"a.txt": "a\n"})
			r := open(t, dir)
			begin(t, r, "r1", "booty/task")
			put(t, dir, "a.txt", "by the run\n")
			testkit.Git(t, dir, "commit", "-q", "-am", "by the run")
			_, err := r.Snapshot(t.Context(), "r1", 1, "attempt 1")
			must(t, err)
			if !c.killed {
				must(t, r.ClearState(t.Context()))
			}
			testkit.Git(t, dir, "switch", "-q", "main")
			put(t, dir, "mine.txt", "work\n")
			testkit.Git(t, dir, "add", "-A")
			testkit.Git(t, dir, "commit", "-q", "-m", "mine")
			testkit.Git(t, dir, "switch", "-q", "booty/task")
			if c.since != nil {
				testkit.Git(t, dir, c.since...)
			}
			before := take(t, dir)
			err = undoTo(t.Context(), open(t, dir), "r1", 0)
			if c.says != "" {
				if fault.KindOf(err) != fault.Refused || fault.HintOf(err) == "" || !strings.Contains(err.Error(), c.says) {
					t.Errorf("got %v, hint %q; want a refusal that says %s", err, fault.HintOf(err), c.says)
				}
				same(t, "a refused undo changes nothing", take(t, dir), before)
				return
			}
			must(t, err)
			got := testkit.Git(t, dir, "branch", "--show-current") + ", " + testkit.Git(t, dir, "status", "--porcelain")
			if got != "main, " || files(t, dir)["mine.txt"] == "" {
				t.Errorf("got %s and the files %v: the commit must stay in the tree", got, files(t, dir))
			}
		})
	}
}

func TestUndoTakesBackTheRunsOwnCommit(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n"})
	put(t, dir, "mine.txt", "untracked\n")
	r := open(t, dir)
	before := take(t, dir)
	head := testkit.Git(t, dir, "rev-parse", "HEAD")
	begin(t, r, "r1", "")
	put(t, dir, "a.txt", "by the run\n")
	_, err := r.Commit(t.Context(), CommitOptions{Message: "fix", Paths: []string{"a.txt"}})
	must(t, err)
	end(t, r, "r1", 1)
	must(t, undoTo(t.Context(), r, "r1", 0))
	same(t, "after undo", take(t, dir), before)
	if now := testkit.Git(t, dir, "rev-parse", "HEAD"); now != head {
		t.Errorf("HEAD is at %s, want %s", now, head)
	}
	sound(t, dir)
}

func TestUndoBringsIgnoredFilesBackThatAnEditNamed(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{".gitignore": "*.env\n"})
	put(t, dir, "old.env", "before\n")
	put(t, dir, "other.env", "never touched\n")
	r := open(t, dir)
	before := take(t, dir)
	begin(t, r, "r1", "")
	names, err := r.Ignored(t.Context(), []string{"old.env", "new.env", "seen.txt"})
	must(t, err)
	if len(names) != 2 {
		t.Fatalf("got %q ignored, want two", names)
	}
	must(t, r.Remember(t.Context(), "r1", names))
	put(t, dir, "old.env", "edited\n")
	put(t, dir, "new.env", "made\n")
	cp1, err := r.Snapshot(t.Context(), "r1", 1, "attempt 1", SnapshotOptions{Also: names})
	must(t, err)
	state1 := take(t, dir)
	put(t, dir, "old.env", "edited again\n")
	_, err = r.Snapshot(t.Context(), "r1", 2, "attempt 2", SnapshotOptions{Also: names})
	must(t, err)
	must(t, r.Restore(t.Context(), cp1))
	same(t, "after rolling back to attempt 1", take(t, dir), state1)
	end(t, r, "r1", 3)
	must(t, undoTo(t.Context(), open(t, dir), "r1", 0))
	same(t, "after undo", take(t, dir), before)
}

func TestReturnBringsTheCheckoutBack(t *testing.T) {
	testkit.Hermetic(t)
	for _, detached := range []bool{false, true} {
		dir := testkit.Repo(t, map[string]string{"a.txt": "a\n", "dos.txt": "x\r\n", ".gitignore": "*.log\n"})
		testkit.Git(t, dir, "switch", "-q", "-c", "newer")
		put(t, dir, "a.txt", "newer\n")
		put(t, dir, "only-newer.txt", "n\n")
		testkit.Git(t, dir, "add", "-A")
		testkit.Git(t, dir, "commit", "-q", "-m", "newer")
		testkit.Git(t, dir, "switch", "-q", "main")
		if detached {
			testkit.Git(t, dir, "checkout", "-q", "--detach")
		}
		put(t, dir, "x.log", "ignored\n")
		r := open(t, dir)
		before := take(t, dir)
		cp, err := r.Snapshot(t.Context(), "r1", 0, "before")
		must(t, err)
		o, err := r.StartBranch(t.Context(), "booty/task", "newer", State{Run: "r1", Command: "run", Origin: Origin{Start: cp}})
		must(t, err)
		if got, _ := os.ReadFile(filepath.Join(dir, "a.txt")); string(got) != "newer\n" {
			t.Fatalf("got %q on the branch, want the base's content", got)
		}
		put(t, dir, "a.txt", "fixed\n")
		put(t, dir, "new/file.txt", "made\n")
		hash, err := r.Commit(t.Context(), CommitOptions{Message: "fix", Paths: []string{"a.txt", "new/file.txt"}, Onto: "newer"})
		must(t, err)
		put(t, dir, "by-product", "left by the checks, or typed by the user meanwhile\n")
		kept, err := r.Return(t.Context(), o)
		must(t, err)
		must(t, r.ClearState(t.Context()))
		same(t, "after returning", take(t, dir), before)
		if kept == "" || testkit.Git(t, dir, "show", kept+":by-product") == "" {
			t.Errorf("the stray file is not kept under %q", kept)
		}
		if testkit.Git(t, dir, "rev-parse", "booty/task") != hash || testkit.Git(t, dir, "rev-list", "--count", "newer..booty/task") != "1" {
			t.Error("the branch should hold one commit more than its base")
		}
		sound(t, dir)
	}
}

func TestABranchSwitchedByHandIsNotTouched(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n"})
	testkit.Git(t, dir, "branch", "other")
	r := open(t, dir)
	o := begin(t, r, "r1", "booty/task")
	testkit.Git(t, dir, "switch", "-q", "other")
	put(t, dir, "a.txt", "work on other\n")
	later := take(t, dir)
	_, err := r.Return(t.Context(), o)
	if fault.KindOf(err) != fault.Refused || !strings.Contains(err.Error(), "other") || !strings.Contains(fault.HintOf(err), "main") {
		t.Errorf("got %v, hint %q; want a refusal that names both branches", err, fault.HintOf(err))
	}
	same(t, "after the refusal", take(t, dir), later)
}

func TestWorkOnTheFirstBranchDuringARunIsNotTouched(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n"})
	r := open(t, dir)
	o := begin(t, r, "r1", "booty/task")
	testkit.Git(t, dir, "switch", "-q", "main")
	before := take(t, dir)
	put(t, dir, "a.txt", "typed on main\n")
	later := take(t, dir)
	if _, err := r.Return(t.Context(), o); fault.KindOf(err) != fault.Refused {
		t.Errorf("return: got %v, want a refusal", err)
	}
	if err := undoTo(t.Context(), open(t, dir), "r1", 0); fault.KindOf(err) != fault.Refused || !strings.Contains(err.Error(), "a.txt") {
		t.Errorf("undo: got %v, want a refusal that names the file", err)
	}
	same(t, "after both", take(t, dir), later)
	put(t, dir, "a.txt", "a\n")
	_, err := r.Return(t.Context(), o)
	must(t, err)
	same(t, "with nothing in the way", take(t, dir), before)
}

func TestReturnFollowsABranchThatMoved(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n"})
	r := open(t, dir)
	o := begin(t, r, "r1", "booty/task")
	put(t, dir, "a.txt", "moved on\n")
	testkit.Git(t, dir, "commit", "-q", "-am", "on the run's branch")
	testkit.Git(t, dir, "branch", "-f", "main", "HEAD") // as a fetch into it would
	_, err := r.Return(t.Context(), o)
	must(t, err)
	if st := testkit.Git(t, dir, "status", "--porcelain"); st != "" {
		t.Errorf("got %q, want a clean tree on the moved branch", st)
	}
	if got, _ := os.ReadFile(filepath.Join(dir, "a.txt")); string(got) != "moved on\n" {
		t.Errorf("got %q, want the moved branch's content", got)
	}
}

func TestStartBranchSaysWhatIsInTheWay(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n"})
	testkit.Git(t, dir, "switch", "-q", "-c", "newer")
	put(t, dir, "in-the-way.txt", "tracked there\n")
	testkit.Git(t, dir, "add", "-A")
	testkit.Git(t, dir, "commit", "-q", "-m", "newer")
	testkit.Git(t, dir, "switch", "-q", "main")
	put(t, dir, "in-the-way.txt", "mine\n")
	testkit.Git(t, dir, "branch", "taken")
	r := open(t, dir)
	if _, err := r.StartBranch(t.Context(), "booty/x", "newer", State{Run: "r1"}); fault.KindOf(err) != fault.Refused || !strings.Contains(err.Error(), "in-the-way.txt") {
		t.Errorf("got %v, want a refusal that names the file", err)
	}
	if _, err := r.StartBranch(t.Context(), "taken", "main", State{Run: "r1"}); fault.KindOf(err) != fault.Git || !strings.Contains(err.Error(), "exists") {
		t.Errorf("got %v, want a refusal that names the branch", err)
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

func undoTo(ctx context.Context, r *Repo, run string, n int) error {
	cp, err := r.UndoAttempt(ctx, run, n)
	if err != nil {
		return err
	}
	return r.Undo(ctx, run, cp)
}
