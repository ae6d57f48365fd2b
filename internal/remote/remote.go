// Package remote talks to remote repositories: what they have, what is fetched from them and
// what is pushed to them.
//
// What comes in: a git client, the settings, tokens, names of remotes and branches. What goes
// out: fetched and pushed commits. It never asks a person for credentials, and never pushes
// over a commit that the caller did not expect.
package remote

import (
	"context"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/githook"
	"github.com/booty-cli/booty/internal/history"
	"github.com/booty-cli/booty/internal/store"
)

// Client reaches the remotes of a repository.
type Client struct {
	git      git.Client
	gitDir   string // where credential helpers are started
	own      bool   // in a tree of booty's own
	settings []git.Setting
	env      []string // what children that reach a remote see beside
	store    *store.Access
	history  history.Reader
	hooks    *githook.Hooks
}

// Options are what a client needs.
type Options struct {
	Git    git.Client
	GitDir string
	// Own says that the work tree is one of booty's own.
	Own      bool
	Settings []git.Setting
	// Env are further variables for children that reach a remote.
	Env     []string
	Store   *store.Access
	History history.Reader
	Hooks   *githook.Hooks
}

// New is a client for one work tree.
func New(o Options) Client {
	return Client{git: o.Git, gitDir: o.GitDir, own: o.Own, settings: o.Settings, env: o.Env, store: o.Store,
		history: o.History, hooks: o.Hooks}
}

// remoteEnv is what git children that reach a remote get in addition: an ssh
// that never asks for a passphrase or a host key, and the tokens that credential
// helpers may want. No other git child, nor a hook of its, sees those.
func (c Client) remoteEnv() []string {
	return append(git.SSHEnv(c.git.Env, c.settings), c.env...)
}

// tokenHelper is a credential helper that gives the token of the environment;
// the token itself stands neither in the arguments nor in a URL.
const tokenHelper = `!f() { test "$1" = get && printf 'username=x-access-token\npassword=%s\n' "$BOOTY_GIT_TOKEN"; }; f`

// withCredentials runs git with the user's own credentials first, and with the
// token where those do not do and the remote is reached through https.
func (c Client) withCredentials(ctx context.Context, remote, token string, call git.Call) ([]byte, error) {
	// Helpers are started in a folder where a change has put nothing.
	call.Env, call.Dir = append(call.Env, c.remoteEnv()...), c.gitDir
	out, err := c.git.Run(ctx, call)
	if err == nil || token == "" || !git.IsAuth(git.Stderr(err)) {
		return out, err
	}
	url, urlErr := c.git.Text(ctx, "ls-remote", "--get-url", "--", remote)
	if urlErr != nil || !strings.HasPrefix(url, "https://") && !strings.HasPrefix(url, "http://") {
		return out, err
	}
	// The empty helper drops the user's own, which have just failed.
	call.Args = append([]string{"-c", "credential.helper=", "-c", "credential.helper=" + tokenHelper}, call.Args...)
	call.Env = append(call.Env, "BOOTY_GIT_TOKEN="+token)
	return c.git.Run(ctx, call)
}

// Remote is a remote repository known here.
type Remote struct {
	Name string
	// URLs are where it is fetched from, the first one counts.
	URLs []string
}

// List lists the remotes, origin first.
func (c Client) List(ctx context.Context) ([]Remote, error) {
	if !slices.ContainsFunc(c.settings, func(s git.Setting) bool { return strings.HasPrefix(s.Key, "remote.") }) {
		return nil, nil // git has none to list
	}
	out, err := c.git.Text(ctx, "remote", "-v")
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
func (c Client) DefaultBranch(ctx context.Context, remote string) (string, error) {
	s := c.store.Objects()
	if remote != "" {
		if ref, err := s.Reference(plumbing.ReferenceName("refs/remotes/" + remote + "/HEAD")); err == nil &&
			ref.Type() == plumbing.SymbolicReference {
			return strings.TrimPrefix(ref.Target().String(), "refs/remotes/"+remote+"/"), nil
		}
		return c.AskDefaultBranch(ctx, remote)
	}
	names := []string{"main", "master"}
	if own, err := c.git.Text(ctx, "config", "init.defaultBranch"); err == nil && own != "" {
		names = append([]string{own}, names...)
	}
	for _, name := range names {
		if h, err := s.Ref("refs/heads/" + name); err == nil && h != "" {
			return name, nil
		}
	}
	branch, _, err := c.store.Objects().Head()
	return branch, err
}

// AskDefaultBranch asks a remote what its default branch is now.
func (c Client) AskDefaultBranch(ctx context.Context, remote string) (string, error) {
	out, err := c.git.Run(ctx,
		git.Call{Args: []string{"ls-remote", "--symref", "--", remote, "HEAD"}, Env: c.remoteEnv()})
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
