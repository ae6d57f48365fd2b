package engine

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"
)

// Arena checks several proposals side by side in work trees of their own.
type Arena interface {
	// Pick gives the index of the first proposal found green, or of the one
	// with the fewest failing tests.
	Pick(ctx context.Context, attempt int, from State, proposals []Proposal) (int, error)
}

// candidates asks for several proposals at once and lets the arena pick one.
// What is picked still goes through the checks in the run's own tree: only
// they count.
func (r *run) candidates(ctx context.Context, b Brief) (Proposal, error) {
	replies, err := r.askMany(ctx, b)
	if err != nil {
		return Proposal{}, err
	}
	if err := r.meanwhile(ctx); err != nil {
		return Proposal{}, err
	}
	var usable []Proposal
	var refused Proposal
	failed := 0
	for _, reply := range replies {
		if reply.none() {
			failed++
			continue
		}
		p, err := r.resolve(ctx, reply)
		if err != nil {
			return Proposal{}, err
		}
		if len(p.Problems) > 0 || len(p.Changes) == 0 {
			refused = p
			continue
		}
		usable = append(usable, p)
	}
	if len(usable) > 0 && len(usable) < len(replies) {
		r.notice("warning", shortOf(len(replies), failed, len(replies)-failed-len(usable)))
	}
	switch len(usable) {
	case 0:
		return refused, nil
	case 1:
		return usable[0], nil
	}
	i, err := r.Arena.Pick(ctx, b.Attempt, r.tree, usable)
	if err != nil {
		return Proposal{}, err
	}
	r.notice("info", fmt.Sprintf("candidate %d of %d is taken", i+1, len(usable)))
	return usable[i], nil
}

// shortOf tells what became of candidates that do not take part.
func shortOf(all, failed, unfit int) string {
	text := fmt.Sprintf("of %d candidates", all)
	if failed > 0 {
		text += fmt.Sprintf(", %d got no reply", failed)
	}
	if unfit > 0 {
		text += fmt.Sprintf(", %d did not apply", unfit)
	}
	return text
}

// askMany makes the same request several times at once. Calls that fail are
// no loss as long as one succeeds.
func (r *run) askMany(ctx context.Context, b Brief) ([]Reply, error) {
	n := r.o.Candidates
	if first := r.calls; first+n <= len(r.m.Replies) { // paid for before the run was interrupted
		r.calls += n
		return r.wholeOnes(ctx, nil, b, first)
	}
	call, err := r.callFor(ctx, b)
	if err != nil {
		return nil, err
	}
	got, err := r.sendMany(ctx, call, n)
	if errors.Is(err, ErrContextLength) && r.shrink(ctx, &call, b) {
		got, err = r.sendMany(ctx, call, n)
	}
	if err != nil {
		return nil, err
	}
	r.calls += n
	r.m.Replies = append(r.m.Replies, got...)
	err = r.save(ctx) // before they are told, as in send
	for _, reply := range got {
		if !reply.none() {
			r.tell(call, reply.Usage)
		}
	}
	if err != nil {
		return nil, err
	}
	return r.wholeOnes(ctx, &call, b, r.calls-n)
}

// wholeOnes gives the candidates from the reply with number first on, those
// that were cut off continued. One that cannot be is left as it is: the others
// may do. call is what they were asked, nil where that is not known any more.
func (r *run) wholeOnes(ctx context.Context, call *Call, b Brief, first int) ([]Reply, error) {
	for i := first; i < r.calls; i++ {
		if !r.m.Replies[i].unfinished() {
			continue
		}
		if call == nil {
			c, err := r.callFor(ctx, b)
			if err != nil {
				return nil, err
			}
			call = &c
		}
		c := *call
		c.Candidate = i - first
		if err := r.continueReply(ctx, c, b, i); err != nil {
			if ctx.Err() != nil {
				return nil, err
			}
			r.notice("warning", fmt.Sprintf("candidate %d was cut off and could not be continued: %s", i-first+1, err))
		}
	}
	return r.m.Replies[first:r.calls], nil
}

// sendMany makes n calls at once and gives n replies, an empty one for each
// that failed; the error is for the case that all did.
func (r *run) sendMany(ctx context.Context, call Call, n int) ([]Reply, error) {
	replies, errs := make([]Reply, n), make([]error, n)
	for range n {
		r.announce(call)
	}
	var g errgroup.Group
	for i := range n {
		c := call
		c.Candidate = i
		g.Go(func() error {
			replies[i], errs[i] = r.Model.Complete(ctx, c)
			return nil
		})
	}
	_ = g.Wait()
	answered := false
	for i := range n {
		r.tally(replies[i].Usage)
		if errs[i] != nil {
			r.lost(ctx, call, replies[i].Usage)
			replies[i] = Reply{}
			continue
		}
		answered = true
	}
	if !answered {
		return nil, errs[0]
	}
	return replies, nil
}

// none says that there is no reply, but a call that failed.
func (p Reply) none() bool { return p.Text == "" && p.Changes == nil && !p.Cut }
