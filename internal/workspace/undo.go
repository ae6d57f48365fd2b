package workspace

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
)

// Undone reports what Undo did.
type Undone struct {
	// Restored is how many files it wrote or removed; 0 says that they were as before.
	Restored int
	// Commits is how many commits of the run it took off the branch.
	Commits int
}

// Undo gives the files that a run brought back what they held before, and takes the run's
// own commits off the branch that is checked out. It refuses, naming the files, where the
// user has changed one of them since. The caller holds the Lock.
func (r *Repo) Undo(ctx context.Context, run string) (u Undone, err error) {
	restored, paths, err := r.Results.Undo(ctx, run)
	if err != nil {
		return u, err
	}
	u.Restored = restored
	u.Commits, err = r.dropOwnCommits(ctx, run, paths)
	return u, err
}

// CompleteBringBack writes what a killed run had recorded and not yet written, and brings
// the index to its commit where that is on the branch. The caller holds the Lock.
func (r *Repo) CompleteBringBack(ctx context.Context, run string) error {
	paths, err := r.Results.Complete(ctx, run)
	if err != nil || len(paths) == 0 {
		return err
	}
	_, head, err := r.Head(ctx)
	if err != nil || head == "" {
		return err
	}
	if _, own, err := r.beforeOwn(run, head); err != nil || own == 0 {
		return err
	}
	return r.index.Follow(ctx, paths, head)
}

// maxOwnCommits bounds how many commits a run makes: the change, and one of tests.
const maxOwnCommits = 4

// dropOwnCommits moves the branch that is checked out back over the commits of a run at
// its tip, and the index with it in the named paths. It reports how many there were.
func (r *Repo) dropOwnCommits(ctx context.Context, run string, paths []string) (int, error) {
	branch, head, err := r.Head(ctx)
	if err != nil || head == "" {
		return 0, err
	}
	to, n, err := r.beforeOwn(run, head)
	if err != nil || n == 0 {
		return 0, err
	}
	if to == "" && branch == "" {
		return 0, nil // a detached HEAD cannot be without a commit
	}
	if err := r.index.Follow(ctx, paths, to); err != nil {
		return 0, r.index.Fault(err)
	}
	r.at.Step("undo: before the branch")
	if err := r.moveBranch(ctx, branch, to, head, "booty: undo"); err != nil {
		return 0, fault.New(fault.Git, "git reset --soft "+to[:min(len(to), 12)],
			"take the commit of the run back: %w",
			errors.Join(err, r.index.Follow(ctx, paths, head)))
	}
	return n, nil
}

// beforeOwn gives the commit below those of a run at a tip, "" where the first of them is
// the branch's first, and how many there are.
func (r *Repo) beforeOwn(run, tip string) (below string, n int, err error) {
	st := r.at.Store.Objects()
	for n < maxOwnCommits && tip != "" {
		c, err := st.Commit(tip)
		if err != nil {
			return "", 0, err
		}
		if !strings.Contains(c.Message, "\nBooty-Run: "+run+"\n") {
			break
		}
		n++
		tip = ""
		if len(c.ParentHashes) > 0 {
			tip = c.ParentHashes[0].String()
		}
	}
	return tip, n, nil
}

// moveBranch sets the branch that is checked out ("" for a detached HEAD) to a commit ("" to
// be without one), if it is at old now ("" for one without a commit).
func (r *Repo) moveBranch(ctx context.Context, branch, commit, old, why string) error {
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
	_, err := r.at.Git.Run(ctx, git.Call{Args: args})
	return err
}

// ErrMovedMeanwhile means that the checkout is not on the commit that a run began at.
var ErrMovedMeanwhile = errors.New("you committed or switched branches during the run")

// TakeCommit moves the branch that is checked out to a commit of the run, and the named
// paths of the index with it, whose files BringBack has written. It does so only where the
// checkout is still on the branch and commit that the run began at.
func (r *Repo) TakeCommit(ctx context.Context, commit, branch, head string, paths []string) error {
	now, at, err := r.Head(ctx)
	if err != nil {
		return err
	}
	if now != branch || at != head {
		return ErrMovedMeanwhile
	}
	if err := r.at.Store.Deliver(ctx, r.at.Git, commit); err != nil {
		return err
	}
	c, err := r.at.Store.Objects().Commit(commit)
	if err != nil {
		return err
	}
	subject, _, _ := strings.Cut(c.Message, "\n")
	return r.index.Fault(r.index.FollowWith(ctx, paths, commit, func() error {
		r.at.Step("commit: before the branch")
		if err := r.moveBranch(ctx, branch, commit, head, "commit: "+subject); err != nil {
			return fmt.Errorf("%w: %v", ErrMovedMeanwhile, err) //nolint:errorlint // git has nothing to add
		}
		r.at.Step("commit: on its branch")
		return nil
	}))
}
