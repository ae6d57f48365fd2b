package bringback

import (
	"context"
	"errors"
	"strings"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/snapshot"
	"github.com/booty-cli/booty/internal/store"
)

// Branches are the branches that runs make in the user's repository.
type Branches struct {
	git   git.Client
	store *store.Access
	step  func(name string)
}

// BranchesAt are those of the repository with a checkout at a place.
func BranchesAt(at snapshot.Place) Branches {
	return Branches{git: at.Git, store: at.Store, step: at.Step}
}

// ErrBranchExists means that the name of a branch is taken, or that the branch is not
// where it was.
var ErrBranchExists = errors.New("exists already, or has moved")

// HandOver brings a commit of the store into the user's repository, and sets a run's branch
// to it that is at old now, "" for a new one. A branch that has moved meanwhile, or is
// checked out, is not touched: the error wraps ErrBranchExists. HandedOver knows of
// it from then on, also if it is killed.
func (b Branches) HandOver(ctx context.Context, run, commit, branch, old string) error {
	if err := b.store.Deliver(ctx, b.git, commit); err != nil {
		return err
	}
	ref := "refs/heads/" + branch
	used, err := b.usedIn(ctx, ref)
	if err != nil {
		return fault.New(fault.Git, "git branch --list", "look at branch %s: %w", branch, err)
	}
	if used != "" {
		return fault.New(fault.Git, "git branch "+branch+"-booty "+commit,
			"branch %s %w: it is checked out in %s", branch,
			ErrBranchExists, used)
	}
	if old == "" {
		old = git.NoObject
	}
	if err := b.Note(run, branch, old, commit); err != nil {
		return err
	}
	b.step("handover: before the branch")
	if _, err := b.git.Run(ctx, git.Call{Args: []string{"update-ref", "-m", "booty: " + branch, ref, commit,
		old}}); err != nil {
		if now, _ := b.store.Objects().Ref(ref); now == commit {
			return nil
		}
		return fault.New(fault.Git, "git branch "+branch+"-booty "+commit, "branch %s %w: %w", branch,
			ErrBranchExists, err)
	}
	b.step("handover: the branch is set")
	return nil
}

// usedIn gives the checkout that a branch is checked out in, "" for none. One that does not exist yet
// is in none; if it is made meanwhile, update-ref does not move it.
func (b Branches) usedIn(ctx context.Context, ref string) (string, error) {
	tip, err := b.store.Objects().Ref(ref)
	if err != nil || tip == "" {
		return "", err
	}
	used, err := b.git.Text(ctx, "for-each-ref", "--format=%(worktreepath)", ref)
	return strings.TrimSpace(used), err
}

// Where booty has put the branches of a run: before and after the last move, since a kill
// may come between the note and the move.
const branchFrom, branchTo = "branch-from", "branch-to"

// Note notes that a run's branch is moved from one commit, "" or git.NoObject for none, to another.
func (b Branches) Note(run, branch, from, to string) error {
	if from != "" && from != git.NoObject {
		if err := b.store.SetRef(store.RunRefs+run+"/"+branchFrom+"/"+branch, from); err != nil {
			return err
		}
	}
	return b.store.SetRef(store.RunRefs+run+"/"+branchTo+"/"+branch, to)
}

// HandedOver gives the branches that a run has made or moved in the user's repository, with
// the commits that it may have put each at.
func (b Branches) HandedOver(run string) (map[string][]string, error) {
	refs, err := b.store.Refs()
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
		commit, err := b.store.Ref(ref)
		if err != nil {
			return nil, err
		}
		handed[branch] = append(handed[branch], commit)
	}
	return handed, nil
}

// Drop removes a branch that is still at the commit it was made at and
// checked out nowhere; any other is left as it is.
func (b Branches) Drop(ctx context.Context, name, at string) error {
	ref := "refs/heads/" + name
	tip, err := b.store.Objects().Ref(ref)
	if err != nil || tip != at {
		return err
	}
	used, err := b.usedIn(ctx, ref)
	if err != nil || used != "" {
		return err
	}
	_, err = b.git.Run(ctx, git.Call{Args: []string{"update-ref", "-d", ref, at}})
	return err
}
