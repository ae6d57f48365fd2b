package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/proc"
	"github.com/booty-cli/booty/internal/sandbox"
	"github.com/booty-cli/booty/internal/term"
	"github.com/booty-cli/booty/internal/testkit"
)

// TestMain lets the test binary be what booty is to its own checks: their keeper,
// and the way into the sandbox.
func TestMain(m *testing.M) {
	if exit, handled := proc.Supervise(os.Args, sandbox.Inside); handled {
		os.Exit(exit)
	}
	if exit, handled := sandbox.Enter(os.Args); handled {
		os.Exit(exit)
	}
	os.Exit(testkit.Main(m))
}

// commandIn is what a command needs in a repository with these files, and what it
// writes to.
func commandIn(t *testing.T, files map[string]string) (f *factory, out, errs *bytes.Buffer) {
	t.Helper()
	out, errs = &bytes.Buffer{}, &bytes.Buffer{}
	f = &factory{
		console: console{s: term.Streams{In: strings.NewReader(""), Out: out, Err: errs}, getenv: os.Getenv, now: time.Now},
		dir:     testkit.Repo(t, files), stateDir: t.TempDir(),
	}
	return f, out, errs
}

// TestACommandRunsWithoutItsCommandLine: each is a function of what it needs and of
// its options, and a check, a run and an undo follow from one another.
func TestACommandRunsWithoutItsCommandLine(t *testing.T) {
	const reply = "Summary: fix: say hello\n\nhello.txt\n```\nhello\n```\n"
	f, out, errs := commandIn(t, map[string]string{".booty.yml": "test_command: grep -q hello hello.txt\ntest_count: off\n", "hello.txt": "bye\n"})
	ctx := context.Background()

	if err := checkRun(ctx, f, checkOptions{}); fault.KindOf(err) != fault.Exhausted {
		t.Fatalf("check: got %v", err)
	}
	line, err := json.Marshal(map[string]string{"reply": reply})
	if err != nil {
		t.Fatal(err)
	}
	cassette := filepath.Join(t.TempDir(), "replies.jsonl")
	if err := os.WriteFile(cassette, line, 0o600); err != nil {
		t.Fatal(err)
	}
	o := refineOptions{loopOptions{replay: cassette, given: pflag.NewFlagSet("refine", pflag.ContinueOnError)}}
	out.Reset()
	if err := refineRun(ctx, f, o); err != nil {
		t.Fatalf("refine: %v\n%s", err, errs)
	}
	if got := out.String(); got != "hello.txt\n" {
		t.Errorf("refine: got %q", got)
	}
	if err := checkRun(ctx, f, checkOptions{}); err != nil {
		t.Errorf("check after refine: %v", err)
	}
	if err := statusRun(ctx, f, statusOptions{run: "latest"}); err != nil || !strings.Contains(out.String(), "green") {
		t.Errorf("status: got %v, %s", err, out)
	}
	if err := undoRun(ctx, f, ""); err != nil {
		t.Errorf("undo: %v", err)
	}
	if data, err := os.ReadFile(filepath.Join(f.dir, "hello.txt")); string(data) != "bye\n" {
		t.Errorf("after undo: got %q, %v", data, err)
	}
}
