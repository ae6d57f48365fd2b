package engine

import "context"

// meanwhile looks, before a reply is used, for what someone else did to the tree
// while it was waited for. That stays and the run goes on from it, as resume
// does: no state from before it is brought back. The reply at hand is used, but
// is not kept for a resumed run: it was made for another tree.
func (r *run) meanwhile(ctx context.Context) error {
	found, err := r.Workspace.Meanwhile(ctx, r.tree)
	if err != nil || found.State.Commit == "" {
		return err
	}
	before := r.m
	r.m.GoOnFrom(found.State, found.Theirs, found.Rest, true)
	r.tree, r.calls = found.State, 0
	if found.DocsOnly {
		r.m.SetUp, r.m.Unjudged = before.SetUp, false
		r.m.Baseline, r.m.Standing, r.m.FromVerdict = before.Baseline, before.Standing, before.Standing
	}
	if err := r.save(ctx); err != nil {
		return err
	}
	return r.baseline(ctx)
}
