package workspace

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/regular"
)

// remoteEnv is what git children that reach a remote get in addition: an ssh
// that never asks for a passphrase or a host key, and the tokens that credential
// helpers may want. No other git child, nor a hook of its, sees those.
func (r *Repo) remoteEnv() []string {
	return append(r.sshEnv(), r.forRemote...)
}

func (r *Repo) sshEnv() []string {
	ssh := ""
	for _, kv := range r.git.Env {
		if strings.HasPrefix(kv, "GIT_SSH=") {
			return nil // a program of the user's own, which takes no further options
		}
		if v, ok := strings.CutPrefix(kv, "GIT_SSH_COMMAND="); ok {
			ssh = v
		}
	}
	if ssh == "" {
		ssh = git.ValueOf(r.settings, "core.sshcommand")
	}
	if ssh == "" {
		ssh = "ssh"
	}
	if f := strings.Fields(ssh); len(f) > 0 && strings.HasPrefix(filepath.Base(f[0]), "ssh") {
		ssh += " -o BatchMode=yes"
	}
	return []string{"GIT_SSH_COMMAND=" + ssh}
}

// tokenHelper is a credential helper that gives the token of the environment;
// the token itself stands neither in the arguments nor in a URL.
const tokenHelper = `!f() { test "$1" = get && printf 'username=x-access-token\npassword=%s\n' "$BOOTY_GIT_TOKEN"; }; f`

// FetchOptions say what to fetch.
type FetchOptions struct {
	Remote   string
	Refspecs []string
	// Token is used where the user's own credentials do not do.
	Token string
}

// Fetch brings references from a remote: refspecs as git has them, none for the
// remote's configured ones.
func (r *Repo) Fetch(ctx context.Context, o FetchOptions) error {
	args := append([]string{"fetch", "--quiet", "--no-tags", "--no-write-fetch-head",
		"--recurse-submodules=no",
		"--", o.Remote}, o.Refspecs...)
	_, err := r.withCredentials(ctx, o.Remote, o.Token, git.Call{Args: args})
	if err != nil {
		return git.RemoteFault("fetch from "+o.Remote, err)
	}
	return nil
}

// Borrow fetches a reference of a remote into booty's own side of the repository: it
// becomes a commit that trees can be made at, and nothing of the user's changes.
func (r *Repo) Borrow(ctx context.Context, remote, ref, token string) (string, error) {
	if err := r.own.Make(); err != nil {
		return "", err
	}
	list, err := r.withCredentials(ctx, remote, token, git.Call{Args: []string{"ls-remote", "--", remote, ref}})
	if err != nil {
		return "", git.RemoteFault("look at "+remote, err)
	}
	commit, _, found := strings.Cut(string(list), "\t")
	if !found {
		return "", fault.New(fault.Git, "git ls-remote "+remote, "%s has no %s", remote, ref)
	}
	args := []string{"fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance",
		"--recurse-submodules=no", "--",
		remote, ref}
	_, err = r.withCredentials(ctx, remote, token,
		git.Call{Args: args, Env: []string{"GIT_OBJECT_DIRECTORY=" + r.own.ObjectsDir()}})
	if err != nil {
		return "", git.RemoteFault("fetch "+ref+" from "+remote, err)
	}
	r.own.Reread() // it reads what came
	return commit, nil
}

// PushOptions say what to push where.
type PushOptions struct {
	Remote string // name or URL
	// Local is a commit or branch here; "" deletes the remote branch.
	Local string
	// Branch is the remote branch, without refs/heads/.
	Branch string
	// Expect is what the remote branch must be now for the push to be made: a
	// commit, or "" for none. A push that is no fast-forward is made only so.
	Expect string
	// Token is used where the user's own credentials do not do.
	Token string
}

// Push pushes one branch.
func (r *Repo) Push(ctx context.Context, o PushOptions) error {
	ref := "refs/heads/" + o.Branch
	if r.home == nil && plumbing.IsHash(o.Local) { // git notes what it pushed among its own references
		_, err := r.git.Run(ctx, git.Call{Args: []string{"cat-file", "-e", o.Local + "^{tree}"}})
		if err != nil { // it was not handed over yet
			err = r.bringObjects(ctx, o.Local)
		}
		if err != nil {
			return err
		}
	}
	if err := r.prePush(ctx, o); err != nil {
		return err
	}
	args := slices.Concat([]string{"push", "--porcelain", "--no-follow-tags", "--recurse-submodules=no",
		"--force-with-lease=" + ref + ":" + o.Expect, "--", o.Remote, o.Local + ":" + ref})
	if _, err := r.withCredentials(ctx, o.Remote, o.Token, git.Call{Args: args}); err != nil {
		return git.PushFault(o.Branch, o.Remote, err)
	}
	return nil
}

