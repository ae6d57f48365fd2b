package snapshot

import (
	"time"

	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/store"
)

// Place is a work tree whose states are recorded, and what is needed for that.
type Place struct {
	Root      string
	GitDir    string // of the work tree
	CommonDir string // of the repository
	// Own says that the tree is one of booty's own.
	Own bool
	// Name tells the work tree from all others in the store, ID in what states remember.
	Name, ID string

	Store *store.Access
	Git   git.Client
	// Home is the git client of the user's checkout.
	Home git.Client
	// Free is the environment of git children that no git directory is pinned in.
	Free     []string
	Settings []git.Setting
	// Skip reports whether a path is no part of the work; nil for none.
	Skip func(path string) bool
	Now  func() time.Time
	// Step is called before every change on disk; tests end the process there.
	Step func(name string)
}

// Recorder records the states of the work tree.
func (p Place) Recorder() *Recorder {
	return &Recorder{at: p, records: p.Records(), files: p.Files()}
}

// Records are the states in the store, as this work tree sees them.
func (p Place) Records() Records {
	return Records{store: p.Store, git: p.Home, id: p.ID, now: p.Now, step: p.Step}
}

// Files writes files of the work tree.
func (p Place) Files() Files {
	return Files{root: p.Root, store: p.Store, git: p.Git, later: p.Own, step: p.Step}
}

// Comparer compares states.
func (p Place) Comparer() *Comparer {
	return &Comparer{store: p.Store, git: p.Store.Git(p.Git)}
}
