package llm

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"sync"

	"github.com/booty-cli/booty/internal/provider"
)

// endpoint asks a web server with one of the protocols.
type endpoint struct {
	*client
	provider provider.Provider
	key      string
	// apiVersion is a query parameter of old Azure endpoints.
	apiVersion string
	// user comes from the address, which is shown without it.
	user *url.Userinfo
	http http.RoundTripper

	mu     sync.Mutex
	quirks quirks
}

// protocol encodes requests and decodes answers.
type protocol interface {
	name() string
	// open sends the request and returns the frames of its answer.
	open(x *exchange, q quirks, r Request) (frameReader, error)
	// take reads one frame.
	take(a *answer, frame []byte) error
}

// frameReader returns one JSON value at a time, then io.EOF.
type frameReader interface{ RecvRaw() ([]byte, error) }

// Names of the protocols, for people.
const (
	chatName      = "Chat Completions"
	responsesName = "Responses"
	messagesName  = "Messages"
)

// protocolFor returns the protocol: the provider's, or the one that the server turned out to
// need.
func (c *endpoint) protocolFor(q quirks) protocol {
	switch {
	case c.provider.ProtocolOf(c.info.Model) == provider.Messages:
		return messages{}
	case q.responses:
		return responses{}
	}
	return chat{}
}

func (c *endpoint) learned() quirks {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.quirks
}

// protocolName implements speaker.
func (c *endpoint) protocolName() string { return c.protocolFor(c.learned()).name() }

// maxAdaptions bounds how often one try may be repeated with fewer settings.
const maxAdaptions = 10

// ask makes one try. If the server rejects a setting, it repeats the try without it.
func (c *endpoint) ask(ctx context.Context, r Request) (Reply, error) {
	var notes []string
	for i := 0; ; i++ {
		q := c.learned()
		reply, err := c.once(ctx, r, q)
		if err == nil {
			reply.Notes = append(notes, reply.Notes...)
			return reply, nil
		}
		if room := roomLeft(err, r); room > 0 && i < maxAdaptions {
			r.MaxOutputTokens = room // only for this request: a shorter one has more room
			continue
		}
		if next, note, ok := q.adapt(err, r); ok && i < maxAdaptions {
			c.mu.Lock()
			c.quirks = next
			c.mu.Unlock()
			if note != "" {
				notes = append(notes, note)
			}
			continue
		}
		reply.Notes = append(notes, reply.Notes...)
		return reply, c.judge(ctx, err)
	}
}

// once sends the request and reads the whole answer.
func (c *endpoint) once(ctx context.Context, r Request, q quirks) (Reply, error) {
	w := newWatch(ctx, c.cfg)
	defer w.stop()
	x := &exchange{endpoint: c, watch: w}
	defer x.close()
	p := c.protocolFor(q)
	frames, err := p.open(x, q, r)
	if err != nil {
		return Reply{}, w.explain(err)
	}
	a := newAnswer(r, c.cfg.OnToken)
	err = a.read(frames, p, x)
	if err != nil && !a.started() && isRefused(err) {
		return a.reply, err // the server did no work and charges nothing
	}
	c.account(r, a, err != nil)
	if err == nil {
		err = c.implausible(r, a.reply.Usage)
	}
	return a.reply, err
}

// widen returns a request with more room, or with less effort if the server allows no more,
// after a reply with only thinking.
func (c *endpoint) widen(r Request) (Request, string) {
	if q := c.learned(); q.maxTokens == 0 || q.maxTokens > r.MaxOutputTokens {
		r.MaxOutputTokens *= 2
		return r, fmt.Sprintf("the model only thought: asked once more with room for %d tokens",
			r.MaxOutputTokens)
	}
	r.ReasoningEffort = "low"
	return r, "the model only thought: asked once more with low effort"
}

// account fills in the usage of a whole or broken answer.
func (c *endpoint) account(r Request, a *answer, broken bool) {
	size, u := promptBytes(r.Messages), &a.reply.Usage
	*u = a.counts.usage()
	if u.Input > 0 {
		if note := c.cutNote(size, u.Input); note != "" {
			a.reply.Notes = append(a.reply.Notes, note)
		}
	}
	guess := min(estimateTokens(a.bytes), r.MaxOutputTokens)
	if u.Output == 0 && guess > 0 || broken && a.counts.partial && guess > u.Output {
		u.Output, u.Estimated = guess, true
	}
	if price := c.price(); !price.Known && a.counts.cost == nil {
		a.reply.Notes = append(a.reply.Notes, fmt.Sprintf(
			"the price of %s is not known: counted at %g/%g USD per million tokens; "+
				"set it in your own config.yml, such as model: {prices: {input: 1, output: 5}}",
			c.info.Model, price.Input, price.Output))
	}
	c.settle(r, &a.reply, a.counts.cost)
}

// implausible returns an error if the server's count is impossible. The count stands, since
// it may be billed, but no further call is made.
func (c *endpoint) implausible(r Request, u Usage) error {
	over := ""
	switch {
	case u.CostUSD == 0:
	case u.Output > r.MaxOutputTokens+r.MaxOutputTokens/10+1000:
		over = fmt.Sprintf("%d output tokens, where %d at most were asked for", u.Output, r.MaxOutputTokens)
	case u.Input > promptBytes(r.Messages)+slackTokens:
		over = fmt.Sprintf("%d input tokens for a prompt of %d bytes", u.Input, promptBytes(r.Messages))
	}
	if over == "" {
		return nil
	}
	return fmt.Errorf("%w: %s; it is counted as reported, $%.2f", errImplausible, over, u.CostUSD)
}

// slackTokens is what a gateway may add around a prompt.
const slackTokens = 32 << 10

// maxBytesPerToken is more than any tokenizer reaches for prose or code.
const maxBytesPerToken = 6.5

// cutNote reports a server that read much less than was sent. Local servers silently cut a
// prompt that is longer than their context setting.
func (c *endpoint) cutNote(bytes, counted int) string {
	if bytes < 6000 || float64(bytes)/float64(counted) <= maxBytesPerToken {
		return ""
	}
	hint := c.provider.ContextHint
	if hint == "" {
		hint = "use a model with a longer context, or lower context.max_tokens"
	}
	return fmt.Sprintf("the server read %d tokens of a prompt of about %d: it seems to have cut it; %s",
		counted, estimateTokens(bytes), hint)
}

// host returns the part of an address that messages show.
func host(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		return u.Host
	}
	return address
}
