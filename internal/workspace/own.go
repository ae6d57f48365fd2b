package workspace

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/store"
)

// checkoutDir is where that lies which belongs to one checkout of the repository.
func (r *Repo) checkoutDir() string { return checkoutDir(r.own.Store, r.worktreeID()) }

func checkoutDir(s *store.Store, id string) string {
	if id == "." {
		id = "main"
	}
	return filepath.Join(s.Dir(), strings.ReplaceAll(strings.TrimPrefix(id, "worktrees/"), "/", "_"))
}

// worktreeID tells the checkouts of a repository apart, wherever it is moved.
func (r *Repo) worktreeID() string {
	rel, err := filepath.Rel(r.commonDir, r.gitDir)
	if err != nil {
		return r.gitDir
	}
	return filepath.ToSlash(rel)
}

// Borrowed says what commands must be shown at which other place where they see this
// tree in place of the user's checkout: the user's objects may lie in that, and git in
// the tree needs them.
func (r *Repo) Borrowed() map[string]string {
	if r.home == nil || !within(r.home.commonDir, r.home.root) {
		return nil
	}
	own := r.own.Path()
	return map[string]string{
		filepath.Join(own, "borrowed"):                      filepath.Join(r.home.commonDir, "objects"),
		filepath.Join(own, "objects", "info", "alternates"): filepath.Join(own, "borrowed.alternates"),
	}
}

// checkoutID tells the checkouts of the user's, and booty's own trees, apart.
func (r *Repo) checkoutID() string {
	if r.home != nil {
		return "own/" + r.home.worktreeID()
	}
	return r.worktreeID()
}

// HandOver brings a commit of the store into the user's repository, and sets a run's branch
// to it that is at old now, "" for a new one. A branch that has moved meanwhile, or is
// checked out, is not touched: the error wraps ErrBranchExists. [Repo.HandedOver] knows of
// it from then on, also if it is killed.
func (r *Repo) HandOver(ctx context.Context, run, commit, branch, old string) error {
	if err := r.own.Deliver(ctx, r.git, commit); err != nil {
		return err
	}
	ref := "refs/heads/" + branch
	used, err := r.git.Text(ctx, "for-each-ref", "--format=%(worktreepath)", ref)
	if err != nil {
		return fault.New(fault.Git, "git branch --list", "look at branch %s: %w", branch, err)
	}
	if strings.TrimSpace(used) != "" {
		return fault.New(fault.Git, "git branch "+branch+"-booty "+commit,
			"branch %s %w: it is checked out in %s", branch,
			ErrBranchExists, strings.TrimSpace(used))
	}
	if old == "" {
		old = git.NoObject
	}
	if err := r.NoteBranch(run, branch, old, commit); err != nil {
		return err
	}
	r.step("handover: before the branch")
	if _, err := r.git.Run(ctx, git.Call{Args: []string{"update-ref", "-m", "booty: " + branch, ref, commit,
		old}}); err != nil {
		if now, _ := r.own.Objects().Ref(ref); now == commit {
			return nil
		}
		return fault.New(fault.Git, "git branch "+branch+"-booty "+commit, "branch %s %w: %w", branch,
			ErrBranchExists, err)
	}
	r.step("handover: the branch is set")
	return nil
}

// StateDir is where booty keeps its own files of this repository, made if it is not there.
func (r *Repo) StateDir() string {
	dir := r.own.Dir()
	_ = os.MkdirAll(dir, 0o700) // what fails there fails where it is used
	return dir
}
