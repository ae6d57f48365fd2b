package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/listing"
	"github.com/booty-cli/booty/internal/snapshot"
	"github.com/booty-cli/booty/internal/store"
	"github.com/booty-cli/booty/internal/trees"
)

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
	// Outputs are the files that booty's own output goes to; see listing.OwnFiles.
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
	at, err := locate(ctx, g, dir)
	if err != nil {
		return nil, err
	}
	g.Dir = at.Root
	obeys, err := readObeyed(ctx, g, at)
	if err != nil {
		return nil, err
	}
	if err := obeys.supported(); err != nil {
		return nil, err
	}
	r := &Repo{obeys: obeys, shared: &shared{forRemote: o.RemoteEnv, patience: lockPatience, now: time.Now,
		step: func(string) {}}}
	r.settle(g, at, o)
	if err := r.Committer.NoteMerge(); err != nil {
		return nil, err
	}
	return r, nil
}

// settle decides, before any command of the repository has run, where git works and which
// programs it starts: from now on neither a file .git or commondir that was swapped nor a
// setting that came later decides that.
func (r *Repo) settle(g git.Client, at trees.Dirs, o Options) {
	s := store.New(o.StateDir, at.CommonDir, r.obeys.settings, r.obeys.filed)
	id := worktreeID(at)
	dir := checkoutDir(s, id)
	r.at = snapshot.Place{Root: at.Root, GitDir: at.GitDir, CommonDir: at.CommonDir, Name: filepath.Base(dir), ID: id,
		Free: g.Env, Settings: r.obeys.settings,
		Now: func() time.Time { return r.shared.now() }, Step: func(name string) { r.shared.step(name) }}
	r.at.Store = s.For(store.WorkTree{GitDir: at.GitDir, CommonDir: at.CommonDir, Git: r.readingGit,
		InStore: r.storeGit, Private: filepath.Join(dir, "own")})
	g.Env = pinned(r.at, r.at.Store.NoHooks())
	r.at.Git, r.at.Home = g, g
	r.Slots = trees.In(dir, at, r.at.Store, r.at.Now)
	own := listing.OwnFilesIn(at.Root, o.StateDir, o.Outputs)
	if !own.None() {
		r.at.Skip = own.Has
	}
	r.furnish(own)
}

// checkoutDir is where that lies which belongs to one checkout of the repository.
func checkoutDir(s *store.Store, id string) string {
	if id == "." {
		id = "main"
	}
	return filepath.Join(s.Dir(), strings.ReplaceAll(strings.TrimPrefix(id, "worktrees/"), "/", "_"))
}

// worktreeID tells the checkouts of a repository apart, wherever it is moved.
func worktreeID(at trees.Dirs) string {
	rel, err := filepath.Rel(at.CommonDir, at.GitDir)
	if err != nil {
		return at.GitDir
	}
	return filepath.ToSlash(rel)
}

// locate asks git where the work tree and its directories are.
func locate(ctx context.Context, g git.Client, dir string) (trees.Dirs, error) {
	out, err := g.Text(ctx, "rev-parse", "--path-format=absolute", "--is-bare-repository", "--is-inside-work-tree",
		"--absolute-git-dir", "--git-common-dir", "--show-toplevel")
	lines := strings.SplitN(out, "\n", 5)
	switch {
	case len(lines) >= 4 && lines[1] != "true" && lines[0] == "true":
		return trees.Dirs{}, fault.New(fault.Refused, "make a checkout of it first: git worktree add ../work",
			"%s is a bare repository, it has no work tree", dir)
	case len(lines) >= 4 && lines[1] != "true":
		return trees.Dirs{}, fault.New(fault.Refused, "go to the root of the checkout",
			"%s is inside a git directory, not in a work tree", dir)
	case err != nil:
		return trees.Dirs{}, notARepository(dir, err)
	case len(lines) != 5:
		return trees.Dirs{}, fault.New(fault.Git, "install git 2.31 or newer",
			"find the work tree of %s: this git is too old", dir)
	}
	return trees.Dirs{GitDir: filepath.FromSlash(lines[2]), CommonDir: filepath.FromSlash(lines[3]),
		Root: filepath.FromSlash(lines[4])}, nil
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
