//go:build unix

package main

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/testkit"
)

// lab is a home, a repository and a model of its own: what a reliability test
// puts booty into and looks at afterwards.
type lab struct {
	t     testing.TB
	home  string
	repo  string
	temp  string
	mark  string // in the environment of everything that booty starts
	model *model
	extra []string
}

// model is a server that answers by what it is asked, so that a lost reply
// does not shift the script.
type model struct {
	*httptest.Server
	mu       sync.Mutex
	answer   func(request string) string
	usage    [2]int
	requests []string
	headers  []http.Header
}

// answers changes what the model says from now on.
func (m *model) answers(f func(request string) string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.answer = f
}

func newModel(t testing.TB, answer func(request string) string) *model {
	t.Helper()
	m := &model{answer: answer, usage: [2]int{1000, 100}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"object":"list","data":[{"id":"scripted","object":"model"}]}`)
	})
	mux.HandleFunc("POST /v1/chat/completions", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		m.mu.Lock()
		m.requests = append(m.requests, string(body))
		m.headers = append(m.headers, r.Header.Clone())
		answer := m.answer
		m.mu.Unlock()
		text := answer(string(body))
		w.Header().Set("Content-Type", "text/event-stream")
		send := func(choices, usage any) {
			chunk := map[string]any{
				"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "scripted", "choices": choices,
			}
			if usage != nil {
				chunk["usage"] = usage
			}
			b, _ := json.Marshal(chunk)
			_, _ = fmt.Fprintf(w, "data: %s\n\n", b)
		}
		send([]any{map[string]any{"index": 0, "delta": map[string]any{"content": text}, "finish_reason": nil}}, nil)
		send([]any{map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": "stop"}}, nil)
		send([]any{}, map[string]any{
			"prompt_tokens": m.usage[0], "completion_tokens": m.usage[1], "total_tokens": m.usage[0] + m.usage[1],
		})
		_, _ = io.WriteString(w, "data: [DONE]\n\n")
	})
	m.Server = httptest.NewServer(mux)
	t.Cleanup(m.Close)
	return m
}

func (m *model) count() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.requests)
}

// newLab makes a lab whose repository holds files (slash paths to contents).
func newLab(t testing.TB, files map[string]string, answer func(string) string) *lab {
	t.Helper()
	dir := t.TempDir()
	l := &lab{
		t: t, home: filepath.Join(dir, "home"), repo: filepath.Join(dir, "app"), temp: filepath.Join(dir, "tmp"),
		mark: "LAB_TEST_MARK=" + rand.Text(), model: newModel(t, answer),
	}
	for _, d := range []string{l.home, l.repo, l.temp} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	testkit.Write(t, l.home, map[string]string{"gitconfig": "[init]\n\tdefaultBranch = main\n"})
	testkit.Write(t, l.repo, files)
	l.git("init", "-q", "-b", "main")
	l.git("add", "-A")
	l.git("commit", "-q", "-m", "start")
	return l
}

// env is the environment of everything that runs in the lab.
func (l *lab) env() []string {
	env := []string{
		"PATH=" + os.Getenv("PATH"), "TMPDIR=" + l.temp, "TERM=dumb", "OPENAI_BASE_URL=" + l.model.URL + "/v1",
		"OPENAI_API_KEY=sk-test-key-for-the-scripted-server", "BOOTY_MODEL=scripted", l.mark,
	}
	if dir := os.Getenv("GOCOVERDIR"); dir != "" {
		env = append(env, "GOCOVERDIR="+dir)
	}
	return append(append(env, testkit.GitEnv(l.home)...), l.extra...)
}

func (l *lab) git(args ...string) string {
	l.t.Helper()
	out, err := l.gitTry(args...)
	if err != nil {
		l.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

func (l *lab) gitTry(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = l.repo, append(os.Environ(), testkit.GitEnv(l.home)...)
	out, err := cmd.CombinedOutput()
	return strings.TrimSuffix(string(out), "\n"), err
}

// result is what one call of booty left.
type result struct {
	code           int
	stdout, stderr string
}

func (r result) String() string {
	return fmt.Sprintf("exit code %d\nstdout: %s\nstderr: %s", r.code, r.stdout, r.stderr)
}

// start begins a booty; its standard output comes through the reader.
func (l *lab) command(args ...string) *exec.Cmd {
	l.t.Helper()
	bin, err := exec.LookPath("booty")
	if err != nil {
		l.t.Fatal(err)
	}
	cmd := exec.Command(bin, args...)
	cmd.Dir, cmd.Env = l.repo, l.env()
	return cmd
}

func (l *lab) booty(args ...string) result {
	l.t.Helper()
	cmd := l.command(args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var e *exec.ExitError
	if err != nil && !errors.As(err, &e) {
		l.t.Fatal(err)
	}
	return result{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// hit says where a signal struck.
type hit struct {
	// events are the names of all events that were written.
	events []string
	stderr string
	code   int // -1 where a signal ended it
}

// inFlight says that a request was under way whose reply nobody has.
func (h hit) inFlight() int {
	n := 0
	for _, e := range h.events {
		switch e {
		case "model.request":
			n++
		case "model.reply":
			n--
		}
	}
	return n
}

// strike runs booty and sends it a signal once the i-th event line is written
// and the delay is over.
func (l *lab) strike(sig syscall.Signal, i int, delay time.Duration, args ...string) hit {
	l.t.Helper()
	return l.strikeWhen(sig, delay, func(events []string) bool { return len(events) == i }, args...)
}

// strikeWhen is strike at the moment when the events so far are as wanted.
func (l *lab) strikeWhen(sig syscall.Signal, delay time.Duration, now func(events []string) bool, args ...string) hit {
	l.t.Helper()
	cmd := l.command(args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		l.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		l.t.Fatal(err)
	}
	var h hit
	send := func() {
		if delay > 0 {
			time.Sleep(delay)
		}
		_ = cmd.Process.Signal(sig)
	}
	if now(nil) {
		send()
	}
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			break
		}
		var e struct{ Event string }
		if json.Unmarshal([]byte(line), &e) == nil {
			h.events = append(h.events, e.Event)
		}
		if now(h.events) {
			send()
		}
	}
	_ = cmd.Wait()
	h.stderr, h.code = stderr.String(), cmd.ProcessState.ExitCode()
	return h
}

// manifest is the listing of dir.
func manifest(t testing.TB, dir string) string {
	t.Helper()
	text, err := listing(dir)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// sound says what is wrong with the repository after everything, "" for
// nothing: HEAD, the index, the objects, work trees, locks, processes.
func (l *lab) sound(branch string) error {
	var errs []error
	if got := l.git("symbolic-ref", "--short", "HEAD"); got != branch {
		errs = append(errs, fmt.Errorf("HEAD is on %s, not on %s", got, branch))
	}
	if out, err := l.gitTry("fsck", "--strict", "--no-dangling", "--no-progress"); err != nil || strings.Contains(out, "error") {
		errs = append(errs, fmt.Errorf("git fsck: %w: %s", err, out))
	}
	if got := l.git("worktree", "list", "--porcelain"); strings.Count(got, "worktree ") != 1 {
		errs = append(errs, fmt.Errorf("work trees are left: %s", got))
	}
	locks, _ := filepath.Glob(filepath.Join(l.repo, ".git", "*.lock"))
	if len(locks) > 0 {
		errs = append(errs, fmt.Errorf("locks are left: %s", locks))
	}
	if alive := l.alive(); len(alive) > 0 {
		errs = append(errs, fmt.Errorf("processes are left: %s", alive))
	}
	return errors.Join(errs...)
}

// alive gives the command lines of processes that booty started. What was
// killed may take a moment to go.
func (l *lab) alive() []string {
	if runtime.GOOS != "linux" {
		return nil
	}
	var found []string
	for range 200 {
		found = found[:0]
		dirs, _ := filepath.Glob("/proc/[0-9]*")
		for _, dir := range dirs {
			env, err := os.ReadFile(filepath.Join(dir, "environ"))
			if err != nil || !bytes.Contains(env, []byte(l.mark)) {
				continue
			}
			line, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
			if len(line) > 0 { // a zombie has none
				found = append(found, filepath.Base(dir)+" "+strings.ReplaceAll(string(line), "\x00", " "))
			}
		}
		if len(found) == 0 {
			return nil
		}
		time.Sleep(25 * time.Millisecond)
	}
	return found
}

// tally counts cases.
type tally struct {
	mu                    sync.Mutex
	tried, survived, lost int
}

func (c *tally) add(ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tried++
	if ok {
		c.survived++
	} else {
		c.lost++
	}
}

func (c *tally) log(t *testing.T, what string) {
	t.Logf("%s: %d cases tried, %d survived, %d lost", what, c.tried, c.survived, c.lost)
}

// ownTree is the work tree of booty's own for the lab's checkout.
func (l *lab) ownTree() string {
	l.t.Helper()
	found, _ := filepath.Glob(filepath.Join(l.home, ".local", "state", "booty", "trees", "*", "main", "1", "app"))
	if len(found) != 1 {
		l.t.Fatalf("work trees of booty's own: %v", found)
	}
	return found[0]
}
