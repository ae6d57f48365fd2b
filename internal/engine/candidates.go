package engine

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/booty-cli/booty/internal/fault"
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
	first, call, err := r.askFirst(ctx, b)
	if err != nil {
		return Proposal{}, err
	}
	if len(first) > 0 && len(r.wishesIn(first[0])) > 0 {
		if err := r.meanwhile(ctx); err != nil {
			return Proposal{}, err
		}
		return r.resolve(ctx, first[0])
	}
	replies, err := r.askMany(ctx, b, call, len(first))
	if err != nil {
		if kind := fault.KindOf(err); len(first) == 0 || first[0].none() || kind != fault.Model && kind != fault.Budget {
			return Proposal{}, err
		}
		replies = make([]Reply, r.o.Candidates-1) // one has answered
	}
	replies = append(first, replies...)
	if err := r.meanwhile(ctx); err != nil {
		return Proposal{}, err
	}
	var usable []Proposal
	var refused Proposal
	failed := 0
	for k, reply := range replies {
		if reply.none() {
			failed++
			continue
		}
		p, err := r.resolve(ctx, reply)
		if err != nil {
			return Proposal{}, err
		}
		if len(p.Problems) > 0 || len(p.Changes) == 0 {
			if k == 0 || len(p.Wishes) == 0 { // only the first looks round
				refused = p
			}
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

// askFirst asks one candidate alone where it may look round: what it is shown,
// all will see. A call that fails leaves the others to be asked; none is asked
// here where nobody may look. The request is given too, nil if it is not known.
func (r *run) askFirst(ctx context.Context, b Brief) ([]Reply, *Call, error) {
	if b.Looks == 0 {
		return nil, nil, nil
	}
	reply, call, err := r.askCall(ctx, b)
	if err == nil || ctx.Err() != nil || fault.KindOf(err) != fault.Model || errors.Is(err, ErrContextLength) {
		return []Reply{reply}, call, err
	}
	if r.calls == len(r.m.Replies) { // its place is kept, for who takes the run up again
		r.m.Replies = append(r.m.Replies, Reply{})
	}
	r.calls++
	return []Reply{{}}, call, r.save(ctx)
}

// askMany makes the same request several times at once, after so many that were
// asked before. Calls that fail are no loss as long as one succeeds. call is the
// request, nil if it must be made.
func (r *run) askMany(ctx context.Context, b Brief, call *Call, before int) ([]Reply, error) {
	n := r.o.Candidates - before
	if first := r.calls; first+n <= len(r.m.Replies) { // paid for before the run was interrupted
		r.calls += n
		return r.wholeOnes(ctx, nil, b, first, before)
	}
	if call == nil {
		c, err := r.callFor(ctx, b)
		if err != nil {
			return nil, err
		}
		call = &c
	}
	call.SoFar = "" // of the first
	got, err := r.sendMany(ctx, *call, before, n)
	if errors.Is(err, ErrContextLength) && r.shrink(ctx, call, b) {
		got, err = r.sendMany(ctx, *call, before, n)
	}
	if err != nil {
		return nil, err
	}
	r.calls += n
	r.m.Replies = append(r.m.Replies, got...)
	err = r.save(ctx) // before they are told, as in send
	for _, reply := range got {
		if !reply.none() {
			r.emitReply(*call, reply.Usage)
		}
	}
	if err != nil {
		return nil, err
	}
	return r.wholeOnes(ctx, call, b, r.calls-n, before)
}

// wholeOnes gives the candidates from the reply with number first on, those
// that were cut off continued. One that cannot be is left as it is: the others
// may do. call is what they were asked, nil where that is not known any more;
// before is how many candidates were asked before them.
func (r *run) wholeOnes(ctx context.Context, call *Call, b Brief, first, before int) ([]Reply, error) {
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
		c.Candidate = before + i - first
		if err := r.continueReply(ctx, c, b, i); err != nil {
			if ctx.Err() != nil {
				return nil, err
			}
			r.notice("warning", fmt.Sprintf("candidate %d was cut off and could not be continued: %s", before+i-first+1, err))
		}
	}
	return r.m.Replies[first:r.calls], nil
}

// sendMany makes n calls at once, for the candidates from the given number on, and
// gives n replies, an empty one for each that failed; the error is for the case
// that all did.
func (r *run) sendMany(ctx context.Context, call Call, from, n int) ([]Reply, error) {
	replies, errs := make([]Reply, n), make([]error, n)
	for range n {
		r.announce(call)
	}
	var g errgroup.Group
	for i := range n {
		c := call
		c.Candidate = from + i
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