// NotePushed sets the remote-tracking branch of the user's repository to a commit that a tree
// of booty's own pushed, as git push in the checkout does.
func (r *Repo) NotePushed(ctx context.Context, remote, branch, commit string) error {
	if git.ValueOf(r.settings, "remote."+remote+".fetch") == "" {
		return nil // not a remote, or one that is not tracked
	}
	_, err := r.git.Run(ctx, git.Call{Args: []string{"update-ref", "-m", "booty: push",
		"refs/remotes/" + remote + "/" + branch, commit}})
	return git.Classify("note what was pushed", err)
}

// maxHook bounds how much of a hook is looked at.
const maxHook = 1 << 20

// prePush runs the pre-push hook as the hooks of a commit are run, at the root of the work
// tree: what it starts is mostly code of the tree. That of Git LFS needs the user's
// credentials, which are not to be had there: booty runs the program itself, and tells the
// hook that it has.
func (r *Repo) prePush(ctx context.Context, o PushOptions) error {
	if r.hook("pre-push") == "" || o.Local == "" {
		return nil
	}
	url, err := r.git.Text(ctx, "ls-remote", "--get-url", "--", o.Remote)
	if err != nil {
		return git.RemoteFault("find "+o.Remote, err)
	}
	local, err := r.History.Resolve(ctx, o.Local)
	if err != nil {
		return err
	}
	expect := o.Expect
	if expect == "" {
		expect = git.NoObject
	}
	what := fmt.Sprintf("%s %s refs/heads/%s %s\n", local, local, o.Branch, expect)
	h := hookCall{name: "pre-push", args: []string{o.Remote, url}, stdin: what}
	if text, err := regular.Read(r.hook("pre-push"), maxHook); err == nil &&
		bytes.Contains(text, []byte("git lfs pre-push")) {
		args := []string{"lfs", "pre-push", o.Remote, url}
		if _, err := r.withCredentials(ctx, o.Remote, o.Token,
			git.Call{Args: args, Stdin: strings.NewReader(what)}); err != nil {
			return git.PushFault(o.Branch, o.Remote, err)
		}
		h.env = []string{"GIT_LFS_SKIP_PUSH=1"}
	}
	said, err := r.oneHook(ctx, h)
	if err != nil && ctx.Err() == nil {
		return fault.New(fault.Git, "fix what the hook reports", "push %s to %s: %w: %s", o.Branch, o.Remote,
			git.ErrHook, said)
	}
	return err
}

// withCredentials runs git with the user's own credentials first, and with the
// token where those do not do and the remote is reached through https.
func (r *Repo) withCredentials(ctx context.Context, remote, token string, c git.Call) ([]byte, error) {
	// Helpers are started in a folder where a change has put nothing.
	c.Env, c.Dir = append(c.Env, r.remoteEnv()...), r.gitDir
	out, err := r.git.Run(ctx, c)
	if err == nil || token == "" || !git.IsAuth(git.Stderr(err)) {
		return out, err
	}
	url, urlErr := r.git.Text(ctx, "ls-remote", "--get-url", "--", remote)
	if urlErr != nil || !strings.HasPrefix(url, "https://") && !strings.HasPrefix(url, "http://") {
		return out, err
	}
	// The empty helper drops the user's own, which have just failed.
	c.Args = append([]string{"-c", "credential.helper=", "-c", "credential.helper=" + tokenHelper}, c.Args...)
	c.Env = append(c.Env, "BOOTY_GIT_TOKEN="+token)
	return r.git.Run(ctx, c)
}

// RemoteBranch gives the commit of a branch on the remote, "" where it is not there.
func (r *Repo) RemoteBranch(ctx context.Context, remote, branch, token string) (string, error) {
	ref := "refs/heads/" + branch
	out, err := r.withCredentials(ctx, remote, token, git.Call{Args: []string{"ls-remote", "--", remote, ref}})
	if err != nil {
		return "", git.RemoteFault("look at "+remote, err)
	}
	for line := range strings.Lines(string(out)) {
		if f := strings.Fields(line); len(f) == 2 && f[1] == ref {
			return f[0], nil
		}
	}
	return "", nil
}

// Upstream gives the remote, a name or an address, that a branch follows; "" for none.
func (r *Repo) Upstream(ctx context.Context, branch string) string {
	name, err := r.git.Text(ctx, "config", "--get", "branch."+branch+".remote")
	if err != nil {
		return "" // not set
	}
	return name
}
