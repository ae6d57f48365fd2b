package workspace

import (
	"context"
	"os"
	"slices"
	"sync/atomic"
	"time"

	"github.com/booty-cli/booty/internal/bringback"
	"github.com/booty-cli/booty/internal/commit"
	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/githook"
	"github.com/booty-cli/booty/internal/history"
	"github.com/booty-cli/booty/internal/listing"
	"github.com/booty-cli/booty/internal/remote"
	"github.com/booty-cli/booty/internal/snapshot"
	"github.com/booty-cli/booty/internal/trees"
)

// Repo is one work tree of a git repository: a checkout of the user's, or a tree of
// booty's own.
type Repo struct {
	at     snapshot.Place
	obeys  obeyed
	shared *shared
	// home is the user's checkout that a tree of booty's own belongs to; nil for a checkout
	// of the user's.
	home *Repo

	// Slots are where trees of booty's own lie that belong to the user's checkout, Tree is the
	// one that this is; nil for a checkout of the user's.
	Slots trees.Slots
	Tree  *trees.Tree
	// Listing names the files of the work tree.
	Listing *listing.Lister
	// Commits makes commits of objects alone, Committer those of a tree of booty's own.
	Commits   *commit.Maker
	Committer *commit.Committer
	// Remote reaches remote repositories.
	Remote remote.Client
	// Hooks are those that git would run here.
	Hooks *githook.Hooks
	// History are the commits of both repositories.
	History history.Reader
	// States are those of this work tree, Records those that the store holds, Compare tells
	// how two of them differ, Results are what runs brought back to the checkout, Branches those
	// that they made.
	States   *snapshot.Recorder
	Records  snapshot.Records
	Compare  *snapshot.Comparer
	Results  *bringback.Checkout
	Branches bringback.Branches
}

// shared is what a checkout and the trees beside it have in common.
type shared struct {
	// identified says that git knows who commits.
	identified atomic.Bool
	forRemote  []string // what children that reach a remote see beside the environment
	// patience is how long the lock is waited for.
	patience time.Duration
	now      func() time.Time
	// step is called before every change on disk; tests end the process there.
	step func(name string)
}

// furnish makes what answers and acts for the work tree, once it is settled what git obeys.
func (r *Repo) furnish(own listing.OwnFiles) {
	at := r.at
	r.Hooks = githook.New(githook.At{Root: at.Root, GitDir: at.GitDir, CommonDir: at.CommonDir, Bin: at.Git.Bin,
		Env: at.Free}, r.obeys.hooks, nil)
	r.History = history.New(at.Git, at.Store, at.Root)
	r.Remote = remote.New(remote.Options{Git: at.Git, GitDir: at.GitDir, Own: at.Own, Settings: at.Settings,
		Env: r.shared.forRemote, Store: at.Store, History: r.History, Hooks: r.Hooks})
	r.States, r.Records, r.Compare = at.Recorder(), at.Records(), at.Comparer()
	r.Listing = listing.New(at, own, r.States)
	r.Results, r.Branches = bringback.New(at), bringback.BranchesAt(at)
	r.Commits = commit.NewMaker(at, r.Checkout(), r.History, commit.NewIndex(at), &r.shared.identified)
	r.Committer = commit.New(at, r.Commits, r.Hooks, r.States,
		func() error { return trees.ShowHead(at.Root, at.GitDir) })
}

// Root is the top directory of the work tree.
func (r *Repo) Root() string { return r.at.Root }

// GitDir is the git directory of this work tree.
func (r *Repo) GitDir() string { return r.at.GitDir }

// CommonDir is the git directory that all work trees of the repository share.
func (r *Repo) CommonDir() string { return r.at.CommonDir }

// Home is the repository of the user's checkout: this one, or the one that a tree of
// booty's own belongs to.
func (r *Repo) Home() *Repo {
	if r.home != nil {
		return r.home
	}
	return r
}

// Checkout is the root of the user's checkout.
func (r *Repo) Checkout() string { return r.Home().at.Root }

// StateDir is where booty keeps its own files of this repository, made if it is not there.
func (r *Repo) StateDir() string {
	dir := r.at.Store.Dir()
	_ = os.MkdirAll(dir, 0o700) // what fails there fails where it is used
	return dir
}

// Kept is how many bytes booty keeps of this repository.
func (r *Repo) Kept() (int64, error) { return r.at.Store.Size() }

// Head gives the branch that is checked out ("" when HEAD is detached) and the
// commit ("" when the branch has none yet).
func (r *Repo) Head(_ context.Context) (branch, commit string, err error) {
	return r.at.Store.Objects().Head()
}

// Confine has the repository's hooks, and git children that may start programs which
// settings name, run by f from now on, until the function that it gives is called. They
// are programs of the user's, but most of them run code of the work tree.
func (r *Repo) Confine(f git.Starter) (end func()) {
	r.Hooks.Confine(f)
	r.at.Git.Confine(f)
	return func() {
		r.Hooks.Confine(nil)
		r.at.Git.Confine(nil)
	}
}

// readingGit is the client that reads objects of the user's repository, and of the store.
func (r *Repo) readingGit() git.Client {
	g := r.at.Git
	g.Dir, g.Env = r.at.GitDir, slices.Concat(g.Env, git.SSHEnv(g.Env, r.at.Settings))
	if _, err := os.Stat(r.at.Store.ObjectsDir()); err == nil {
		g.Env = append(g.Env, r.at.Store.Lend()...)
	}
	return g
}

// storeGit is the client that reads objects for trees of booty's own.
func (r *Repo) storeGit() git.Client {
	g := r.at.Store.Git(r.at.Git)
	g.Env = append(g.Env, git.SSHEnv(r.at.Git.Env, r.at.Settings)...)
	return g
}

// Close ends what was started to read the repository. It may be used again.
func (r *Repo) Close() error { return r.at.Store.Close() }
