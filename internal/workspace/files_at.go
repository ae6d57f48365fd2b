package workspace

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/history"
)

// CommitFile makes a commit whose only difference from its parent is the content
// of one file that is there. No branch moves, and the work tree is not touched;
// identity and signing are the user's, hooks are not run: what they check is a
// person's line with a marker less.
func (r *Repo) CommitFile(ctx context.Context, parent string, f history.FileAt, o CommitOptions) (string, error) {
	if err := r.own.Make(); err != nil {
		return "", err
	}
	st := r.own.Objects()
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
	return r.commitChanges(ctx, parent, map[string]git.Entry{f.Path: state}, o)
}

// CommitPaths makes a commit on parent in which the named paths are as they are in
// another commit. No branch moves; "" where that changes nothing.
func (r *Repo) CommitPaths(ctx context.Context, parent, from string, o CommitOptions) (string, error) {
	if err := r.own.Make(); err != nil {
		return "", err
	}
	st := r.own.Objects()
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
	return r.commitChanges(ctx, parent, changes, o)
}

// CommitLike makes a commit on parent with the content and the message of another
// one; "" where the parent has that content already.
func (r *Repo) CommitLike(ctx context.Context, parent, like string) (string, error) {
	s := r.own.Objects()
	c, err := s.Commit(like)
	if err != nil {
		return "", err
	}
	p, err := s.Commit(parent)
	if err != nil || p.TreeHash == c.TreeHash {
		return "", err
	}
	return r.commitTree(ctx, c.TreeHash.String(), c.Message, parent)
}

// commitChanges makes a commit of parent's files with some of them changed; "" where
// that changes nothing.
func (r *Repo) commitChanges(ctx context.Context, parent string, changes map[string]git.Entry,
	o CommitOptions) (string, error) {
	if err := errors.Join(r.CheckIdentity(ctx), r.signable()); err != nil {
		return "", err
	}
	st := r.own.Objects()
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
	return r.commitTree(ctx, tree, o.message(), parent)
}

// commitTree makes a commit object with the user's identity and signature.
func (r *Repo) commitTree(ctx context.Context, tree, message string, parents ...string) (string, error) {
	args := []string{"commit-tree", "-F", "-"}
	for _, p := range parents {
		if p != "" {
			args = append(args, "-p", p)
		}
	}
	if git.IsTrue(git.ValueOf(r.settings, "commit.gpgsign")) {
		args = append(args, "-S")
	}
	out, err := r.own.Git(r.git).Run(ctx, git.Call{Args: append(args, tree), Stdin: strings.NewReader(message)})
	if err != nil {
		return "", r.commitFault(err)
	}
	return git.LastLine(out), nil
}
