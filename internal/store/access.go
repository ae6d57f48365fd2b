package store

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
)

// WorkTree is what uses a store: a checkout of the user's, or a tree of booty's own.
type WorkTree struct {
	GitDir, CommonDir string
	// Private holds booty's own files of the work tree.
	Private string
	// Git gives the client that reads objects of the user's repository, InStore the one that
	// reads those of the store for its trees. They are asked at each start of one, since the
	// store may have been made since the last.
	Git, InStore func() git.Client
}

// Access is a store as one work tree uses it: made at the first use, its objects read
// together with the user's.
type Access struct {
	*Store
	tree   WorkTree
	reader *git.Reader
	// trees is the reader of all trees whose git directories are in the store.
	trees *git.Reader
	made  atomic.Bool
}

// For gives a checkout of the user's access to the store. Nothing is made yet.
func (s *Store) For(w WorkTree) *Access {
	return &Access{Store: s, tree: w, reader: git.NewReader(w.Git), trees: git.NewReader(w.InStore)}
}

// ForTree gives access to a tree whose git directory is one of the store, which is there.
func (a *Access) ForTree(gitDir, private string) *Access {
	return &Access{Store: a.Store, reader: a.trees,
		tree: WorkTree{GitDir: gitDir, CommonDir: a.Path(), Private: private}}
}

// ofTree reports whether it is the access of a tree.
func (a *Access) ofTree() bool { return a.trees == nil }

// Private is where booty keeps its own files of the work tree: the index of its records, what
// is under way, its lock.
func (a *Access) Private() string { return a.tree.Private }

// NoHooks is a directory of hooks that does not exist.
func (a *Access) NoHooks() string { return filepath.Join(a.tree.Private, "no-hooks") }

// Make makes the store and the work tree's own directory, once.
func (a *Access) Make() error {
	if a.made.Load() {
		return nil
	}
	err := os.MkdirAll(a.tree.Private, 0o700)
	if err == nil && !a.ofTree() {
		err = a.Store.Make()
	}
	if err != nil {
		return fault.New(fault.Refused, "make it writable", "keep booty's own files of the work tree: %w",
			err)
	}
	if !a.ofTree() {
		a.reader.Close() // it reads from there, too, from now on
	}
	a.made.Store(true)
	return nil
}

// Objects reads and writes the objects and references of both repositories.
func (a *Access) Objects() git.Objects {
	at := git.Places{GitDir: a.tree.GitDir, CommonDir: a.tree.CommonDir, Own: a.Path(), User: a.of}
	return git.NewObjects(at, a.reader, a.owned)
}

// owned gives what a reference of booty's own points to, and whether it is one.
func (a *Access) owned(name string) (hash string, ours bool, err error) {
	if !strings.HasPrefix(name, RunRefs) && !strings.HasPrefix(name, TreeRefs) {
		return "", false, nil
	}
	hash, err = a.Ref(name)
	return hash, true, err
}

// SetRef sets a reference of the store, durably.
func (a *Access) SetRef(name, commit string) error {
	if err := a.Make(); err != nil {
		return err
	}
	return a.Store.SetRef(name, commit)
}

// Reread has objects found that came from elsewhere than through Objects.
func (a *Access) Reread() { a.reader.Close() }

// Close ends what was started to read objects, that of trees with the checkout's. The access
// may be used again.
func (a *Access) Close() error {
	if !a.ofTree() {
		a.reader.Close()
		a.trees.Close()
	}
	return nil
}

// Deliver copies what a commit needs into the user's repository.
func (a *Access) Deliver(ctx context.Context, user git.Client, commit string) error {
	ref := RunRefs + "handover/" + commit
	if err := a.SetRef(ref, commit); err != nil {
		return err
	}
	defer func() { _ = a.DropRef(ref) }()
	if _, err := user.Run(ctx, git.Call{Args: []string{"fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-gc",
		"--recurse-submodules=no", "--", a.Path(), ref}}); err != nil {
		return git.Classify("bring the run's commit into the repository", err)
	}
	return nil
}
