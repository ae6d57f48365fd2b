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

// pickProposal asks for several proposals at once and picks one by what the checks
// say of each in a tree of its own. It still goes through the checks in the run's own tree: only
// they count. Where the model may look round one candidate is asked first: what it is shown, all
// will see.
func (x *exchange) pickProposal(ctx context.Context, b Brief) (Proposal, error) {
	var first []Reply
	var call *Call
	if b.Looks > 0 {
		reply, c, err := x.askCall(ctx, b)
		if err != nil {
			return Proposal{}, err
		}
		if len(x.looked.wishesIn(reply)) > 0 {
			return x.resolve(ctx, reply)
		}
		first, call = []Reply{reply}, c
	}
	others, err := x.askMany(ctx, b, call, len(first))
	if err != nil && (len(first) == 0 || ctx.Err() != nil) {
		return Proposal{}, err
	}
	replies := slices.Concat(first, others)
	usable, refused, err := x.usable(ctx, replies)
	if err != nil {
		return Proposal{}, err
	}
	if left := x.candidates - len(usable); left > 0 && len(usable) > 0 {
		x.notice("warning", fmt.Sprintf("of %d candidates, %d gave nothing to apply", x.candidates, left))
	}
	switch len(usable) {
	case 0:
		return refused, nil
	case 1:
		return usable[0], nil
	}
	i, err := pick(ctx, x.trees, x.tree.at, usable)
	if err != nil {
		return Proposal{}, err
	}
	x.notice("info", fmt.Sprintf("candidate %d of %d is taken", i+1, len(usable)))
	return usable[i], nil
}

// usable resolves the replies: the proposals that can be applied, and one that cannot.
func (x *exchange) usable(ctx context.Context, replies []Reply) (usable []Proposal, refused Proposal, err error) {
	for i, reply := range replies {
		if reply.failed() {
			continue
		}
		p, err := x.resolve(ctx, reply)
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
func (x *exchange) askMany(ctx context.Context, b Brief, call *Call, before int) ([]Reply, error) {
	n, from := x.candidates-before, x.used
	if from+n <= len(x.said.Replies) { // paid for before the run was interrupted
		x.used += n
		return x.said.Replies[from:x.used], nil
	}
	if call == nil {
		c, err := x.callFor(ctx, b)
		if err != nil {
			return nil, err
		}
		call = &c
	}
	call.SoFar = "" // of the first
	got, err := x.calls.sendMany(ctx, *call, before, n)
	if errors.Is(err, ErrContextLength) && x.calls.shrink(ctx, call, b) {
		got, err = x.calls.sendMany(ctx, *call, before, n)
	}
	if err != nil && (before == 0 || fault.KindOf(err) != fault.Model && fault.KindOf(err) != fault.Budget) {
		return nil, err
	}
	x.used += n
	x.said.Replies = append(x.said.Replies, got...)
	err = x.calls.save(ctx) // before they are told, as in send
	for _, reply := range got {
		if !reply.failed() {
			x.calls.emitReply(*call, reply.Usage)
		}
	}
	return got, err
}

// uncounted is the standing of a candidate that could not be checked.
const uncounted = 1 << 30

// pick checks all proposals on a state side by side and returns the index of the first one found green, or
// else of the one with the fewest failing tests.
func pick(ctx context.Context, trees Trees, s State, proposals []Proposal) (int, error) {
	checking, stop := context.WithCancel(ctx)
	defer stop()
	var mu sync.Mutex
	best, fewest := 0, uncounted+1
	var errs []error
	var all sync.WaitGroup
	for i, p := range proposals {
		t, err := trees.Open(ctx, s.Commit, TreeOptions{Fix: true})
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
