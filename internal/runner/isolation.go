package runner

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/check"
	"github.com/booty-cli/booty/internal/proc"
	"github.com/booty-cli/booty/internal/sandbox"
)

// boxed is the check.Sandbox over a plan.
type boxed struct{ plan *sandbox.Plan }

// Wrap implements check.Sandbox.
func (b boxed) Wrap(cmd *exec.Cmd, _ check.Step) error { return b.plan.Wrap(cmd) }

// Explain implements check.Explainer.
func (b boxed) Explain(text string) string { return b.plan.Explain(text) }

// runConfined is a workspace.HookRunner: hooks, and git where it may start programs
// that settings name, run like any other command of the repository, and may write to
// git directories of booty's own.
func (c *checks) runConfined(ctx context.Context, cmd *exec.Cmd, write []string) error {
	cmd.Env = slices.DeleteFunc(slices.Clone(cmd.Env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains(c.scrub, name)
	})
	if err := c.gitBox.Wrap(cmd, write...); err != nil {
		return err
	}
	return runTree(ctx, cmd)
}

// exited is the error of a command that ended by itself with another code than 0.
type exited int

func (e exited) Error() string { return fmt.Sprintf("it ended with exit code %d", int(e)) }

// ExitCode gives the code.
func (e exited) ExitCode() int { return int(e) }

// runTree runs a command, and ends all of it: its streams go by way of files,
// which a process that it leaves behind cannot keep open for anyone.
func runTree(ctx context.Context, cmd *exec.Cmd) error {
	var back []func() error
	defer func() {
		for _, f := range back {
			_ = f()
		}
	}()
	through := func(to io.Writer) (*os.File, error) {
		f, err := unnamed()
		if err != nil {
			return nil, err
		}
		back = append(back, func() error {
			defer f.Close()
			_, err := f.Seek(0, io.SeekStart)
			if err == nil {
				_, err = io.Copy(to, io.LimitReader(f, maxHookOutput))
			}
			return err
		})
		return f, nil
	}
	if from := cmd.Stdin; from != nil {
		in, err := unnamed()
		if err != nil {
			return err
		}
		defer in.Close()
		if _, err := io.Copy(in, from); err != nil {
			return err
		}
		if _, err := in.Seek(0, io.SeekStart); err != nil {
			return err
		}
		cmd.Stdin = in
	}
	out, errs := cmd.Stdout, cmd.Stderr
	to, err := through(out)
	if err != nil {
		return err
	}
	cmd.Stdout, cmd.Stderr = to, to
	if errs != out && errs != nil {
		if cmd.Stderr, err = through(errs); err != nil {
			return err
		}
	}
	p, err := proc.Start(cmd, proc.Options{Supervise: true})
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, p.Stop)
	exit, err := p.Wait()
	stop()
	if err == nil && exit.Code != 0 {
		err = exited(exit.Code)
	}
	return err
}

// maxHookOutput bounds what is read of what a hook says.
const maxHookOutput = 256 << 20

// unnamed makes a file without a name, where the system lets an open file be
// removed.
func unnamed() (*os.File, error) {
	f, err := os.CreateTemp("", "booty-hook-")
	if err != nil {
		return nil, fmt.Errorf("run a hook: %w", err)
	}
	_ = os.Remove(f.Name())
	return f, nil
}
