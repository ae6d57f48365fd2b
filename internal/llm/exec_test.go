//go:build unix

package llm

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

func execConfig(t *testing.T, n *naps, script string) Config {
	t.Helper()
	return Config{Provider: "exec", Command: []string{"sh", "-c", script}, Dir: t.TempDir(), Env: func(string) string { return "" }, Sleep: n.sleep}
}

func TestACommandReadsThePrompt(t *testing.T) {
	var n naps
	cfg := execConfig(t, &n, `cat`)
	r, err := newClient(t, cfg).Complete(t.Context(), Request{Messages: []Message{{Role: "system", Content: "rules"}, {Role: "user", Content: "task"}, {Role: "assistant", Content: "half"}, {Role: "user", Content: "go on"}}})
	if err != nil {
		t.Fatal(err)
	}
	if want := "rules\n\ntask\n\nYour reply so far:\n\nhalf\n\ngo on\n"; r.Text != want {
		t.Errorf("got %q, want %q", r.Text, want)
	}
}

func TestACommandNeedNotReadThePrompt(t *testing.T) {
	var n naps
	r, err := newClient(t, execConfig(t, &n, `echo reply`)).Complete(t.Context(), ask(strings.Repeat("x", 1<<20)))
	if err != nil || r.Text != "reply\n" {
		t.Errorf("got %q, %v", r.Text, err)
	}
}

func TestFaultsOfACommand(t *testing.T) {
	cases := []struct {
		name, script string
		kind         fault.Kind
		say          string
		waits        int
	}{
		{"an exit code, with what it said last", "echo first >&2; echo no key >&2; exit 4", fault.Model, "exit code 4: first no key", 0},
		{"a temporary failure is tried again", "echo later >&2; exit 75", fault.Model, "gave up after 5 tries", 4},
		{"nothing written is tried again", "echo why >&2", fault.Model, "wrote nothing: why", 4},
		{"too much text", "yes | head -c 20000000", fault.Model, "too large", 0},
		{"a command that the shell does not find", "no-such-command-here", fault.Model, "exit code 127", 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var n naps
			_, err := newClient(t, execConfig(t, &n, c.script)).Complete(t.Context(), ask("x"))
			if fault.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.say) || len(n.list) != c.waits {
				t.Errorf("got %v of kind %v, waits %v", err, fault.KindOf(err), n.list)
			}
		})
	}
}

func TestACommandThatIsMissing(t *testing.T) {
	var n naps
	cfg := execConfig(t, &n, "")
	cfg.Command = []string{"no-such-command-here"}
	if _, err := newClient(t, cfg).Complete(t.Context(), ask("x")); fault.KindOf(err) != fault.Usage {
		t.Errorf("got %v of kind %v", err, fault.KindOf(err))
	}
	cfg.Command = nil
	if _, err := New(t.Context(), cfg); fault.KindOf(err) != fault.Usage || fault.HintOf(err) == "" {
		t.Errorf("got %v", err)
	}
}

func TestACommandIsEndedWithItsChildren(t *testing.T) {
	var n naps
	cfg := execConfig(t, &n, `sleep 300 & echo $! > pid.tmp; mv pid.tmp pid; wait`)
	cfg.Supervise = true
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for {
			if _, err := os.Stat(filepath.Join(cfg.Dir, "pid")); err == nil {
				cancel()
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	if _, err := newClient(t, cfg).Complete(ctx, ask("x")); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	b, err := os.ReadFile(filepath.Join(cfg.Dir, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil {
		t.Fatal(err)
	}
	for range 500 {
		if syscall.Kill(pid, 0) != nil {
			return
		}
		if b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat"); err == nil && strings.Contains(string(b), ") Z ") {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d lives on", pid)
}

func TestACommandsTimeIsBounded(t *testing.T) {
	var n naps
	cfg := execConfig(t, &n, `exec sleep 300`)
	cfg.CallTimeout, cfg.Supervise = 30*time.Millisecond, true
	_, err := newClient(t, cfg).Complete(t.Context(), ask("x"))
	if fault.KindOf(err) != fault.Model || !strings.Contains(err.Error(), "did not end within 30ms") || len(n.list) != 4 {
		t.Errorf("got %v, waits %v", err, n.list)
	}
}
