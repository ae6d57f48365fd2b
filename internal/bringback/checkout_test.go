package bringback

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/testkit"
	"github.com/booty-cli/booty/internal/testkit/checkout"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func put(t *testing.T, dir, name, content string) {
	t.Helper()
	must(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
}

// TestBringBackAndUndo: a result is written, merged with what the user wrote since and left out
// where it conflicts; undo takes back what was written, once.
func TestBringBackAndUndo(t *testing.T) {
	testkit.Hermetic(t)
	const lines = "one\ntwo\nthree\nfour\nfive\n"
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n", "both.txt": lines, "clash.txt": "x\n"})
	at := checkout.At(t, dir)
	r := at.Recorder()
	read, err := r.Snapshot(t.Context(), "r1", 0, "read")
	must(t, err)
	put(t, dir, "a.txt", "A\n")
	put(t, dir, "both.txt", strings.Replace(lines, "one", "ONE", 1))
	put(t, dir, "clash.txt", "run\n")
	put(t, dir, "new.txt", "new\n")
	result, err := r.Snapshot(t.Context(), "r1", 1, "result")
	must(t, err)
	must(t, r.Restore(t.Context(), read))
	put(t, dir, "both.txt", lines+"six\n")
	put(t, dir, "clash.txt", "mine\n")

	c := New(at)
	got, err := c.BringBack(t.Context(), "r1", read, result)
	must(t, err)
	if strings.Join(got.Written, " ") != "a.txt both.txt new.txt" || strings.Join(got.Merged, " ") != "both.txt" ||
		strings.Join(got.Conflicts, " ") != "clash.txt" {
		t.Errorf("got %+v", got)
	}
	state := func() string {
		var all strings.Builder
		for _, name := range []string{"a.txt", "both.txt", "clash.txt", "new.txt"} {
			data, _ := os.ReadFile(filepath.Join(dir, name))
			all.WriteString(strings.ReplaceAll(string(data), "\n", ",") + ";")
		}
		return all.String()
	}
	if s := state(); s != "A,;ONE,two,three,four,five,six,;mine,;new,;" {
		t.Errorf("written: %s", s)
	}
	if half, err := c.Interrupted(t.Context(), "r1"); err != nil || half {
		t.Errorf("interrupted: %v, %v", half, err)
	}
	put(t, dir, "a.txt", "mine, later\n")
	if _, err := c.Undo(t.Context(), "r1"); fault.KindOf(err) != fault.Refused || !strings.Contains(err.Error(), "a.txt") {
		t.Errorf("got %v, want a refusal that names a.txt", err)
	}
	put(t, dir, "a.txt", "A\n")
	for _, want := range []int{3, 0} {
		if n, paths, err := c.undoFiles(t.Context(), "r1"); err != nil || n != want || len(paths) != 3 {
			t.Errorf("undo: %d files of %v, %v; want %d", n, paths, err, want)
		}
	}
	if s := state(); s != "a,;one,two,three,four,five,six,;mine,;;" {
		t.Errorf("undone: %s", s)
	}
}
