//go:build unix

package check

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/booty-cli/booty/pkg/distill"
)

// runner makes a runner in an empty directory; change may be nil.
func runner(t testing.TB, change func(*Config)) *Runner {
	t.Helper()
	c := Config{Dir: t.TempDir(), LogDir: t.TempDir(), Supervise: true, Grace: 300 * time.Millisecond}
	if change != nil {
		change(&c)
	}
	return New(c)
}

func run(t *testing.T, r *Runner, step Step) Result {
	t.Helper()
	if step.Kind == "" {
		step.Kind = GateK
	}
	res, err := r.Run(t.Context(), step)
	if err != nil {
		t.Fatalf("run %q: %v", step.Command, err)
	}
	return res
}

func readLog(t *testing.T, res Result) string {
	t.Helper()
	b, err := os.ReadFile(res.Log)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestReportsHowACommandEnded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, command string
		want          Result
	}{
		{"exit 0 passes", "true", Result{Passed: true}},
		{"exit 1 fails", "false", Result{ExitCode: 1}},
		{"any other code fails", "exit 42", Result{ExitCode: 42}},
		{"a signal is named", "kill -SEGV $$", Result{ExitCode: 139, Signal: "segmentation fault"}},
		{"a missing command is not started", "no-such-command-here --x", Result{ExitCode: 127, End: NotStarted, Environment: "no-such-command-here is not installed"}},
		{"a file that may not be executed is not started", "./plain", Result{ExitCode: 126, End: NotStarted}},
		{"exit 127 of a program's own is a failure", "echo broken; exit 127", Result{ExitCode: 127}},
		{"a full disk is the environment's", "echo 'write /x: no space left on device' >&2; exit 1", Result{ExitCode: 1, Environment: "the disk is full"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := runner(t, nil)
			if err := os.WriteFile(filepath.Join(r.c.Dir, "plain"), nil, 0o644); err != nil {
				t.Fatal(err)
			}
			got := run(t, r, Step{Name: "x", Command: c.command})
			if got.Passed != c.want.Passed || got.ExitCode != c.want.ExitCode || got.Signal != c.want.Signal || (got.End == NotStarted) != (c.want.End == NotStarted) {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
			if c.want.Environment != "" && got.Environment != c.want.Environment {
				t.Errorf("environment: got %q, want %q", got.Environment, c.want.Environment)
			}
			if c.want.Environment == "" && c.want.End != NotStarted && got.Environment != "" {
				t.Errorf("environment: got %q for a failure of the code", got.Environment)
			}
		})
	}
}

func TestACommandRunsInTheRootWithEmptyInputAndCleanEnvironment(t *testing.T) {
	t.Parallel()
	r := runner(t, func(c *Config) {
		c.Env = []string{"PATH=" + os.Getenv("PATH"), "OPENAI_API_KEY=sk-1", "KEEP=yes", "CI=false"}
		c.Scrub = []string{"OPENAI_API_KEY"}
	})
	got := run(t, r, Step{Name: "env", Command: `pwd; read x || echo no input; echo "[$OPENAI_API_KEY] $KEEP $CI"; env`})
	dir, _ := filepath.EvalSymlinks(r.c.Dir)
	if !strings.HasPrefix(got.Tail, dir+"\nno input\n[] yes 1\n") {
		t.Errorf("got %q", got.Tail)
	}
	if strings.Contains(got.Tail, "sk-1") || strings.Contains(got.Tail, "BOOTY_SUPERVISOR") {
		t.Errorf("the environment holds what it must not: %s", got.Tail)
	}
}

func TestTheSupervisorsEnvironmentHoldsNoKeyEither(t *testing.T) {
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		t.Skip("no /proc here")
	}
	t.Parallel()
	r := runner(t, func(c *Config) {
		c.Env = []string{"PATH=" + os.Getenv("PATH"), "SECRET_KEY=sk-planted"}
		c.Scrub = []string{"SECRET_KEY"}
	})
	got := run(t, r, Step{Name: "parent", Command: `{ tr '\0' '\n' < /proc/$PPID/environ; } 2>/dev/null`})
	// Root may look into it; to others it cannot be shown at all.
	shown := strings.Contains(got.Tail, "PATH=") || os.Getuid() != 0 && got.Tail == ""
	if !shown || strings.Contains(got.Tail, "sk-planted") {
		t.Errorf("got %q", got.Tail)
	}
}

