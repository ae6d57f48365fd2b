//go:build unix

package workspace

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/testkit"
)

// stories are what a killed process was doing. Each is run again and again,
// killed one step later each time.
var stories = map[string]func(ctx context.Context, r *Repo, write func(name, content string) error) error{
	"a run on a branch": func(ctx context.Context, r *Repo, write func(string, string) error) error {
		cp, err := r.Snapshot(ctx, "r1", 0, "before")
		if err != nil {
			return err
		}
		o, err := r.StartBranch(ctx, "booty/task", "newer", State{Run: "r1", Command: "run", Origin: Origin{Start: cp}})
		if err != nil {
			return err
		}
		if err := errors.Join(write("kept.txt", "attempt 1\n"), write("made/file.txt", "new\n")); err != nil {
			return err
		}
		cp1, err := r.Snapshot(ctx, "r1", 1, "attempt 1")
		if err != nil {
			return err
		}
		if err := errors.Join(write("kept.txt", "attempt 2\n"), write("dos.txt", "attempt 2\n")); err != nil {
			return err
		}
		if _, err := r.Snapshot(ctx, "r1", 2, "attempt 2"); err != nil {
			return err
		}
		if err := r.Restore(ctx, cp1); err != nil {
			return err
		}
		if _, err := r.Commit(ctx, CommitOptions{Message: "fix", Paths: []string{"kept.txt", "made/file.txt"}, Onto: "newer"}); err != nil {
			return err
		}
		if _, err := r.Return(ctx, o); err != nil {
			return err
		}
		return r.ClearState(ctx)
	},
	"a refine of a dirty tree": func(ctx context.Context, r *Repo, write func(string, string) error) error {
		cp, err := r.Snapshot(ctx, "r1", 0, "before")
		if err != nil {
			return err
		}
		if err := r.SaveState(ctx, State{Run: "r1", Command: "refine", Origin: Origin{Start: cp}}); err != nil {
			return err
		}
		if err := errors.Join(write("kept.txt", "attempt 1\n"), write("untracked.txt", "overwritten\n")); err != nil {
			return err
		}
		if _, err := r.Snapshot(ctx, "r1", 1, "attempt 1"); err != nil {
			return err
		}
		if err := write("swap/inside.txt", "attempt 2\n"); err != nil {
			return err
		}
		if err := r.Restore(ctx, cp); err != nil {
			return err
		}
		if _, err := r.Commit(ctx, CommitOptions{Message: "fix", Paths: []string{"kept.txt", "untracked.txt"}}); err != nil {
			return err
		}
		if _, err := r.Snapshot(ctx, "r1", 2, "as the run left it"); err != nil {
			return err
		}
		return r.ClearState(ctx)
	},
	"an undo": func(ctx context.Context, r *Repo, write func(string, string) error) error {
		if _, err := r.Snapshot(ctx, "r1", 0, "before"); err != nil {
			return err
		}
		step := r.step
		r.step = func(string) {} // killed in the undo only
		if err := errors.Join(write("kept.txt", "by the run\n"), write("made/file.txt", "new\n"),
			os.Remove(filepath.Join(r.Root(), "no-newline"))); err != nil {
			return err
		}
		if _, err := r.Commit(ctx, CommitOptions{Message: "fix", Paths: []string{"kept.txt", "made/file.txt"}}); err != nil {
			return err
		}
		if _, err := r.Snapshot(ctx, "r1", 1, "as the run left it"); err != nil {
			return err
		}
		r.step = step
		return undoTo(ctx, r, "r1", 0)
	},
}

const (
	killStory = "BOOTY_TEST_STORY"
	killStep  = "BOOTY_TEST_STEP"
	killDir   = "BOOTY_TEST_DIR"
)

