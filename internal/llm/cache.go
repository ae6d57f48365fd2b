package llm

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/booty-cli/booty/internal/provider"
)

// Prompt caches. The part that all requests of a run share comes first, then what each of
// them has added. Two ends are marked for providers that need marks (Anthropic and those
// behind OpenRouter; OpenAI from GPT-5.6 on, whose caches match only at marks): that of the
// first part, and the last. What lies between is a block for each request, since a cache
// finds what was marked before only at the end of a block. A key derived from the first part
// keeps requests with the same beginning on the same cache.

// stableText returns the text that stays the same, or "" if unknown.
func stableText(messages []Message) string {
	var b strings.Builder
	for _, m := range messages {
		if len(m.Stable) > 0 {
			b.WriteString(m.Content[:min(m.Stable[0], len(m.Content))])
			return b.String()
		}
		b.WriteString(m.Content)
	}
	return ""
}

// isOwnEndpoint reports whether the endpoint is the provider's own, which accepts the fields of
// its prompt cache.
func (c *endpoint) isOwnEndpoint() bool {
	return c.provider.BaseURL == "" || c.provider.BaseURL == c.info.BaseURL
}

func cacheID(r Request) string {
	text := stableText(r.Messages)
	if text == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(text))
	return fmt.Sprintf("booty-%x", sum[:8])
}

// cacheField returns the key for providers that take it as a field of the body.
func (c *endpoint) cacheField(q quirks, r Request) string {
	if q.noCacheKey || !c.isOwnEndpoint() || c.provider.CacheKey == "" ||
		strings.Contains(c.provider.CacheKey, "-") {
		return ""
	}
	return cacheID(r)
}

// cacheHeader returns the key for providers that take it as a header.
func (c *endpoint) cacheHeader(q quirks, r Request) http.Header {
	h := http.Header{}
	if id := cacheID(r); id != "" && !q.noCacheKey && c.isOwnEndpoint() &&
		strings.Contains(c.provider.CacheKey, "-") {
		h.Set(c.provider.CacheKey, id)
	}
	return h
}

// cacheMark returns the field that marks the end of the stable part.
func (c *endpoint) cacheMark(q quirks, r Request) string {
	if q.noCacheMark || !c.isOwnEndpoint() || stableText(r.Messages) == "" {
		return ""
	}
	return c.provider.CacheMark
}

// block is a part of a message's content, in the form that all three protocols share.
type block map[string]any

func markValue(mark string) map[string]string {
	if mark == provider.OpenAIMark {
		return map[string]string{"mode": "explicit"}
	}
	return map[string]string{"type": "ephemeral"}
}

// blocks splits a message at the ends of its stable parts, and marks the first and the last
// of these. The type of a block is text, or input_text and output_text in Responses.
func blocks(m Message, mark, kind string) []block {
	var out []block
	at := 0
	add := func(to int) bool {
		if to = min(to, len(m.Content)); to <= at {
			return false
		}
		out = append(out, block{"type": kind, "text": m.Content[at:to]})
		at = to
		return true
	}
	if mark != "" {
		for _, to := range m.Stable {
			add(to)
		}
		if len(out) > 0 {
			out[0][mark], out[len(out)-1][mark] = markValue(mark), markValue(mark)
		}
	}
	if !add(len(m.Content)) && len(out) == 0 {
		out = append(out, block{"type": kind, "text": ""})
	}
	return out
}

// roleMessage is a message whose content is a list of blocks or a string.
type roleMessage struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

// markedMessages returns messages with their stable part marked; those without one are
// plain.
func markedMessages(messages []Message, mark, kind string) []roleMessage {
	var out []roleMessage
	for _, m := range messages {
		var content any = m.Content
		if len(m.Stable) > 0 && mark != "" {
			content = blocks(m, mark, kind)
		}
		raw, _ := json.Marshal(content) // strings and maps of strings
		out = append(out, roleMessage{m.Role, raw})
	}
	return out
}
