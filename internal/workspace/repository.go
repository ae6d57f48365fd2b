package workspace

import (
	"context"
	"os"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
)

// readingGit is the client that reads objects of the user's repository and of the store.
func (r *Repo) readingGit() git.Client {
	if r.home != nil {
		g := r.own.Git(r.git)
		g.Env = append(g.Env, r.sshEnv()...)
		return g
	}
	g := r.git
	g.Dir, g.Env = r.gitDir, slices.Concat(g.Env, r.sshEnv())
	if _, err := os.Stat(r.own.ObjectsDir()); err == nil {
		g.Env = append(g.Env, r.own.Lend()...)
	}
	return g
}

// Close ends what was started to read the repository. It may be used again.
func (r *Repo) Close() error { return r.own.Close() }

// Head gives the branch that is checked out ("" when HEAD is detached) and the
// commit ("" when the branch has none yet).
func (r *Repo) Head(_ context.Context) (branch, commit string, err error) {
	return r.own.Objects().Head()
}

// Remote is a remote repository known here.
type Remote struct {
	Name string
	// URLs are where it is fetched from, the first one counts.
	URLs []string
}

// Remotes lists the remotes, origin first.
func (r *Repo) Remotes(ctx context.Context) ([]Remote, error) {
	if !slices.ContainsFunc(r.settings, func(s git.Setting) bool { return strings.HasPrefix(s.Key, "remote.") }) {
		return nil, nil // git has none to list
	}
	out, err := r.git.Text(ctx, "remote", "-v")
	if err != nil {
		return nil, fault.New(fault.Git, "git remote -v", "list the remotes: %w", err)
	}
	var list []Remote
	for line := range strings.Lines(out) {
		name, url, _ := strings.Cut(line, "\t")
		if url, _, fetched := strings.Cut(url, " (fetch)"); fetched {
			list = append(list, Remote{name, []string{url}})
		}
	}
	slices.SortFunc(list, func(a, b Remote) int {
		if (a.Name == "origin") != (b.Name == "origin") {
			if a.Name == "origin" {
				return -1
			}
			return 1
		}
		return strings.Compare(a.Name, b.Name)
	})
	return list, nil
}

// DefaultBranch gives the default branch of a remote as it was last seen here,
// asked of the remote where that is not known; with no remote, the branch that
// git would call so here.
func (r *Repo) DefaultBranch(ctx context.Context, remote string) (string, error) {
	s := r.own.Objects()
	if remote != "" {
		if ref, err := s.Reference(plumbing.ReferenceName("refs/remotes/" + remote + "/HEAD")); err == nil &&
			ref.Type() == plumbing.SymbolicReference {
			return strings.TrimPrefix(ref.Target().String(), "refs/remotes/"+remote+"/"), nil
		}
		return r.AskDefaultBranch(ctx, remote)
	}
	names := []string{"main", "master"}
	if own, err := r.git.Text(ctx, "config", "init.defaultBranch"); err == nil && own != "" {
		names = append([]string{own}, names...)
	}
	for _, name := range names {
		if h, err := s.Ref("refs/heads/" + name); err == nil && h != "" {
			return name, nil
		}
	}
	branch, _, err := r.Head(ctx)
	return branch, err
}

// AskDefaultBranch asks a remote what its default branch is now.
func (r *Repo) AskDefaultBranch(ctx context.Context, remote string) (string, error) {
	out, err := r.git.Run(ctx,
		git.Call{Args: []string{"ls-remote", "--symref", "--", remote, "HEAD"}, Env: r.remoteEnv()})
	if err != nil {
		return "", git.RemoteFault("ask "+remote+" for its default branch", err)
	}
	for line := range strings.Lines(string(out)) {
		if name, ok := strings.CutPrefix(line, "ref: refs/heads/"); ok {
			return strings.Fields(name)[0], nil
		}
	}
	return "", fault.New(fault.Git, "name the branch with --base",
		"%s does not say what its default branch is", remote)
}
