package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/testkit"
	"github.com/google/go-cmp/cmp"
)

// TestWatch: what a command does to recorded files is seen, also where it put
// back what was there, and its time; and is undone.
func TestWatch(t *testing.T) {
	t.Parallel()
	for _, recorded := range []bool{true, false} {
		t.Run(fmt.Sprintf("recorded %t", recorded), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			testkit.Git(t, dir, "init", "-q", "-b", "main")
			testkit.Write(t, dir, map[string]string{"a.txt": "a\n", "tests/t.sh": "t\n", "deep/er/b.txt": "b\n", ".gitignore": "*.log\n"})
			testkit.Git(t, dir, "add", "-A")
			testkit.Git(t, dir, "commit", "-q", "-m", "start")
			r := open(t, dir)
			if recorded {
				if _, err := r.Snapshot(t.Context(), "r", 0, "start"); err != nil {
					t.Fatal(err)
				}
			}
			w := r.Watch("r")
			begin := func() {
				t.Helper()
				if err := w.Begin(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			look := func(want ...Touch) []Touch {
				t.Helper()
				got, err := w.Look(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(got, want); diff != "" {
					t.Error(diff)
				}
				return got
			}
			begin()
			look()
			testkit.Write(t, dir, map[string]string{"x.log": "ignored\n", "tests/new/n.sh": "n\n", "a.txt": "other\n"})
			must(t, os.RemoveAll(filepath.Join(dir, "deep", "er")))
			must(t, os.Symlink(filepath.Join(dir, "tests"), filepath.Join(dir, "deep", "er")))
			touches := look(Touch{Path: "a.txt"}, Touch{Path: "deep/er/b.txt"}, Touch{Path: "tests/new/n.sh", Made: true})
			if ref, err := w.PutBack(t.Context(), touches); err != nil || testkit.Git(t, dir, "show", ref+":a.txt") != "other" {
				t.Errorf("what was put back is not kept in %q: %v", ref, err)
			}
			look()
			if got := testkit.Git(t, dir, "status", "--porcelain"); got != "" {
				t.Error(got)
			}
			info, err := os.Stat(filepath.Join(dir, "tests", "t.sh"))
			must(t, err)
			time.Sleep(20 * time.Millisecond) // longer than the clock of a file system stands still
			testkit.Write(t, dir, map[string]string{"tests/t.sh": "cheat\n"})
			testkit.Write(t, dir, map[string]string{"tests/t.sh": "t\n"})
			must(t, os.Chtimes(filepath.Join(dir, "tests", "t.sh"), info.ModTime(), info.ModTime()))
			look(Touch{Path: "tests/t.sh", Same: true})
			must(t, os.Link(filepath.Join(dir, "a.txt"), filepath.Join(t.TempDir(), "other name")))
			look()
			if got := testkit.Git(t, dir, "for-each-ref", "--format=%(refname)", "refs/booty/r-strays"); got == "" {
				t.Error("what was put back was not recorded")
			}
		})
	}
}

func BenchmarkWatch(b *testing.B) {
	dir := big(b)
	r := open(b, dir)
	_, err := r.Snapshot(b.Context(), "bench", 0, "state")
	must(b, err)
	w := r.Watch("bench")
	must(b, w.Begin(b.Context()))
	b.Run("Begin", func(b *testing.B) {
		for b.Loop() {
			must(b, w.Begin(b.Context()))
		}
	})
	b.Run("Look", func(b *testing.B) {
		for b.Loop() {
			_, err := w.Look(b.Context())
			must(b, err)
		}
	})
	b.Run("git diff-files, for comparison", func(b *testing.B) {
		for b.Loop() {
			testkit.Git(b, dir, "--no-optional-locks", "diff-files", "--quiet")
		}
	})
}
