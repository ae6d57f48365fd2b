package git

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

// Error is a git child that did not end well.
type Error struct {
	Args     []string
	ExitCode int // -1 where it did not exit by itself
	Stderr   string
	Stdout   string // its tail: hooks and git push --porcelain speak there
	Err      error
}

func (e *Error) Error() string {
	msg := LastLines(e.Stderr, 3)
	if msg == "" {
		msg = e.Err.Error()
	}
	return fmt.Sprintf("git %s: %s", e.name(), msg)
}

// Unwrap gives the cause, an *exec.ExitError or the context's error.
func (e *Error) Unwrap() error { return e.Err }

// name is the subcommand, without the settings before it.
func (e *Error) name() string {
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

// OutputTail bounds what is kept of a child's messages.
const OutputTail = 64 << 10

// EndGrace is how long a cancelled git may take to remove its lock files.
const EndGrace = 5 * time.Second

// Client runs git children in one directory with one environment.
type Client struct {
	Bin string
	Dir string
	Env []string
	// confined says how those are run that may start programs of the settings.
	confined *confinement
}

// Starter runs a child to its end. It may put it into a sandbox; write are the
// directories beside the work tree where the child writes: git directories of booty's own.
type Starter func(ctx context.Context, cmd *exec.Cmd, write []string) error

// New runs the git program bin in dir. env is the environment of its children, nil
// for booty's own.
func New(bin, dir string, env []string) Client {
	return Client{Bin: bin, Dir: dir, Env: environment(env), confined: new(confinement)}
}

// Confine has children that may start programs of the settings run by f, nil for as all
// others. It holds for copies of the client, too.
func (g Client) Confine(f Starter) { g.confined.set(f) }

// confinement is the sandbox for git children that may start programs which the
// settings name (filters, merge drivers, file monitors): these may be code of the work
// tree, or find some there. Until there is one they run like all others: nothing of a
// model's is in the tree by then.
type confinement struct {
	mu  sync.Mutex
	run Starter
}

func (c *confinement) set(run Starter) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.run = run
}

func (c *confinement) get() Starter {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.run
}

// Call is one git child.
type Call struct {
	Args  []string
	Stdin io.Reader
	Env   []string
	Dir   string // "" is the client's
	// Combined puts standard error into the output as well.
	Combined bool
	// Programs says that it may start programs that settings name; Write are the
	// directories that it must be able to write to then.
	Programs bool
	Write    []string
}

// Run starts git and gives its standard output.
func (g Client) Run(ctx context.Context, c Call) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, g.Bin, c.Args...)
	cmd.Dir = g.Dir
	if c.Dir != "" {
		cmd.Dir = c.Dir
	}
	cmd.Env = append(append([]string{}, g.Env...), c.Env...)
	cmd.Stdin = c.Stdin
	var stdout bytes.Buffer
	stderr := &Tail{Max: OutputTail}
	cmd.Stdout, cmd.Stderr = &stdout, stderr
	if c.Combined {
		cmd.Stderr = io.MultiWriter(stderr, &stdout)
		cmd.Stdout = cmd.Stderr
	}
	// A group of its own: Ctrl-C on the terminal must not hit git in the middle
	// of a write. It gets a TERM instead, on which it removes its lock files.
	OwnGroup(cmd)
	cmd.WaitDelay = EndGrace
	err := g.start(ctx, cmd, c)
	if err == nil {
		return stdout.Bytes(), nil
	}
	e := &Error{Args: c.Args, ExitCode: -1, Stderr: stderr.String(), Err: err}
	out := stdout.Bytes()
	e.Stdout = string(out[max(0, len(out)-OutputTail):])
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
func (g Client) start(ctx context.Context, cmd *exec.Cmd, c Call) error {
	if run := g.confined.get(); c.Programs && run != nil {
		return run(ctx, cmd, c.Write)
	}
	return cmd.Run()
}

// Text runs git and gives its output without the last newline.
func (g Client) Text(ctx context.Context, args ...string) (string, error) {
	out, err := g.Run(ctx, Call{Args: args})
	return strings.TrimRight(string(out), "\r\n"), err
}

// ExitCode gives the exit code that err tells of, -1 where it tells of none.
func ExitCode(err error) int {
	var e *Error
	if errors.As(err, &e) {
		return e.ExitCode
	}
	return -1
}

// Stderr gives what git said on standard error.
func Stderr(err error) string {
	var e *Error
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

// Tail keeps the last max bytes written to it.
type Tail struct {
	Max int
	buf []byte
}

func (t *Tail) Write(p []byte) (int, error) {
	t.buf = append(t.buf, p...)
	if len(t.buf) > 2*t.Max {
		t.buf = append(t.buf[:0], t.buf[len(t.buf)-t.Max:]...)
	}
	return len(p), nil
}

func (t *Tail) String() string { return string(t.buf[max(0, len(t.buf)-t.Max):]) }

// LastLines gives the last n lines of s that say something, joined by "; ".
func LastLines(s string, n int) string {
	var lines []string
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "hint:") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines[max(0, len(lines)-n):], "; ")
}

// LastLine is the last line of an output: warnings come before it.
func LastLine(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// SplitNul splits NUL-terminated records.
func SplitNul(b []byte) []string {
	s := strings.TrimSuffix(string(b), "\x00")
	if s == "" {
		return nil
	}
	return strings.Split(s, "\x00")
}
