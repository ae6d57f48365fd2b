package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// TestTheEnvironmentIsNotShown: the kernel shows every process of the user, and
// of root, the environment that a program began with.
func TestTheEnvironmentIsNotShown(t *testing.T) {
	t.Parallel()
	l := newLab(t, map[string]string{"a": "a\n"}, func(string) string { return "" })
	cmd := l.command("distill")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stdin.Close(); _ = cmd.Wait() }()
	var env []byte
	for range 400 { // until it has begun
		env, err = os.ReadFile(fmt.Sprintf("/proc/%d/environ", cmd.Process.Pid))
		if err != nil || len(bytes.Trim(env, "\x00")) == 0 {
			break
		}
		time.Sleep(25 * time.Millisecond)
	}
	if err == nil && (bytes.Contains(env, []byte("sk-test-key")) || len(bytes.Trim(env, "\x00")) > 0) {
		t.Errorf("got %s", strings.ReplaceAll(string(env), "\x00", "\n"))
	}
}
