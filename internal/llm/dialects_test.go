package llm

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
)

// dialect is a protocol as its server speaks it, word for word as published:
//
//	Chat Completions  developers.openai.com/api/reference/resources/chat/streaming-events
//	Responses         developers.openai.com/api/reference/resources/responses/streaming-events
//	Messages          platform.claude.com/docs/en/build-with-claude/streaming
type dialect struct {
	name, provider, path string
	// open and text begin a reply and go on with it; stop ends it.
	open    func(u told) []string
	text    func(s string) string
	thought func(s string) string
	refusal func(s string) []string // all of a reply
	call    func(tool, arguments string) []string
	stop    func(reason string, u told) []string
	// whole is the reply of a server that does not stream.
	whole func(s string, u told) string
	// failure is an error inside a stream.
	failure func(code, message string) string
	// done is what ends the stream itself.
	done string
	// ends are the protocol's words for the ways a reply ends.
	ends map[string]string
	// shape of the counts.
	usage func(u told) string
}

// told is what a server counts: input in all, of which cached and written.
type told struct{ input, output, cached, written, thinking int }

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

func dialects() []dialect { return []dialect{chatDialect(), responsesDialect(), messagesDialect()} }

func chatDialect() dialect {
	usage := func(u told) string {
		return fmt.Sprintf(`{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d,"prompt_tokens_details":{"cached_tokens":%d,"cache_write_tokens":%d},"completion_tokens_details":{"reasoning_tokens":%d}}`,
			u.input, u.output, u.input+u.output, u.cached, u.written, u.thinking)
	}
	return dialect{
		name: "chat", provider: "custom", path: "/v1/chat/completions", done: "data: [DONE]\n\n", usage: usage,
		open: func(told) []string {
			return []string{`{"id":"c","object":"chat.completion.chunk","model":"test-model","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}`}
		},
		text: delta,
		thought: func(s string) string {
			return `{"choices":[{"index":0,"delta":{"reasoning_content":` + quote(s) + `}}]}`
		},
		refusal: func(s string) []string {
			return []string{`{"choices":[{"index":0,"delta":{"refusal":` + quote(s) + `}}]}`, finish("stop")}
		},
		call: func(tool, arguments string) []string {
			return []string{
				`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"1","type":"function","function":{"name":` + quote(tool) + `,"arguments":""}}]}}]}`,
				`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":` + quote(arguments) + `}}]}}]}`,
				finish("tool_calls"),
			}
		},
		stop: func(reason string, u told) []string {
			return []string{finish(reason), `{"choices":[],"usage":` + usage(u) + `}`}
		},
		whole: func(s string, u told) string {
			return `{"model":"test-model","choices":[{"message":{"content":` + quote(s) + `},"finish_reason":"stop"}],"usage":` + usage(u) + `}`
		},
		failure: func(code, message string) string {
			return `{"error":{"code":` + quote(code) + `,"message":` + quote(message) + `}}`
		},
		ends: map[string]string{"stop": "stop", "length": "length", "filter": "content_filter", "failed": "network_error"},
	}
}

func responsesDialect() dialect {
	usage := func(u told) string {
		return fmt.Sprintf(`{"input_tokens":%d,"input_tokens_details":{"cached_tokens":%d,"cache_write_tokens":%d},"output_tokens":%d,"output_tokens_details":{"reasoning_tokens":%d},"total_tokens":%d}`,
			u.input, u.cached, u.written, u.output, u.thinking, u.input+u.output)
	}
	end := func(reason string, u told) []string {
		status, event := "completed", "response.completed"
		details := "null"
		switch reason {
		case "max_output_tokens", "content_filter":
			status, event, details = "incomplete", "response.incomplete", `{"reason":"`+reason+`"}`
		case "cancelled":
			status = reason
		}
		return []string{`{"type":"` + event + `","response":{"object":"response","status":"` + status + `","error":null,"incomplete_details":` + details +
			`,"model":"test-model","output":[],"usage":` + usage(u) + `}}`}
	}
	return dialect{
		name: "responses", provider: "custom", path: "/v1/responses", usage: usage,
		open: func(told) []string {
			return []string{`{"type":"response.created","response":{"object":"response","status":"in_progress","error":null,"incomplete_details":null,"model":"test-model","output":[],"usage":null}}`,
				`{"type":"response.output_item.added","output_index":0,"item":{"type":"message","status":"in_progress","content":[]}}`}
		},
		text: func(s string) string { return `{"type":"response.output_text.delta","delta":` + quote(s) + `}` },
		thought: func(s string) string {
			return `{"type":"response.reasoning_summary_text.delta","delta":` + quote(s) + `}`
		},
		refusal: func(s string) []string {
			return append([]string{`{"type":"response.refusal.delta","delta":` + quote(s) + `}`}, end("stop", told{})...)
		},
		call: func(tool, arguments string) []string {
			return append([]string{`{"type":"response.output_item.done","item":{"type":"function_call","name":` + quote(tool) + `,"arguments":` + quote(arguments) + `}}`}, end("stop", told{})...)
		},
		stop: end,
		whole: func(s string, u told) string {
			return `{"object":"response","status":"completed","model":"test-model","output":[{"type":"reasoning","content":[]},{"type":"message","content":[{"type":"output_text","text":` + quote(s) + `}]}],"usage":` + usage(u) + `}`
		},
		failure: func(code, message string) string {
			return `{"type":"response.failed","response":{"object":"response","status":"failed","error":{"code":` + quote(code) + `,"message":` + quote(message) + `},"output":[],"usage":null}}`
		},
		ends: map[string]string{"stop": "stop", "length": "max_output_tokens", "filter": "content_filter", "failed": "cancelled"},
	}
}