// TestTellAStory is the process that gets killed; by itself it does nothing.
func TestTellAStory(t *testing.T) {
	name := os.Getenv(killStory)
	if name == "" {
		t.Skip("started by TestKilledAtEveryStep only")
	}
	at, err := strconv.Atoi(os.Getenv(killStep))
	must(t, err)
	r := open(t, os.Getenv(killDir))
	_, err = r.Lock(t.Context(), "run r1")
	must(t, err)
	steps := 0
	r.step = func(string) {
		if steps++; steps == at {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}
	write := func(name, content string) error {
		r.step("edit: before " + name)
		path := filepath.Join(r.Root(), name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		return writeAtomic(path, []byte(content), 0o644)
	}
	must(t, stories[name](t.Context(), r, write))
}

func TestKilledAtEveryStep(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	for name := range stories {
		t.Run(name, func(t *testing.T) {
			testkit.Hermetic(t)
			steps, undone := 0, 0
			model := killRepo(t, name)
			before := take(t, model)
			head := testkit.Git(t, model, "rev-parse", "HEAD")
			for at := 1; ; at++ {
				dir := filepath.Join(t.TempDir(), "copy")
				if out, err := exec.CommandContext(t.Context(), "cp", "-a", model, dir).CombinedOutput(); err != nil {
					t.Fatalf("%v: %s", err, out)
				}
				if !killedAt(t, name, dir, at) {
					break
				}
				steps++
				r := open(t, dir)
				l, err := r.Lock(t.Context(), "undo")
				must(t, err)
				sound(t, dir)
				if now := take(t, dir); now.Head != before.Head || testkit.Git(t, dir, "rev-parse", "HEAD") != head || now.Index != before.Index || !sameFiles(now, before) {
					state, err := r.Interrupted(t.Context())
					if err != nil || state == nil && name != "an undo" {
						t.Errorf("killed at step %d: nothing tells that a run was interrupted (%v)", at, err)
					}
					if err := undoTo(t.Context(), r, "r1", 0); err != nil {
						t.Fatalf("killed at step %d: undo: %v (%s)", at, err, fault.HintOf(err))
					}
					undone++
				}
				same(t, "killed at step "+strconv.Itoa(at), take(t, dir), before)
				if now := testkit.Git(t, dir, "rev-parse", "HEAD"); now != head {
					t.Errorf("killed at step %d: HEAD is at %s, want %s", at, now, head)
				}
				must(t, l.Unlock())
				sound(t, dir)
			}
			t.Logf("killed at %d steps: %d times the tree was as before, %d times undo brought it back", steps, steps-undone, undone)
			if steps < 8 || undone == 0 {
				t.Errorf("the story has only %d steps, %d of them undone", steps, undone)
			}
		})
	}
}

func sameFiles(a, b photo) bool {
	if len(a.Files) != len(b.Files) {
		return false
	}
	for name, content := range a.Files {
		if b.Files[name] != content {
			return false
		}
	}
	return true
}

func killRepo(t *testing.T, story string) string {
	t.Helper()
	if story != "a run on a branch" {
		return dirty(t)
	}
	dir := testkit.Repo(t, map[string]string{"kept.txt": "kept\n", "dos.txt": "x\r\ny\r\n", ".gitignore": "*.log\n", "only-here.txt": "1\n"})
	testkit.Git(t, dir, "switch", "-q", "-c", "newer")
	put(t, dir, "kept.txt", "newer\n")
	testkit.Git(t, dir, "rm", "-q", "only-here.txt")
	testkit.Git(t, dir, "commit", "-q", "-am", "newer")
	testkit.Git(t, dir, "switch", "-q", "main")
	put(t, dir, "x.log", "ignored\n")
	return dir
}

// killedAt tells the story in a process of its own and whether it was killed.
func killedAt(t *testing.T, story, dir string, at int) bool {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestTellAStory$")
	cmd.Env = append(os.Environ(), killStory+"="+story, killDir+"="+dir, killStep+"="+strconv.Itoa(at))
	out, err := cmd.CombinedOutput()
	if err == nil {
		return false
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Fatalf("killed at step %d: %v\n%s", at, err, out)
	}
	return true
}
