package llm

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"sync"

	"github.com/booty-cli/booty/internal/provider"
	openai "github.com/sashabaranov/go-openai"
)

// chat asks an endpoint that speaks the OpenAI chat protocol.
type chat struct {
	*client
	provider provider.Provider
	key      string
	// apiVersion is a query parameter that old Azure endpoints want.
	apiVersion string
	// user is from the address, which is shown without it.
	user *url.Userinfo
	http http.RoundTripper

	mu     sync.Mutex
	quirks quirks
}

// maxAdaptions bounds how often one try may be repeated with fewer settings.
const maxAdaptions = 8

// ask makes one try; refused settings are left out and the try is repeated.
func (c *chat) ask(ctx context.Context, r Request) (Reply, error) {
	var notes []string
	for i := 0; ; i++ {
		c.mu.Lock()
		q := c.quirks
		c.mu.Unlock()
		reply, err := c.once(ctx, r, q)
		if err == nil {
			reply.Notes = append(notes, reply.Notes...)
			return reply, nil
		}
		if i < maxAdaptions {
			if next, note, ok := q.adapt(err, r); ok {
				c.mu.Lock()
				c.quirks = next
				c.mu.Unlock()
				if note != "" {
					notes = append(notes, note)
				}
				continue
			}
		}
		reply.Notes = append(notes, reply.Notes...)
		return reply, c.judge(ctx, err)
	}
}

// once sends the request and reads the whole answer.
func (c *chat) once(ctx context.Context, r Request, q quirks) (Reply, error) {
	w := newWatch(ctx, c.cfg)
	defer w.stop()
	d := &doer{chat: c, watch: w, extra: q.beyond(r)}
	conf := openai.DefaultConfig("")
	conf.BaseURL = c.info.BaseURL
	conf.APIVersion = c.apiVersion
	conf.HTTPClient = d
	conf.EmptyMessagesLimit = 1 << 30

	stream, err := openai.NewClientWithConfig(conf).CreateChatCompletionStream(w.ctx, q.request(c.info.Model, r))
	if err != nil {
		return Reply{}, w.explain(err)
	}
	defer func() { _ = stream.Close() }()
	a := answer{onToken: c.cfg.OnToken}
	err = a.read(stream, d, w)
	reply := a.reply
	if err != nil && !a.started() {
		return reply, err
	}
	c.account(r, &a, &reply)
	return reply, err
}

// account settles the usage of an answer, whole or broken off.
func (c *chat) account(r Request, a *answer, reply *Reply) {
	size := promptBytes(r.Messages)
	if reply.Usage.Input > 0 {
		if note := c.cutNote(size, reply.Usage.Input); note != "" {
			reply.Notes = append(reply.Notes, note)
		}
		c.est.learn(size, reply.Usage.Input)
	}
	reply.Usage.credible(size, len(reply.Text)+a.thought, r.MaxOutputTokens)
	if !c.info.Price.Known && a.cost == nil {
		reply.Notes = append(reply.Notes, fmt.Sprintf(
			"the price of %s is not known: counted at %g/%g USD per million tokens until model.prices is set",
			c.info.Model, c.info.Price.Input, c.info.Price.Output))
	}
	if reply.Usage.Output == 0 && a.thought > 0 {
		reply.Usage.Output, reply.Usage.Estimated = (a.thought+len(reply.Text))/3, true
	}
	c.settle(r, reply, a.cost)
}

// maxBytesPerToken is more than any tokenizer gets out of prose or code.
const maxBytesPerToken = 6.5

// cutNote tells when the server read much less than was sent, as local servers
// do without a word when the prompt is longer than their context setting.
func (c *chat) cutNote(bytes, counted int) string {
	if bytes < 6000 || float64(bytes)/float64(counted) <= maxBytesPerToken {
		return ""
	}
	hint := c.provider.ContextHint
	if hint == "" {
		hint = "use a model with a longer context, or lower context.max_tokens"
	}
	return fmt.Sprintf("the server read %d tokens of a prompt of about %d: it seems to have cut it; %s",
		counted, c.est.tokens(bytes), hint)
}

// host is the part of an address that messages name.
func host(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		return u.Host
	}
	return address
}
