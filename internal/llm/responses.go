package llm

import (
	"encoding/json"

	"github.com/booty-cli/booty/internal/provider"
)

// responses is OpenAI's Responses, for models that Chat Completions does not offer.
// Requests are independent, so nothing is stored on the server.
type responses struct{}

func (responses) name() string { return responsesName }

// open implements protocol.
func (responses) open(x *exchange, q quirks, r Request) (frameReader, error) {
	mark := x.cacheMark(q, r)
	body := map[string]any{
		"model": x.info.Model, "stream": true, "store": false,
		"input": markedMessages(q.messages(r.Messages), mark, "input_text"),
	}
	if n := q.outputTokens(r); n > 0 {
		body["max_output_tokens"] = n
	}
	if effort := q.effort(r); effort != "" {
		body["reasoning"] = map[string]string{"effort": effort}
	}
	if r.Temperature != nil && !q.noTemperature {
		body["temperature"] = *r.Temperature
	}
	if id := cacheID(r); id != "" && !q.noCacheKey && x.isOwnEndpoint() && x.provider.CacheKey != "" {
		body[provider.CacheKey] = id
	}
	if mark == provider.OpenAIMark {
		body["prompt_cache_options"] = map[string]string{"mode": "explicit"}
	}
	frames, err := x.post("/responses", body)
	if err != nil {
		return nil, err
	}
	return frames, nil
}

// responseEvent is a frame, or, without a type, a whole response of a server that does not
// stream.
type responseEvent struct {
	Type     string          `json:"type"`
	Delta    json.RawMessage `json:"delta"`
	Item     responseItem    `json:"item"`
	Response *response       `json:"response"`
	response
}

type response struct {
	Object     string          `json:"object"`
	Model      string          `json:"model"`
	Status     string          `json:"status"`
	Error      json.RawMessage `json:"error"`
	Incomplete struct {
		Reason string `json:"reason"`
	} `json:"incomplete_details"`
	Usage  json.RawMessage `json:"usage"`
	Output []responseItem  `json:"output"`
}

type responseItem struct {
	Type      string `json:"type"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
	Content   []struct {
		Type    string `json:"type"`
		Text    string `json:"text"`
		Refusal string `json:"refusal"`
	} `json:"content"`
}

// take implements protocol.
func (responses) take(a *answer, frame []byte) error {
	var e responseEvent
	if err := json.Unmarshal(frame, &e); err != nil {
		return err
	}
	switch e.Type {
	case "response.output_text.delta":
		a.write(content(e.Delta))
	case "response.refusal.delta":
		a.refuse(content(e.Delta))
	case "response.reasoning_text.delta", "response.reasoning_summary_text.delta":
		a.think(content(e.Delta))
	case "response.output_item.done":
		if e.Item.Type == "function_call" {
			a.call(len(a.calls), e.Item.Name, e.Item.Arguments)
		}
	case "error":
		return &streamError{frame}
	}
	switch {
	case e.Response != nil:
		return a.takeResponse(*e.Response)
	case e.Object == "response":
		a.whole = true
		return a.takeResponse(e.response)
	case e.Type == "":
		return &streamError{frame}
	}
	return nil
}

// takeResponse reads a response as far as it has come.
func (a *answer) takeResponse(r response) error {
	if r.Model != "" {
		a.reply.Model = r.Model
	}
	a.counts.read(r.Usage)
	switch r.Status {
	case "failed":
		if len(r.Error) > 0 && string(r.Error) != "null" {
			return &streamError{[]byte(`{"error":` + string(r.Error) + `}`)}
		}
		a.finish = r.Status
	case "cancelled":
		a.finish = r.Status
	case "incomplete":
		a.finish = firstNonEmpty(r.Incomplete.Reason, FinishLength)
	case "completed":
		a.finish = FinishStop
	}
	if a.finish != "" && a.text.Len()+a.refusal.Len()+len(a.calls) == 0 { // it came in one response
		a.takeOutput(r.Output)
	}
	return nil
}

func (a *answer) takeOutput(items []responseItem) {
	for _, item := range items {
		if item.Type == "function_call" {
			a.call(len(a.calls), item.Name, item.Arguments)
		}
		for _, c := range item.Content {
			switch c.Type {
			case "output_text":
				a.write(c.Text)
			case "refusal":
				a.refuse(c.Refusal)
			}
		}
	}
}
