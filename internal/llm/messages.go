package llm

import (
	"strings"

	openai "github.com/sashabaranov/go-openai"
)

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
