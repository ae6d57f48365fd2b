package workspace

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/booty-cli/booty/internal/fault"
)

// Undo gives the files that a run brought back what they held before, and takes the run's
// own commit off the branch that is checked out. It refuses, naming the files, where the
// user has changed one of them since. It reports how many files it restored; 0 says that
// they were as before. The caller holds the Lock.
func (r *Repo) Undo(ctx context.Context, run string) (restored int, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	b, err := r.brought(r.store(), run)
	if err != nil {
		return 0, err
	}
	if len(b.Files) > 0 && b.Worktree != r.checkoutID() {
		return 0, fault.New(fault.Refused, "git worktree list", "run %s was made in another work tree of this repository", run)
	}
	var moves []move
	var paths, theirs []string
	for _, f := range b.Files {
		paths = append(paths, f.Path)
		is, why := stateOf(r.root, f.Path, f.Before.Mode)
		switch {
		case why == "" && !is.differs(f.Before.state()):
		case why == "" && !is.differs(f.After.state()):
			moves = append(moves, move{path: f.Path, is: is, want: f.Before.state(), perm: f.Before.Perm, named: true})
		default:
			theirs = append(theirs, f.Path)
		}
	}
	if len(theirs) > 0 {
		return 0, fault.New(fault.Refused, "git stash push -- "+quoteAll(theirs)+" && booty undo "+run,
			"you changed files that run %s had changed: %s", run, someOf(theirs))
	}
	r.step("undo: begun")
	if err := errors.Join(r.removeTemps(b), r.applyAll(ctx, moves)); err != nil {
		return 0, classify("restore the files", err)
	}
	return len(moves), r.dropOwnCommits(ctx, run, paths)
}

// maxOwnCommits bounds how many commits a run makes: the change, and one of tests.
const maxOwnCommits = 4

// dropOwnCommits moves the branch that is checked out back over the commits of a run at
// its tip, and the index with it in the named paths.
func (r *Repo) dropOwnCommits(ctx context.Context, run string, paths []string) error {
	branch, head, err := r.Head(ctx)
	if err != nil || head == "" {
		return err
	}
	to, err := r.beforeOwn(run, head)
	if err != nil || to == head {
		return err
	}
	if err := r.follow(ctx, paths, to); err != nil {
		return r.commitFault(err)
	}
	r.step("undo: before the branch")
	if err := r.moveBranch(ctx, branch, to, head, "booty: undo"); err != nil {
		return fault.New(fault.Git, "git reset --soft "+nameOf("", to), "take the commit of the run back: %w",
			errors.Join(err, r.follow(ctx, paths, head)))
	}
	return nil
}

// beforeOwn gives the commit below those of a run at a tip; the tip where there are none.
func (r *Repo) beforeOwn(run, tip string) (string, error) {
	st := r.store()
	for range maxOwnCommits {
		c, err := st.commit(tip)
		if err != nil {
			return "", err
		}
		if len(c.ParentHashes) == 0 || !strings.Contains(c.Message, "\nBooty-Run: "+run+"\n") {
			break
		}
		tip = c.ParentHashes[0].String()
	}
	return tip, nil
}

// moveBranch sets the branch that is checked out ("" for a detached HEAD) to a commit, if
// it is at old now ("" for one without a commit).
func (r *Repo) moveBranch(ctx context.Context, branch, commit, old, why string) error {
	if old == "" {
		old = noObject
	}
	args := []string{"update-ref", "-m", why, "refs/heads/" + branch, commit, old}
	if branch == "" {
		args = []string{"update-ref", "--no-deref", "-m", why, "HEAD", commit, old}
	}
	_, err := r.git.run(ctx, call{args: args})
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
	if err := r.bringObjects(ctx, commit); err != nil {
		return err
	}
	c, err := r.store().commit(commit)
	if err != nil {
		return err
	}
	subject, _, _ := strings.Cut(c.Message, "\n")
	return r.commitFault(r.followWith(ctx, paths, commit, func() error {
		r.step("commit: before the branch")
		if err := r.moveBranch(ctx, branch, commit, head, "commit: "+subject); err != nil {
			return fmt.Errorf("%w: %v", ErrMovedMeanwhile, err) //nolint:errorlint // git has nothing to add
		}
		r.step("commit: on its branch")
		return nil
	}))
}
