package llm

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/booty-cli/booty/internal/fault"
)

// asker makes one try. On an error the Reply still carries its cost.
type asker interface {
	ask(ctx context.Context, r Request) (Reply, error)
}

// client adds what all ways of asking share: defaults, retries, prices, notes.
type client struct {
	asker
	cfg  Config
	info Info

	mu   sync.Mutex
	told map[string]bool
}

// protocolNamer is an asker that names its protocol.
type protocolNamer interface{ protocolName() string }

// widener is an asker that can ask again if a reply held only thinking.
type widener interface {
	widen(r Request) (Request, string)
}

func (c *client) Describe() Info {
	info := c.info
	info.Price = c.price()
	if s, ok := c.asker.(protocolNamer); ok {
		info.Protocol = s.protocolName()
	}
	return info
}

// price returns the current price: some change during a long run.
func (c *client) price() Price {
	return resolvePrice(c.cfg.Prices, c.info.Local, c.info.Model, c.cfg.Now())
}

// Complete asks, retries transient errors, and adds up the usage.
func (c *client) Complete(ctx context.Context, r Request) (Reply, error) {
	if r.MaxOutputTokens <= 0 {
		r.MaxOutputTokens = c.cfg.MaxOutputTokens
	}
	if r.Temperature == nil {
		r.Temperature = c.cfg.Temperature
	}
	if r.ReasoningEffort == "" {
		r.ReasoningEffort = c.cfg.ReasoningEffort
	}
	start := c.cfg.Now()
	reply, err := c.retry(ctx, r)
	reply.Provider = c.info.Provider
	if reply.Model == "" {
		reply.Model = c.info.Model
	}
	reply.Duration = c.cfg.Now().Sub(start)
	reply.Notes = c.newNotes(append(append([]string(nil), c.info.Notes...), reply.Notes...))
	if err != nil {
		return reply, c.classify(ctx, err)
	}
	return reply, nil
}

// classify gives a failed request its kind. Errors of an ended context stay as they are.
func (c *client) classify(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("ask %s: %w", c.label(), context.Cause(ctx))
	}
	var f *fault.Error
	if errors.As(err, &f) {
		return err
	}
	return fault.New(fault.Model, "", "ask %s: %w", c.label(), err)
}

// label names the model in messages.
func (c *client) label() string {
	if c.info.Model == "" {
		return c.info.Provider
	}
	return c.info.Provider + " " + c.info.Model
}

// newNotes returns the notes that this client has not given before.
func (c *client) newNotes(notes []string) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []string
	for _, n := range notes {
		if !c.told[n] {
			c.told[n] = true
			out = append(out, n)
		}
	}
	return out
}

// settle fills in the price and what the server did not count.
func (c *client) settle(r Request, reply *Reply, serverCost *float64) {
	u := &reply.Usage
	if u.Input == 0 {
		u.Input, u.Estimated = estimateTokens(promptBytes(r.Messages)), true
	}
	if u.Output == 0 && reply.Text != "" {
		u.Output, u.Estimated = estimateTokens(len(reply.Text)), true
	}
	price := c.price()
	u.PriceKnown = price.Known
	u.CostUSD, u.SavedUSD = price.cost(*u), price.saved(*u)
	// The amount that the server charges beats the price table, but not the user's own
	// prices.
	explicit := c.cfg.Prices
	if serverCost != nil && (explicit == nil || explicit.AtLeast && *serverCost > u.CostUSD) {
		u.CostUSD, u.PriceKnown = *serverCost, true
	}
}

// add adds the usage of an earlier try.
func (u *Usage) add(o Usage) {
	u.Input += o.Input
	u.Output += o.Output
	u.Cached += o.Cached
	u.Written += o.Written
	u.CostUSD += o.CostUSD
	u.SavedUSD += o.SavedUSD
	u.Estimated = u.Estimated || o.Estimated
}

// sleep waits, or returns the context's error as soon as that ends.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// shorten turns foreign text into one line of at most n bytes.
func shorten(text string, n int) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "?")), " ")
	if len(text) > n {
		text = strings.ToValidUTF8(text[:n], "") + "…"
	}
	return text
}
