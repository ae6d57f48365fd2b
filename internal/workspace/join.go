package workspace

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// MergeBase gives the newest commit that is part of both histories.
func (r *Repo) MergeBase(ctx context.Context, a, b string) (string, error) {
	out, err := r.git.run(ctx, call{args: []string{"merge-base", a, b}, env: r.withSide()})
	if err != nil {
		return "", fmt.Errorf("look for the common history of %s and %s: %w", a, b, err)
	}
	return lastLine(out), nil
}

// MergeCommits merges two commits that are in no conflict, without touching a work
// tree, and gives the merge: ours is its first parent.
func (r *Repo) MergeCommits(ctx context.Context, ours, theirs, message string) (string, error) {
	if err := errors.Join(r.CheckIdentity(ctx), r.signable(), r.makeOwnDir()); err != nil {
		return "", err
	}
	out, err := r.sideGit().run(ctx, call{args: []string{"merge-tree", "--write-tree", "--no-messages", ours, theirs}})
	if err != nil {
		return "", fmt.Errorf("merge %s: %w", theirs, err)
	}
	return r.commitTree(ctx, strings.TrimSpace(string(out)), message, ours, theirs)
}

// FirstBeyond gives the oldest commit of a branch that its base does not have, merges left
// out; "" where there is none.
func (r *Repo) FirstBeyond(ctx context.Context, base, tip string) (string, error) {
	out, err := r.git.run(ctx, call{args: []string{"rev-list", "--no-merges", "--topo-order", tip, "^" + base}})
	if err != nil {
		return "", fmt.Errorf("look at what %s holds: %w", tip, err)
	}
	return lastLine(out), nil
}
