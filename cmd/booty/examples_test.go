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
	for dir, tools := range map[string][]string{
		"go": {"go"}, "python": {"python3"}, "javascript": {"node"}, "monorepo": {"python3", "node"},
	} {
		t.Run(dir, func(t *testing.T) {
			need(t, tools...)
			cache := builtBefore()
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

// TestExampleHooks commits and pushes with the hooks in place.
func TestExampleHooks(t *testing.T) {
	need(t, "sh")
	_, run := exampleRepo(t, map[string]string{
		".booty.yml": "test_command: test \"$(cat answer)\" = 42\ntest_count: off\n", "answer": "42\n",
	})
	hooks, err := filepath.Abs(filepath.Join("..", "..", "examples", "hooks"))
	if err != nil {
		t.Fatal(err)
	}
	origin := t.TempDir()
	for _, step := range []struct {
		name, command string
		ok            bool
	}{
		{"set up", "git init -q --bare " + origin + " && git remote add origin " + origin +
			" && git config core.hooksPath '" + hooks + "'", true},
		{"what passes is committed", "echo note >note && git add note && git commit -qm note", true},
		{"and pushed", "git push -q origin HEAD", true},
		{"what is staged and fails is not", "echo 41 >answer && git add answer && git commit -qm wrong", false},
		{"with -a neither", "git reset -q && git commit -qam wrong", false},
		{"what lies beside it does not matter", "echo note >other && git add other && git commit -qm other", true},
		{"but is not pushed over", "git push -q origin HEAD", false},
		{"the work tree is as it was", "test \"$(cat answer)\" = 41 && test -z \"$(git diff --cached)\"", true},
		{"nothing that can be checked stops nothing", "git checkout -q answer && git rm -q --cached .booty.yml && rm .booty.yml && git commit -qm bare", true},
	} {
		if out, err := run("sh", "-c", step.command); (err == nil) != step.ok {
			t.Fatalf("%s: %v\n%s", step.name, err, out)
		}
	}
}

// exampleRepo makes a repository, and runs commands there with booty on the PATH.
func exampleRepo(t *testing.T, files map[string]string) (repo string, run func(name string, args ...string) (string, error)) {
	t.Helper()
	bin := filepath.Dir(buildBooty(t))
	if err := os.Symlink(filepath.Join(bin, "booty.exe"), filepath.Join(bin, "booty")); err != nil {
		t.Skip("symbolic links cannot be made here:", err)
	}
	testkit.Hermetic(t)
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	repo = testkit.Repo(t, files)
	return repo, func(name string, args ...string) (string, error) {
		cmd := exec.Command(name, args...)
		cmd.Dir = repo
		for _, v := range os.Environ() { // the tests' own switches are no settings
			if !strings.HasPrefix(v, "BOOTY_") {
				cmd.Env = append(cmd.Env, v)
			}
		}
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
}

func need(t *testing.T, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed", tool)
		}
	}
}

// buildBooty builds the program as a user would.
func buildBooty(t *testing.T) string {
	if testing.Short() {
		t.Skip("it builds the program")
	}
	t.Helper()
	bin := filepath.Join(t.TempDir(), "booty.exe")
	out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput()
	if err != nil {
		t.Fatalf("build booty: %v\n%s", err, out)
	}
	return bin
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
