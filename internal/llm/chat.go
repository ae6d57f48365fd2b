package llm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/provider"
	openai "github.com/sashabaranov/go-openai"
)

// chat is OpenAI's Chat Completions, in its many dialects.
type chat struct{}

func (chat) name() string { return chatName }

// open implements protocol. go-openai makes the request and holds the stream.
func (chat) open(x *exchange, q quirks, r Request) (frameReader, error) {
	conf := openai.DefaultConfig("")
	conf.BaseURL = x.info.BaseURL
	conf.APIVersion = x.apiVersion
	conf.HTTPClient = chatDoer{x, x.chatFields(q, r), x.cacheHeader(q, r)}
	conf.EmptyMessagesLimit = 1 << 30
	client := openai.NewClientWithConfig(conf)
	stream, err := client.CreateChatCompletionStream(x.watch.ctx, q.request(x.info.Model, r))
	if err != nil {
		return nil, err
	}
	return stream, nil
}

// request fills in what go-openai supports.
func (q quirks) request(model string, r Request) openai.ChatCompletionRequest {
	asked := openai.ChatCompletionRequest{Model: model}
	for _, m := range q.messages(r.Messages) {
		asked.Messages = append(asked.Messages,
			openai.ChatCompletionMessage{Role: m.Role, Content: m.Content})
	}
	if !q.oldMaxTokens {
		asked.MaxCompletionTokens = q.outputTokens(r)
	}
	if !q.noStreamOptions {
		asked.StreamOptions = &openai.StreamOptions{IncludeUsage: true}
	}
	return asked
}

// chatFields are fields added to the body because go-openai does not support them. It
// decides about max_tokens, temperature and reasoning_effort by the model's name and
// rejects requests, although the name says nothing about other servers; and it omits a
// temperature of 0 (decision 0016).
func (c *endpoint) chatFields(q quirks, r Request) map[string]any {
	fields := map[string]any{}
	if n := q.outputTokens(r); n > 0 && q.oldMaxTokens {
		fields["max_tokens"] = n
	}
	if r.Temperature != nil && !q.noTemperature {
		fields["temperature"] = *r.Temperature
	}
	if effort := q.effort(r); effort != "" {
		fields["reasoning_effort"] = effort
	}
	if key := c.cacheField(q, r); key != "" {
		fields[c.provider.CacheKey] = key
	}
	if mark := c.cacheMark(q, r); mark != "" {
		fields["messages"] = markedMessages(q.messages(r.Messages), mark, "text")
		if mark == provider.OpenAIMark {
			fields["prompt_cache_options"] = map[string]string{"mode": "explicit"}
		}
	}
	return fields
}

// chatDoer sends requests for go-openai.
type chatDoer struct {
	*exchange
	fields map[string]any
	header http.Header
}

// Do implements openai.HTTPDoer.
func (d chatDoer) Do(req *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(body, &fields); err != nil {
		return nil, fmt.Errorf("encode the request: %w", err)
	}
	for k, v := range d.fields {
		if fields[k], err = json.Marshal(v); err != nil {
			return nil, fmt.Errorf("encode %s: %w", k, err)
		}
	}
	if body, err = json.Marshal(fields); err != nil {
		return nil, fmt.Errorf("encode the request: %w", err)
	}
	req.Body = io.NopCloser(bytes.NewReader(body))
	req.ContentLength = int64(len(body))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	for k := range d.header {
		req.Header.Set(k, d.header.Get(k))
	}
	return d.send(req)
}

// chunk is a frame of a stream, or a whole reply of a server that does not stream. It is
// more lenient than go-openai's type, which fails on fields we do not use.
type chunk struct {
	Model   string          `json:"model"`
	Choices []choice        `json:"choices"`
	Usage   json.RawMessage `json:"usage"`
	Error   json.RawMessage `json:"error"`
}

type choice struct {
	Delta   part            `json:"delta"`
	Message part            `json:"message"`
	Finish  json.RawMessage `json:"finish_reason"`
	// Native is the finish reason of the provider behind a router.
	Native json.RawMessage `json:"native_finish_reason"`
}

type part struct {
	Content   json.RawMessage `json:"content"`
	Refusal   json.RawMessage `json:"refusal"`
	Thinking  json.RawMessage `json:"reasoning_content"`
	Reasoning json.RawMessage `json:"reasoning"`
	Calls     []struct {
		Index    int
		Function struct{ Name, Arguments string }
	} `json:"tool_calls"`
}

// take implements protocol.
func (chat) take(a *answer, frame []byte) error {
	var c chunk
	if err := json.Unmarshal(frame, &c); err != nil {
		return err
	}
	if c.Model != "" {
		a.reply.Model = c.Model
	}
	a.counts.read(c.Usage)
	if len(c.Error) > 0 && string(c.Error) != "null" {
		return &streamError{frame}
	}
	if len(c.Choices) == 0 && len(c.Usage) == 0 {
		if message, _, _ := parseError(frame); message != "" {
			return &streamError{frame} // {"detail": "…"} and the like
		}
	}
	for _, ch := range c.Choices[:min(len(c.Choices), 1)] {
		a.add(ch.Delta)
		a.add(ch.Message)
		a.whole = a.whole || content(ch.Message.Content) != ""
		if f := scalar(ch.Finish); f != "" {
			a.finish = f
		}
		if f := scalar(ch.Native); finishReason(f) == finishFailed {
			a.finish = f
		}
	}
	return nil
}

func (a *answer) add(p part) {
	a.write(content(p.Content))
	a.refuse(content(p.Refusal))
	// If both are given, they are the same thinking under two names.
	a.think(firstNonEmpty(content(p.Thinking), content(p.Reasoning)))
	for _, c := range p.Calls {
		a.call(c.Index, c.Function.Name, c.Function.Arguments)
	}
}

// messages returns the request's messages as the server accepts them.
func (q quirks) messages(in []Message) []Message {
	var out []Message
	var system []string
	for _, m := range in {
		text := strings.ToValidUTF8(m.Content, "\uFFFD")
		if m.Role == "system" && q.noSystem {
			system = append(system, text)
			continue
		}
		stable := slices.Clone(m.Stable)
		if m.Role == "user" && len(system) > 0 {
			before := strings.Join(system, "\n\n") + "\n\n"
			text, system = before+text, nil
			for i := range stable {
				stable[i] += len(before)
			}
		}
		out = append(out, Message{Role: m.Role, Content: text, Stable: stable})
	}
	if len(system) > 0 {
		out = append(out, Message{Role: "user", Content: strings.Join(system, "\n\n")})
	}
	return out
}
