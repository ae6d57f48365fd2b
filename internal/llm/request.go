package llm

import (
	"strings"

	openai "github.com/sashabaranov/go-openai"
)

// request is what is asked for, as far as go-openai can say it.
func (q quirks) request(model string, r Request) openai.ChatCompletionRequest {
	asked := openai.ChatCompletionRequest{Model: model, Messages: q.messages(r.Messages)}
	if !q.oldMaxTokens {
		asked.MaxCompletionTokens = q.outputTokens(r)
	}
	if !q.noStreamOptions {
		asked.StreamOptions = &openai.StreamOptions{IncludeUsage: true}
	}
	return asked
}

// beyond are the fields that go-openai cannot say; they are added to the body on
// its way. It judges max_tokens, temperature and reasoning_effort by the model's
// name and refuses the request, though a name says nothing about what a server
// of somebody else accepts; and a temperature of 0 it leaves out (decision 0016).
func (q quirks) beyond(r Request) map[string]any {
	fields := map[string]any{}
	if n := q.outputTokens(r); n > 0 && q.oldMaxTokens {
		fields["max_tokens"] = n
	}
	if r.Temperature != nil && !q.noTemperature {
		fields["temperature"] = *r.Temperature
	}
	if r.ReasoningEffort != "" && !q.noEffort {
		fields["reasoning_effort"] = r.ReasoningEffort
	}
	return fields
}

// outputTokens bounds the reply; 0: the server takes no bound.
func (q quirks) outputTokens(r Request) int {
	switch {
	case q.noMaxTokens:
		return 0
	case q.maxTokens > 0:
		return min(r.MaxOutputTokens, q.maxTokens)
	}
	return r.MaxOutputTokens
}

// messages gives the request's messages in go-openai's form.
func (q quirks) messages(in []Message) []openai.ChatCompletionMessage {
	var out []openai.ChatCompletionMessage
	var system []string
	for _, m := range in {
		text := strings.ToValidUTF8(m.Content, "\uFFFD")
		if m.Role == "system" && q.noSystem {
			system = append(system, text)
			continue
		}
		if m.Role == "user" && len(system) > 0 {
			text = strings.Join(append(system, text), "\n\n")
			system = nil
		}
		out = append(out, openai.ChatCompletionMessage{Role: m.Role, Content: text})
	}
	if len(system) > 0 {
		out = append(out, openai.ChatCompletionMessage{Role: "user", Content: strings.Join(system, "\n\n")})
	}
	return out
}
