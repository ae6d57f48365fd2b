// Package history answers questions about commits: which one a name means, what they hold and
// say, and how they are related.
//
// What comes in: a git client, a store, names of commits and paths. What goes out: names, files
// and texts. It looks at no work tree and no index, and changes nothing.
package history

import (
	"context"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/store"
)

// Reader reads commits of the user's repository and of the store.
type Reader struct {
	git   git.Client
	store *store.Access
	root  string // where git grep is run
}

// New reads with a client that runs in the work tree at root.
func New(g git.Client, s *store.Access, root string) Reader {
	return Reader{git: g, store: s, root: root}
}

// Resolve gives the commit that a revision names.
func (r Reader) Resolve(ctx context.Context, rev string) (string, error) {
	if plumbing.IsHash(rev) && strings.ToLower(rev) == rev {
		if _, err := r.store.Objects().Commit(rev); err == nil { // its own name: git need not be asked
			return rev, nil
		}
	}
	missing := fault.New(fault.Git, "git branch --all lists them", "there is no commit %q here", rev)
	if rev == "HEAD" || strings.HasPrefix(rev, "refs/heads/") && !strings.ContainsAny(rev, "^~:@{") { // a branch is a commit
		switch at, err := r.store.Objects().Ref(rev); {
		case err == nil && at == "":
			return "", missing
		case err == nil:
			return at, nil
		}
	}
	out, err := r.git.Text(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if err != nil {
		return "", missing
	}
	return out, nil
}

// Shallow reports whether the repository lacks a part of its history.
func (r Reader) Shallow(ctx context.Context) bool {
	out, err := r.git.Text(ctx, "rev-parse", "--is-shallow-repository")
	return err == nil && out == "true"
}
