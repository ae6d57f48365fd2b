package workspace

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
)

// ownDir is where booty keeps its own files of this work tree: the index of its
// records, what is under way, its lock.
func (r *Repo) ownDir() string {
	if r.slot != nil {
		return filepath.Join(r.slot.dir, "own")
	}
	return filepath.Join(r.checkoutDir(), "own")
}

// checkoutDir is where that lies which belongs to one checkout of the repository.
func (r *Repo) checkoutDir() string {
	id := r.worktreeID()
	if id == "." {
		id = "main"
	}
	return filepath.Join(r.own.Dir(), strings.ReplaceAll(strings.TrimPrefix(id, "worktrees/"), "/", "_"))
}

// worktreeID tells the checkouts of a repository apart, wherever it is moved.
func (r *Repo) worktreeID() string {
	rel, err := filepath.Rel(r.commonDir, r.gitDir)
	if err != nil {
		return r.gitDir
	}
	return filepath.ToSlash(rel)
}

// makeOwnDir makes the store and this work tree's own directory.
func (r *Repo) makeOwnDir() error {
	if r.made.Load() {
		return nil
	}
	err := os.MkdirAll(r.ownDir(), 0o700)
	if err == nil && r.home == nil {
		err = r.own.Make()
	}
	if err != nil {
		return fault.New(fault.Refused, "make it writable", "keep booty's own files of the work tree: %w",
			err)
	}
	r.objectReader().Close() // it reads from there, too, from now on
	r.made.Store(true)
	return nil
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

// HandOver brings a commit of the store into the user's repository, and sets a run's branch
// to it that is at old now, "" for a new one. A branch that has moved meanwhile, or is
// checked out, is not touched: the error wraps ErrBranchExists. [Repo.HandedOver] knows of
// it from then on, also if it is killed.
func (r *Repo) HandOver(ctx context.Context, run, commit, branch, old string) error {
	if err := r.bringObjects(ctx, commit); err != nil {
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
		if now, _ := r.objects().Ref(ref); now == commit {
			return nil
		}
		return fault.New(fault.Git, "git branch "+branch+"-booty "+commit, "branch %s %w: %w", branch,
			ErrBranchExists, err)
	}
	r.step("handover: the branch is set")
	return nil
}

// bringObjects copies what a commit needs into the user's repository.
func (r *Repo) bringObjects(ctx context.Context, commit string) error {
	ref := refRoot + "handover/" + commit
	if err := r.setRef(ref, commit); err != nil {
		return err
	}
	defer func() { _ = r.own.DropRef(ref) }()
	if _, err := r.git.Run(ctx, git.Call{Args: []string{"fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-gc",
		"--recurse-submodules=no", "--", r.own.Path(), ref}}); err != nil {
		return git.Classify("bring the run's commit into the repository", err)
	}
	return nil
}

// setRef sets a reference of the store, durably.
func (r *Repo) setRef(name, commit string) error {
	if err := r.makeOwnDir(); err != nil {
		return err
	}
	return r.own.SetRef(name, commit)
}

// ownRef gives what a reference of booty's own points to, and whether it is one.
func (r *Repo) ownRef(name string) (hash string, ours bool, err error) {
	if !strings.HasPrefix(name, refRoot) && !strings.HasPrefix(name, treeRefs) {
		return "", false, nil
	}
	hash, err = r.own.Ref(name)
	return hash, true, err
}

// StateDir is where booty keeps its own files of this repository, made if it is not there.
func (r *Repo) StateDir() string {
	dir := r.own.Dir()
	_ = os.MkdirAll(dir, 0o700) // what fails there fails where it is used
	return dir
}
