package snapshot

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/testkit"
)

// listed are changes as "op path".
func listed(changes []Change) (list []string) {
	for _, c := range changes {
		list = append(list, c.Op+" "+c.Path)
	}
	slices.Sort(list)
	return list
}

// content reads some files of a tree; "-" is one that is not there.
func content(dir string, names ...string) map[string]string {
	m := map[string]string{}
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if m[name] = string(data); err != nil {
			m[name] = "-"
		}
	}
	return m
}

// TestStatesOfATree: a tree is recorded, seen to change, and brought back, by nothing but its
// place; the user's index and HEAD stay as they are.
func TestStatesOfATree(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n", ".gitignore": "*.log\n"})
	put(t, dir, "mine.txt", "untracked\n")
	put(t, dir, "x.log", "ignored\n")
	index := testkit.Git(t, dir, "ls-files", "-s", "-v")
	at := place(t, dir, "git")
	r := at.Recorder()
	before, err := r.Snapshot(t.Context(), "r1", 0, "before")
	must(t, err)
	put(t, dir, "a.txt", "changed\n")
	put(t, dir, "new/c.txt", "c\n")
	put(t, dir, "x.log", "ignored still\n")
	must(t, os.Remove(filepath.Join(dir, "b.txt")))
	want := []string{"create new/c.txt", "delete b.txt", "modify a.txt"}
	since, err := r.Since(t.Context(), before)
	must(t, err)
	if diff := cmp.Diff(want, listed(since)); diff != "" {
		t.Errorf("since (-want +got):\n%s", diff)
	}
	after, err := r.Snapshot(t.Context(), "r1", 1, "after")
	must(t, err)
	changes, err := at.Comparer().Changes(t.Context(), before.Commit, after.Commit)
	must(t, err)
	if diff := cmp.Diff(want, listed(changes)); diff != "" {
		t.Errorf("compared (-want +got):\n%s", diff)
	}
	must(t, r.PutBack(t.Context(), before, []string{"b.txt", "new/c.txt"}, false))
	names := []string{"a.txt", "b.txt", "mine.txt", "new/c.txt", "x.log"}
	if diff := cmp.Diff(map[string]string{"a.txt": "changed\n", "b.txt": "b\n", "mine.txt": "untracked\n",
		"new/c.txt": "c\n", "x.log": "ignored still\n"}, content(dir, names...)); diff != "" {
		t.Errorf("put back (-want +got):\n%s", diff)
	}
	must(t, r.Restore(t.Context(), before))
	if diff := cmp.Diff(map[string]string{"a.txt": "a\n", "b.txt": "b\n", "mine.txt": "untracked\n",
		"new/c.txt": "-", "x.log": "ignored still\n"}, content(dir, names...)); diff != "" {
		t.Errorf("restored (-want +got):\n%s", diff)
	}
	if now := testkit.Git(t, dir, "ls-files", "-s", "-v"); now != index {
		t.Errorf("the user's index: got\n%s\nwant\n%s", now, index)
	}
	list, err := at.Records().Checkpoints(t.Context(), "r1")
	must(t, err)
	if len(list) != 2 || list[0].Tree != before.Tree || list[1].Tree != after.Tree {
		t.Errorf("got %+v", list)
	}
}

// TestASettingHidesNoChange: with core.ignoreStat git takes files for unchanged that it has seen once.
func TestASettingHidesNoChange(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n"})
	testkit.Git(t, dir, "config", "--global", "core.ignoreStat", "true")
	r := place(t, dir, "git").Recorder()
	before, err := r.Snapshot(t.Context(), "r1", 0, "before")
	must(t, err)
	for run, now := range map[string]string{"r2": "changed\n", "r3": "changed again\n"} {
		put(t, dir, "a.txt", now)
		since, err := r.Since(t.Context(), before)
		must(t, err)
		if diff := cmp.Diff([]string{"modify a.txt"}, listed(since)); diff != "" {
			t.Errorf("since (-want +got):\n%s", diff)
		}
		before, err = r.Snapshot(t.Context(), run, 0, "then")
		must(t, err)
	}
}

