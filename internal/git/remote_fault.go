package git

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/booty-cli/booty/internal/fault"
)

// Reasons why a remote refused, for callers that go on by themselves.
var (
	// ErrNonFastForward means that the remote branch holds other commits.
	ErrNonFastForward = errors.New("the remote branch has other commits")
	// ErrProtected means that the remote does not let anyone push there.
	ErrProtected = errors.New("the remote branch is protected")
	// ErrUnsigned means that the remote takes signed commits only.
	ErrUnsigned = errors.New("commits must be signed")
	// ErrRules means that a rule of the repository forbids what is pushed.
	ErrRules = errors.New("the repository's rules do not allow it")
	// ErrLFS means that the repository uses Git LFS, which is not installed.
	ErrLFS = errors.New("git-lfs is not installed")
	// ErrAuth means that the remote does not know or not allow the user.
	ErrAuth = errors.New("access denied")
	// ErrHook means that a hook, here or there, declined.
	ErrHook = errors.New("a hook declined")
	// ErrNetwork means that the remote was not reached.
	ErrNetwork = errors.New("the remote was not reached")
)

// PushFault says why a branch could not be pushed to a remote.
func PushFault(branch, remote string, err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	var g *Error
	if !errors.As(err, &g) {
		return err
	}
	what := fmt.Sprintf("push %s to %s", branch, remote)
	said := g.Stdout + "\n" + g.Stderr
	detail := LastLines(remoteSaid(g.Stderr), 4)
	switch {
	case containsAny(said, "'lfs' is not a git command", "'git-lfs' was not found", "git-lfs: not found", "git-lfs: command not found"):
		return fault.New(fault.Git, "install it from https://git-lfs.com, then: git lfs install", "%s: %w",
			what, ErrLFS)
	case containsAny(said, "verified signatures", "must be signed"):
		return fault.New(fault.Git,
			"have git sign commits with a key that GitHub knows: git config commit.gpgsign true, git config user.signingkey KEY",
			"%s: %w: %s", what, ErrUnsigned, detail)
	case containsAny(said, "GH013", "Repository rule violations") && !containsAny(said, "protected ref", "through a pull request", "restricted"):
		return fault.New(fault.Git, "change what the rule names", "%s: %w: %s", what, ErrRules, detail)
	case containsAny(said, "protected branch", "GH006", "GH013", "protected ref", "Repository rule violations"):
		return fault.New(fault.Git, "push to another branch with --branch", "%s: %w: %s", what, ErrProtected,
			detail)
	case containsAny(said, "(stale info)", "(fetch first)", "(non-fast-forward)", "[remote rejected] (failed to update ref)", "cannot lock ref"):
		return fault.New(fault.Git, "git fetch "+remote+", then run again", "%s: %w", what,
			ErrNonFastForward)
	case containsAny(said, "pre-receive hook declined", "update hook declined", "hook declined", "pre-push", "failed to push some refs") &&
		!IsAuth(said) && !isNetwork(said):
		return fault.New(fault.Git, "fix what the hook reports", "%s: %w: %s", what, ErrHook, detail)
	}
	return RemoteFault(what, err)
}

// remoteSaid gives the lines that the other side printed, else all.
func remoteSaid(stderr string) string {
	var b strings.Builder
	for line := range strings.Lines(stderr) {
		if rest, ok := strings.CutPrefix(line, "remote: "); ok {
			b.WriteString(strings.TrimRight(rest, " \n") + "\n")
		}
	}
	if b.Len() == 0 {
		return stderr
	}
	return b.String()
}

// RemoteFault classifies what went wrong on the way to a remote.
func RemoteFault(what string, err error) error {
	said := Stderr(err)
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case IsAuth(said):
		return fault.New(fault.Git, "gh auth login && gh auth setup-git, or set GH_TOKEN", "%s: %w: %s", what,
			ErrAuth, LastLines(said, 2))
	case isNetwork(said):
		return fault.New(fault.Git, "check the network, then run again", "%s: %w: %s", what, ErrNetwork,
			LastLines(said, 2))
	case containsAny(said, "couldn't find remote ref"):
		return fault.New(fault.Git, "git ls-remote lists what is there", "%s: %s", what, LastLines(said, 1))
	case containsAny(said, "does not appear to be a git repository", "Repository not found", "not found"):
		return fault.New(fault.Git, "git remote -v", "%s: no such repository, or no right to see it", what)
	}
	return fault.New(fault.Git, "git remote -v", "%s: %w", what, err)
}

// IsAuth reports whether a remote denied access, by what git printed.
func IsAuth(said string) bool {
	return containsAny(said, "Authentication failed", "could not read Username", "could not read Password",
		"Permission denied",
		"Permission to ", "The requested URL returned error: 401", "The requested URL returned error: 403",
		"Invalid username or",
		"Host key verification failed", "terminal prompts disabled", "access denied")
}

func isNetwork(said string) bool {
	return containsAny(said, "Could not resolve host", "Connection refused", "Connection timed out",
		"Network is unreachable",
		"Failed to connect", "Operation timed out", "No route to host", "Connection reset", "early EOF",
		"The requested URL returned error: 5",
		"the remote end hung up", "Couldn't connect", "Could not connect", "SSL", "gnutls")
}
