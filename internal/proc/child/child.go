// Package child runs one command that takes a prompt and answers: its input
// given whole, its output kept within bounds, and all that it started ended
// when it ends, when its time is over or when the context ends.
//
// It serves the exec provider and coding agents. The repository's own checks
// have other needs (logs, both streams merged) and a package of their own; the
// ending of processes is the same, that of proc.
package child

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/booty-cli/booty/internal/proc"
)

// Errors of Run.
var (
	ErrStart   = errors.New("the command cannot be started")
	ErrTimeout = errors.New("the command took too long")
)

// Options say what to run.
type Options struct {
	Argv []string
	Dir  string
	// Env is the whole environment; nil means that of this process.
	Env   []string
	Stdin string
	// Timeout bounds the run; zero means no bound but the context.
	Timeout time.Duration
	// MaxOutput bounds what is kept of standard output: its beginning, or with
	// KeepTail its end. Of standard error the last 16 KiB are kept.
	MaxOutput int
	KeepTail  bool
	// Output is given standard output and error as they come, where it is set.
	Output io.Writer
	// Supervise makes the command end even when this process is killed; see proc.Options.
	Supervise bool
	// Grace is the time between asking it to end and making it; zero for proc's default.
	Grace time.Duration
}

// Result is what a command left.
type Result struct {
	Stdout, Stderr []byte
	// Truncated says that standard output was longer than MaxOutput.
	Truncated bool
	// ExitCode is 128 and more where a signal ended the command.
	ExitCode int
}

const (
	maxStderr = 16 << 10
	// patience is how long output may still come when the whole tree has ended:
	// only something outside of it can hold the pipe open.
	patience = 2 * time.Second
)

// Run runs a command to its end. A non-zero exit is no error.
func Run(ctx context.Context, o Options) (Result, error) {
	if err := ctx.Err(); err != nil {
		return Result{}, context.Cause(ctx)
	}
	if len(o.Argv) == 0 {
		return Result{}, fmt.Errorf("%w: no command", ErrStart)
	}
	also := &oneAtATime{w: o.Output}
	stdout := &keeper{max: o.MaxOutput, tail: o.KeepTail, also: also}
	stderr := &keeper{max: maxStderr, tail: true, also: also}
	p, err := openPipes(o.Stdin, stdout, stderr)
	if err != nil {
		return Result{}, fmt.Errorf("%w: %w", ErrStart, err)
	}
	cmd := exec.Command(o.Argv[0], o.Argv[1:]...) //nolint:noctx // proc ends the whole tree with the context
	cmd.Dir, cmd.Env = o.Dir, o.Env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = p.theirs[0], p.theirs[1], p.theirs[2]
	process, err := proc.Start(cmd, proc.Options{Supervise: o.Supervise, Grace: o.Grace})
	p.started()
	if err != nil {
		p.finish(0)
		return Result{}, fmt.Errorf("%w: %w", ErrStart, err)
	}
	exit, cause, err := wait(ctx, process, o.Timeout)
	p.finish(patience)
	res := Result{Stdout: stdout.bytes(), Stderr: stderr.bytes(), ExitCode: exit.Code}
	res.Truncated = stdout.dropped
	if cause != nil {
		return res, cause
	}
	if err != nil && !errors.Is(err, proc.ErrSupervisor) {
		// Below a supervisor a command that cannot be started is known only now.
		err = fmt.Errorf("%w: %w", ErrStart, err)
	}
	return res, err
}

// wait waits for the command and ends it with the context or at its timeout;
// cause says which of them it was.
func wait(ctx context.Context, p *proc.Process, timeout time.Duration) (exit proc.Exit, cause, err error) {
	done := make(chan struct{})
	go func() {
		exit, err = p.Wait()
		close(done)
	}()
	var timer <-chan time.Time
	if timeout > 0 {
		t := time.NewTimer(timeout)
		defer t.Stop()
		timer = t.C
	}
	select {
	case <-done:
		return exit, nil, err
	case <-timer:
		cause = fmt.Errorf("%w: %s", ErrTimeout, timeout)
	case <-ctx.Done():
		cause = context.Cause(ctx)
	}
	p.Stop()
	<-done
	return exit, cause, err
}

// pipes carry the prompt to the command and its output back.
type pipes struct {
	ours, theirs [3]*os.File
	copies       sync.WaitGroup
}

func openPipes(stdin string, stdout, stderr io.Writer) (*pipes, error) {
	p := &pipes{}
	for i := range 3 {
		r, w, err := os.Pipe()
		if err != nil {
			p.started()
			p.closeOurs()
			return nil, err
		}
		if p.theirs[i], p.ours[i] = w, r; i == 0 {
			p.theirs[i], p.ours[i] = r, w
		}
	}
	p.copies.Go(func() {
		// A command need not read its input: a broken pipe is no error.
		_, _ = io.WriteString(p.ours[0], stdin)
		_ = p.ours[0].Close()
	})
	p.copies.Go(func() { _, _ = io.Copy(stdout, p.ours[1]) })
	p.copies.Go(func() { _, _ = io.Copy(stderr, p.ours[2]) })
	return p, nil
}

// started closes the ends that the command holds now.
func (p *pipes) started() {
	for _, f := range p.theirs {
		if f != nil {
			_ = f.Close()
		}
	}
}

func (p *pipes) closeOurs() {
	for _, f := range p.ours {
		if f != nil {
			_ = f.Close()
		}
	}
}

// finish waits for the end of the output, for a while, and closes it.
func (p *pipes) finish(patience time.Duration) {
	t := time.AfterFunc(patience, p.closeOurs)
	p.copies.Wait()
	t.Stop()
	p.closeOurs()
}

// keeper keeps the first or the last max bytes of what is written, and hands
// all of it on.
type keeper struct {
	buf     bytes.Buffer
	max     int
	tail    bool
	dropped bool
	also    *oneAtATime
}

// oneAtATime hands both streams on to one writer, where there is one.
type oneAtATime struct {
	mu sync.Mutex
	w  io.Writer
}

func (o *oneAtATime) write(p []byte) {
	if o.w == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	_, _ = o.w.Write(p)
}

// Write implements io.Writer; it never fails.
func (k *keeper) Write(p []byte) (int, error) {
	n := len(p)
	k.also.write(p)
	if !k.tail {
		room := max(k.max-k.buf.Len(), 0)
		k.dropped = k.dropped || n > room
		k.buf.Write(p[:min(n, room)])
		return n, nil
	}
	if n > k.max {
		p, k.dropped = p[n-k.max:], true
	}
	k.buf.Write(p)
	if k.buf.Len() > 2*k.max {
		k.buf.Next(k.buf.Len() - k.max)
		k.dropped = true
	}
	return n, nil
}

func (k *keeper) bytes() []byte {
	b := k.buf.Bytes()
	if len(b) > k.max {
		k.dropped = true
		b = b[len(b)-k.max:]
	}
	return bytes.Clone(b)
}
