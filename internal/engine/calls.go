package engine

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"github.com/booty-cli/booty/internal/event"
)

// Spent is what the calls of a run used, those without a reply included.
type Spent struct {
	InputTokens  int     `json:"input_tokens"`
	OutputTokens int     `json:"output_tokens"`
	CostUSD      float64 `json:"cost_usd"`
}

func (s *Spent) add(u Usage) {
	s.InputTokens += u.Input
	s.OutputTokens += u.Output
	s.CostUSD += u.CostUSD
}

// calls makes requests to the model, adds up what they used and emits their events.
type calls struct {
	reporter
	model   Model
	prompts Prompts
	spent   *Spent
	save    func(context.Context) error
	// made says that a call was made since the run was started or resumed.
	made bool
}

// ask returns what makes requests of an attempt beside the one for its proposal.
func (c *calls) ask(attempt int) Ask {
	return func(ctx context.Context, role Role, p Prompt) (Reply, error) {
		return c.send(ctx, Call{Attempt: attempt, Role: role, Prompt: p}, nil)
	}
}

// send makes one call and emits its events. What keep puts into the memory is saved before the
// reply is emitted: whoever saw the event finds the reply again after a kill.
func (c *calls) send(ctx context.Context, call Call, keep func(Reply)) (Reply, error) {
	c.announce(call)
	reply, err := c.model.Complete(ctx, call)
	c.spent.add(reply.Usage)
	if err != nil {
		c.lost(ctx, call, reply.Usage)
		return reply, err
	}
	if keep != nil {
		keep(reply)
		err = c.save(ctx)
	}
	c.emitReply(call, reply.Usage)
	return reply, err
}

// sendMany makes n calls at once, for the candidates from the given number on. It returns n
// replies, an empty one for each call that failed, and an error only if all failed.
func (c *calls) sendMany(ctx context.Context, call Call, from, n int) ([]Reply, error) {
	replies, errs := make([]Reply, n), make([]error, n)
	for range n {
		c.announce(call)
	}
	var g errgroup.Group
	for i := range n {
		one := call
		one.Candidate = from + i
		g.Go(func() error {
			replies[i], errs[i] = c.model.Complete(ctx, one)
			return nil
		})
	}
	_ = g.Wait()
	answered := false
	for i := range n {
		c.spent.add(replies[i].Usage)
		if errs[i] != nil {
			c.lost(ctx, call, replies[i].Usage)
			replies[i] = Reply{}
			continue
		}
		answered = true
	}
	if !answered {
		return replies, errs[0]
	}
	return replies, nil
}

// failed reports whether the call gave no reply.
func (p Reply) failed() bool { return p.Text == "" && p.Changes == nil && !p.Cut }

func (c *calls) announce(call Call) {
	c.made = true
	provider, model := c.model.Describe(call.Role, call.Escalate)
	c.emit(event.ModelRequest{
		Attempt: call.Attempt, Role: string(call.Role), Provider: provider, Model: model,
		InputTokens: call.Prompt.Tokens,
	})
}

// lost records and emits the cost of a call without a reply: one that broke off is paid for as far
// as it went.
func (c *calls) lost(ctx context.Context, call Call, u Usage) {
	if u.CostUSD == 0 && u.Output == 0 {
		return
	}
	if err := c.save(ctx); err != nil {
		c.notice("warning", err.Error())
	}
	c.emitReply(call, u)
}

// emitReply emits a reply's event.
func (c *calls) emitReply(call Call, u Usage) {
	c.emit(event.ModelReply{
		Attempt: call.Attempt, Role: string(call.Role), InputTokens: u.Input, OutputTokens: u.Output,
		CachedTokens: u.Cached, CacheWriteTokens: u.Written, CostUSD: u.CostUSD, SavedUSD: u.SavedUSD,
		Estimated: u.Estimated, DurationMS: u.Duration.Milliseconds(),
	})
}

// complete makes a call; one that is too long for the model is made once more
// with less in view, where something can be left out.
func (c *calls) complete(ctx context.Context, call *Call, b Brief, keep func(Reply)) (Reply, error) {
	reply, err := c.send(ctx, *call, keep)
	if !errors.Is(err, ErrContextLength) || !c.shrink(ctx, call, b) {
		return reply, err
	}
	return c.send(ctx, *call, keep)
}

// shrink makes a request that was too long smaller, once; false if nothing can be left out, or it
// would not be smaller.
func (c *calls) shrink(ctx context.Context, call *Call, b Brief) bool {
	if !call.Prompt.Shrinkable {
		return false
	}
	b.Below = call.Prompt.Tokens
	p, err := c.prompts.Compose(ctx, b)
	if err != nil || p.Tokens >= call.Prompt.Tokens {
		return false
	}
	p.Shrinkable = false // once only
	c.emit(event.ContextSelected{Attempt: b.Attempt, Files: p.Files, Tokens: p.Tokens, LeftOut: p.LeftOut})
	call.Prompt = p
	return true
}