func TestStreamsAreMergedByLines(t *testing.T) {
	t.Parallel()
	r := runner(t, nil)
	got := run(t, r, Step{Name: "two", Command: `echo one; sleep 0.2; echo two >&2; sleep 0.2; printf three; sleep 0.2; echo four >&2; sleep 0.2; printf ' more\nend'`})
	if want := "one\ntwo\nfour\nthree more\nend"; readLog(t, got) != want || got.Tail != want {
		t.Errorf("merged: log %q, tail %q, want %q", readLog(t, got), got.Tail, want)
	}
}

func TestForeignBytesAreMadeReadable(t *testing.T) {
	t.Parallel()
	r := runner(t, nil)
	got := run(t, r, Step{Name: "bytes", Command: `printf 'a\377b \033[31mred\033[0m \033]0;title\007\000c\rd\n'`})
	if !utf8.ValidString(got.Tail) || strings.ContainsAny(got.Tail, "\x00\x1b\x07") || !strings.Contains(got.Tail, "red") {
		t.Errorf("got %q", got.Tail)
	}
	if !strings.Contains(readLog(t, got), "\x1b[31m") {
		t.Error("the log should hold the bytes as they came")
	}
}

func TestACommandEndsAtItsTimeout(t *testing.T) {
	t.Parallel()
	r := runner(t, nil)
	got := run(t, r, Step{Name: "slow", Command: `trap '' TERM; echo begun; while :; do sleep 1; done`, Timeout: 2 * time.Second})
	if got.End != TimedOut || got.Passed || got.Signal != "killed" || got.ExitCode != 124 || got.Tail != "begun\n" {
		t.Errorf("got %+v", got)
	}
	if got.Environment != "" {
		t.Errorf("a timeout is not the environment's: %s", got.Environment)
	}
}

func TestACommandEndsWithItsContext(t *testing.T) {
	t.Parallel()
	because := errors.New("the user said so")
	ctx, cancel := context.WithCancelCause(t.Context())
	r := runner(t, func(c *Config) {
		c.OnOutput = func(Step, string) { cancel(because) }
	})
	_, err := r.Run(ctx, Step{Name: "x", Kind: Test, Command: "echo ready; sleep 600"})
	if !errors.Is(err, because) {
		t.Errorf("got %v", err)
	}
	if _, err := r.Run(ctx, Step{Name: "x", Kind: Test, Command: "true"}); !errors.Is(err, because) {
		t.Errorf("an ended context must start nothing: %v", err)
	}
}

func TestEndlessOutputStaysBounded(t *testing.T) {
	if testing.Short() && os.Getenv("BOOTY_TEST_EVERY") == "" { // .ci/run sets it for a second user
		t.Skip("it takes seconds")
	}
	t.Parallel()
	const limit = 1 << 20
	r := runner(t, func(c *Config) { c.MaxLog = limit })
	got := run(t, r, Step{Name: "yes", Command: `echo first; yes 'all work and no play'; echo last`, Timeout: 4 * time.Second})
	log := readLog(t, got)
	if len(log) > limit+200 || !got.Truncated || got.End != TimedOut {
		t.Errorf("log of %d bytes, truncated %v, timed out %v", len(log), got.Truncated, got.End == TimedOut)
	}
	if !strings.HasPrefix(log, "first\n") || !strings.Contains(log, "bytes of output left out here]\nall work") {
		t.Error("the log should hold the beginning and the end and say what is missing")
	}
	if len(got.Tail) > tailSize {
		t.Errorf("tail of %d bytes", len(got.Tail))
	}
}

