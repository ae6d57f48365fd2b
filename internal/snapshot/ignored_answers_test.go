package snapshot

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/testkit"
)

// TestWhatGitIgnoresIsAskedOnce, and again once anything that decides it has changed.
func TestWhatGitIgnoresIsAskedOnce(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("git is a shell script here")
	}
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.go": "a\n"})
	bin := t.TempDir()
	calls := filepath.Join(bin, "calls")
	real := strings.TrimSpace(testkit.Git(t, dir, "--exec-path")) + "/git"
	put(t, bin, "git", "#!/bin/sh\nif [ \"$1\" = check-ignore ]; then echo >>'"+calls+"'; fi\nexec '"+real+"' \"$@\"\n")
	if err := os.Chmod(filepath.Join(bin, "git"), 0o755); err != nil {
		t.Fatal(err)
	}
	at := place(t, dir, filepath.Join(bin, "git"))
	r := at.Recorder()
	for _, odd := range []string{"/", "/etc/passwd", "..", "../x", "a//b"} {
		if at.readForIgnored(odd) != nil {
			t.Errorf("an answer about %s would be kept", odd)
		}
	}
	const path = "sub/out.log"
	exclude := filepath.Join(".git", "info", "exclude")
	for _, step := range []struct {
		name    string
		do      func()
		ignored bool
		asks    int
	}{
		{"at first", func() {}, false, 1},
		{"again", func() {}, false, 0},
		{"a rule at the root", func() { put(t, dir, ".gitignore", "*.log\n") }, true, 1},
		{"again", func() {}, true, 0},
		{"a file that says nothing", func() { put(t, dir, "b.go", "b\n") }, true, 0},
		{"a rule beside it", func() { put(t, dir, "sub/.gitignore", "!*.log\n") }, false, 1},
		{"that rule is gone", func() { put(t, dir, "sub/.gitignore", "# *.log\n") }, true, 1},
		{"the file is there", func() { put(t, dir, path, "log\n") }, true, 1},
		{"git tracks it", func() { testkit.Git(t, dir, "add", "-f", path) }, false, 1},
		{"no more", func() { testkit.Git(t, dir, "rm", "-q", "--cached", path) }, true, 1},
		{"no rule", func() { put(t, dir, ".gitignore", "") }, false, 1},
		{"a rule of the repository", func() { put(t, dir, exclude, "out.*\n") }, true, 1},
		{"again", func() {}, true, 0},
	} {
		step.do()
		before, _ := os.ReadFile(calls)
		got, err := r.Ignored(t.Context(), []string{path})
		if err != nil || (len(got) == 1) != step.ignored {
			t.Errorf("%s: ignored: %v %v", step.name, got, err)
		}
		if after, _ := os.ReadFile(calls); len(after)-len(before) != step.asks {
			t.Errorf("%s: git was asked %d times, want %d", step.name, len(after)-len(before), step.asks)
		}
	}
}
