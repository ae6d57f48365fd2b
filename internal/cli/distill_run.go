package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/pkg/distill"
)

// exitStatus ends booty with the exit code of a command that it ran for the
// user. What there was to say of it is said already.
type exitStatus int

func (e exitStatus) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// distillGrace is how long a command has after booty was interrupted, and how long its
// output is read after it ended, which a process that it left behind may hold open.
const distillGrace = 1500 * time.Millisecond

// distillRun runs a command, reads what it prints, and ends with its exit code.
func (f *factory) distillRun(ctx context.Context, args []string, dir string, o distillOptions) error {
	do := distill.Options{Dir: dir, Budget: f.textBudget(o)}
	var err error
	if do.Before, err = o.readBefore(ctx); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	out, in := io.Pipe()
	cmd.Dir, cmd.Stdin, cmd.Stdout = dir, f.stdinFile(), io.Writer(in)
	if f.s.ErrTTY && !f.quiet {
		cmd.Stdout = io.MultiWriter(in, f.s.Err)
	}
	cmd.Stderr = cmd.Stdout
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = distillGrace
	if err := cmd.Start(); err != nil {
		return f.cannotRun(args[0], err)
	}
	code := 0 // known where the output ends
	do.ExitCode = &code
	go func() {
		code = exitCodeOf(cmd, cmd.Wait())
		_ = in.Close() // always nil
	}()
	// The command is told of an interruption; what it printed is still read.
	rep, err := distill.Read(context.WithoutCancel(ctx), out, do)
	if err != nil {
		return fmt.Errorf("read the output of %s: %w", args[0], err)
	}
	if err := f.printReport(rep, o); err != nil {
		return err
	}
	if code != 0 {
		return exitStatus(code)
	}
	return nil
}

// stdinFile is the standard input to pass on: as a file where it is one, so
// that nothing is read ahead of the command.
func (f *factory) stdinFile() io.Reader {
	if in, ok := f.s.In.(*interruptible); ok {
		if f, ok := in.in.(*os.File); ok {
			return f
		}
	}
	return f.s.In
}

// cannotRun tells why a command could not be started, as a shell would by its
// exit code.
func (f *factory) cannotRun(name string, err error) error {
	code := 126
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		code = 127
	}
	f.printError(fault.New(fault.Usage, "", "run %s: %w", name, err))
	return exitStatus(code)
}

// exitCodeOf gives the exit code of a command that ended, 128+n after signal n.
func exitCodeOf(cmd *exec.Cmd, err error) int {
	if cmd.ProcessState == nil {
		return 1
	}
	if ws, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return 128 + int(ws.Signal())
	}
	if code := cmd.ProcessState.ExitCode(); code != 0 || err == nil || errors.Is(err, exec.ErrWaitDelay) ||
		errors.Is(err, context.Canceled) {
		return max(code, 0)
	}
	return 1
}