func TestALogKeepsBeginningAndEnd(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 1, 99, 100, 101, 150, 1000, 12345} {
		l, err := createLog(filepath.Join(t.TempDir(), "log"), 100)
		if err != nil {
			t.Fatal(err)
		}
		text := bytes.Repeat([]byte("0123456789"), size/10+1)[:size]
		for piece := range slices.Chunk(text, 7) {
			if _, err := l.Write(piece); err != nil {
				t.Fatal(err)
			}
		}
		name := l.f.Name()
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		got, _ := os.ReadFile(name)
		if size <= 100 {
			if !bytes.Equal(got, text) {
				t.Errorf("%d bytes: got %q", size, got)
			}
			continue
		}
		if !bytes.HasPrefix(got, text[:50]) || !bytes.HasSuffix(got, text[size-50:]) || !l.cut {
			t.Errorf("%d bytes: got %q", size, got)
		}
	}
}

// However the pieces fall, what is kept after a gap begins with a whole line.
func TestATailBeginsWithAWholeLine(t *testing.T) {
	t.Parallel()
	text := bytes.Repeat([]byte("0123456789ab\n"), 200)
	for piece := 1; piece <= 250; piece++ {
		end := tail{max: 100}
		var added int
		for b := range slices.Chunk(text, piece) {
			end.add(b)
			added += len(b)
			got := end.bytes()
			if len(got) > 100 || !bytes.HasSuffix(text[:added], got) {
				t.Fatalf("pieces of %d, after %d: got %q", piece, added, got)
			}
			if added <= 100 && len(got) != added || added > 100 && !bytes.HasPrefix(got, []byte("0")) && len(got) >= 13 {
				t.Fatalf("pieces of %d, after %d: got %q", piece, added, got)
			}
		}
	}
}

func TestManyShortLinesArriveWhole(t *testing.T) {
	t.Parallel()
	r := runner(t, nil)
	got := run(t, r, Step{Name: "lines", Command: `i=0; while [ $i -lt 50000 ]; do echo out-$i; echo err-$i >&2; i=$((i+1)); done`})
	lines := strings.Split(strings.TrimSuffix(readLog(t, got), "\n"), "\n")
	if len(lines) != 100_000 {
		t.Fatalf("got %d lines", len(lines))
	}
	next := map[string]int{}
	for _, l := range lines {
		name, n, _ := strings.Cut(l, "-")
		if n != strconv.Itoa(next[name]) {
			t.Fatalf("got %q as line %d of its stream", l, next[name])
		}
		next[name]++
	}
}

func TestSecretsAreReplacedEverywhere(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var seen []string
	r := runner(t, func(c *Config) {
		c.Redact = func(w io.Writer) io.Writer { return &replacing{w: w} }
		c.OnOutput = func(_ Step, line string) {
			mu.Lock()
			defer mu.Unlock()
			seen = append(seen, line)
		}
		c.Distill = func(_ context.Context, out Output) (Summary, error) {
			b, err := io.ReadAll(out)
			return Summary{Text: string(b)}, err
		}
	})
	got := run(t, r, Step{Name: "leak", Command: `echo a hunter2 b; echo hunter2 >&2; printf hunter2; exit 1`})
	for _, s := range []string{readLog(t, got), got.Tail, got.Summary.Text, strings.Join(seen, "")} {
		if strings.Contains(s, "hunter2") || !strings.Contains(s, "[REDACTED]") {
			t.Errorf("got %q", s)
		}
	}
}

// replacing holds everything back until it is closed, as the worst of redactors.
type replacing struct {
	w   io.Writer
	buf bytes.Buffer
}

func (r *replacing) Write(b []byte) (int, error) { return r.buf.Write(b) }
func (r *replacing) Close() error {
	_, err := io.WriteString(r.w, strings.ReplaceAll(r.buf.String(), "hunter2", "[REDACTED]"))
	return err
}

