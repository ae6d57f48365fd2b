package engine

import (
	"context"
	"errors"

	"github.com/booty-cli/booty/internal/event"
)

// dryRun shows the first request and what it would cost, and stops.
func (x *exchange) dryRun(ctx context.Context, b Brief) error {
	b.Looks = x.looked.left()
	p, err := x.compose(ctx, b)
	if err != nil {
		return err
	}
	model := x.calls.model
	provider, name := model.Describe(b.Role, false)
	e := event.ModelRequest{
		Attempt: b.Attempt, Role: string(b.Role), Provider: provider, Model: name,
		InputTokens: p.Tokens, Prompt: p.System + "\n\n" + p.User,
	}
	if q, ok := model.(Quoter); ok {
		usd := q.Quote(b.Role, p)
		e.CostUSD = &usd
	}
	x.emit(e)
	return errDryRun
}

// Quoter is a Model that knows the maximum cost of a call in advance.
type Quoter interface {
	Quote(role Role, p Prompt) float64
}

var errDryRun = errors.New("dry run: no model was called")
