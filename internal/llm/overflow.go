package llm

import (
	"errors"
	"net/http"
	"regexp"
	"strings"
	"sync"
)

// overflowWords are how servers say that a request is longer than the model's
// context, each with the server that says so.
var overflowWords = []string{
	"context_length", "context length", "maximum context", // OpenAI, vLLM, LM Studio, OpenRouter, LiteLLM
	"contextwindowexceeded", "context window", // LiteLLM, Responses
	"context size", "exceed_context_size", // llama.cpp
	"prompt is too long", "exceed context limit", // Anthropic
	"prompt too long", "no user query found", // Ollama, which cuts the front off, and with it the user's message
	"tokens to keep from the initial prompt", "keep the first", // LM Studio
	"input is too long", "input length", "prompt exceeds max length", // Bedrock, Qwen, Z.ai
	"input token count", "exceeds the maximum number of tokens", // Gemini
	"maximum prompt length", "exceeded model token limit", // xAI, Moonshot
	"too large for model with", "too many tokens", "tokens_limit_reached", // Mistral
	"reduce the length", "request too large", "tokens must be reduced",
}

// isContextLength reports whether an error says that the request is too long.
func isContextLength(e *statusError) bool {
	switch e.status {
	case http.StatusRequestEntityTooLarge:
		return true
	case http.StatusTooManyRequests: // so many tokens a minute, unless no request may have as many
		return strings.Contains(strings.ToLower(e.message), "request too large")
	case 400, 422, 500, 502:
		return containsAny(strings.ToLower(e.code+" "+e.message), overflowWords)
	}
	return false
}

// overflowHint is the setting to change when a request is too long.
func (c *endpoint) overflowHint(e *statusError) string {
	hint := c.provider.ContextHint
	if p, ok := serverOf(e.message); ok {
		hint = p.ContextHint
	}
	if hint == "" {
		return "lower context.max_tokens, or use a model with a longer context"
	}
	return "lower context.max_tokens, or " + hint
}

// The ways in which servers say how much of the context a prompt leaves.
var contextSize = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:maximum context length is|context limit: \d+ \+ \d+ >) (\d+)`)
})

var promptSize = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(\d+) (?:input tokens|in the messages|of text input)|context limit: (\d+) \+`)
})

// roomLeft is what a request of its size leaves for the reply, where it is only the
// two together that are too long; 0 otherwise.
func roomLeft(err error, r Request) int {
	var e *statusError
	if !errors.As(err, &e) || e.status != http.StatusBadRequest && e.status != http.StatusUnprocessableEntity {
		return 0
	}
	size, prompt := contextSize().FindStringSubmatch(e.message), promptSize().FindStringSubmatch(e.message)
	if size == nil || prompt == nil {
		return 0
	}
	const margin = 16 // servers count their own marks, or not
	room := number(size[1]) - number(prompt[1]+prompt[2]) - margin
	if room < r.MaxOutputTokens/8 || room < leastLimit || room >= r.MaxOutputTokens {
		return 0
	}
	return room
}
