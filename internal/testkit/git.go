// Package testkit is what several packages' tests share: a real git made
// deterministic, small repositories, and scripted servers. Only tests import it.
package testkit

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// GitEnv gives the settings that make git the same everywhere: no user or
// system configuration, fixed names and dates. home is an empty directory.
func GitEnv(home string) []string {
	return []string{
		"HOME=" + home, "XDG_CONFIG_HOME=" + filepath.Join(home, ".config"),
		"XDG_STATE_HOME=" + filepath.Join(home, ".local", "state"),
		"GIT_CONFIG_GLOBAL=" + filepath.Join(home, "gitconfig"), "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=Test", "GIT_AUTHOR_EMAIL=test@example.com", "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z",
		"GIT_COMMITTER_NAME=Test", "GIT_COMMITTER_EMAIL=test@example.com", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z",
		"GIT_TERMINAL_PROMPT=0", "LC_ALL=C",
	}
}

// isolated marks a process whose home and git settings are those of a test.
const isolated = "BOOTY_TEST_ISOLATED"

// Main runs a package's tests in a home of their own, whatever name, address
// and habits the machine's git has: for packages whose tests run in parallel,
// where Hermetic cannot be called. It gives the exit code.
func Main(m *testing.M) int {
	if os.Getenv(isolated) != "" { // a child of such a test
		return m.Run()
	}
	home, err := os.MkdirTemp("", "booty-test-home-")
	if err == nil {
		defer os.RemoveAll(home)
		err = isolate(home, os.Setenv)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	return m.Run()
}

// Hermetic gives this test its own HOME and git settings.
func Hermetic(t testing.TB) (home string) {
	t.Helper()
	home = t.TempDir()
	err := isolate(home, func(k, v string) error {
		setenv(t, k, v)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return home
}

// isolate makes home that of a test and sets what leads there.
func isolate(home string, set func(k, v string) error) error {
	for _, kv := range append(GitEnv(home), isolated+"=1") {
		k, v, _ := strings.Cut(kv, "=")
		if err := set(k, v); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(home, "gitconfig"), []byte("[init]\n\tdefaultBranch = main\n"), 0o600)
}

func setenv(t testing.TB, k, v string) {
	if s, ok := t.(interface{ Setenv(k, v string) }); ok {
		s.Setenv(k, v)
	}
}

// Git runs git in dir and gives its standard output without the last newline.
func Git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	if os.Getenv(isolated) == "" {
		t.Fatal("this test runs the machine's own git: call testkit.Hermetic first, or testkit.Main in TestMain")
	}
	cmd := exec.Command("git", args...) //nolint:noctx // tests end with their process
	cmd.Dir = dir
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return strings.TrimSuffix(string(out), "\n")
}

// Repo makes a git repository with one commit that holds files (slash paths
// to contents) and gives its directory.
func Repo(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	Git(t, dir, "init", "-q", "-b", "main")
	Write(t, dir, files)
	Git(t, dir, "add", "-A")
	Git(t, dir, "commit", "-q", "--allow-empty", "-m", "start")
	return dir
}

// Write puts files (slash paths to contents) below dir.
func Write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
