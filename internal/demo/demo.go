// Package demo holds the sample that `booty demo` works on: a small repository
// with a real failing test suite, and the scripted replies of a model whose
// first answer is wrong. Only those replies are scripted; the loop that runs on
// the sample is the real one, and lies elsewhere.
package demo

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/tools/txtar"
)

var (
	//go:embed go.txtar
	goSample []byte
	//go:embed shell.txtar
	shellSample []byte
	//go:embed challenge.txtar
	challengeSample []byte
)

// replies and change are folders of a sample that are no part of its first commit.
const (
	replies = "replies/"
	change  = "change/"
)

// Sample is a repository and what the scripted model says of it.
type Sample struct {
	// Language is what the sample is written in.
	Language string
	// Task is the task in words.
	Task string

	files   []txtar.File
	change  []txtar.File
	replies []string
}

// Pick gives the sample that this machine can run: Go, or else shell.
func Pick() Sample {
	if _, err := exec.LookPath("go"); err == nil {
		return read("Go", goSample)
	}
	return read("shell", shellSample)
}

// Challenged gives the sample of a change that passes its own test and is wrong. It needs Go.
func Challenged() Sample { return read("Go", challengeSample) }

func read(language string, data []byte) Sample {
	a := txtar.Parse(data)
	s := Sample{Language: language, Task: strings.TrimSpace(string(a.Comment))}
	for _, f := range a.Files {
		if strings.HasPrefix(f.Name, replies) {
			s.replies = append(s.replies, string(f.Data))
			continue
		}
		if name, is := strings.CutPrefix(f.Name, change); is {
			s.change = append(s.change, txtar.File{Name: name, Data: f.Data})
			continue
		}
		s.files = append(s.files, f)
	}
	return s
}

// Make writes the repository into dir, with one commit.
func (s Sample) Make(ctx context.Context, dir string) error {
	if err := write(dir, s.files); err != nil {
		return err
	}
	return git(ctx, dir, [][]string{
		{"init", "--quiet"},
		{"symbolic-ref", "HEAD", "refs/heads/main"},
		// The sample's own identity, without the user's signing and hooks.
		{"config", "user.name", "booty demo"},
		{"config", "user.email", "demo@example.com"},
		{"config", "commit.gpgsign", "false"},
		{"config", "core.hooksPath", filepath.Join(dir, ".git", "no-hooks")},
		{"config", "core.autocrlf", "false"},
		{"add", "--all"},
		{"commit", "--quiet", "--message", "feat: the sample as it was found"},
	})
}

// Change commits the change of the sample on a branch.
func (s Sample) Change(ctx context.Context, dir, branch string) error {
	if err := write(dir, s.change); err != nil {
		return err
	}
	return git(ctx, dir, [][]string{
		{"checkout", "--quiet", "-b", branch}, {"add", "--all"}, {"commit", "--quiet", "--message", s.Task},
	})
}

func write(dir string, files []txtar.File) error {
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("make the sample: %w", err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			return fmt.Errorf("make the sample: %w", err)
		}
	}
	return nil
}

func git(ctx context.Context, dir string, commands [][]string) error {
	for _, args := range commands {
		cmd := exec.CommandContext(ctx, "git", args...)
		cmd.Dir = dir
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("make the sample: git %s: %w: %s", args[0], err,
				bytes.TrimSpace(stderr.Bytes()))
		}
	}
	return nil
}

// Cassette gives the scripted replies in the form that --replay reads.
func (s Sample) Cassette() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	for _, r := range s.replies {
		if err := enc.Encode(map[string]string{"reply": r}); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}
