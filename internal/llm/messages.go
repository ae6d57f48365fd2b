package llm

import (
	"encoding/json"

	"github.com/booty-cli/booty/internal/provider"
)

// messages is Anthropic's Messages.
type messages struct{}

const messagesPath = "/messages"

func (messages) name() string { return messagesName }

// open implements protocol.
func (messages) open(x *exchange, q quirks, r Request) (frameReader, error) {
	mark := provider.AnthropicMark
	if q.noCacheMark {
		mark = ""
	}
	var system []block
	var rest []Message
	for _, m := range q.messages(r.Messages) {
		if m.Role == "system" {
			system = append(system, blocks(m, mark, "text")...)
			continue
		}
		rest = append(rest, m)
	}
	body := map[string]any{
		"model": x.info.Model, "stream": true, "max_tokens": q.outputTokens(r),
		"messages": markedMessages(rest, mark, "text"),
	}
	if len(system) > 0 {
		body["system"] = system
	}
	if r.Temperature != nil && !q.noTemperature {
		body["temperature"] = *r.Temperature
	}
	q.thinking(body, r)
	frames, err := x.post(messagesPath, body)
	if err != nil {
		return nil, err
	}
	return frames, nil
}

// thinking sets how much the model thinks: newer models take an effort, older ones a token
// budget. Without a setting the model's default applies.
func (q quirks) thinking(body map[string]any, r Request) {
	effort := q.effort(r)
	switch {
	case effort == "":
	case effort == "none":
		body["thinking"] = map[string]any{"type": "disabled"}
	case !q.budget:
		body["output_config"] = map[string]any{"effort": effort}
	default:
		if n := min(thinkingBudget(effort), q.outputTokens(r)*3/4); n >= leastBudget {
			body["thinking"] = map[string]any{"type": "enabled", "budget_tokens": n}
		}
	}
}

// leastBudget is the lowest budget that Anthropic accepts.
const leastBudget = 1024

func thinkingBudget(effort string) int {
	switch effort {
	case "minimal", "low":
		return 2048
	case "medium":
		return 8192
	}
	return 32_000
}

// messageEvent is a frame, or, with type message, a whole reply of a server that does not
// stream.
type messageEvent struct {
	Type    string        `json:"type"`
	Index   int           `json:"index"`
	Message *wholeMessage `json:"message"`
	Block   messageBlock  `json:"content_block"`
	Delta   struct {
		Type     string `json:"type"`
		Text     string `json:"text"`
		Thinking string `json:"thinking"`
		Partial  string `json:"partial_json"`
		Stop     string `json:"stop_reason"`
	} `json:"delta"`
	wholeMessage
}

type wholeMessage struct {
	Model   string          `json:"model"`
	Stop    string          `json:"stop_reason"`
	Content []messageBlock  `json:"content"`
	Usage   json.RawMessage `json:"usage"`
}

type messageBlock struct {
	Type     string          `json:"type"`
	Text     string          `json:"text"`
	Thinking string          `json:"thinking"`
	Name     string          `json:"name"`
	Input    json.RawMessage `json:"input"`
}

// take implements protocol.
func (messages) take(a *answer, frame []byte) error {
	var e messageEvent
	if err := json.Unmarshal(frame, &e); err != nil {
		return err
	}
	a.counts.separate = true
	switch e.Type {
	case "message_start":
		if e.Message != nil {
			a.reply.Model = e.Message.Model
			a.counts.read(e.Message.Usage)
			a.counts.partial = true
		}
	case "content_block_start":
		a.block(e.Index, e.Block, false)
	case "content_block_delta":
		a.write(e.Delta.Text)
		a.think(e.Delta.Thinking)
		if e.Delta.Partial != "" {
			a.call(a.callAt(e.Index), "", e.Delta.Partial)
		}
	case "message_delta":
		a.counts.read(e.Usage)
		a.counts.partial = false
		a.finish = firstNonEmpty(e.Delta.Stop, a.finish)
	case "message":
		a.whole, a.reply.Model, a.finish = true, e.Model, e.Stop
		a.counts.read(e.Usage)
		for i, b := range e.Content {
			a.block(i, b, true)
		}
	case "error", "":
		return &streamError{frame}
	}
	return nil
}

// block reads a block of the content. Only a whole block includes the input of its tool
// call.
func (a *answer) block(i int, b messageBlock, whole bool) {
	a.write(b.Text)
	a.think(b.Thinking)
	if b.Type != "tool_use" {
		return
	}
	input := ""
	if whole {
		input = string(b.Input)
	}
	a.call(len(a.calls), b.Name, input)
	a.blocks = append(a.blocks, i)
}

// callAt returns the number of the tool call in a block.
func (a *answer) callAt(index int) int {
	for n, i := range a.blocks {
		if i == index {
			return n
		}
	}
	return -1
}
