package engine

import (
	"context"
	"errors"
	"slices"
)

// errTreeChanged ends an attempt whose reply was made for a tree that the user has
// changed since: the loop has that tree judged and goes on with the reply.
var errTreeChanged = errors.New("the tree was changed")

// userChanges looks, before a new reply is used, for what the user did to the tree while it
// was waited for. That stays, and no state from before it is brought back. The replies
// that led to nothing yet are used again. Work that is green does not become another one's
// while it is tidied: there a change of the user's only keeps the proposal from being written.
func (r *run) userChanges(ctx context.Context) error {
	if !r.fresh || r.tidying {
		return nil
	}
	r.fresh = false
	now, theirs, err := r.Workspace.UserChanges(ctx)
	if err != nil || now.Commit == "" {
		return err
	}
	replies := slices.Clone(r.m.Replies[r.applied:])
	if r.open != nil {
		r.m.CutShort = r.m.Named(r.open.Files...)
		r.open = nil
	}
	r.m.GoOnFrom(now, theirs, true)
	r.m.Replies, r.tree, r.calls, r.applied = replies, now, 0, 0
	if err := r.save(ctx); err != nil {
		return err
	}
	return errTreeChanged
}
