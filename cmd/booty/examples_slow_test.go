//go:build slow

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/testkit"
)

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
