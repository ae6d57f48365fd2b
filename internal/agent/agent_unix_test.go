//go:build unix

package agent

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/fault"
)

func TestAnEndedContextEndsTheAgentAndItsChildren(t *testing.T) {
	script(t, "slow", `cat >/dev/null; sleep 300 & echo $! > pid.tmp; mv pid.tmp pid; wait`)
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for {
			if _, err := os.Stat(filepath.Join(dir, "pid")); err == nil {
				cancel()
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	_, err := Run(ctx, Options{Command: []string{"slow"}, Dir: dir, Prompt: "p", Supervise: true})
	if !errors.Is(err, context.Canceled) || fault.KindOf(err) != fault.Interrupted {
		t.Fatalf("got %v", err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(read(t, filepath.Join(dir, "pid"))))
	if err != nil {
		t.Fatal(err)
	}
	waitGone(t, pid)
}

// waitGone waits until a process is dead (or a zombie nobody reaps here).
func waitGone(t *testing.T, pid int) {
	t.Helper()
	for range 500 {
		if err := syscall.Kill(pid, 0); err != nil {
			return
		}
		if b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat"); err == nil && strings.Contains(string(b), ") Z ") {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d lives on", pid)
}
