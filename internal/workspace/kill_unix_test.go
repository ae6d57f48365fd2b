//go:build slow && unix

package workspace

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/booty-cli/booty/internal/atomicfile"
	"github.com/booty-cli/booty/internal/commit"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/testkit"
	"github.com/booty-cli/booty/internal/trees"
)

// stories are what a killed process was doing. Each is run again and again,
// killed one step later each time.
var stories = map[string]func(ctx context.Context, r *Repo, write func(root, name, content string) error) error{
	"a run in a tree of its own": func(ctx context.Context, r *Repo, write func(string, string, string) error) error {
		base, err := r.History.Resolve(ctx, "newer")
		if err != nil {
			return err
		}
		w, release, err := r.AddTree(ctx, base, trees.Options{})
		if err != nil {
			return err
		}
		if err := w.Tree.NameBranch(ctx, "booty/task"); err != nil {
			return err
		}
		if _, err := w.States.Snapshot(ctx, "r1", 0, "before"); err != nil {
			return err
		}
		if _, err := planned(ctx, w, "r1", 1, map[string]string{"kept.txt": "attempt 1\n", "made/file.txt": "new\n"}); err != nil {
			return err
		}
		if err := errors.Join(write(w.at.Root, "kept.txt", "attempt 1\n"), write(w.at.Root, "made/file.txt", "new\n")); err != nil {
			return err
		}
		hash, err := w.Committer.Commit(ctx, commit.Options{Message: "fix", Paths: []string{"kept.txt", "made/file.txt"}, Onto: base})
		if err != nil {
			return err
		}
		return errors.Join(r.Branches.HandOver(ctx, "run", hash, "booty/task", ""), w.Tree.ForgetBranch(), release())
	},
	"a refine of a dirty tree": func(ctx context.Context, r *Repo, _ func(string, string, string) error) error {
		_, err := refineAndCommit(ctx, r)
		return err
	},
	"an undo": func(ctx context.Context, r *Repo, _ func(string, string, string) error) error {
		step := r.shared.step
		r.shared.step = func(string) {} // killed in the undo only
		if _, err := refineAndCommit(ctx, r); err != nil {
			return err
		}
		r.shared.step = step
		_, err := r.Results.Undo(ctx, "r1")
		return err
	},
}

// refineAndCommit is a refine --commit from the first look at the checkout to the last.
func refineAndCommit(ctx context.Context, r *Repo) (string, error) {
	f, release, err := refine(ctx, r, "r1", map[string]string{"kept.txt": "by the run\n", "made/file.txt": "new\n", "no-newline": "",
		"untracked.txt": "overwritten\n"})
	if err != nil {
		return "", err
	}
	commit, err := f.tree.Committer.Commit(ctx, commit.Options{Message: "fix", Paths: []string{"kept.txt", "made/file.txt"},
		Trailers: []string{"Booty-Run: r1"}})
	if err != nil {
		return "", err
	}
	if _, err := r.Results.BringBack(ctx, "r1", f.read, f.result); err != nil {
		return "", err
	}
	return commit, errors.Join(r.Results.TakeCommit(ctx, commit, f.read.Branch, f.read.Head, []string{"kept.txt", "made/file.txt"}), release())
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
	r.shared.step = func(string) {
		if steps++; steps == at {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}
	write := func(root, name, content string) error {
		r.shared.step("edit: before " + name)
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		return atomicfile.Write(path, []byte(content), 0o644)
	}
	must(t, stories[name](t.Context(), r, write))
}

func TestKilledAtEveryStep(t *testing.T) {
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
				if now := take(t, dir); now.Head != before.Head || testkit.Git(t, dir, "rev-parse", "HEAD") != head || !sameFiles(now, before) {
					if brought, err := r.Results.Wrote(t.Context(), "r1"); err != nil || !brought {
						t.Errorf("killed at step %d: nothing is on record of what was written (%v)", at, err)
					}
					if _, err := r.Results.Undo(t.Context(), "r1"); err != nil {
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
			if steps < 6 || undone == 0 != (name == "a run in a tree of its own") {
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
	if !strings.HasPrefix(story, "a run ") {
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
