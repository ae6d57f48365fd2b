package trees

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/booty-cli/booty/internal/atomicfile"
	"github.com/booty-cli/booty/internal/git"
)

// NameBranch makes the tree be on a branch that is only there, so that
// hooks and tools that ask for the branch get its name.
func (t *Tree) NameBranch(ctx context.Context, name string) error {
	_, head, err := t.at.Store.Objects().Head()
	if err != nil {
		return err
	}
	return git.Classify("name the run's branch", t.alone(ctx, func() error { return t.claimBranch(name, head) }))
}

// claimBranch names the branch unless another tree has it: then this one stays without.
func (t *Tree) claimBranch(name, head string) error {
	at := "ref: refs/heads/" + name + "\n"
	others, err := filepath.Glob(filepath.Join(t.at.CommonDir, "worktrees", "*", "HEAD"))
	if err != nil {
		return err
	}
	for _, other := range others {
		if is, err := os.ReadFile(other); err == nil && string(is) == at && filepath.Dir(other) != t.at.GitDir {
			return nil
		}
	}
	ref := filepath.Join(t.at.CommonDir, "refs", "heads", filepath.FromSlash(name))
	if head == "" { // the branch has no commit yet
		if err := os.Remove(ref); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	} else if err := errors.Join(os.MkdirAll(filepath.Dir(ref), 0o700),
		atomicfile.Write(ref, []byte(head+"\n"), 0o600)); err != nil {
		return err
	}
	return errors.Join(atomicfile.Write(filepath.Join(t.at.GitDir, "HEAD"), []byte(at), 0o600), t.showHead())
}

// alone does what no other process may do at the same time for this repository.
func (t *Tree) alone(ctx context.Context, do func() error) (err error) {
	lock := flock.New(filepath.Join(t.at.Store.Dir(), "lock"), flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, 5*time.Millisecond); err != nil {
		return fmt.Errorf("wait for other processes of booty: %w", err)
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	return do()
}

// ForgetBranch takes back what NameBranch did.
func (t *Tree) ForgetBranch() error {
	branch, head, err := t.at.Store.Objects().Head()
	if err != nil || branch == "" {
		return err
	}
	return git.Classify("leave the run's branch", errors.Join(
		atomicfile.Write(filepath.Join(t.at.GitDir, "HEAD"), []byte(head+"\n"), 0o600),
		atomicfile.Remove(filepath.Join(t.at.CommonDir, "refs", "heads", filepath.FromSlash(branch))), t.showHead()))
}
