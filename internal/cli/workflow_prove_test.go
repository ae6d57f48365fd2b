//go:build !windows

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

type workflowStep struct {
	Name string `yaml:"name"`
	Run  string `yaml:"run"`
}

// scriptOf is the script of a step.
func scriptOf(t *testing.T, steps []workflowStep, name string) string {
	t.Helper()
	for _, s := range steps {
		if s.Name == name {
			return s.Run
		}
	}
	t.Fatalf("no step %q in %v", name, steps)
	return ""
}

// jobSteps are the steps of a workflow's one job.
func jobSteps(t *testing.T, text, job string) []workflowStep {
	t.Helper()
	var w struct {
		Jobs map[string]struct{ Steps []workflowStep }
	}
	if err := yaml.Unmarshal([]byte(text), &w); err != nil {
		t.Fatal(err)
	}
	return w.Jobs[job].Steps
}

func actionSteps(t *testing.T) []workflowStep {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", ".github", "actions", "prove", "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var a struct {
		Runs struct{ Steps []workflowStep }
	}
	if err := yaml.Unmarshal(data, &a); err != nil {
		t.Fatal(err)
	}
	return a.Runs.Steps
}

// runStep runs a script as a runner does, beside a program that notes how it was called in
// the file "called". It returns the folder and the exit code.
func runStep(t *testing.T, script, program, does string, files map[string]string, env ...string) (string, int) {
	t.Helper()
	dir := t.TempDir()
	stub := "#!/bin/sh\necho \"$@\" >>'" + dir + "/called'\n" + does + "\n"
	if err := os.WriteFile(filepath.Join(dir, program), []byte(stub), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("bash", "-eo", "pipefail", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "RUNNER_TEMP="+dir, "GITHUB_STEP_SUMMARY="+dir+"/summary",
		"GH_REPO=o/r", "GITHUB_REPOSITORY=o/r"), env...)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir, cmd.ProcessState.ExitCode()
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(data)
}

func TestProveWorkflowStep(t *testing.T) {
	workflow := scriptOf(t, jobSteps(t, proveText(""), "prove"), "Prove the change")
	action := scriptOf(t, actionSteps(t), "Prove the change")
	for code, want := range map[string]int{"0": 0, "3": 3, "4": 0, "9": 9} {
		dir, got := runStep(t, workflow, "booty", "echo the report; exit "+code, nil, "NUMBER=42")
		if got != want || read(t, dir, "called") != "prove --pr 42 --time 15m --format md\n" ||
			read(t, dir, "summary") != "the report\n" || read(t, dir, "proof/proof.md") != "the report\n" {
			t.Errorf("workflow, booty ends with %s: %d, called %q", code, got, read(t, dir, "called"))
		}
		if _, err := os.Stat(filepath.Join(dir, "proof", "nothing")); (err == nil) != (code == "4") {
			t.Errorf("workflow, booty ends with %s: nothing to prove: %v", code, err == nil)
		}
		dir, got = runStep(t, action, "booty", "echo the report; exit "+code, nil, "NUMBER=42", "TIME=5m", "MUTANTS=3",
			"COMMENT=true", "FROM=o/r", "TEST_COMMAND=make test")
		if got != want || read(t, dir, "summary") != "the report\n" ||
			read(t, dir, "called") != "prove --pr 42 --time 5m --mutants 3 --format md --test-command make test --comment\n" {
			t.Errorf("action, booty ends with %s: %d, called %q", code, got, read(t, dir, "called"))
		}
	}
	dir, _ := runStep(t, workflow, "booty", "echo '## For a person to look at'; exit 4", nil, "NUMBER=42")
	if _, err := os.Stat(filepath.Join(dir, "proof", "nothing")); err == nil {
		t.Error("workflow: what a person should look at is no reason to comment")
	}
	for _, from := range []string{"COMMENT=true FROM=fork/r", "COMMENT=false FROM=o/r"} {
		env := append(strings.Fields(from), "NUMBER=42", "TIME=5m", "MUTANTS=3")
		dir, got := runStep(t, action, "booty", "", nil, env...)
		if got != 0 || strings.Contains(read(t, dir, "called"), "comment") {
			t.Errorf("%s: %d, called %q", from, got, read(t, dir, "called"))
		}
	}
	if _, got := runStep(t, action, "booty", "", nil, "NUMBER="); got != 2 {
		t.Errorf("without a pull request: %d", got)
	}
}

func TestProveCommentStep(t *testing.T) {
	script := scriptOf(t, jobSteps(t, commentTemplate, "comment"), "Comment")
	gh := func(comment string) string {
		return "case $* in */pulls\\ *) echo 42 ;; *comments\\ --jq*) echo '" + comment + "' ;; esac"
	}
	report, nothing := map[string]string{"proof/proof.md": "x"}, map[string]string{"proof/proof.md": "x", "proof/nothing": ""}
	for _, c := range []struct {
		name, gh string
		files    map[string]string
		last     string // call of gh
	}{
		{"first", gh(""), report, "--method POST repos/o/r/issues/42/comments"},
		{"again", gh("7"), report, "--method PATCH repos/o/r/issues/comments/7"},
		{"nothing to prove", gh(""), nothing, "--paginate"},
		{"nothing any more", gh("7"), nothing, "--method PATCH"},
		{"closed", "", report, "--method GET"},
		{"no report", gh("7"), nil, ""},
	} {
		dir, code := runStep(t, script, "gh", c.gh, c.files)
		calls := strings.Split(strings.TrimSpace(read(t, dir, "called")), "\n")
		if last := calls[len(calls)-1]; code != 0 || c.last == "" && last != "" || !strings.Contains(last, c.last) {
			t.Errorf("%s: %d, calls %q", c.name, code, calls)
		}
	}
}

// TestActionInstalls compares how the action and the workflows install booty.
func TestActionInstalls(t *testing.T) {
	var steps []workflowStep
	if err := yaml.Unmarshal([]byte(installTemplate), &steps); err != nil {
		t.Fatal(err)
	}
	if got, want := scriptOf(t, actionSteps(t), "Install booty"), scriptOf(t, steps, "Install booty"); got != want {
		t.Errorf("the action installs with\n%s\nthe workflows with\n%s", got, want)
	}
}
