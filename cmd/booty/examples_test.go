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

// TestExampleBisect finds the commit that broke the checks, over one where they
// cannot run.
func TestExampleBisect(t *testing.T) {
	need(t, "sh")
	_, run := exampleRepo(t, map[string]string{
		".booty.yml": "test_command: sh check.sh\ntest_count: off\n", "check.sh": "test \"$(cat answer)\" = 42\n", "answer": "42\n",
	})
	script, err := filepath.Abs(filepath.Join("..", "..", "examples", "bisect.sh"))
	if err != nil {
		t.Fatal(err)
	}
	out, err := run("sh", "-c", `git tag good
		echo a >a && git add a && git commit -qm harmless
		mv .booty.yml was && git add -A && git commit -qm unreadable
		mv was .booty.yml && git add -A && git commit -qm back
		echo 41 >answer && git commit -qam culprit
		echo b >b && git add b && git commit -qm later
		git bisect start HEAD good && git bisect run `+script)
	if err != nil || !strings.Contains(out, "culprit") || !strings.Contains(out, "is the first bad commit") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestExampleNightly fixes a checkout that went red.
func TestExampleNightly(t *testing.T) {
	need(t, "sh")
	repo, run := exampleRepo(t, map[string]string{
		".booty.yml": "test_command: test \"$(cat answer)\" = 42\ntest_count: off\n", "answer": "41\n",
	})
	testkit.Write(t, os.Getenv("HOME"), map[string]string{
		".config/booty/config.yml": "model: {provider: exec, command: [sh, " + filepath.Join(os.Getenv("HOME"), "reply.sh") + "]}\n",
		"reply.sh":                 "printf 'Summary: fix: the answer\\n\\nanswer\\n```\\n42\\n```\\n'\n",
	})
	script, err := filepath.Abs(filepath.Join("..", "..", "examples", "nightly.sh"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{": fixed", ": nothing to do"} {
		t.Setenv("NIGHTLY_PATH", os.Getenv("PATH"))
		if out, _ := run("sh", script, repo); !strings.Contains(out, want) {
			t.Errorf("want %q in\n%s", want, out)
		}
	}
}

// TestExampleSettings reads the settings of the examples that need a server.
func TestExampleSettings(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "examples", "local-model", ".booty.yml"))
	if err != nil {
		t.Fatal(err)
	}
	_, run := exampleRepo(t, map[string]string{".booty.yml": string(data)})
	if out, err := run("booty", "--yes", "config", "get", "model.base_url"); err != nil || !strings.Contains(out, "127.0.0.1:8080") {
		t.Errorf("%v\n%s", err, out)
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
