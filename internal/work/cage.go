package work

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/check"
	"github.com/booty-cli/booty/internal/proc"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/sandbox"
	"github.com/booty-cli/booty/internal/workspace"
)

// cage is what the commands of a repository run in: the sandbox, which keeps
// them from most of what they are not to change, and the seal on the git
// directory, which puts back the rest.
type cage struct {
	plan *sandbox.Plan
	repo *workspace.Repo
	// usual are the changes that setup and the baseline made: those are put back
	// and told, but the work is not to blame for them.
	usual *usual
	// scrub names the variables that a hook must not see.
	scrub []string
	// meddling watches the files of the checks.
	meddling meddling

	mu sync.Mutex
	// first says that setup or the baseline is what runs.
	first bool
}

// usual is a set of changes, shared by all cages of a run.
type usual struct {
	mu  sync.Mutex
	set []string
}

func (u *usual) add(what string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.set = append(u.set, what)
}

func (u *usual) has(what string) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return slices.Contains(u.set, what)
}

// learn says whether what runs now is the baseline.
func (c *cage) learn(first bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.first = first
}

func (c *cage) learning() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.first
}

// Wrap implements check.Sandbox. Setup may write to the git directory, since
// tools put their hooks there; it is put back as after any other command.
func (c *cage) Wrap(ctx context.Context, cmd *exec.Cmd, step check.Step) (func(context.Context) (check.Aftermath, error), error) {
	loose := sandbox.Loosening{Fixed: step.Kind == check.Setup}
	seal, err := c.seal(ctx, loose)
	if err != nil {
		return nil, err
	}
	first := c.learning()
	after := func(ctx context.Context) (check.Aftermath, error) {
		found, err := seal.Check(ctx)
		if err != nil {
			return c.aftermath(found, first), err
		}
		a := c.aftermath(found, first)
		b, err := c.meddling.after(ctx, step, first)
		a.Notes, a.Disturbed = append(a.Notes, b.Notes...), b.Disturbed
		return a, err
	}
	return after, c.plan.Wrap(cmd, loose)
}

func (c *cage) seal(ctx context.Context, loose sandbox.Loosening, but ...string) (*workspace.Seal, error) {
	return c.repo.Seal(ctx, func(path string) bool { return c.plan.Writable(path, loose) }, but...)
}

// maxNotes bounds how many changes are told one by one.
const maxNotes = 5

// aftermath tells what was changed, and whether that is the work's fault.
func (c *cage) aftermath(found []workspace.Tampering, first bool) check.Aftermath {
	var a check.Aftermath
	var blamed []string
	for _, t := range found {
		if len(a.Notes) < maxNotes {
			a.Notes = append(a.Notes, t.Note)
		}
		what := t.Path + "\x00" + t.What
		switch {
		case first:
			c.usual.add(what)
		case !c.usual.has(what):
			blamed = append(blamed, t.Path)
		}
	}
	if n := len(found) - maxNotes; n > 0 {
		a.Notes = append(a.Notes, fmt.Sprintf("and %d more, put back as well", n))
	}
	if len(blamed) > 0 {
		a.Tampered = fmt.Sprintf("The command changed what git obeys (%s), which it did not do before the change. "+
			"That was put back, and the run does not count: the code and its tests must leave the git directory alone.", report.Some(blamed))
	}
	return a
}

// Explain implements check.Explainer.
func (c *cage) Explain(text string) string { return c.plan.Explain(text) }

// runHook is a workspace.HookRunner: the hook runs like a command, and may write
// to the git directory as git itself would let it.
func (c *cage) runHook(ctx context.Context, cmd *exec.Cmd, p workspace.HookPlaces) (err error) {
	loose := sandbox.Loosening{Fixed: true, Write: p.Write}
	seal, err := c.seal(ctx, loose, p.Changes...)
	if err != nil {
		return err
	}
	cmd.Env = slices.DeleteFunc(slices.Clone(cmd.Env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains(c.scrub, name)
	})
	if err := c.plan.Wrap(cmd, loose); err != nil {
		return err
	}
	if err := runTree(ctx, cmd); err != nil {
		_, sealErr := seal.Check(context.WithoutCancel(ctx))
		if sealErr != nil {
			return sealErr
		}
		return err
	}
	_, err = seal.Check(ctx)
	return err
}

// runTree runs a command, and ends all of it: its streams go by way of files,
// which a process that it leaves behind cannot keep open for anyone.
func runTree(ctx context.Context, cmd *exec.Cmd) error {
	to := cmd.Stdout
	out, err := unnamed()
	if err != nil {
		return err
	}
	defer out.Close()
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
	cmd.Stdout, cmd.Stderr = out, out
	p, err := proc.Start(cmd, proc.Options{Supervise: true})
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, p.Stop)
	exit, err := p.Wait()
	stop()
	if _, seekErr := out.Seek(0, io.SeekStart); err == nil && seekErr == nil {
		_, err = io.Copy(to, io.LimitReader(out, maxHookOutput))
	}
	if err == nil && exit.Code != 0 {
		err = fmt.Errorf("it ended with exit code %d", exit.Code)
	}
	return err
}

// maxHookOutput bounds what is read of what a hook says.
const maxHookOutput = 16 << 20

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
