package workspace

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/commit"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/snapshot"
	"github.com/booty-cli/booty/internal/testkit"
	"github.com/booty-cli/booty/internal/trees"
)

func TestAnEditorThatWritesMeanwhileIsNotOverwritten(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n"})
	r := open(t, dir)
	cp, err := r.States.Snapshot(t.Context(), "r1", 0, "before")
	must(t, err)
	put(t, dir, "a.txt", "by the run\n")
	r.shared.step = func(name string) {
		if name == "restore: before writing a.txt" {
			put(t, dir, "a.txt", "by the editor\n")
		}
	}
	err = r.States.Restore(t.Context(), cp)
	if fault.KindOf(err) != fault.Refused || !errors.Is(err, snapshot.ErrMeanwhile) {
		t.Errorf("got %v, want a refusal", err)
	}
	if got := files(t, dir)["a.txt"]; !strings.Contains(got, "by the editor") {
		t.Errorf("got %q: the editor's bytes are lost", got)
	}
}

func TestARunOfAnotherWorkTreeIsNotUndoneHere(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n"})
	linked := filepath.Join(t.TempDir(), "linked")
	testkit.Git(t, dir, "worktree", "add", "-q", "--detach", linked)
	there := open(t, linked)
	broughtIn(t, there, "r1", map[string]string{"a.txt": "changed there\n"})
	here := open(t, dir)
	if _, err := here.Results.Undo(t.Context(), "r1"); fault.KindOf(err) != fault.Refused || !strings.Contains(err.Error(), "another work tree") {
		t.Errorf("got %v, want a refusal", err)
	}
	runs, err := here.Records.Runs(t.Context())
	must(t, err)
	if len(runs) != 1 || runs[0].Here {
		t.Errorf("got %+v, want one run that is not of this work tree", runs)
	}
	undo(t, there, "r1")
}

