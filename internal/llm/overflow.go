package llm

import (
	"errors"
	"net/http"
	"regexp"
	"strings"
	"sync"
)

// overflowWords are phrases in errors about a request that exceeds the model's context,
// with the servers that use them.
var overflowWords = []string{
	"context_length", "context length", "maximum context", // OpenAI, vLLM, LM Studio, OpenRouter, LiteLLM
	"contextwindowexceeded", "context window", // LiteLLM, Responses
	"context size", "exceed_context_size", // llama.cpp
	"prompt is too long", "exceed context limit", // Anthropic
	// Ollama, which cuts the beginning, and with it the user's message
	"prompt too long", "no user query found",
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
	case http.StatusTooManyRequests: // a rate limit in tokens, unless no single request may have as many
		return strings.Contains(strings.ToLower(e.message), "request too large")
	case 400, 422, 500, 502:
		return containsAny(strings.ToLower(e.code+" "+e.message), overflowWords)
	}
	return false
}

// overflowHint names the setting to change when a request is too long.
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

// Ways in which servers report how much of the context a prompt leaves.
var contextSize = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:maximum context length is|context limit: \d+ \+ \d+ >) (\d+)`)
})

var promptSize = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(\d+) (?:input tokens|in the messages|of text input)|context limit: (\d+) \+`)
})

// roomLeft returns what a request leaves for the reply if only both together are too long;
// 0 otherwise.
func roomLeft(err error, r Request) int {
	var e *statusError
	if !errors.As(err, &e) ||
		e.status != http.StatusBadRequest && e.status != http.StatusUnprocessableEntity {
		return 0
	}
	size, prompt := contextSize().FindStringSubmatch(e.message), promptSize().FindStringSubmatch(e.message)
	if size == nil || prompt == nil {
		return 0
	}
	const margin = 16 // some servers count their own marks
	room := number(size[1]) - number(prompt[1]+prompt[2]) - margin
	if room < r.MaxOutputTokens/8 || room < leastLimit || room >= r.MaxOutputTokens {
		return 0
	}
	return room
}
