package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/booty-cli/booty/internal/bringback"
	"github.com/booty-cli/booty/internal/carry"
	"github.com/booty-cli/booty/internal/commit"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/githook"
	"github.com/booty-cli/booty/internal/history"
	"github.com/booty-cli/booty/internal/remote"
	"github.com/booty-cli/booty/internal/snapshot"
	"github.com/booty-cli/booty/internal/store"
)

// Repo is one work tree of a git repository: a checkout of the user's, or a tree of
// booty's own.
type Repo struct {
	git       git.Client
	root      string
	gitDir    string // of this work tree
	commonDir string // of the repository
	stateDir  string // where booty keeps its own files
	own       *store.Access
	now       func() time.Time

	// home is the user's checkout that a tree of booty's own belongs to, slot is where
	// that lies; nil for a checkout of the user's.
	home *Repo
	slot *slot

	// overlaid says that directories of ignored files are overlays in it.
	overlaid bool

	obeys obeyed
	// identified says that git knows who commits.
	identified *atomic.Bool
	forRemote  []string // what children that reach a remote see beside that
	free       []string // the environment of git children without the pins

	// patience is how long the lock is waited for.
	patience time.Duration

	// step is called before every change on disk; tests end the process there.
	step func(name string)

	leftOut  []carry.TooLarge
	ownFiles ownFiles

	links []string // submodules, once asked for
	// stagedOver is what the index had over a commit when it was looked at last.
	stagedOver stagedOver
	asked      sync.Mutex // guards links and stagedOver

	// Commits makes commits of objects alone, Committer those of a tree of booty's own.
	Commits   *commit.Maker
	Committer *commit.Committer
	index     *commit.Index
	// Remote reaches remote repositories.
	Remote remote.Client
	// Hooks are those that git would run here.
	Hooks *githook.Hooks
	// History are the commits of both repositories.
	History history.Reader
	// States are those of this work tree, Records those that the store holds, Compare tells
	// how two of them differ, Results are what runs brought back to the checkout.
	States  *snapshot.Recorder
	Records snapshot.Records
	Compare *snapshot.Comparer
	Results *bringback.Checkout
}

// Options are what Open needs where the defaults do not fit.
type Options struct {
	// Env is the environment of git children; nil is booty's own. Keys and
	// tokens that the repository's hooks must not see are left out by the caller.
	Env []string
	// RemoteEnv are further variables for those children that reach a remote.
	RemoteEnv []string
	// Git is the git program; "" is looked up on the path.
	Git string
	// StateDir is where booty keeps its own files of all work trees: no command of
	// a repository may write there. "" keeps them in the git directory, for where
	// no commands are run.
	StateDir string
	// Outputs are the files that booty's own output goes to; see ownFiles.
	Outputs []fs.FileInfo
}

// Open finds the work tree that holds dir.
func Open(ctx context.Context, dir string, o Options) (*Repo, error) {
	if o.Git == "" {
		o.Git = "git"
	}
	bin, err := exec.LookPath(o.Git)
	if err != nil {
		return nil, fault.New(fault.Git, "install git (https://git-scm.com/downloads) and put it on the PATH",
			"no git program found")
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, fmt.Errorf("find the work tree: %w", err)
	}
	g := git.New(bin, dir, o.Env)
	r := &Repo{git: g, now: time.Now, patience: lockPatience, step: func(string) {}, stateDir: o.StateDir,
		forRemote: o.RemoteEnv, identified: new(atomic.Bool)}
	if err := r.locate(ctx, dir); err != nil {
		return nil, err
	}
	r.git.Dir = r.root
	r.ownFiles = ownFilesIn(r.root, o.StateDir, o.Outputs)
	if err := r.pin(ctx); err != nil {
		return nil, err
	}
	if err := r.supported(); err != nil {
		return nil, err
	}
	r.furnish()
	if err := r.Committer.NoteMerge(); err != nil {
		return nil, err
	}
	return r, nil
}

