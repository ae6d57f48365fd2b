//go:build slow && unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/testkit"
	"gopkg.in/yaml.v3"
)

// queueExample runs a script in a clone where one pending test takes two attempts, one
// is never solved, and one passes at once.
func queueExample(t *testing.T, script string, args ...string) (q *queueLab, out string, code int) {
	need(t, "sh", "awk")
	q = newQueueLab(t, fewSpecs())
	q.git("branch", "-q", "-u", "origin/main")
	q.extra = append(q.extra, "QUEUE_PATH="+os.Getenv("PATH"))
	cmd := q.command()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Fatal(err)
	}
	cmd.Path, cmd.Args = sh, append([]string{"sh"}, append([]string{script}, args...)...)
	cmd.Env = append(cmd.Env, "GITHUB_STEP_SUMMARY="+filepath.Join(t.TempDir(), "summary"))
	text, _ := cmd.CombinedOutput()
	return q, string(text), cmd.ProcessState.ExitCode()
}

// TestExampleQueueCron works the queue off as cron would, up to what needs a person.
func TestExampleQueueCron(t *testing.T) {
	t.Parallel()
	script, err := filepath.Abs(filepath.Join("..", "..", "examples", "queue", "cron.sh"))
	if err != nil {
		t.Fatal(err)
	}
	q, out, code := queueExample(t, script, ".")
	got := q.pulls()
	if code != 3 || !strings.Contains(out, "a spec needs a person") || !strings.Contains(got, "merged=true") {
		t.Errorf("exit code %d\n%s\n%s", code, out, got)
	}
}

// TestExampleQueueActions runs the step of the workflow that works, and has the whole read by
// actionlint where that is at hand.
func TestExampleQueueActions(t *testing.T) {
	t.Parallel()
	file := filepath.Join("..", "..", "examples", "queue", "actions.yml")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if lint, err := exec.LookPath("actionlint"); err == nil {
		if out, err := exec.Command(lint, file).CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
	var w struct {
		Jobs map[string]struct{ Steps []struct{ Name, Run string } }
	}
	if err := yaml.Unmarshal(text, &w); err != nil {
		t.Fatal(err)
	}
	steps := w.Jobs["queue"].Steps
	script := filepath.Join(t.TempDir(), "step.sh")
	work := slices.IndexFunc(steps, func(s struct{ Name, Run string }) bool { return s.Name == "Work the queue off" })
	if err := os.WriteFile(script, []byte("set -e\n"+steps[work].Run), 0o600); err != nil {
		t.Fatal(err)
	}
	q, out, code := queueExample(t, script)
	got := q.pulls()
	if code != 0 || !strings.Contains(out, "::warning::a spec needs a person") || !strings.Contains(got, "merged=true") {
		t.Errorf("exit code %d\n%s\n%s", code, out, got)
	}
}

// TestExampleIssues works two issues off, of which the model solves one. gh is asked
// for their numbers alone: a script in its place says them.
func TestExampleIssues(t *testing.T) {
	t.Parallel()
	need(t, "sh")
	script, err := filepath.Abs(filepath.Join("..", "..", "examples", "issues.sh"))
	if err != nil {
		t.Fatal(err)
	}
	q := newQueueLab(t, map[string]string{
		".booty.yml": "test_command: test \"$(cat src/py2)\" = yes\ntest_count: off\n", "src/py2": "no\n",
	})
	q.hub.Change(func(s *testkit.GitHubState) {
		s.Issues = []*testkit.GitHubIssue{
			{Number: 1, Title: "say yes", Body: "It was pending until now: PY-002.", State: "open", Author: "robin"},
			{Number: 2, Title: "dream", Body: "Nobody knows.", State: "open", Author: "robin"},
		}
	})
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "gh"), []byte("#!/bin/sh\nprintf '1\\n2\\n'\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := q.command()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Fatal(err)
	}
	cmd.Path, cmd.Args = sh, []string{"sh", script}
	cmd.Env = append(cmd.Env, "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	out, _ := cmd.CombinedOutput()
	for _, want := range []string{"#1: done", "#2: needs a person", "left for people: #2"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("want %q in\n%s", want, out)
		}
	}
}