func messagesDialect() dialect {
	usage := func(u told) string {
		return fmt.Sprintf(`{"input_tokens":%d,"cache_creation_input_tokens":%d,"cache_read_input_tokens":%d,"output_tokens":%d}`,
			u.input-u.cached-u.written, u.written, u.cached, u.output)
	}
	end := func(reason string, u told) []string {
		return []string{`{"type":"content_block_stop","index":0}`,
			`{"type":"message_delta","delta":{"stop_reason":"` + reason + `","stop_sequence":null},"usage":` + usage(u) + `}`, `{"type":"message_stop"}`}
	}
	open := func(u told) []string {
		u.output = 1
		return []string{`{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[],"model":"test-model","stop_reason":null,"usage":` + usage(u) + `}}`,
			`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`, `{"type": "ping"}`}
	}
	return dialect{
		name: "messages", provider: "anthropic", path: "/v1/messages", usage: usage, open: open,
		text: func(s string) string {
			return `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":` + quote(s) + `}}`
		},
		thought: func(s string) string {
			return `{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":` + quote(s) + `}}`
		},
		refusal: func(s string) []string {
			return append([]string{`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":` + quote(s) + `}}`}, end("refusal", told{input: 9})...)
		},
		call: func(tool, arguments string) []string {
			return append([]string{`{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"t","name":` + quote(tool) + `,"input":{}}}`,
				`{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":` + quote(arguments) + `}}`}, end("tool_use", told{input: 9})...)
		},
		stop: end,
		whole: func(s string, u told) string {
			return `{"type":"message","role":"assistant","model":"test-model","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":` + quote(s) + `}],"stop_reason":"end_turn","usage":` + usage(u) + `}`
		},
		failure: func(code, message string) string {
			return `{"type":"error","error":{"type":` + quote(code) + `,"message":` + quote(message) + `}}`
		},
		ends: map[string]string{"stop": "end_turn", "length": "max_tokens", "filter": "refusal", "failed": "overloaded"},
	}
}

// sse answers with frames, each with its event name where it has a type.
func (d dialect) sse(frames ...string) http.HandlerFunc {
	return raw("text/event-stream", d.body(frames...)+d.done)
}

func (d dialect) body(frames ...string) string {
	s := ""
	for _, f := range frames {
		var e struct{ Type string }
		if json.Unmarshal([]byte(f), &e) == nil && e.Type != "" {
			s += "event: " + e.Type + "\n"
		}
		s += "data: " + f + "\n\n"
	}
	return s
}

// reply is a whole reply, streamed.
func (d dialect) reply(text, end string, u told) http.HandlerFunc {
	return d.sse(d.frames(text, end, u)...)
}

func (d dialect) frames(text, end string, u told) []string {
	frames := d.open(u)
	if text != "" {
		frames = append(frames, d.text(text[:len(text)/2]), d.text(text[len(text)/2:]))
	}
	return append(frames, d.stop(d.ends[end], u)...)
}

func (d dialect) good(text string) http.HandlerFunc {
	return d.reply(text, "stop", told{input: 10, output: 5})
}

// client reaches a server by the dialect.
func (d dialect) client(t *testing.T, cfg Config) Client {
	t.Helper()
	cfg.Provider = d.provider
	c := newClient(t, cfg)
	if d.name == "responses" { // as if Chat Completions had been refused
		c.(*client).asker.(*endpoint).quirks.responses = true
	}
	return c
}
