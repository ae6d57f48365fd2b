package bringback

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
)

// maxOwnCommits bounds how many commits a run makes: the change, and one of tests.
const maxOwnCommits = 4

// dropOwnCommits moves the branch that is checked out back over the commits of a run at
// its tip, and the index with it in the named paths. It reports how many there were.
func (c *Checkout) dropOwnCommits(ctx context.Context, run string, paths []string) (int, error) {
	branch, head, err := c.store.Objects().Head()
	if err != nil || head == "" {
		return 0, err
	}
	to, n, err := c.beforeOwn(run, head)
	if err != nil || n == 0 {
		return 0, err
	}
	if to == "" && branch == "" {
		return 0, nil // a detached HEAD cannot be without a commit
	}
	if err := c.index.Follow(ctx, paths, to); err != nil {
		return 0, c.index.Fault(err)
	}
	c.step("undo: before the branch")
	if err := c.moveBranch(ctx, branch, to, head, "booty: undo"); err != nil {
		return 0, fault.New(fault.Git, "git reset --soft "+to[:min(len(to), 12)],
			"take the commit of the run back: %w",
			errors.Join(err, c.index.Follow(ctx, paths, head)))
	}
	return n, nil
}

// beforeOwn gives the commit below those of a run at a tip, "" where the first of them is
// the branch's first, and how many there are.
func (c *Checkout) beforeOwn(run, tip string) (below string, n int, err error) {
	st := c.store.Objects()
	for n < maxOwnCommits && tip != "" {
		own, err := st.Commit(tip)
		if err != nil {
			return "", 0, err
		}
		if !strings.Contains(own.Message, "\nBooty-Run: "+run+"\n") {
			break
		}
		n++
		tip = ""
		if len(own.ParentHashes) > 0 {
			tip = own.ParentHashes[0].String()
		}
	}
	return tip, n, nil
}

// moveBranch sets the branch that is checked out ("" for a detached HEAD) to a commit ("" to
// be without one), if it is at old now ("" for one without a commit).
func (c *Checkout) moveBranch(ctx context.Context, branch, commit, old, why string) error {
	if old == "" {
		old = git.NoObject
	}
	args := []string{"update-ref", "-m", why}
	ref := "refs/heads/" + branch
	if branch == "" {
		args, ref = append(args, "--no-deref"), "HEAD"
	}
	if commit == "" {
		args = append(args, "-d", ref, old)
	} else {
		args = append(args, ref, commit, old)
	}
	_, err := c.git.Run(ctx, git.Call{Args: args})
	return err
}

// ErrMovedMeanwhile means that the checkout is not on the commit that a run began at.
var ErrMovedMeanwhile = errors.New("you committed or switched branches during the run")

// TakeCommit moves the branch that is checked out to a commit of the run, and the named
// paths of the index with it, whose files BringBack has written. It does so only where the
// checkout is still on the branch and commit that the run began at.
func (c *Checkout) TakeCommit(ctx context.Context, commit, branch, head string, paths []string) error {
	now, at, err := c.store.Objects().Head()
	if err != nil {
		return err
	}
	if now != branch || at != head {
		return ErrMovedMeanwhile
	}
	if err := c.store.Deliver(ctx, c.git, commit); err != nil {
		return err
	}
	made, err := c.store.Objects().Commit(commit)
	if err != nil {
		return err
	}
	subject, _, _ := strings.Cut(made.Message, "\n")
	return c.index.Fault(c.index.FollowWith(ctx, paths, commit, func() error {
		c.step("commit: before the branch")
		if err := c.moveBranch(ctx, branch, commit, head, "commit: "+subject); err != nil {
			return fmt.Errorf("%w: %v", ErrMovedMeanwhile, err) //nolint:errorlint // git has nothing to add
		}
		c.step("commit: on its branch")
		return nil
	}))
}
