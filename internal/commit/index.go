package commit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/booty-cli/booty/internal/atomicfile"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/regular"
	"github.com/booty-cli/booty/internal/snapshot"
	"github.com/booty-cli/booty/internal/store"
)

// Index is the index of a work tree, which git and its user share.
type Index struct {
	git    git.Client
	gitDir string
	store  *store.Access
	step   func(name string)
}

// NewIndex is the index of the work tree at a place.
func NewIndex(at snapshot.Place) *Index {
	return &Index{git: at.Git, gitDir: at.GitDir, store: at.Store, step: at.Step}
}

// Path is where it lies.
func (x *Index) Path() string { return filepath.Join(x.gitDir, "index") }

// LockHint says how to get rid of git's lock on the index.
func (x *Index) LockHint() string {
	return "let the other git end; if there is none: rm " + x.Path() + ".lock"
}

// newIndex is a second name of booty's lock on the index, by which it is known for
// booty's after a kill.
func (x *Index) newIndex() string { return filepath.Join(x.gitDir, "booty-index.new") }

// DropOwnLock removes git's lock on the index if it is one that a booty left that
// was killed; anyone else's stays.
func (x *Index) DropOwnLock() error {
	own, err := os.Stat(x.newIndex())
	if err != nil {
		return nil //nolint:nilerr // nothing of ours was left
	}
	lock := x.Path() + ".lock"
	if held, err := os.Stat(lock); err == nil && os.SameFile(own, held) {
		if err := atomicfile.Remove(lock); err != nil {
			return err
		}
	}
	return atomicfile.Remove(x.newIndex())
}

// change runs git on the index of this work tree, under git's own lock. Git compares
// files that were written just now when it writes an index, and starts their filters for
// that: so it works on a copy, in the sandbox. last is done under the lock, before the new
// index takes the place of the old one; it may be nil.
func (x *Index) change(ctx context.Context, c git.Call, last func() error) (err error) {
	if err := x.DropOwnLock(); err != nil {
		return err
	}
	lock, err := os.OpenFile(x.newIndex(), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, atomicfile.Remove(x.newIndex())) }()
	if err := os.Link(x.newIndex(), x.Path()+".lock"); err != nil {
		return errors.Join(fault.New(fault.Git, x.LockHint(),
			"another git is at work, or left its index.lock behind: %w", err),
			lock.Close())
	}
	defer func() { err = errors.Join(err, atomicfile.Remove(x.Path()+".lock")) }()
	x.step("index: locked")
	work := filepath.Join(x.store.Private(), "index.copy")
	defer func() { _ = errors.Join(atomicfile.Remove(work), atomicfile.Remove(work+".lock")) }()
	if err := errors.Join(atomicfile.Remove(work+".lock"), atomicfile.Remove(work)); err != nil { // of one that was killed
		return errors.Join(err, lock.Close())
	}
	if err := CopyFile(work, x.Path()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(err, lock.Close())
	}
	c.Env = append(c.Env, "GIT_INDEX_FILE="+work)
	c.Programs, c.Write = true, []string{x.store.Private()}
	if _, err := x.git.Run(ctx, c); err != nil {
		return errors.Join(err, lock.Close())
	}
	data, err := os.ReadFile(work)
	if err == nil {
		_, err = lock.Write(data)
	}
	if err := errors.Join(err, lock.Sync(), lock.Close()); err != nil {
		return err
	}
	if last != nil {
		if err := last(); err != nil {
			return err
		}
	}
	if err := os.Rename(x.Path()+".lock", x.Path()); err != nil {
		return err
	}
	x.step("index: changed")
	return atomicfile.Sync(x.gitDir)
}

// Follow brings the index to the commit ("" for none), in the named paths alone.
func (x *Index) Follow(ctx context.Context, paths []string, commit string) error {
	return x.FollowWith(ctx, paths, commit, nil)
}

// FollowWith is Follow with something done under the lock on the index.
func (x *Index) FollowWith(ctx context.Context, paths []string, commit string, last func() error) error {
	st := x.store.Objects()
	tree := &object.Tree{}
	if commit != "" {
		var err error
		if tree, err = st.Tree(commit); err != nil {
			return err
		}
	}
	var entries bytes.Buffer
	for _, path := range paths {
		is, err := st.Entry(tree, path)
		if err != nil {
			return err
		}
		fmt.Fprintf(&entries, "0 %s\t%s\x00", git.NoObject, path)
		if is.Present() && is.Mode != uint32(filemode.Dir) {
			fmt.Fprintf(&entries, "%o %s 0\t%s\x00", is.Mode, is.Hash, path)
		}
	}
	return x.change(ctx, git.Call{Args: []string{"update-index", "--add", "--replace", "-z", "--index-info"},
		Stdin: &entries, Combined: true}, last)
}

// Fault tells failed signing and filters from the rest.
func (x *Index) Fault(err error) error {
	var g *git.Error
	if !errors.As(err, &g) || errors.Is(err, context.Canceled) {
		return err
	}
	said := strings.TrimSpace(g.Stdout + g.Stderr)
	switch {
	case strings.Contains(said, "failed to sign the data") || strings.Contains(said, "failed to write commit object"):
		return fault.New(fault.Git,
			"unlock your signing key (echo | gpg --clearsign), or: git config commit.gpgsign false",
			"git could not sign the commit: %s", git.LastLines(said, 3))
	case strings.Contains(said, "index.lock"):
		return fault.New(fault.Git, x.LockHint(),
			"commit: another git is at work, or left its index.lock behind")
	}
	return fault.New(fault.Git, "", "commit: %s", git.LastLines(said, 3))
}

// CopyFile copies an index.
func CopyFile(to, from string) error {
	data, err := regular.Read(from, 1<<30)
	if err != nil {
		return err
	}
	return atomicfile.Write(to, data, 0o600)
}
