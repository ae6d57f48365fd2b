package llm

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/booty-cli/booty/internal/provider"
)

// Prompt caches. What is the same in every request of a run comes first; where it
// ends is marked for the providers that want it told (Anthropic and those behind
// OpenRouter; OpenAI from GPT-5.6 on, whose caches match at marks only). A key
// made of it keeps requests with the same beginning on the same cache.

// stableText is all that stays the same, "" where nothing is known to.
func stableText(messages []Message) string {
	var b strings.Builder
	for _, m := range messages {
		if m.Stable > 0 {
			b.WriteString(m.Content[:min(m.Stable, len(m.Content))])
			return b.String()
		}
		b.WriteString(m.Content)
	}
	return ""
}

// atHome reports whether the endpoint is the provider's own, which is known to take
// the fields of its prompt cache.
func (c *endpoint) atHome() bool {
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

// cacheField is the key, for providers that take it as a field of the body.
func (c *endpoint) cacheField(q quirks, r Request) string {
	if q.noCacheKey || !c.atHome() || c.provider.CacheKey == "" || strings.Contains(c.provider.CacheKey, "-") {
		return ""
	}
	return cacheID(r)
}

// cacheHeader is the key, for providers that take it as a header.
func (c *endpoint) cacheHeader(q quirks, r Request) http.Header {
	h := http.Header{}
	if id := cacheID(r); id != "" && !q.noCacheKey && c.atHome() && strings.Contains(c.provider.CacheKey, "-") {
		h.Set(c.provider.CacheKey, id)
	}
	return h
}

// cacheMark is the field that marks the end of what stays the same.
func (c *endpoint) cacheMark(q quirks, r Request) string {
	if q.noCacheMark || !c.atHome() || stableText(r.Messages) == "" {
		return ""
	}
	return c.provider.CacheMark
}

// block is a part of a message's content, as all three protocols know it.
type block map[string]any

func markValue(mark string) map[string]string {
	if mark == provider.OpenAIMark {
		return map[string]string{"mode": "explicit"}
	}
	return map[string]string{"type": "ephemeral"}
}

// blocks cuts a message where its stable part ends, and marks that. Their type is
// text, but input_text and output_text in Responses.
func blocks(m Message, mark, kind string) []block {
	text := func(s string) block { return block{"type": kind, "text": s} }
	if m.Stable <= 0 || mark == "" {
		return []block{text(m.Content)}
	}
	stable := text(m.Content[:min(m.Stable, len(m.Content))])
	stable[mark] = markValue(mark)
	if m.Stable >= len(m.Content) {
		return []block{stable}
	}
	return []block{stable, text(m.Content[m.Stable:])}
}

// roleMessage is a message with its content in blocks, or as a plain string.
type roleMessage struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

// markedMessages are messages whose stable part is marked; one without is plain.
func markedMessages(messages []Message, mark, kind string) []roleMessage {
	var out []roleMessage
	for _, m := range messages {
		var content any = m.Content
		if m.Stable > 0 && mark != "" {
			content = blocks(m, mark, kind)
		}
		raw, _ := json.Marshal(content) // strings and maps of them
		out = append(out, roleMessage{m.Role, raw})
	}
	return out
}