func TestCtrlCLeavesNoLockBehind(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n"})
	started := filepath.Join(t.TempDir(), "started")
	hook(t, dir, "pre-commit", "touch "+started+"; sleep 60")
	put(t, dir, "a.txt", "fixed\n")
	put(t, dir, "new.txt", "new\n")
	before := take(t, dir)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for {
			if _, err := os.Stat(started); err == nil {
				cancel()
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	_, err := commitWithin(ctx, t, open(t, dir), commit.Options{Message: "fix", Paths: []string{"a.txt", "new.txt"}})
	if fault.KindOf(err) != fault.Interrupted {
		t.Errorf("got %v, want an interruption", err)
	}
	same(t, "after the interruption", take(t, dir), before)
	sound(t, dir)
}

func TestNothingIsStartedOnceTheContextHasEnded(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n"})
	r := open(t, dir)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.States.Snapshot(ctx, "r1", 0, "before"); fault.KindOf(err) != fault.Interrupted {
		t.Errorf("got %v, want an interruption", err)
	}
	if refs, err := r.at.Store.Refs(); err != nil || len(refs) > 0 {
		t.Errorf("got %s, %v, want no reference", refs, err)
	}
}

func TestADamagedShadowIsMadeAnew(t *testing.T) {
	testkit.Hermetic(t)
	dir := dirty(t)
	r := open(t, dir)
	before := take(t, dir)
	cp, err := r.States.Snapshot(t.Context(), "r1", 0, "before")
	must(t, err)
	wreck(t, dir)
	for _, damage := range []string{"", "DIRC", "nonsense that is no index at all"} {
		must(t, os.WriteFile(filepath.Join(r.at.Store.Private(), "shadow", "index"), []byte(damage), 0o644))
		must(t, os.WriteFile(filepath.Join(r.at.Store.Private(), "shadow", "index.lock"), nil, 0o644))
		if _, err := open(t, dir).States.Since(t.Context(), cp); err != nil {
			t.Errorf("with the index %q: %v", damage, err)
		}
	}
	must(t, open(t, dir).States.Restore(t.Context(), cp))
	same(t, "after restoring", take(t, dir), before)
}

func TestUndoKeepsPermissions(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n"})
	must(t, os.Chmod(filepath.Join(dir, "a.txt"), 0o444))
	must(t, os.Chmod(filepath.Join(dir, "b.txt"), 0o400))
	r, before := open(t, dir), take(t, dir)
	broughtIn(t, r, "r1", map[string]string{"a.txt": "", "b.txt": "by the run\n"})
	undo(t, r, "r1")
	same(t, "after undo", take(t, dir), before)
}

func TestHooksHaveNoPartInBootysOwnRecords(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n"})
	hooks := t.TempDir()
	for _, name := range []string{"post-index-change", "reference-transaction", "post-checkout"} {
		must(t, os.WriteFile(filepath.Join(hooks, name), []byte("#!/bin/sh\ntouch "+filepath.Join(hooks, "was-here")+"\nexit 1\n"), 0o755))
	}
	testkit.Git(t, dir, "config", "--global", "core.hooksPath", hooks)
	put(t, dir, "b.txt", "b\n")
	r := open(t, dir)
	cp, err := r.States.Snapshot(t.Context(), "r1", 0, "before")
	must(t, err)
	put(t, dir, "b.txt", "changed\n")
	must(t, r.States.Restore(t.Context(), cp))
	if _, err := os.Stat(filepath.Join(hooks, "was-here")); err == nil {
		t.Error("a hook was run")
	}
}

func TestARepositoryThatIsMovedMeanwhile(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n"})
	r := open(t, dir)
	cp, err := r.States.Snapshot(t.Context(), "r1", 0, "before")
	must(t, err)
	must(t, os.Rename(dir, dir+"-moved"))
	_, err = r.at.Store.Objects().Commit(cp.Commit)
	if fault.KindOf(err) != fault.Git || !strings.Contains(err.Error(), "was the repository moved?") {
		t.Errorf("got %v", err)
	}
}

// TestAnotherRepositoryAtTheSamePlace: what is kept of the first one names objects that went
// with it.
func TestAnotherRepositoryAtTheSamePlace(t *testing.T) {
	testkit.Hermetic(t)
	dir, state := filepath.Join(t.TempDir(), "app"), t.TempDir()
	for _, name := range []string{"first", "second"} {
		must(t, os.RemoveAll(dir))
		must(t, os.Rename(testkit.Repo(t, map[string]string{"a.txt": name + "\n", name + "/b.txt": name + "\n",
			"sub/c.txt": name + "\n"}), dir))
		r, err := Open(t.Context(), dir, Options{StateDir: state})
		must(t, err)
		w, done := treeAt(t, r, trees.Options{})
		cp, err := w.States.Snapshot(t.Context(), name, 0, "before")
		must(t, err)
		put(t, w.Root(), "a.txt", "changed\n")
		_, err = w.States.Since(t.Context(), cp)
		must(t, err)
		beside, release, err := w.AddTreeBeside(t.Context(), cp.Commit)
		if err != nil {
			t.Fatalf("the %s one: %v", name, err)
		}
		if got, want := files(t, beside.Root()), 3; len(got) != want || got["sub/c.txt"] != "-rw-r--r-- "+name+"\n" {
			t.Errorf("the tree of the %s one: %v", name, got)
		}
		must(t, release())
		done()
	}
}

// TestTreesAreMadeAgainAfterTheRepositoryWasReplaced: what is kept of the checkout names files that
// the new repository does not have. That is found once.
func TestTreesAreMadeAgainAfterTheRepositoryWasReplaced(t *testing.T) {
	testkit.Hermetic(t)
	dir, state := testkit.Repo(t, map[string]string{"a": "a\n", "sub/x": "x\n", "sub/deep/y": "y\n"}), t.TempDir()
	tree := func() error {
		r, err := Open(t.Context(), dir, Options{StateDir: state})
		must(t, err)
		defer r.Close()
		cp, err := r.States.Look(t.Context())
		if err != nil {
			return err
		}
		_, release, err := r.AddTree(t.Context(), cp.Commit, trees.Options{})
		if err != nil {
			return err
		}
		must(t, release())
		_, err = r.Slots.Drop(t.Context(), 0)
		return err
	}
	must(t, tree())
	must(t, os.RemoveAll(filepath.Join(dir, ".git")))
	must(t, os.Rename(filepath.Join(testkit.Repo(t, map[string]string{"a": "a\n"}), ".git"), filepath.Join(dir, ".git")))
	_ = tree() // it finds that objects are gone
	must(t, tree())
}
