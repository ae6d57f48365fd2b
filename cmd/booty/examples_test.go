package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/testkit"
)

// TestExamples runs each example as its README says.
func TestExamples(t *testing.T) {
	booty := buildBooty(t)
	for dir, tool := range map[string]string{"go": "go", "python": "python3", "javascript": "node"} {
		t.Run(dir, func(t *testing.T) {
			if _, err := exec.LookPath(tool); err != nil {
				t.Skipf("%s is not installed", tool)
			}
			cache := goEnv(t, "GOCACHE")
			testkit.Hermetic(t)
			t.Setenv("GOCACHE", cache)
			t.Setenv("GOTOOLCHAIN", "local")
			repo := testkit.Repo(t, readTree(t, filepath.Join("..", "..", "examples", dir)))
			cmd := exec.Command(booty, "run", "--task-file", "TASK.md", "--replay", "replies.jsonl", "--json")
			cmd.Dir = repo
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			lines := strings.Split(strings.TrimSpace(string(out)), "\n")
			last := lines[len(lines)-1]
			if !strings.Contains(last, `"outcome":"green"`) || !strings.Contains(last, `"attempts":2`) {
				t.Errorf("got %s, want green after 2 attempts", last)
			}
			if got := testkit.Git(t, repo, "status", "--porcelain"); got != "" {
				t.Errorf("the checkout was left with changes:\n%s", got)
			}
		})
	}
}

// buildBooty builds the program as a user would.
func buildBooty(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "booty.exe")
	out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput()
	if err != nil {
		t.Fatalf("build booty: %v\n%s", err, out)
	}
	return bin
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func readTree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		files[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
