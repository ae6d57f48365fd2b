package runner

import (
	"context"
	"fmt"
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

// runConfined is a git.Starter: hooks, and git where it may start programs
// that settings name, run like any other command of the repository, and may write to
// git directories of booty's own.
func (c *checks) runConfined(ctx context.Context, cmd *exec.Cmd, write []string) error {
	cmd.Env = slices.DeleteFunc(slices.Clone(cmd.Env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains(c.scrub, name)
	})
	box, err := c.gitBox()
	if err != nil {
		return err
	}
	if err := box.Wrap(cmd, write...); err != nil {
		return err
	}
	return runTree(ctx, cmd)
}

// exited is the error of a command that ended by itself with another code than 0.
type exited int

func (e exited) Error() string { return fmt.Sprintf("it ended with exit code %d", int(e)) }

// ExitCode returns the code.
func (e exited) ExitCode() int { return int(e) }

// runTree runs a command, and ends all that it starts.
func runTree(ctx context.Context, cmd *exec.Cmd) error {
	p, err := proc.Start(cmd, proc.Options{Supervise: true})
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, p.Stop)
	defer stop()
	exit, err := p.Wait()
	if err == nil && exit.Code != 0 {
		err = exited(exit.Code)
	}
	return err
}
