package workspace

import (
	"context"
	"errors"
	"strings"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/store"
)

// ErrBranchExists means that the name of a branch is taken, or that the branch is not
// where it was.
var ErrBranchExists = errors.New("exists already, or has moved")

// Where booty has put the branches of a run: before and after the last move, since a kill
// may come between the note and the move.
const branchFrom, branchTo = "branch-from", "branch-to"

// NoteBranch notes that a run's branch is moved from one commit, "" or git.NoObject for none, to another.
func (r *Repo) NoteBranch(run, branch, from, to string) error {
	if from != "" && from != git.NoObject {
		if err := r.at.Store.SetRef(store.RunRefs+run+"/"+branchFrom+"/"+branch, from); err != nil {
			return err
		}
	}
	return r.at.Store.SetRef(store.RunRefs+run+"/"+branchTo+"/"+branch, to)
}

// HandedOver gives the branches that a run has made or moved in the user's repository, with
// the commits that it may have put each at.
func (r *Repo) HandedOver(run string) (map[string][]string, error) {
	refs, err := r.at.Store.Refs()
	if err != nil {
		return nil, err
	}
	handed := map[string][]string{}
	for _, ref := range refs {
		rest, ok := strings.CutPrefix(ref, store.RunRefs+run+"/")
		kind, branch, _ := strings.Cut(rest, "/")
		if !ok || kind != branchFrom && kind != branchTo {
			continue
		}
		commit, err := r.at.Store.Ref(ref)
		if err != nil {
			return nil, err
		}
		handed[branch] = append(handed[branch], commit)
	}
	return handed, nil
}

// DropBranch removes a branch that is still at the commit it was made at and
// checked out nowhere; any other is left as it is.
func (r *Repo) DropBranch(ctx context.Context, name, at string) error {
	ref := "refs/heads/" + name
	tip, err := r.at.Store.Objects().Ref(ref)
	if err != nil || tip != at {
		return err
	}
	used, err := r.at.Git.Text(ctx, "for-each-ref", "--format=%(worktreepath)", ref)
	if err != nil || strings.TrimSpace(used) != "" {
		return err
	}
	_, err = r.at.Git.Run(ctx, git.Call{Args: []string{"update-ref", "-d", ref, at}})
	return err
}

// HandOver brings a commit of the store into the user's repository, and sets a run's branch
// to it that is at old now, "" for a new one. A branch that has moved meanwhile, or is
// checked out, is not touched: the error wraps ErrBranchExists. [Repo.HandedOver] knows of
// it from then on, also if it is killed.
func (r *Repo) HandOver(ctx context.Context, run, commit, branch, old string) error {
	if err := r.at.Store.Deliver(ctx, r.at.Git, commit); err != nil {
		return err
	}
	ref := "refs/heads/" + branch
	used, err := r.at.Git.Text(ctx, "for-each-ref", "--format=%(worktreepath)", ref)
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
	r.at.Step("handover: before the branch")
	if _, err := r.at.Git.Run(ctx, git.Call{Args: []string{"update-ref", "-m", "booty: " + branch, ref, commit,
		old}}); err != nil {
		if now, _ := r.at.Store.Objects().Ref(ref); now == commit {
			return nil
		}
		return fault.New(fault.Git, "git branch "+branch+"-booty "+commit, "branch %s %w: %w", branch,
			ErrBranchExists, err)
	}
	r.at.Step("handover: the branch is set")
	return nil
}
