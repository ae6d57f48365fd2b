package workspace

import (
	"context"
	"os"
	"slices"

	"github.com/booty-cli/booty/internal/git"
)

// readingGit is the client that reads objects of the user's repository, and of the store.
func (r *Repo) readingGit() git.Client {
	g := r.git
	g.Dir, g.Env = r.gitDir, slices.Concat(g.Env, git.SSHEnv(r.git.Env, r.obeys.settings))
	if _, err := os.Stat(r.own.ObjectsDir()); err == nil {
		g.Env = append(g.Env, r.own.Lend()...)
	}
	return g
}

// storeGit is the client that reads objects for trees of booty's own.
func (r *Repo) storeGit() git.Client {
	g := r.own.Git(r.git)
	g.Env = append(g.Env, git.SSHEnv(r.git.Env, r.obeys.settings)...)
	return g
}

// Close ends what was started to read the repository. It may be used again.
func (r *Repo) Close() error { return r.own.Close() }

// Head gives the branch that is checked out ("" when HEAD is detached) and the
// commit ("" when the branch has none yet).
func (r *Repo) Head(_ context.Context) (branch, commit string, err error) {
	return r.own.Objects().Head()
}
