package testkit

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
)

// ModelServer speaks Chat Completions and Messages with scripted replies; see
// https://platform.openai.com/docs/api-reference/chat and
// https://platform.claude.com/docs/en/api/messages. The last reply is given
// again when the script is used up. The directives but usage are for the first.
//
// A reply may begin with lines of directives:
//
//	!status 429        answer with this HTTP status instead
//	!retry-after 1     with this header
//	!finish length     end for this reason
//	!hang              never answer
//	!reset             cut the connection in mid-stream
//	!stall             send the text, then no end
//	!usage 1000 200    say that so many tokens went in and out; a third number came from a cache
type ModelServer struct {
	*httptest.Server

	mu       sync.Mutex
	replies  []string
	requests []ModelRequest
}

// ModelRequest is what the server was asked.
type ModelRequest struct {
	Body     json.RawMessage
	Model    string
	Messages []struct{ Role, Content string }
	Header   http.Header
}

// Text gives the request's messages as one text.
func (r ModelRequest) Text() string {
	var b strings.Builder
	for _, m := range r.Messages {
		b.WriteString(m.Content + "\n")
	}
	return b.String()
}

// NewModelServer starts a server on loopback; Close ends it.
func NewModelServer(replies ...string) *ModelServer {
	s := &ModelServer{replies: replies}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"object":"list","data":[{"id":"scripted","object":"model"}]}`)
	})
	mux.HandleFunc("POST /v1/chat/completions", s.chat)
	mux.HandleFunc("POST /v1/messages", s.messages)
	s.Server = httptest.NewServer(mux)
	return s
}

// BaseURL is what OPENAI_BASE_URL is set to.
func (s *ModelServer) BaseURL() string { return s.URL + "/v1" }

// Requests gives all requests so far.
func (s *ModelServer) Requests() []ModelRequest {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]ModelRequest(nil), s.requests...)
}

func (s *ModelServer) next(r ModelRequest) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r)
	if len(s.replies) == 0 {
		return ""
	}
	return s.replies[min(len(s.requests), len(s.replies))-1]
}

// script is a reply with its directives.
type script struct {
	text, finish, retryAfter string
	status, in, out, cached  int
	hang, reset, stall       bool
}

func parseScript(reply string) script {
	s := script{finish: "stop", text: reply}
	for strings.HasPrefix(s.text, "!") {
		line, rest, _ := strings.Cut(s.text, "\n")
		f := strings.Fields(line[1:])
		if len(f) == 0 {
			break
		}
		number := func(i int) int {
			if i >= len(f) {
				return 0
			}
			n, _ := strconv.Atoi(f[i])
			return n
		}
		switch f[0] {
		case "status":
			s.status = number(1)
		case "retry-after":
			s.retryAfter = f[1]
		case "finish":
			s.finish = f[1]
		case "hang":
			s.hang = true
		case "reset":
			s.reset = true
		case "stall":
			s.stall = true
		case "usage":
			s.in, s.out, s.cached = number(1), number(2), number(3)
		default:
			return s
		}
		s.text = rest
	}
	return s
}

func (s *ModelServer) chat(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	req := ModelRequest{Body: body, Header: r.Header.Clone()}
	var in struct {
		Model    string
		Messages []struct{ Role, Content string }
	}
	if err := json.Unmarshal(body, &in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	req.Model, req.Messages = in.Model, in.Messages
	p := parseScript(s.next(req))
	if p.retryAfter != "" {
		w.Header().Set("Retry-After", p.retryAfter)
	}
	switch {
	case p.hang:
		<-r.Context().Done()
		return
	case p.status != 0:
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(p.status)
		_, _ = fmt.Fprintf(w, `{"error":{"message":%q,"type":"scripted"}}`, strings.TrimSpace(p.text))
		return
	}
	if p.in == 0 && p.out == 0 {
		p.in, p.out = len(body)/4, len(p.text)/4
	}
	stream(r.Context(), w, in.Model, p)
}

// messages answers as Anthropic does; what the request marks to be cached is
// counted as read from the cache from the second time on.
func (s *ModelServer) messages(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Model    string
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
	}
	body, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(body, &in)
	}
	if err != nil || r.Header.Get("X-Api-Key") == "" || r.Header.Get("Anthropic-Version") == "" {
		http.Error(w, `{"type":"error","error":{"type":"authentication_error","message":"x-api-key header is required"}}`, http.StatusUnauthorized)
		return
	}
	req := ModelRequest{Body: body, Header: r.Header.Clone(), Model: in.Model}
	cached := 0
	for _, m := range in.Messages {
		var blocks []struct {
			Text    string
			Control json.RawMessage `json:"cache_control"`
		}
		if json.Unmarshal(m.Content, &blocks) != nil {
			continue
		}
		text := ""
		for _, b := range blocks {
			text += b.Text
			if len(b.Control) > 0 {
				cached = len(b.Text) / 4
			}
		}
		req.Messages = append(req.Messages, struct{ Role, Content string }{"user", text})
	}
	p := parseScript(s.next(req))
	usage := fmt.Sprintf(`"input_tokens":%d,"cache_creation_input_tokens":%d,"cache_read_input_tokens":0`,
		p.in, cached)
	if len(s.Requests()) > 1 {
		usage = fmt.Sprintf(`"input_tokens":%d,"cache_creation_input_tokens":0,"cache_read_input_tokens":%d`,
			p.in, cached)
	}
	text, _ := json.Marshal(p.text)
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range []string{
		`{"type":"message_start","message":{"type":"message","model":"` + in.Model + `","usage":{` + usage + `,"output_tokens":1}}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":` + string(text) + `}}`,
		fmt.Sprintf(`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":%d}}`, p.out),
		`{"type":"message_stop"}`,
	} {
		_, _ = fmt.Fprintf(w, "data: %s\n\n", e)
	}
}

// stream sends a reply in pieces, as a model makes it.
func stream(ctx context.Context, w http.ResponseWriter, model string, p script) {
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(v any) {
		b, _ := json.Marshal(v)
		_, _ = fmt.Fprintf(w, "data: %s\n\n", b)
		if f, ok := w.(http.Flusher); ok {
			f.Flush()
		}
	}
	chunk := func(delta map[string]any, finish any) map[string]any {
		return map[string]any{
			"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": model,
			"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}},
		}
	}
	for i := 0; i < len(p.text); i += 512 {
		send(chunk(map[string]any{"content": p.text[i:min(i+512, len(p.text))]}, nil))
		if p.reset {
			if h, ok := w.(http.Hijacker); ok {
				if conn, _, err := h.Hijack(); err == nil {
					_ = conn.Close()
				}
			}
			return
		}
	}
	if p.stall {
		<-ctx.Done()
		return
	}
	send(chunk(map[string]any{}, p.finish))
	last := chunk(nil, nil)
	last["choices"] = []any{}
	last["usage"] = map[string]any{"prompt_tokens": p.in, "completion_tokens": p.out,
		"total_tokens":          p.in + p.out,
		"prompt_tokens_details": map[string]any{"cached_tokens": p.cached}}
	send(last)
	_, _ = io.WriteString(w, "data: [DONE]\n\n")
}
