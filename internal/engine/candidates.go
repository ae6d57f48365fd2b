package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/fault"
)

// candidates asks for several proposals at once and picks one by what the checks
// say of each in a tree of its own. It still goes through the checks in the run's own tree: only they count. Where the
// model may look round one candidate is asked first: what it is shown, all will see.
func (r *run) candidates(ctx context.Context, b Brief) (Proposal, error) {
	var first []Reply
	var call *Call
	if b.Looks > 0 {
		reply, c, err := r.askCall(ctx, b)
		if err != nil {
			return Proposal{}, err
		}
		if len(r.wishesIn(reply)) > 0 {
			return r.resolve(ctx, reply)
		}
		first, call = []Reply{reply}, c
	}
	others, err := r.askMany(ctx, b, call, len(first))
	if err != nil && (len(first) == 0 || ctx.Err() != nil) {
		return Proposal{}, err
	}
	replies := slices.Concat(first, others)
	usable, refused, err := r.usable(ctx, replies)
	if err != nil {
		return Proposal{}, err
	}
	if left := r.o.Candidates - len(usable); left > 0 && len(usable) > 0 {
		r.notice("warning", fmt.Sprintf("of %d candidates, %d gave nothing to apply", r.o.Candidates, left))
	}
	switch len(usable) {
	case 0:
		return refused, nil
	case 1:
		return usable[0], nil
	}
	i, err := r.pick(ctx, usable)
	if err != nil {
		return Proposal{}, err
	}
	r.notice("info", fmt.Sprintf("candidate %d of %d is taken", i+1, len(usable)))
	return usable[i], nil
}

// usable resolves the replies: the proposals that can be applied, and one that cannot.
func (r *run) usable(ctx context.Context, replies []Reply) (usable []Proposal, refused Proposal, err error) {
	for i, reply := range replies {
		if reply.failed() {
			continue
		}
		p, err := r.resolve(ctx, reply)
		if err != nil {
			return nil, refused, err
		}
		switch {
		case len(p.Problems) == 0 && len(p.Changes) > 0:
			usable = append(usable, p)
		case i == 0 || len(p.Wishes) == 0: // only the first looks round
			refused = p
		}
	}
	return usable, refused, nil
}

// askMany makes the same request for all candidates but those that were asked before. Calls
// that fail are no loss as long as one succeeds. call is the request, nil if it must be made.
func (r *run) askMany(ctx context.Context, b Brief, call *Call, before int) ([]Reply, error) {
	n, from := r.o.Candidates-before, r.asking.calls
	if from+n <= len(r.m.Replies) { // paid for before the run was interrupted
		r.asking.calls += n
		return r.m.Replies[from:r.asking.calls], nil
	}
	if call == nil {
		c, err := r.callFor(ctx, b)
		if err != nil {
			return nil, err
		}
		call = &c
	}
	call.SoFar = "" // of the first
	got, err := r.calls.sendMany(ctx, *call, before, n)
	if errors.Is(err, ErrContextLength) && r.shrink(ctx, call, b) {
		got, err = r.calls.sendMany(ctx, *call, before, n)
	}
	if err != nil && (before == 0 || fault.KindOf(err) != fault.Model && fault.KindOf(err) != fault.Budget) {
		return nil, err
	}
	r.asking.calls += n
	r.m.Replies = append(r.m.Replies, got...)
	err = r.save(ctx) // before they are told, as in send
	for _, reply := range got {
		if !reply.failed() {
			r.calls.emitReply(*call, reply.Usage)
		}
	}
	return got, err
}

// uncounted is the standing of a candidate that could not be checked.
const uncounted = 1 << 30

// pick checks all proposals side by side and returns the index of the first one found green, or
// else of the one with the fewest failing tests.
func (r *run) pick(ctx context.Context, proposals []Proposal) (int, error) {
	checking, stop := context.WithCancel(ctx)
	defer stop()
	var mu sync.Mutex
	best, fewest := 0, uncounted+1
	var errs []error
	var all sync.WaitGroup
	for i, p := range proposals {
		t, err := r.Trees.Open(ctx, r.tree.at.Commit, TreeOptions{Fix: true})
		if err != nil {
			stop()
			all.Wait()
			return 0, err
		}
		all.Go(func() {
			failing, err := failingWith(checking, t, p)
			mu.Lock()
			defer mu.Unlock()
			errs = append(errs, t.Close())
			switch {
			case err != nil && checking.Err() == nil:
				errs = append(errs, err)
			case err == nil && (failing < fewest || failing == fewest && i < best):
				best, fewest = i, failing
			}
			if err == nil && failing == 0 {
				stop() // the others are not waited for
			}
		})
	}
	all.Wait()
	if fewest > uncounted {
		return 0, errors.Join(append(errs, ctx.Err())...)
	}
	return best, nil
}

// failingWith returns the number of tests that fail with a proposal, 0 for green.
func failingWith(ctx context.Context, t Tree, p Proposal) (int, error) {
	if err := t.Apply(p.Changes); err != nil {
		return 0, err
	}
	v, err := t.Verify(ctx)
	switch {
	case err != nil:
		return 0, err
	case v.Green:
		return 0, nil
	case v.Tally >= failure.Uncounted:
		return uncounted, nil
	}
	return max(v.Failing, 1), nil
}