// furnish makes what answers and acts for the work tree, once it is settled what git obeys.
func (r *Repo) furnish() {
	at := snapshot.Place{Root: r.root, GitDir: r.gitDir, CommonDir: r.commonDir, Own: r.home != nil,
		Name: filepath.Base(r.checkoutDir()), ID: r.checkoutID(), Store: r.own, Git: r.git, Home: r.Home().git,
		Free: r.free, Settings: r.obeys.settings,
		Now: func() time.Time { return r.now() }, Step: func(name string) { r.step(name) }}
	if !r.ownFiles.none() {
		at.Skip = r.ownFiles.has
	}
	r.Hooks = githook.New(githook.At{Root: r.root, GitDir: r.gitDir, CommonDir: r.commonDir, Bin: r.git.Bin,
		Env: r.free}, r.obeys.hooks, nil)
	r.History = history.New(r.git, r.own, r.root)
	r.Remote = remote.New(remote.Options{Git: r.git, GitDir: r.gitDir, Own: r.home != nil, Settings: r.obeys.settings,
		Env: r.forRemote, Store: r.own, History: r.History, Hooks: r.Hooks})
	r.States, r.Records, r.Compare = at.Recorder(), at.Records(), at.Comparer()
	r.Results = bringback.New(at)
	r.index = commit.NewIndex(at)
	r.Commits = commit.NewMaker(at, r.Checkout(), r.History, r.index, r.identified)
	r.Committer = commit.New(at, r.Commits, r.Hooks, r.States, r.showHead)
}

// locate asks git where the work tree and its directories are.
func (r *Repo) locate(ctx context.Context, dir string) error {
	out, err := r.git.Text(ctx, "rev-parse", "--path-format=absolute", "--is-bare-repository",
		"--is-inside-work-tree",
		"--absolute-git-dir", "--git-common-dir", "--show-toplevel")
	lines := strings.SplitN(out, "\n", 5)
	switch {
	case len(lines) >= 4 && lines[1] != "true" && lines[0] == "true":
		return fault.New(fault.Refused, "make a checkout of it first: git worktree add ../work",
			"%s is a bare repository, it has no work tree", dir)
	case len(lines) >= 4 && lines[1] != "true":
		return fault.New(fault.Refused, "go to the root of the checkout",
			"%s is inside a git directory, not in a work tree", dir)
	case err != nil:
		return notARepository(dir, err)
	case len(lines) != 5:
		return fault.New(fault.Git, "install git 2.31 or newer",
			"find the work tree of %s: this git is too old", dir)
	}
	r.gitDir, r.commonDir, r.root = filepath.FromSlash(lines[2]), filepath.FromSlash(lines[3]),
		filepath.FromSlash(lines[4])
	return nil
}

func notARepository(dir string, err error) error {
	said := git.Stderr(err)
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case strings.Contains(said, "dubious ownership"):
		return fault.New(fault.Refused, "git config --global --add safe.directory "+dir,
			"git does not trust %s: it belongs to another user", dir)
	case strings.Contains(said, "unknown repository extension") || strings.Contains(said, "repository version"):
		return fault.New(fault.Refused, "install a newer git",
			"this git cannot read the repository at %s: %w", dir, err)
	case strings.Contains(said, "not a git repository"):
		return fault.New(fault.Git,
			"run booty in a git checkout, or create one with: git init",
			"%s is not in a git repository", dir)
	}
	return fault.New(fault.Git, "", "find the work tree of %s: %w", dir, err)
}

// supported refuses what booty could not record and restore faithfully.
func (r *Repo) supported() error {
	if format := git.ValueOf(r.obeys.filed, "extensions.objectformat"); format != "" && format != "sha1" {
		return fault.New(fault.Refused, "use a SHA-1 repository, git's default",
			"the repository at %s uses %s object names, which booty does not support yet", r.root, format)
	}
	if kind := git.ValueOf(r.obeys.filed, "extensions.refstorage"); kind != "" && kind != "files" {
		return fault.New(fault.Refused, "git refs migrate --ref-format=files",
			"the repository at %s keeps its references as %s, which booty does not support yet", r.root, kind)
	}
	return nil
}

// Root is the top directory of the work tree.
func (r *Repo) Root() string { return r.root }

// GitDir is the git directory of this work tree.
func (r *Repo) GitDir() string { return r.gitDir }

// CommonDir is the git directory that all work trees of the repository share.
func (r *Repo) CommonDir() string { return r.commonDir }

// Confine has the repository's hooks, and git children that may start programs which
// settings name, run by f from now on, until the function that it gives is called. They
// are programs of the user's, but most of them run code of the work tree.
func (r *Repo) Confine(f git.Starter) (end func()) {
	r.Hooks.Confine(f)
	r.git.Confine(f)
	return func() {
		r.Hooks.Confine(nil)
		r.git.Confine(nil)
	}
}

// IsOutput reports whether a path is a file that booty itself writes.
func (r *Repo) IsOutput(path string) bool { return r.ownFiles.has(path) }