func TestOnlyAFailedStepIsComparedWithItsLastGoodRun(t *testing.T) {
	t.Parallel()
	var asked []string
	r := runner(t, func(c *Config) {
		c.LastGood = func(ctx context.Context, s Step) *distill.Good {
			asked = append(asked, s.Command)
			good, err := distill.ReadGood(ctx, strings.NewReader("load 3 parts\nall fit\n"))
			if err != nil {
				t.Error(err)
			}
			return good
		}
		c.Distill = NewDistiller(c.Dir, c.Dir, nil)
	})
	run(t, r, Step{Name: "good", Command: "echo load 4 parts; echo all fit"})
	got := run(t, r, Step{Name: "bad", Command: "echo load 5 parts; echo the lid is loose; exit 1"})
	if want := []string{"echo load 5 parts; echo the lid is loose; exit 1"}; !slices.Equal(asked, want) {
		t.Errorf("asked for %q, want %q", asked, want)
	}
	if s := got.Summary.Text; !strings.Contains(s, "New since the last good run") || !strings.Contains(s, "the lid is loose") ||
		!strings.Contains(s, "all fit") {
		t.Errorf("got %q", s)
	}
}

func TestLeftoverProcessesAreEnded(t *testing.T) {
	t.Parallel()
	r := runner(t, nil)
	got := run(t, r, Step{Name: "server", Command: `sleep 600 & echo started`})
	if !got.Passed || len(got.Notes) != 1 || got.Duration > 30*time.Second {
		t.Errorf("got %+v", got)
	}
}

func TestTwoStepsOfOneNameHaveTwoLogs(t *testing.T) {
	t.Parallel()
	r := runner(t, nil)
	a := run(t, r, Step{Name: "../Lint: a/b", Command: "echo a"})
	b := run(t, r, Step{Name: "../Lint: a/b", Command: "echo b"})
	if readLog(t, a) != "a\n" || readLog(t, b) != "b\n" || filepath.Dir(a.Log) != r.c.LogDir {
		t.Errorf("got %s and %s", a.Log, b.Log)
	}
}

func TestACommandThatFillsTheDiskIsStopped(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name       string
		start, now uint64
		want       bool
	}{
		{"it ate the disk", 50 << 30, 100 << 20, true},
		{"the disk was nearly full before", 300 << 20, 100 << 20, false},
		{"it ate a lot and there is a lot", 50 << 30, 10 << 30, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			asked := 0
			r := runner(t, func(k *Config) {
				k.free = func(string) (uint64, error) {
					if asked++; asked <= 2 {
						return c.start, nil
					}
					return c.now, nil
				}
			})
			got := run(t, r, Step{Name: "dd", Command: "sleep 1.2"})
			if (got.End == FilledDisk) != c.want || got.Passed == c.want || got.Environment != "" {
				t.Errorf("got %+v", got)
			}
			if c.want && !strings.Contains(headline(got), "disk") {
				t.Errorf("got %q", headline(got))
			}
		})
	}
	if n, err := freeSpace(t.TempDir()); err != nil || n == 0 {
		t.Errorf("free space: %d, %v", n, err)
	}
}

func BenchmarkTrue(b *testing.B) {
	b.Run("os/exec", func(b *testing.B) {
		for b.Loop() {
			if err := exec.Command("/bin/sh", "-c", "true").Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, supervise := range []bool{false, true} {
		b.Run(fmt.Sprintf("Run, supervised %v", supervise), func(b *testing.B) {
			r := runner(b, func(c *Config) { c.Supervise = supervise })
			for b.Loop() {
				if res, err := r.Run(b.Context(), Step{Name: "true", Kind: GateK, Command: "true"}); err != nil || !res.Passed {
					b.Fatal(err, res)
				}
			}
		})
	}
}

func BenchmarkCapture(b *testing.B) {
	const size = 256 << 20
	b.SetBytes(size)
	r := runner(b, nil)
	for b.Loop() {
		res, err := r.Run(b.Context(), Step{Name: "output", Kind: GateK, Command: fmt.Sprintf("yes 'a line of output as tests print them, more or less' | head -c %d", size)})
		if err != nil || !res.Passed {
			b.Fatal(err, res)
		}
		_ = os.Remove(res.Log)
	}
}
