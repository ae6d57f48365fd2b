package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/testkit"
)

// BenchmarkStart measures start-up: booty's help and status against a small
// program on the same command library and git --version.
func BenchmarkStart(b *testing.B) {
	booty, small := build(b, "."), build(b, "./testdata/smallcobra")
	testkit.Hermetic(b)
	repo := testkit.Repo(b, map[string]string{".booty.yml": "test_command: 'true'\n"})
	for _, c := range []struct {
		name string
		argv []string
	}{
		{"booty-help", []string{booty, "--help"}},
		{"booty-status", []string{booty, "status"}},
		{"small-cobra-help", []string{small, "--help"}},
		{"git-version", []string{"git", "--version"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				cmd := exec.Command(c.argv[0], c.argv[1:]...)
				cmd.Dir = repo
				if out, err := cmd.CombinedOutput(); err != nil {
					b.Fatalf("%v\n%s", err, out)
				}
			}
		})
	}
}

// BenchmarkAttempt measures booty's own time for each attempt: the wall time of
// a run of ten failing attempts, less the model's and the checks' own.
func BenchmarkAttempt(b *testing.B) {
	booty := build(b, ".")
	for _, files := range []int{10, 3000, 30000} {
		b.Run(fmt.Sprintf("files-%d", files), func(b *testing.B) {
			testkit.Hermetic(b)
			repo := bigRepo(b, files)
			var own, wall time.Duration
			for b.Loop() {
				o, w := tenAttempts(b, booty, repo)
				own, wall = own+o, wall+w
			}
			b.ReportMetric(float64(own.Milliseconds())/float64(b.N)/10, "own-ms/attempt")
			b.ReportMetric(float64(wall.Milliseconds())/float64(b.N)/10, "wall-ms/attempt")
		})
	}
}

func build(b *testing.B, pkg string) string {
	b.Helper()
	bin := filepath.Join(b.TempDir(), "bin.exe")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", bin, pkg)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("build %s: %v\n%s", pkg, err, out)
	}
	return bin
}

// bigRepo makes a repository of many small files, with a test that never passes.
func bigRepo(b *testing.B, files int) string {
	b.Helper()
	tree := map[string]string{
		".booty.yml": "test_command: sh test.sh\nmax_retries: 10\n",
		"hello.sh":   "echo 0\n",
		"test.sh":    "echo 1..1\necho \"not ok 1 - hello\"\necho \"# got $(sh hello.sh)\"\nexit 1\n",
	}
	for i := range files {
		tree[fmt.Sprintf("pkg%03d/file%05d.go", i/100, i)] = fmt.Sprintf("package pkg\n\n// Value%d is a number.\nconst Value%d = %d\n", i, i, i)
	}
	var replies strings.Builder
	for i := range 10 {
		line, _ := json.Marshal(map[string]string{"reply": fmt.Sprintf("Summary: fix: try %d\n\nhello.sh\n```sh\necho %d\n```\n", i+1, i+1)})
		replies.Write(append(line, '\n'))
	}
	tree["replies.jsonl"] = replies.String()
	return testkit.Repo(b, tree)
}

// tenAttempts runs booty once and gives its own time and the wall time, the
// baseline left out of both.
func tenAttempts(b *testing.B, booty, repo string) (own, wall time.Duration) {
	b.Helper()
	cmd := exec.Command(booty, "run", "--task", "say hello", "--replay", "replies.jsonl", "--json")
	cmd.Dir = repo
	out, err := cmd.Output()
	if exitCode(err) != 3 {
		b.Fatalf("got %v, want exit code 3\n%s", err, out)
	}
	var first, last time.Time
	var others time.Duration
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		var e struct {
			Event      string
			Time       time.Time
			Attempt    int
			DurationMS int64 `json:"duration_ms"`
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			b.Fatal(err)
		}
		switch e.Event {
		case "baseline.finished":
			first = e.Time
		case "attempt.finished":
			last = e.Time
		case "check.finished", "model.reply":
			if e.Attempt > 0 {
				others += time.Duration(e.DurationMS) * time.Millisecond
			}
		}
	}
	wall = last.Sub(first)
	return wall - others, wall
}
