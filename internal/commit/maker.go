package commit

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/history"
	"github.com/booty-cli/booty/internal/snapshot"
	"github.com/booty-cli/booty/internal/store"
)

// Maker makes commits of objects alone, with the user's identity and signature. No branch moves,
// no work tree or index is touched, and no hooks are run.
type Maker struct {
	git      git.Client
	store    *store.Access
	settings []git.Setting
	free     []string // see snapshot.Place.Free
	roots    []string // of the work tree and of the user's checkout
	history  history.Reader
	index    *Index
	// identified says that git knows who commits.
	identified *atomic.Bool
}

// NewMaker makes commits for the work tree at a place. What one of those that share identified
// has asked git about the user's identity, no other asks again. Checkout is the root of the
// user's checkout.
func NewMaker(at snapshot.Place, checkout string, h history.Reader, index *Index,
	identified *atomic.Bool) *Maker {
	return &Maker{git: at.Git, store: at.Store, settings: at.Settings, free: at.Free,
		roots: []string{at.Root, checkout}, history: h, index: index, identified: identified}
}

// Options say what to commit and how it is called.
type Options struct {
	// Message is subject and body; trailers are added to it.
	Message string
	// Paths are what is committed, as they lie in the work tree; deleted ones
	// and both names of a rename included. Nothing else goes in, staged or not.
	Paths []string
	// Trailers are "Key: value" lines at the end of the message.
	Trailers []string
	// Onto, where given, is the commit whose single child this becomes: the
	// commits that the run made on the branch since are squashed into it.
	Onto string
	// From, where given, is the recorded state that the paths were checked in: a
	// path that differs from it by now is not committed.
	From string
}

// message is message and trailers as they go into a commit.
func (o Options) message() string {
	text := strings.TrimSpace(o.Message) + "\n"
	if len(o.Trailers) > 0 {
		text += "\n" + strings.Join(o.Trailers, "\n") + "\n"
	}
	return text
}

// File makes a commit whose only difference from its parent is the content
// of one file that is there. No branch moves, and the work tree is not touched;
// identity and signing are the user's, hooks are not run: what they check is a
// person's line with a marker less.
func (m *Maker) File(ctx context.Context, parent string, f history.FileAt, o Options) (string, error) {
	if err := m.store.Make(); err != nil {
		return "", err
	}
	st := m.store.Objects()
	tree, err := st.Tree(parent)
	if err != nil {
		return "", err
	}
	state, err := st.Entry(tree, f.Path)
	if err == nil && !state.Present() {
		err = fmt.Errorf("it is not in %s", parent)
	}
	if err == nil {
		state.Hash, err = st.PutBlob(f.Data)
	}
	if err != nil {
		return "", fmt.Errorf("commit %s: %w", f.Path, err)
	}
	return m.changed(ctx, parent, map[string]git.Entry{f.Path: state}, o)
}

// Paths makes a commit on parent in which the named paths are as they are in
// another commit. No branch moves; "" where that changes nothing.
func (m *Maker) Paths(ctx context.Context, parent, from string, o Options) (string, error) {
	if err := m.store.Make(); err != nil {
		return "", err
	}
	st := m.store.Objects()
	tree, err := st.Tree(from)
	if err != nil {
		return "", err
	}
	changes := map[string]git.Entry{}
	for _, p := range o.Paths {
		if changes[p], err = st.Entry(tree, p); err != nil {
			return "", err
		}
	}
	return m.changed(ctx, parent, changes, o)
}

// Like makes a commit on parent with the content and the message of another
// one; "" where the parent has that content already.
func (m *Maker) Like(ctx context.Context, parent, like string) (string, error) {
	s := m.store.Objects()
	c, err := s.Commit(like)
	if err != nil {
		return "", err
	}
	p, err := s.Commit(parent)
	if err != nil || p.TreeHash == c.TreeHash {
		return "", err
	}
	return m.tree(ctx, c.TreeHash.String(), c.Message, parent)
}

// changed makes a commit of parent's files with some of them changed; "" where
// that changes nothing.
func (m *Maker) changed(ctx context.Context, parent string, changes map[string]git.Entry,
	o Options) (string, error) {
	if err := errors.Join(m.CheckIdentity(ctx), m.signable()); err != nil {
		return "", err
	}
	st := m.store.Objects()
	before := &object.Tree{Hash: plumbing.NewHash(git.EmptyTree)}
	if parent != "" {
		var err error
		if before, err = st.Tree(parent); err != nil {
			return "", err
		}
	}
	tree, err := st.TreeWith(before, changes)
	if err != nil || tree == before.Hash.String() {
		return "", err
	}
	return m.tree(ctx, tree, o.message(), parent)
}

// tree makes a commit object with the user's identity and signature.
func (m *Maker) tree(ctx context.Context, tree, message string, parents ...string) (string, error) {
	args := []string{"commit-tree", "-F", "-"}
	for _, p := range parents {
		if p != "" {
			args = append(args, "-p", p)
		}
	}
	if git.IsTrue(git.ValueOf(m.settings, "commit.gpgsign")) {
		args = append(args, "-S")
	}
	out, err := m.store.Git(m.git).Run(ctx, git.Call{Args: append(args, tree), Stdin: strings.NewReader(message)})
	if err != nil {
		return "", m.index.Fault(err)
	}
	return git.LastLine(out), nil
}

// Merge merges two commits that are in no conflict, without touching a work
// tree, and gives the merge: ours is its first parent.
func (m *Maker) Merge(ctx context.Context, ours, theirs, message string) (string, error) {
	if err := errors.Join(m.CheckIdentity(ctx), m.signable(), m.store.Make()); err != nil {
		return "", err
	}
	out, err := m.store.Git(m.git).Run(ctx,
		git.Call{Args: []string{"merge-tree", "--write-tree", "--no-messages", ours, theirs}})
	if err != nil {
		return "", fmt.Errorf("merge %s: %w", theirs, err)
	}
	return m.tree(ctx, strings.TrimSpace(string(out)), message, ours, theirs)
}

// WouldConflict gives the paths in which a merge of two commits would end in
// conflict, without touching work tree or index. A git too old to tell gives none.
func (m *Maker) WouldConflict(ctx context.Context, ours, theirs string) ([]string, error) {
	ours, err1 := m.history.Resolve(ctx, ours)
	theirs, err2 := m.history.Resolve(ctx, theirs)
	if err := errors.Join(err1, err2, m.store.Make()); err != nil {
		return nil, err
	}
	out, err := m.store.Git(m.git).Run(ctx, git.Call{Args: []string{"merge-tree", "--write-tree", "--name-only", "--no-messages",
		"-z", ours, theirs}})
	switch {
	case err == nil, ctx.Err() == nil && git.ExitCode(err) > 1:
		return nil, ctx.Err()
	case git.ExitCode(err) != 1:
		return nil, fmt.Errorf("look whether %s merges: %w", theirs, err)
	}
	names := git.SplitNul(out)
	if len(names) < 2 {
		return nil, nil
	}
	var paths []string
	for _, p := range names[1:] { // the first is the tree
		if p = strings.TrimSpace(p); p != "" {
			paths = append(paths, p)
		}
	}
	return paths, nil
}
