package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/booty-cli/booty/internal/atomicfile"
	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/store"
)

// ErrBranchExists means that the name of a branch is taken, or that the branch is not
// where it was.
var ErrBranchExists = errors.New("exists already, or has moved")

// NameBranch makes the tree of booty's own be on a branch that is only there, so that
// hooks and tools that ask for the branch get its name.
func (r *Repo) NameBranch(ctx context.Context, name string) error {
	if r.home == nil {
		return errors.New("only a tree of booty's own is on a branch of that kind")
	}
	_, head, err := r.Head(ctx)
	if err != nil {
		return err
	}
	return git.Classify("name the run's branch", r.alone(ctx, func() error { return r.claimBranch(name, head) }))
}

// claimBranch names the branch unless another tree has it: then this one stays without.
func (r *Repo) claimBranch(name, head string) error {
	at := "ref: refs/heads/" + name + "\n"
	others, err := filepath.Glob(filepath.Join(r.commonDir, "worktrees", "*", "HEAD"))
	if err != nil {
		return err
	}
	for _, other := range others {
		if is, err := os.ReadFile(other); err == nil && string(is) == at && filepath.Dir(other) != r.gitDir {
			return nil
		}
	}
	ref := filepath.Join(r.commonDir, "refs", "heads", filepath.FromSlash(name))
	if head == "" { // the branch has no commit yet
		if err := os.Remove(ref); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	} else if err := errors.Join(os.MkdirAll(filepath.Dir(ref), 0o700),
		atomicfile.Write(ref, []byte(head+"\n"), 0o600)); err != nil {
		return err
	}
	return errors.Join(atomicfile.Write(filepath.Join(r.gitDir, "HEAD"), []byte(at), 0o600), r.showHead())
}

// alone does what no other process may do at the same time for this repository.
func (r *Repo) alone(ctx context.Context, do func() error) (err error) {
	lock := flock.New(filepath.Join(r.own.Dir(), "lock"), flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, 5*time.Millisecond); err != nil {
		return fmt.Errorf("wait for other processes of booty: %w", err)
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	return do()
}

// ForgetBranch takes back what NameBranch did.
func (r *Repo) ForgetBranch(ctx context.Context) error {
	branch, head, err := r.Head(ctx)
	if err != nil || branch == "" || r.home == nil {
		return err
	}
	return git.Classify("leave the run's branch", errors.Join(
		atomicfile.Write(filepath.Join(r.gitDir, "HEAD"), []byte(head+"\n"), 0o600),
		atomicfile.Remove(filepath.Join(r.commonDir, "refs", "heads", filepath.FromSlash(branch))), r.showHead()))
}

// Where booty has put the branches of a run: before and after the last move, since a kill
// may come between the note and the move.
const branchFrom, branchTo = "branch-from", "branch-to"

// NoteBranch notes that a run's branch is moved from one commit, "" or git.NoObject for none, to another.
func (r *Repo) NoteBranch(run, branch, from, to string) error {
	if from != "" && from != git.NoObject {
		if err := r.own.SetRef(store.RunRefs+run+"/"+branchFrom+"/"+branch, from); err != nil {
			return err
		}
	}
	return r.own.SetRef(store.RunRefs+run+"/"+branchTo+"/"+branch, to)
}

// HandedOver gives the branches that a run has made or moved in the user's repository, with
// the commits that it may have put each at.
func (r *Repo) HandedOver(run string) (map[string][]string, error) {
	refs, err := r.own.Refs()
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
		commit, err := r.own.Ref(ref)
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
	tip, err := r.own.Objects().Ref(ref)
	if err != nil || tip != at {
		return err
	}
	used, err := r.git.Text(ctx, "for-each-ref", "--format=%(worktreepath)", ref)
	if err != nil || strings.TrimSpace(used) != "" {
		return err
	}
	_, err = r.git.Run(ctx, git.Call{Args: []string{"update-ref", "-d", ref, at}})
	return err
}
