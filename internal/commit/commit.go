package commit

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/githook"
	"github.com/booty-cli/booty/internal/history"
	"github.com/booty-cli/booty/internal/snapshot"
)

// Committer commits what lies in a tree of booty's own, on the branch that is checked out
// there: with the user's identity, signature and hooks. It merges there, too.
type Committer struct {
	at      snapshot.Place
	maker   *Maker
	index   *Index
	hooks   *githook.Hooks
	history history.Reader
	// ignored tells which of some paths git ignores.
	ignored func(ctx context.Context, paths []string) ([]string, error)
	// headMoved is called once HEAD is elsewhere.
	headMoved func() error
	// mergeHead is the commit that is being merged, "" for none.
	mergeHead string
}

// New is a committer for the tree at a place.
func New(at snapshot.Place, m *Maker, hooks *githook.Hooks, states *snapshot.Recorder,
	headMoved func() error) *Committer {
	return &Committer{at: at, maker: m, index: m.index, hooks: hooks, history: m.history, ignored: states.Ignored,
		headMoved: headMoved}
}

// HookChangedError says that a pre-commit hook refused a commit after it had changed
// files that were to be committed, as formatters do.
type HookChangedError struct {
	Paths []string
	Said  string
}

func (e *HookChangedError) Error() string {
	return "the repository's pre-commit hook changed " + git.Some(e.Paths) + ": " + e.Said
}

// Commit commits the named paths on the current branch with the user's own
// identity, hooks and signing, and gives the commit. It is made of objects, in the
// repository: the tree of the parent with the named paths in it, never of an index that
// the commands of the repository may write to. Where git or a hook refuses, branch
// and index are as before.
func (c *Committer) Commit(ctx context.Context, o Options) (string, error) {
	if !c.at.Own {
		return "", errors.New("commits are made in trees of booty's own")
	}
	if err := c.maker.CheckIdentity(ctx); err != nil {
		return "", err
	}
	if err := c.maker.signable(); err != nil {
		return "", err
	}
	_, head, err := c.at.Store.Objects().Head()
	if err != nil {
		return "", err
	}
	parent := head
	if o.Onto != "" && head == "" {
		return "", fault.New(fault.Refused, "git reflog", "the branch of the run has lost its commits")
	}
	if o.Onto != "" {
		if parent, err = c.history.Resolve(ctx, o.Onto); err != nil {
			return "", err
		}
	}
	paths, err := c.committable(ctx, o.Paths)
	if err != nil {
		return "", err
	}
	if len(paths) == 0 {
		return "", fault.New(fault.NothingToDo, "", "nothing to commit")
	}
	c.at.Step("commit: begun")
	hash, err := c.commit(ctx, o, paths, parent)
	if err != nil {
		return "", err
	}
	c.at.Step("commit: made")
	if err := c.index.Follow(ctx, paths, hash); err != nil {
		return "", c.index.Fault(err)
	}
	if err := c.advance(ctx, hash, head); err != nil {
		if head != "" {
			err = errors.Join(err, c.index.Follow(ctx, paths, head))
		}
		return "", err
	}
	if err := c.headMoved(); err != nil {
		return "", err
	}
	c.at.Step("commit: on its branch")
	_, _ = c.hooks.Run(ctx, githook.Call{Name: "post-commit"}) // as with git, it refuses nothing
	return hash, ctx.Err()
}

// commit makes the commit object.
func (c *Committer) commit(ctx context.Context, o Options, paths []string, parent string) (string, error) {
	d, err := c.draft(ctx, o, paths, parent)
	if err != nil {
		return "", err
	}
	defer d.close()
	if err := c.commitHooks(ctx, d); err != nil {
		return "", err
	}
	return c.commitDraft(ctx, d, parent)
}

// committable leaves out paths that neither HEAD, index nor disk knows, at
// which git would stop, and paths without a change.
func (c *Committer) committable(ctx context.Context, paths []string) ([]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	tracked := sync.OnceValues(func() (map[string]bool, error) { return c.at.Git.Tracked(ctx, paths) })
	ignored, err := c.ignored(ctx, paths)
	if err != nil {
		return nil, err
	}
	hidden := map[string]bool{}
	for _, p := range ignored {
		hidden[p] = true
	}
	_, head, err := c.at.Store.Objects().Head()
	if err != nil {
		return nil, err
	}
	var ok []string
	for _, p := range paths {
		if hidden[p] {
			continue // the caller has told so
		}
		if _, err := os.Lstat(filepath.Join(c.at.Root, filepath.FromSlash(p))); err == nil {
			ok = append(ok, p)
			continue
		}
		known, err := tracked()
		if err != nil {
			return nil, err
		}
		inHead := false
		if !known[p] && head != "" {
			_, inHead, err = c.history.ReadFile(ctx, head, p)
			if err != nil {
				return nil, err
			}
		}
		if known[p] || inHead {
			ok = append(ok, p)
		}
	}
	return ok, nil
}

// Uncommitted gives those of some paths of which a state of the checkout has something else
// than a commit. A filter, or how lines end, makes the bytes of a clean file differ from its
// commit: what git would store of them is compared.
func (c *Committer) Uncommitted(ctx context.Context, commit, state string, paths []string) ([]string, error) {
	pairs, err := c.at.Store.Objects().Pairs(ctx, commit, state)
	if err != nil {
		return nil, err
	}
	st := c.at.Store.Objects()
	var list []string
	for _, path := range paths {
		p, differs := pairs[path]
		if !differs {
			continue
		}
		if p.Was.Mode == p.Is.Mode && p.Is.Mode != git.ModeSymlink {
			data, err := st.Blob(p.Is.Hash)
			if err != nil {
				return nil, err
			}
			hash, err := c.at.Git.Run(ctx,
				git.Call{Args: []string{"hash-object", "--stdin", "--path", path}, Stdin: bytes.NewReader(data),
					Programs: true})
			if err != nil {
				return nil, git.Classify("compare "+path+" with its commit", err)
			}
			if strings.TrimSpace(string(hash)) == p.Was.Hash {
				continue
			}
		}
		list = append(list, path)
	}
	return list, nil
}
