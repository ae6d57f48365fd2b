//go:build unix

package snapshot

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/testkit"
)

// TestTheFirstIndexIsAsGitMakesIt: what booty notes of files that are as committed is what git
// notes of them, and it notes nothing of those that only look so.
func TestTheFirstIndexIsAsGitMakesIt(t *testing.T) {
	for _, flat := range []string{"false", "true"} {
		t.Run("links are files: "+flat, func(t *testing.T) {
			testkit.Hermetic(t)
			dir := testkit.Repo(t, map[string]string{"same.txt": "a\n", "in/empty": "", "in/size.txt": "1\n",
				"run.sh": "exit\n", "file": "same.txt", "gone.txt": "g\n", "long/er/name.txt": "n\n"})
			link := filepath.Join(dir, "link")
			must(t, os.Symlink("same.txt", link))
			testkit.Git(t, dir, "add", "link")
			testkit.Git(t, dir, "commit", "-q", "-m", "a link")
			if flat == "true" {
				testkit.Git(t, dir, "config", "core.symlinks", "false")
				must(t, errors.Join(os.Remove(link), os.WriteFile(link, []byte("same.txt"), 0o644)))
			} else {
				must(t, errors.Join(os.Remove(filepath.Join(dir, "file")), os.Symlink("same.txt", filepath.Join(dir, "file"))))
			}
			put(t, dir, "in/size.txt", "2\n")
			must(t, errors.Join(os.Chmod(filepath.Join(dir, "same.txt"), 0o600), os.Chmod(filepath.Join(dir, "run.sh"), 0o755),
				os.Remove(filepath.Join(dir, "gone.txt"))))
			at := place(t, dir, "git")
			at.Settings = append(at.Settings, git.Setting{Key: "core.symlinks", Value: testkit.Git(t, dir, "config", "--default", "true", "--get", "core.symlinks")})
			ours, theirs := newShadow(at), filepath.Join(t.TempDir(), "index")
			must(t, ours.prepare(t.Context()))
			stale, err := ours.stale(t.Context())
			must(t, err)
			t.Setenv("GIT_INDEX_FILE", theirs)
			testkit.Git(t, dir, "read-tree", "HEAD")
			_ = exec.Command("git", "-C", dir, "update-index", "-q", "--refresh").Run() // some files differ
			want, err := git.ParseRaw([]byte(testkit.Git(t, dir, "diff-files", "--raw", "-z", "--no-abbrev")))
			must(t, err)
			if diff := cmp.Diff(want, stale); diff != "" {
				t.Errorf("what differs (-by git's index +by booty's):\n%s", diff)
			}
			of := testkit.Git(t, dir, "ls-files", "--debug")
			t.Setenv("GIT_INDEX_FILE", ours.index)
			if diff := cmp.Diff(of, testkit.Git(t, dir, "ls-files", "--debug")); diff != "" {
				t.Errorf("the index (-git's +booty's):\n%s", diff)
			}
		})
	}
}

// TestFilesOfOddTimes: a file may be older than what an index can hold, or be of the future; it is
// compared by its bytes.
func TestFilesOfOddTimes(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"old.txt": "o\n", "far.txt": "f\n", "changed.txt": "c\n"})
	put(t, dir, "changed.txt", "d\n")
	for name, year := range map[string]int{"old.txt": 1960, "far.txt": 2300, "changed.txt": 1969} {
		at := time.Date(year, 1, 2, 3, 4, 5, 0, time.UTC)
		must(t, os.Chtimes(filepath.Join(dir, name), at, at))
	}
	r := place(t, dir, "git").Recorder()
	before, err := r.Look(t.Context())
	must(t, err)
	put(t, dir, "old.txt", "p\n")
	since, err := r.Since(t.Context(), before)
	must(t, err)
	if diff := cmp.Diff([]string{"modify old.txt"}, listed(since)); diff != "" {
		t.Errorf("since (-want +got):\n%s", diff)
	}
}

// TestReadingALargeFileEnds where the run is canceled.
func TestReadingALargeFileEnds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "holes")
	must(t, errors.Join(os.WriteFile(path, nil, 0o644), os.Truncate(path, 1<<40)))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := hashFile(ctx, path, 1<<40); err == nil {
		t.Error("a terabyte was read")
	}
}
