package remote

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/githook"
	"github.com/booty-cli/booty/internal/regular"
)

// FetchOptions say what to fetch.
type FetchOptions struct {
	Remote   string
	Refspecs []string
	// Token is used where the user's own credentials do not do.
	Token string
}

// Fetch brings references from a remote: refspecs as git has them, none for the
// remote's configured ones.
func (c Client) Fetch(ctx context.Context, o FetchOptions) error {
	args := append([]string{"fetch", "--quiet", "--no-tags", "--no-write-fetch-head",
		"--recurse-submodules=no",
		"--", o.Remote}, o.Refspecs...)
	_, err := c.withCredentials(ctx, o.Remote, o.Token, git.Call{Args: args})
	if err != nil {
		return git.RemoteFault("fetch from "+o.Remote, err)
	}
	return nil
}

// Borrow fetches a reference of a remote into booty's own side of the repository: it
// becomes a commit that trees can be made at, and nothing of the user's changes.
func (c Client) Borrow(ctx context.Context, remote, ref, token string) (string, error) {
	if err := c.store.Make(); err != nil {
		return "", err
	}
	list, err := c.withCredentials(ctx, remote, token, git.Call{Args: []string{"ls-remote", "--", remote, ref}})
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
	_, err = c.withCredentials(ctx, remote, token,
		git.Call{Args: args, Env: []string{"GIT_OBJECT_DIRECTORY=" + c.store.ObjectsDir()}})
	if err != nil {
		return "", git.RemoteFault("fetch "+ref+" from "+remote, err)
	}
	c.store.Reread() // it reads what came
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
func (c Client) Push(ctx context.Context, o PushOptions) error {
	ref := "refs/heads/" + o.Branch
	if !c.own && plumbing.IsHash(o.Local) { // git notes what it pushed among its own references
		_, err := c.git.Run(ctx, git.Call{Args: []string{"cat-file", "-e", o.Local + "^{tree}"}})
		if err != nil { // it was not handed over yet
			err = c.store.Deliver(ctx, c.git, o.Local)
		}
		if err != nil {
			return err
		}
	}
	if err := c.prePush(ctx, o); err != nil {
		return err
	}
	args := slices.Concat([]string{"push", "--porcelain", "--no-follow-tags", "--recurse-submodules=no",
		"--force-with-lease=" + ref + ":" + o.Expect, "--", o.Remote, o.Local + ":" + ref})
	if _, err := c.withCredentials(ctx, o.Remote, o.Token, git.Call{Args: args}); err != nil {
		return git.PushFault(o.Branch, o.Remote, err)
	}
	return nil
}

// NotePushed sets the remote-tracking branch of the user's repository to a commit that a tree
// of booty's own pushed, as git push in the checkout does.
func (c Client) NotePushed(ctx context.Context, remote, branch, commit string) error {
	if git.ValueOf(c.settings, "remote."+remote+".fetch") == "" {
		return nil // not a remote, or one that is not tracked
	}
	_, err := c.git.Run(ctx, git.Call{Args: []string{"update-ref", "-m", "booty: push",
		"refs/remotes/" + remote + "/" + branch, commit}})
	return git.Classify("note what was pushed", err)
}

// maxHook bounds how much of a hook is looked at.
const maxHook = 1 << 20

// prePush runs the pre-push hook as the hooks of a commit are run, at the root of the work
// tree: what it starts is mostly code of the tree. That of Git LFS needs the user's
// credentials, which are not to be had there: booty runs the program itself, and tells the
// hook that it has.
func (c Client) prePush(ctx context.Context, o PushOptions) error {
	if c.hooks.Path("pre-push") == "" || o.Local == "" {
		return nil
	}
	url, err := c.git.Text(ctx, "ls-remote", "--get-url", "--", o.Remote)
	if err != nil {
		return git.RemoteFault("find "+o.Remote, err)
	}
	local, err := c.history.Resolve(ctx, o.Local)
	if err != nil {
		return err
	}
	expect := o.Expect
	if expect == "" {
		expect = git.NoObject
	}
	what := fmt.Sprintf("%s %s refs/heads/%s %s\n", local, local, o.Branch, expect)
	h := githook.Call{Name: "pre-push", Args: []string{o.Remote, url}, Stdin: what}
	if text, err := regular.Read(c.hooks.Path("pre-push"), maxHook); err == nil &&
		bytes.Contains(text, []byte("git lfs pre-push")) {
		args := []string{"lfs", "pre-push", o.Remote, url}
		if _, err := c.withCredentials(ctx, o.Remote, o.Token,
			git.Call{Args: args, Stdin: strings.NewReader(what)}); err != nil {
			return git.PushFault(o.Branch, o.Remote, err)
		}
		h.Env = []string{"GIT_LFS_SKIP_PUSH=1"}
	}
	said, err := c.hooks.Run(ctx, h)
	if err != nil && ctx.Err() == nil {
		return fault.New(fault.Git, "fix what the hook reports", "push %s to %s: %w: %s", o.Branch, o.Remote,
			git.ErrHook, said)
	}
	return err
}

// Branch gives the commit of a branch on the remote, "" where it is not there.
func (c Client) Branch(ctx context.Context, remote, branch, token string) (string, error) {
	ref := "refs/heads/" + branch
	out, err := c.withCredentials(ctx, remote, token, git.Call{Args: []string{"ls-remote", "--", remote, ref}})
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
func (c Client) Upstream(ctx context.Context, branch string) string {
	name, err := c.git.Text(ctx, "config", "--get", "branch."+branch+".remote")
	if err != nil {
		return "" // not set
	}
	return name
}
