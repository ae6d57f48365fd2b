package engine

import (
	"context"
	"errors"
	"slices"
)

// verify runs the checks on the tree in state s and puts back what they changed.
// What a fix_command made of the paths that the proposals named stays: the state given back has it.
func (r *run) verify(ctx context.Context, in VerifyInput, s State, named []string) (Verdict, State, error) {
	in.Report, in.Baseline, in.Named = r.report(), r.m.Baseline, named
	in.Fixed = func(ctx context.Context) error {
		now, fixed, err := r.Workspace.Adopt(ctx, s, named)
		if err != nil || len(fixed) == 0 {
			return err
		}
		s, r.tree = now, now
		r.notice("info", "mended by fix_command: "+list(fixed))
		return nil
	}
	changed := named
	if changed == nil {
		changed = r.m.Named()
	}
	k, err := r.knownFor(ctx, changed)
	if err != nil {
		return Verdict{}, s, err
	}
	if !k.none() {
		in.Known, in.Previous = k.has, slices.DeleteFunc(slices.Clone(in.Previous), k.has)
	}
	v, err := r.Checks.Verify(ctx, in)
	if err == nil && len(named) > 0 {
		now, locks, err := r.Workspace.Follow(context.WithoutCancel(ctx), s, named)
		if err != nil {
			return v, s, err
		}
		if len(locks) > 0 {
			s, r.tree, r.followed = now, now, append(r.followed, locks...)
			r.notice("info", "written by tools after their manifest: "+list(locks))
		}
	}
	tidied, tidyErr := r.Workspace.Tidy(context.WithoutCancel(ctx), s)
	if err := errors.Join(err, tidyErr); err != nil {
		return Verdict{}, s, err
	}
	if len(tidied) > 0 {
		r.notice("info", "the checks changed "+list(tidied)+": kept out of the commit")
	}
	if len(v.Flakes) > 0 {
		r.notice("warning", "flaky, passed when run again alone: "+list(v.Flakes))
	}
	if r.m.Baseline != nil {
		v = v.settle(k)
	}
	if v.Green && !in.DocsOnly { // then no test was to run
		v = r.countGuard(v)
	}
	if r.m.Baseline != nil {
		v.Ran = nil // of no use any more, and long
	}
	return v, s, nil
}
