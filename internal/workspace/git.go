package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// GitError is a git child that did not end well.
type GitError struct {
	Args     []string
	ExitCode int // -1 where it did not exit by itself
	Stderr   string
	Stdout   string // its tail: hooks and git push --porcelain speak there
	Err      error
}

func (e *GitError) Error() string {
	msg := lastLines(e.Stderr, 3)
	if msg == "" {
		msg = e.Err.Error()
	}
	return fmt.Sprintf("git %s: %s", e.name(), msg)
}

// Unwrap gives the cause, an *exec.ExitError or the context's error.
func (e *GitError) Unwrap() error { return e.Err }

// name is the subcommand, without the settings before it.
func (e *GitError) name() string {
	for i := 0; i < len(e.Args); i++ {
		switch {
		case e.Args[i] == "-c":
			i++
		case !strings.HasPrefix(e.Args[i], "-"):
			return e.Args[i]
		}
	}
	return strings.Join(e.Args, " ")
}

// outputTail bounds what is kept of a child's messages.
const outputTail = 64 << 10

// endGrace is how long a cancelled git may take to remove its lock files.
const endGrace = 5 * time.Second

// runner starts git children in one directory with one environment.
type runner struct {
	bin string
	dir string
	env []string
	// confined says how those are run that may start programs of the settings.
	confined *confinement
}

// confinement is the sandbox for git children that may start programs which the
// settings name (filters, merge drivers, file monitors): these may be code of the work
// tree, or find some there. Until there is one they run like all others: nothing of a
// model's is in the tree by then.
type confinement struct {
	mu  sync.Mutex
	run HookRunner
}

func (c *confinement) set(run HookRunner) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.run = run
}

func (c *confinement) get() HookRunner {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.run
}

// call is one git child.
type call struct {
	args  []string
	stdin io.Reader
	env   []string
	dir   string // "" is the runner's
	// combined puts standard error into the output as well.
	combined bool
	// programs says that it may start programs that settings name; write are the
	// directories that it must be able to write to then.
	programs bool
	write    []string
}

// run starts git and gives its standard output.
func (g runner) run(ctx context.Context, c call) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, g.bin, c.args...)
	cmd.Dir = g.dir
	if c.dir != "" {
		cmd.Dir = c.dir
	}
	cmd.Env = append(append([]string{}, g.env...), c.env...)
	cmd.Stdin = c.stdin
	var stdout bytes.Buffer
	stderr := &tail{max: outputTail}
	cmd.Stdout, cmd.Stderr = &stdout, stderr
	if c.combined {
		cmd.Stderr = io.MultiWriter(stderr, &stdout)
		cmd.Stdout = cmd.Stderr
	}
	// A group of its own: Ctrl-C on the terminal must not hit git in the middle
	// of a write. It gets a TERM instead, on which it removes its lock files.
	ownGroup(cmd)
	cmd.WaitDelay = endGrace
	err := g.start(ctx, cmd, c)
	if err == nil {
		return stdout.Bytes(), nil
	}
	e := &GitError{Args: c.args, ExitCode: -1, Stderr: stderr.String(), Err: err}
	out := stdout.Bytes()
	e.Stdout = string(out[max(0, len(out)-outputTail):])
	var exit interface{ ExitCode() int }
	if errors.As(err, &exit) {
		e.ExitCode = exit.ExitCode()
	}
	if ctx.Err() != nil {
		e.Err = fmt.Errorf("%w (%w)", context.Cause(ctx), err)
	}
	return stdout.Bytes(), e
}

// start runs a child to its end, in the sandbox where it may start others.
func (g runner) start(ctx context.Context, cmd *exec.Cmd, c call) error {
	if run := g.confined.get(); c.programs && run != nil {
		return run(ctx, cmd, c.write)
	}
	return cmd.Run()
}

// text runs git and gives its output without the last newline.
func (g runner) text(ctx context.Context, args ...string) (string, error) {
	out, err := g.run(ctx, call{args: args})
	return strings.TrimRight(string(out), "\r\n"), err
}

// exitCode gives the exit code that err tells of, -1 where it tells of none.
func exitCode(err error) int {
	var e *GitError
	if errors.As(err, &e) {
		return e.ExitCode
	}
	return -1
}

// stderrOf gives what git said on standard error.
func stderrOf(err error) string {
	var e *GitError
	if errors.As(err, &e) {
		return e.Stderr
	}
	return ""
}

// foreign are the variables by which a surrounding git (a hook that calls
// booty) would point its children at another repository or index. They are
// dropped deliberately: booty works on the repository of its directory.
// GIT_CONFIG_* stay: they are settings, such as safe.directory in CI.
var foreign = map[string]bool{
	"GIT_DIR": true, "GIT_WORK_TREE": true, "GIT_INDEX_FILE": true, "GIT_PREFIX": true,
	"GIT_OBJECT_DIRECTORY": true, "GIT_ALTERNATE_OBJECT_DIRECTORIES": true, "GIT_COMMON_DIR": true,
	"GIT_NAMESPACE": true, "GIT_GRAFT_FILE": true, "GIT_SHALLOW_FILE": true, "GIT_QUARANTINE_PATH": true,
	"GIT_IMPLICIT_WORK_TREE": true, "GIT_INTERNAL_SUPER_PREFIX": true, "GIT_REPLACE_REF_BASE": true,
	"GIT_NO_REPLACE_OBJECTS": true, "GIT_CONFIG": true, "GIT_EXTERNAL_DIFF": true, "GIT_DIFF_OPTS": true,
	"GIT_LITERAL_PATHSPECS": true, "GIT_GLOB_PATHSPECS": true, "GIT_NOGLOB_PATHSPECS": true,
	"GIT_ICASE_PATHSPECS": true, "GIT_ATTR_SOURCE": true, "GIT_REFLOG_ACTION": true,
	"LC_ALL": true, "LANGUAGE": true, "GIT_TERMINAL_PROMPT": true, "GIT_OPTIONAL_LOCKS": true,
	"GIT_EDITOR": true, "GIT_PAGER": true, "GIT_MERGE_AUTOEDIT": true,
}

// environment makes the environment of git children out of that of booty.
func environment(base []string) []string {
	if base == nil {
		base = os.Environ()
	}
	var env []string
	for _, kv := range base {
		if name, _, _ := strings.Cut(kv, "="); !foreign[name] {
			env = append(env, kv)
		}
	}
	return append(env, "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0",
		"GIT_EDITOR=:", "GIT_PAGER=cat", "GIT_MERGE_AUTOEDIT=no", "GCM_INTERACTIVE=never")
}

// tail keeps the last max bytes written to it.
type tail struct {
	max int
	buf []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.buf = append(t.buf, p...)
	if len(t.buf) > 2*t.max {
		t.buf = append(t.buf[:0], t.buf[len(t.buf)-t.max:]...)
	}
	return len(p), nil
}

func (t *tail) String() string { return string(t.buf[max(0, len(t.buf)-t.max):]) }

// lastLines gives the last n lines of s that say something, joined by "; ".
func lastLines(s string, n int) string {
	var lines []string
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "hint:") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines[max(0, len(lines)-n):], "; ")
}