// TestANewIndexIsMadeOfTheCheckpoint: a tree that has no index yet is brought to a checkpoint as
// one that has, whatever HEAD holds.
func TestANewIndexIsMadeOfTheCheckpoint(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n", "kept.log": "forced\n"})
	at := place(t, dir, "git")
	put(t, dir, ".gitignore", "*.log\n")
	put(t, dir, "a.txt", "a\r\n")
	put(t, dir, "d/new.txt", "new\n")
	must(t, os.Remove(filepath.Join(dir, "b.txt")))
	cp, err := at.Recorder().Snapshot(t.Context(), "r1", 0, "state")
	must(t, err)
	names := []string{".gitignore", "a.txt", "b.txt", "d/new.txt", "kept.log", "other.log"}
	want := content(dir, names...)
	for _, index := range []string{"kept", "new"} {
		t.Run(index, func(t *testing.T) {
			testkit.Git(t, dir, "checkout", "-q", "--force", "HEAD")
			must(t, os.RemoveAll(filepath.Join(dir, "d")))
			put(t, dir, "other.log", "-")
			if index == "new" {
				must(t, at.Recorder().ForgetIndex())
			}
			r := at.Recorder()
			must(t, r.RestoreIndexed(t.Context(), cp))
			if diff := cmp.Diff(want, content(dir, names...)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if since, err := r.Since(t.Context(), cp); err != nil || len(since) > 0 {
				t.Errorf("since: %v, %v", listed(since), err)
			}
		})
	}
}

func TestAPlanIsAStateBeforeItIsWritten(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n", ".gitignore": "*.env\n"})
	put(t, dir, "x.env", "KEY=1\n")
	at := place(t, dir, "git")
	r := at.Recorder()
	before, err := r.Snapshot(t.Context(), "r1", 0, "before")
	must(t, err)
	must(t, r.Remember(t.Context(), "r1", []string{"x.env"}))
	plan, err := r.Plan(t.Context(), "r1", 1, before, []Intended{{Path: "a.txt", Mode: 0o644, Data: []byte("A\n")},
		{Path: "b.txt", Gone: true}, {Path: "x.env", Mode: 0o644, Data: []byte("KEY=2\n")}}, "attempt")
	must(t, err)
	if got := content(dir, "a.txt"); got["a.txt"] != "a\n" {
		t.Errorf("the plan was written: %v", got)
	}
	must(t, r.PutBack(t.Context(), plan, []string{"a.txt", "b.txt", "x.env"}, true))
	want := map[string]string{"a.txt": "A\n", "b.txt": "-", "x.env": "KEY=2\n"}
	if diff := cmp.Diff(want, content(dir, "a.txt", "b.txt", "x.env")); diff != "" {
		t.Errorf("written (-want +got):\n%s", diff)
	}
	must(t, r.PutBack(t.Context(), before, []string{"a.txt", "b.txt", "x.env"}, true))
	want = map[string]string{"a.txt": "a\n", "b.txt": "b\n", "x.env": "KEY=1\n"}
	if diff := cmp.Diff(want, content(dir, "a.txt", "b.txt", "x.env")); diff != "" {
		t.Errorf("taken back (-want +got):\n%s", diff)
	}
}

func TestRecordsAreNumberedAndPruned(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n"})
	at := place(t, dir, "git")
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	at.Now = func() time.Time { return now }
	r, records := at.Recorder(), at.Records()
	for n, run := range []string{"old", "new"} {
		put(t, dir, "a.txt", fmt.Sprintf("%d\n", n))
		_, err := r.Snapshot(t.Context(), run, 1, "state")
		must(t, err)
		now = now.Add(20 * 24 * time.Hour)
	}
	if n, err := records.NextState("new"); err != nil || n != 2 {
		t.Errorf("the next state is %d, %v; want 2", n, err)
	}
	gone, err := records.Prune(t.Context(), 30*24*time.Hour, func(string) bool { return false })
	must(t, err)
	if strings.Join(gone, " ") != "old" {
		t.Errorf("got %v pruned, want old alone", gone)
	}
	if _, err := records.Checkpoints(t.Context(), "old"); fault.KindOf(err) != fault.Usage {
		t.Errorf("got %v, want that there is none", err)
	}
}
